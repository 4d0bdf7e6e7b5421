//! Parquet files.

use std::fs;
use std::sync::Arc;

use arrow_schema::Schema;
use columnade::parquet::{ParquetWriteOptions, ParquetWriter};
use columnade::{col, df, read_parquet};

use super::{Case, called, case, frame};

pub(crate) fn cases() -> Vec<Case> {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = (folder.path().join("f.parquet"), folder.path().join("text.parquet"));
    let options = ParquetWriteOptions::new();
    let frame = frame().drop("s").expect("a column");
    frame.write_parquet(&file).expect("a file");
    fs::write(&text, "not Parquet").expect("a file");
    let numbers = df! { 1998 => [1_i64, 2] }.expect("a number as a label");
    let named = |reader: columnade::parquet::ParquetReader<'_>| reader.read();
    vec![
        called("io::parquet::read::read", "read_parquet", &["text.parquet"], named(read_parquet(&text))),
        called(
            "io::parquet::read::read",
            "read_parquet",
            &["f.parquet", "\"tax\""],
            named(read_parquet(&file).columns(["tax"])),
        ),
        called(
            "io::parquet::read::read",
            "read_parquet",
            &["(n + 1)", "int64"],
            named(read_parquet(&file).filter(col("n") + 1)),
        ),
        called(
            "io::parquet::read::read",
            "read_parquet",
            &["\"tax\""],
            named(read_parquet(&file).filter(col("tax").gt(1))),
        ),
        called("io::parquet::write::write_parquet", "write_parquet", &["1998"], numbers.write_parquet(&file)),
        called(
            "io::parquet::write::write_parquet_with",
            "write_parquet",
            &["1998"],
            numbers.write_parquet_with(&file, &options),
        ),
        called(
            "io::parquet::write::create",
            "write_parquet",
            &[],
            ParquetWriter::create(folder.path(), Arc::new(Schema::empty()), &options),
        ),
        case("io::parquet::write::write_parquet", &[], frame.write_parquet(folder.path())),
    ]
}
