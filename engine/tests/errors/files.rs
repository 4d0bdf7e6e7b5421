//! Files.

use std::fs;
use std::sync::Arc;

use arrow_schema::Schema;
use columnade::csv::{CsvWriteOptions, CsvWriter};
use columnade::ipc::{IpcWriteOptions, IpcWriter};
use columnade::json::{JsonLayout, JsonWriteOptions, JsonWriter};
use columnade::parquet::{ParquetWriteOptions, ParquetWriter};
use columnade::{Column, DType, Exec, Scalar, col, df, read_csv, read_ipc, read_json, read_parquet};

use super::{Case, called, case, frame};

#[expect(clippy::too_many_lines, reason = "a table")]
pub(crate) fn cases() -> Vec<Case> {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, text) = (folder.path().join("f.parquet"), folder.path().join("text.parquet"));
    let options = ParquetWriteOptions::new();
    let frame = frame().drop("s").expect("a column");
    frame.write_parquet(&file).expect("a file");
    fs::write(&text, "not Parquet").expect("a file");
    let (csv, ipc) = (folder.path().join("f.csv"), folder.path().join("f.arrow"));
    let (words, json) = (folder.path().join("words.csv"), folder.path().join("f.jsonl"));
    fs::write(&json, "{\"k\": \"a\"}\n{\"k\"\n").expect("a file");
    fs::write(&csv, "n,k\n1,a\n2,b\nc\n").expect("a file");
    fs::write(&words, "n,k\n1,a\n2,b\n").expect("a file");
    df! { "n" => [1] }.expect("a frame").write_ipc(&ipc).expect("a file");
    let nested = super::frame();
    let bytes = Column::from_scalars(&DType::Binary, &[Scalar::Binary(vec![1])], &Exec::host());
    let bytes = df! { "b" => bytes.expect("a column") }.expect("a frame");
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
        called(
            "io::parquet::read::key_value_metadata",
            "read_parquet",
            &["text.parquet"],
            read_parquet(&text).key_value_metadata(),
        ),
        called(
            "io::parquet::read::scan::scan",
            "read_parquet",
            &["text.parquet"],
            read_parquet(&text).scan(),
        ),
        called(
            "io::parquet::write::dataset::write_dataset",
            "write_dataset",
            &["not empty"],
            frame.write_dataset(folder.path(), ["n"]),
        ),
        called("io::csv::read::read", "read_csv", &["f.csv", "line 4"], read_csv(&csv).read()),
        called(
            "io::csv::read::read_with_statistics",
            "read_csv",
            &["words.csv", "line 2", "\"k\"", "int8"],
            read_csv(&words).dtype("k", DType::Int8).limit(1).read_with_statistics(),
        ),
        called("io::csv::read::scan", "read_csv", &["\"tax\""], read_csv(&csv).columns(["tax"]).scan()),
        called(
            "io::json::read::scan",
            "read_json",
            &["\"k\"", "list"],
            read_json(&json).dtype("k", DType::list(DType::Binary)).scan(),
        ),
        called("io::ipc::scan::scan", "read_ipc", &["missing.arrow"], read_ipc("missing.arrow").scan()),
        called("io::csv::write::write_csv", "write_csv", &["\"s\""], nested.write_csv(&text)),
        called(
            "io::csv::write::write_csv_with",
            "write_csv",
            &["1998"],
            numbers.write_csv_with(&text, &CsvWriteOptions::default()),
        ),
        called("io::json::read::read", "read_json", &["f.jsonl", "line 2"], read_json(&json).read()),
        called(
            "io::json::read::read_with_statistics",
            "read_json",
            &["f.jsonl", "line 1", "\"k\"", "int8"],
            read_json(&json).dtype("k", DType::Int8).limit(1).read_with_statistics(),
        ),
        called("io::json::write::write_json", "write_json", &["\"b\""], bytes.write_json(&text)),
        called(
            "io::json::write::write_json_with",
            "write_json",
            &["1998"],
            numbers.write_json_with(&text, JsonWriteOptions::default()),
        ),
        columns_that_differ(),
        called(
            "io::csv::write::create",
            "write_csv",
            &["byte 34"],
            CsvWriter::create(&text, &CsvWriteOptions::new().delimiter(b'"')),
        ),
        called(
            "io::json::write::create",
            "write_json",
            &["layout", "columns"],
            JsonWriter::create(&text, JsonWriteOptions::new().layout(JsonLayout::Columns)),
        ),
        called(
            "io::ipc::write::create",
            "write_ipc",
            &[],
            IpcWriter::create(folder.path(), IpcWriteOptions::new()),
        ),
        called(
            "io::parquet::write::create_for_frames",
            "write_parquet",
            &[],
            ParquetWriter::create_for_frames(folder.path(), &options),
        ),
        called(
            "io::ipc::read::read",
            "read_ipc",
            &["f.arrow", "\"tax\""],
            read_ipc(&ipc).columns(["tax"]).read(),
        ),
        called("io::ipc::write::write_ipc", "write_ipc", &["1998"], numbers.write_ipc(&text)),
        called(
            "io::ipc::write::write_ipc_with",
            "write_ipc",
            &["1998"],
            numbers.write_ipc_with(&text, IpcWriteOptions::default()),
        ),
    ]
    .into_iter()
    .chain(frames_that_differ())
    .collect()
}

/// Frames of one file, the second with another dtype.
fn frames_that_differ() -> [Case; 4] {
    let folder = tempfile::tempdir().expect("a folder");
    let at = |name: &str| folder.path().join(name);
    let (first, second) = (df! { "n" => [1_i64] }.expect("a frame"), df! { "n" => [0.5] }.expect("a frame"));
    let mut csv = CsvWriter::create(at("a.csv"), &CsvWriteOptions::new()).expect("a writer");
    let mut json = JsonWriter::create(at("a.jsonl"), JsonWriteOptions::new()).expect("a writer");
    let mut ipc = IpcWriter::create(at("a.arrow"), IpcWriteOptions::new()).expect("a writer");
    let options = ParquetWriteOptions::new();
    let mut parquet = ParquetWriter::create_for_frames(at("a.parquet"), &options).expect("a writer");
    csv.append(&first).and_then(|()| json.append(&first)).expect("rows");
    ipc.append(&first).and_then(|()| parquet.append_frame(&first)).expect("rows");
    let text: &[&'static str] = &["\"n\"", "float64", "int64"];
    [
        called("io::csv::write::append", "write_csv", text, csv.append(&second)),
        called("io::json::write::append", "write_json", text, json.append(&second)),
        called("io::ipc::write::append", "write_ipc", text, ipc.append(&second)),
        called("io::parquet::write::append_frame", "write_parquet", text, parquet.append_frame(&second)),
    ]
}

fn columns_that_differ() -> Case {
    let folder = tempfile::tempdir().expect("a folder");
    df! { "n" => [1_u64] }.expect("a frame").write_ipc(folder.path().join("a.arrow")).expect("a file");
    df! { "n" => ["1"] }.expect("a frame").write_ipc(folder.path().join("b.arrow")).expect("a file");
    let named = ["b.arrow", "\"n\"", "utf8", "uint64"];
    called("io::ipc::read::read", "read_ipc", &named, read_ipc(folder.path()).read())
}
