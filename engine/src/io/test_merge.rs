//! Several files of CSV, JSON lines and Arrow IPC as one frame: names of folders, and columns that differ.

use std::fs;
use std::path::{Path, PathBuf};

use columnade_buffers::Exec;
use columnade_columns::{Column, ColumnAccessor, DType, ErrorKind, ListColumn, Scalar, TimeUnit, TimeZone};
use columnade_ops::cast::{CastMode, cast};
use columnade_ops::expression::{col, lit};
use tempfile::{TempDir, tempdir};

use super::parquet::{ParquetWriteOptions, ParquetWriter};
use super::{FrameScan, read_csv, read_ipc, read_json, read_parquet};
use crate::dataframe::DataFrame;
use crate::df;
use crate::error::Result;
use crate::testing::{on_every_device, values};

#[derive(Clone, Copy, Debug, PartialEq)]
enum Format {
    Csv,
    Json,
    Ipc,
}

const FORMATS: [Format; 3] = [Format::Csv, Format::Json, Format::Ipc];

impl Format {
    fn write(self, path: &Path, frame: &DataFrame) -> PathBuf {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        let path = path.with_extension(match self {
            Format::Csv => "csv",
            Format::Json => "jsonl",
            Format::Ipc => "arrow",
        });
        match self {
            Format::Csv => frame.write_csv(&path),
            Format::Json => frame.write_json(&path),
            Format::Ipc => frame.write_ipc(&path),
        }
        .expect("written");
        path
    }

    fn scan(self, path: &Path, columns: Option<&[&str]>, hive: bool) -> Result<FrameScan<'static>> {
        let columns = columns.map(<[_]>::to_vec);
        match (self, columns) {
            (Format::Csv, None) => read_csv(path).hive_partitions(hive).scan(),
            (Format::Csv, Some(columns)) => read_csv(path).hive_partitions(hive).columns(columns).scan(),
            (Format::Json, None) => read_json(path).hive_partitions(hive).scan(),
            (Format::Json, Some(columns)) => read_json(path).hive_partitions(hive).columns(columns).scan(),
            (Format::Ipc, None) => read_ipc(path).hive_partitions(hive).scan(),
            (Format::Ipc, Some(columns)) => read_ipc(path).hive_partitions(hive).columns(columns).scan(),
        }
    }

    fn read(self, path: &Path, columns: Option<&[&str]>, hive: bool) -> Result<DataFrame> {
        let columns = columns.map(<[_]>::to_vec);
        match (self, columns) {
            (Format::Csv, None) => read_csv(path).hive_partitions(hive).read(),
            (Format::Csv, Some(columns)) => read_csv(path).hive_partitions(hive).columns(columns).read(),
            (Format::Json, None) => read_json(path).hive_partitions(hive).read(),
            (Format::Json, Some(columns)) => read_json(path).hive_partitions(hive).columns(columns).read(),
            (Format::Ipc, None) => read_ipc(path).hive_partitions(hive).read(),
            (Format::Ipc, Some(columns)) => read_ipc(path).hive_partitions(hive).columns(columns).read(),
        }
    }
}

fn texts(frame: &DataFrame, label: &str) -> Vec<String> {
    values(frame, label).iter().map(ToString::to_string).collect()
}

/// What `read` and `scan` give, which is the same.
fn rows(format: Format, path: &Path, columns: Option<&[&str]>) -> (DataFrame, Vec<Vec<String>>) {
    let read = format.read(path, columns, true).expect("read");
    let labels: Vec<String> = read.columns().iter().map(ToString::to_string).collect();
    let expected: Vec<Vec<String>> = labels.iter().map(|label| texts(&read, label)).collect();
    let mut scanned = vec![Vec::new(); labels.len()];
    for part in format.scan(path, columns, true).expect("files") {
        let part = part.expect("rows");
        assert_eq!((part.columns(), part.dtypes()), (read.columns(), read.dtypes()), "{format:?}");
        for (all, label) in scanned.iter_mut().zip(&labels) {
            all.extend(texts(&part, label));
        }
    }
    assert_eq!(scanned, expected, "{format:?}");
    (read, expected)
}

/// Files of 0, 1, 31, 65 rows in folders as pyarrow 26 names them.
fn hive(format: Format) -> TempDir {
    let folder = tempdir().expect("a folder");
    let mut first = 0;
    for (year, city, rows) in [
        (2025, "Oslo%20a%2Fb", 1),
        (2025, "__HIVE_DEFAULT_PARTITION__", 31),
        (2026, "Z%C3%BCrich", 65),
        (2026, "__HIVE_DEFAULT_PARTITION__", 2),
    ] {
        let frame = df! { "n" => (first..first + rows).collect::<Vec<i64>>() }.expect("a frame");
        format.write(&folder.path().join(format!("year={year}/city={city}/p")), &frame);
        first += rows;
    }
    folder
}

#[test]
fn names_of_folders_are_columns() {
    on_every_device(|_| {
        for format in FORMATS {
            let folder = hive(format);
            let (read, shown) = rows(format, folder.path(), None);
            assert_eq!(read.columns(), ["n", "year", "city"]);
            assert_eq!(read.dtypes(), [DType::Int64, DType::Int64, DType::Utf8]);
            let of_row = |n: usize| match n {
                0 => ("2025", "Oslo a/b"),
                1..32 => ("2025", "<NA>"),
                32..97 => ("2026", "Zürich"),
                _ => ("2026", "<NA>"),
            };
            assert_eq!(shown[0], (0..99).map(|n| n.to_string()).collect::<Vec<_>>());
            assert_eq!(shown[1], (0..99).map(|n| of_row(n).0).collect::<Vec<_>>());
            assert_eq!(shown[2], (0..99).map(|n| of_row(n).1).collect::<Vec<_>>());
            // Some of them, in another order; alone.
            let (some, shown) = rows(format, folder.path(), Some(&["city", "n"]));
            assert_eq!(
                (some.columns().len(), &shown[0][32], &shown[1][32]),
                (2, &"Zürich".into(), &"32".into())
            );
            let (alone, shown) = rows(format, folder.path(), Some(&["year"]));
            assert_eq!((alone.shape(), shown[0][98].as_str()), ((99, 1), "2026"));
            // A pattern: only what stands below its first wildcard is looked at.
            let pattern = folder.path().join("year=2026/city=*/*");
            let below = format.read(&pattern, None, true).expect("read");
            assert_eq!((below.shape(), texts(&below, "city")[66].as_str()), ((67, 2), "<NA>"));
            assert_eq!(format.read(&pattern, None, false).expect("read").shape(), (67, 1));
            let none = format.read(folder.path(), None, false).expect_err("no file of its own");
            assert!(none.to_string().contains("holds no"), "{none}");
            let missing = format.read(folder.path(), Some(&["n", "x"]), true).expect_err("no such column");
            assert_eq!(missing.kind(), ErrorKind::Key, "{missing}");
        }
    });
}

#[test]
fn column_of_path_comes_before_that_of_file() {
    for format in FORMATS {
        let folder = tempdir().expect("a folder");
        let frame = df! { "k" => [7_i64, 8], "n" => [1_i64, 2] }.expect("a frame");
        format.write(&folder.path().join("k=1/p"), &frame);
        format.write(&folder.path().join("p"), &frame);
        let (read, shown) = rows(format, folder.path(), None);
        assert_eq!((read.columns().len(), read.columns()[1].as_text()), (2, Some("k")));
        assert_eq!(shown, [["1", "2", "1", "2"], ["1", "1", "<NA>", "<NA>"]], "{format:?}");
    }
}

#[test]
fn given_dtype_is_that_of_a_column_in_paths() {
    let folder = tempdir().expect("a folder");
    let frame = df! { "n" => [1_i64, 2] }.expect("a frame");
    for day in ["2026-01-31", "2026-02-01"] {
        for format in [Format::Csv, Format::Json] {
            format.write(&folder.path().join(format!("day={day}/p")), &frame);
        }
    }
    let csv = read_csv(folder.path()).dtype("day", DType::Date32).read().expect("read");
    let json = read_json(folder.path()).dtype("day", DType::Date32).read().expect("read");
    for read in [csv, json] {
        assert_eq!(read.dtypes(), [DType::Int64, DType::Date32]);
        assert_eq!(texts(&read, "day"), ["2026-01-31", "2026-01-31", "2026-02-01", "2026-02-01"]);
    }
    let wrong = read_csv(folder.path()).dtype("day", DType::Int8).read().expect_err("no number");
    assert!(wrong.to_string().contains("column \"day\" is \"2026-01-31\""), "{wrong}");
    let unknown = read_csv(folder.path()).dtype("day", DType::Binary).read().expect_err("bytes");
    assert_eq!(unknown.kind(), ErrorKind::NotImplemented, "{unknown}");
}

#[test]
fn columns_of_files_are_joined_by_name_and_widened() {
    on_every_device(|_| {
        for format in FORMATS {
            let folder = tempdir().expect("a folder");
            let first = df! { "a" => [1_i32, -2], "b" => [i32::MAX, 0], "c" => ["x", "y"] };
            let second = df! { "d" => [true], "b" => [0.5], "a" => [i64::from(u32::MAX)] };
            format.write(&folder.path().join("1"), &first.expect("a frame"));
            format.write(&folder.path().join("2"), &second.expect("a frame"));
            let (read, shown) = rows(format, folder.path(), None);
            assert_eq!(read.columns(), ["a", "b", "c", "d"]);
            assert_eq!(read.dtypes(), [DType::Int64, DType::Float64, DType::Utf8, DType::Bool]);
            assert_eq!(shown[0], ["1", "-2", "4294967295"]);
            let floats = read.column("b").and_then(|b| b.to_vec::<f64>()).expect("floats");
            assert_eq!(floats, [f64::from(i32::MAX), 0.0, 0.5]);
            assert_eq!(shown[2..], [["x", "y", "<NA>"], ["<NA>", "<NA>", "true"]]);
            let (_, shown) = rows(format, folder.path(), Some(&["d", "a"]));
            assert_eq!(shown, [["<NA>", "<NA>", "true"], ["1", "-2", "4294967295"]]);
            // Only files without the column have rows before it.
            let (_, shown) = rows(format, folder.path(), Some(&["c"]));
            assert_eq!(shown, [["x", "y", "<NA>"]]);
        }
    });
}

#[test]
fn files_without_rows_and_without_text() {
    for format in FORMATS {
        let folder = tempdir().expect("a folder");
        let frame = df! { "n" => [1_i64, 2], "s" => ["a", "b"] }.expect("a frame");
        format.write(&folder.path().join("1"), &frame.head(0).expect("no rows"));
        format.write(&folder.path().join("2"), &frame);
        let empty = format.write(&folder.path().join("3"), &frame);
        if format != Format::Ipc {
            fs::write(&empty, "").expect("written");
            let (read, shown) = rows(format, folder.path(), None);
            assert_eq!(
                (read.dtypes()[0].clone(), &shown[1]),
                (DType::Int64, &vec!["a".to_owned(), "b".into()])
            );
        }
        let last = format.write(&folder.path().join("3"), &frame.slice(1, 1).expect("a row"));
        let (read, shown) = rows(format, folder.path(), None);
        assert_eq!((read.dtypes()[0].clone(), shown[0].join(" ")), (DType::Int64, "1 2 2".to_owned()));
        // What a later file has wrong names it.
        fs::write(&last, "{\"n\n\n1,2,3,4\n").expect("written");
        let error = format.read(folder.path(), None, true).expect_err("damaged").to_string();
        assert!(error.contains(last.file_name().and_then(|name| name.to_str()).expect("a name")), "{error}");
    }
}

/// Lists and structs of narrower items and of other fields, in files of pyarrow 26.0.1 and Polars 2.1.0.
#[test]
fn nested_columns_of_files_are_widened() {
    let files: [&[u8]; 3] = [
        include_bytes!("../../tests/files/merge-pyarrow.parquet"),
        include_bytes!("../../tests/files/merge-pyarrow-wide.parquet"),
        include_bytes!("../../tests/files/merge-polars.parquet"),
    ];
    on_every_device(|device| {
        let folder = tempdir().expect("a folder");
        let paths: Vec<PathBuf> = (0..files.len())
            .map(|at| {
                let path = folder.path().join(format!("{at}.parquet"));
                fs::write(&path, files[at]).expect("written");
                path
            })
            .collect();
        let expect = |frame: &DataFrame, order: [usize; 3]| {
            let rows = [
                vec![("1.0", "[1, 2]", "{a: 1, b: x, c: <NA>}"), ("2.0", "<NA>", "<NA>")],
                vec![("1.5", "[1099511627776]", "{a: 1099511627776, b: <NA>, c: true}")],
                vec![("3.0", "[7]", "{a: 5, b: y, c: <NA>}")],
            ];
            let rows: Vec<_> = order.iter().flat_map(|&at| rows[at].clone()).collect();
            let texts =
                |label: &str| values(frame, label).iter().map(ToString::to_string).collect::<Vec<_>>();
            assert_eq!(texts("n"), rows.iter().map(|row| row.0).collect::<Vec<_>>());
            assert_eq!(texts("l"), rows.iter().map(|row| row.1).collect::<Vec<_>>());
            assert_eq!(texts("s"), rows.iter().map(|row| row.2).collect::<Vec<_>>());
        };
        let read = read_parquet(paths.clone()).columns(["n", "l", "s"]).read().expect("read");
        assert_eq!(read.device(), device);
        let dtypes: Vec<String> = read.dtypes().iter().map(ToString::to_string).collect();
        assert_eq!(dtypes, ["float32", "list<int64>", "struct<a: int64, b: utf8, c: bool>"]);
        expect(&read, [0, 1, 2]);

        // The same columns in files of Arrow IPC.
        let arrows: Vec<PathBuf> = paths
            .iter()
            .map(|path| {
                let arrow = path.with_extension("arrow");
                read_parquet(path).read().and_then(|frame| frame.write_ipc(&arrow)).expect("written");
                arrow
            })
            .collect();
        expect(&read_ipc(arrows.clone()).columns(["n", "l", "s"]).read().expect("read of IPC"), [0, 1, 2]);

        // A list of strings has no common dtype with one of numbers.
        let text = folder.path().join("text.parquet");
        let lines = folder.path().join("text.jsonl");
        fs::write(&lines, "{\"l\": [\"a\"]}\n").expect("written");
        read_json(&lines).read().and_then(|frame| frame.write_parquet(&text)).expect("a list of strings");
        let error = read_parquet([paths[0].clone(), text]).columns(["l"]).read().expect_err("two kinds");
        assert_eq!(error.kind(), ErrorKind::Type);
        assert!(error.to_string().contains("text.parquet"), "{error}");
        assert!(error.to_string().contains("list<utf8>"), "{error}");
    });
}

#[test]
fn dates_and_times_in_names_of_folders_are_dates_and_times() {
    let folder = tempdir().expect("a folder");
    let sales = folder.path().join("sales");
    let days = ["2026-01-31", "1969-12-31", "2026-01-31"].map(Some);
    let times = ["2026-01-31 12:30:00", "2026-01-31 00:00:00", "2026-01-31 00:00:00.25"].map(Some);
    let frame = df! { "day" => days, "at" => times, "n" => [1, 2, 3] }
        .and_then(|frame| {
            frame.with_columns([
                col("day").cast(DType::Date32),
                col("at").cast(DType::Timestamp(TimeUnit::Micro)),
            ])
        })
        .expect("a frame");
    frame.write_dataset(&sales, ["day", "at"]).expect("written");
    let read = read_parquet(&sales).read().expect("read").sort_values("n").expect("sorted");
    for label in ["day", "at", "n"] {
        let of = |frame: &DataFrame| (frame.column(label).unwrap().dtype(), values(frame, label));
        assert_eq!(of(&read), of(&frame));
    }
    let one = read_parquet(&sales).filter(col("day").eq("1969-12-31")).read().expect("read");
    assert_eq!(one.column("n").unwrap().to_vec::<i32>().unwrap(), [2]);

    for (day, n) in [("2026-01-31", 1), ("1969-12-31", 2)] {
        let folder = folder.path().join(format!("csv/day={day}"));
        std::fs::create_dir_all(&folder).expect("a folder");
        df! { "n" => [n] }.and_then(|frame| frame.write_csv(folder.join("a.csv"))).expect("written");
    }
    let read = read_csv(folder.path().join("csv")).read().expect("read");
    assert_eq!(read.column("day").unwrap().dtype(), DType::Date32);
    assert_eq!(read.column("day").unwrap().get(0).unwrap().to_string(), "1969-12-31");
}

#[cfg(unix)]
#[test]
fn patterns_leave_hidden_files_out_and_names_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let folder = tempdir().expect("a folder");
    let name = |bytes: &[u8]| folder.path().join(std::ffi::OsStr::from_bytes(bytes));
    for bytes in [&b"a.csv"[..], b"\xff.csv", b"\xfe.txt", b".b.csv", b"deep/c.csv", b".hidden/d.csv"] {
        fs::create_dir_all(name(bytes).parent().expect("a folder")).expect("made");
        fs::write(name(bytes), "n\n1\n").expect("written");
    }
    let rows = |pattern: &str| read_csv(folder.path().join(pattern)).read().expect("read").len();
    assert_eq!(rows("*.csv"), 1);
    assert_eq!(rows("**/*.csv"), 2);
    assert_eq!(rows(".*.csv"), 1);
    assert_eq!(rows(".hidden/*.csv"), 1);
}

#[test]
fn files_that_match_a_pattern_by_themselves_and_by_their_folder_are_read_once() {
    let folder = tempdir().expect("a folder");
    for format in FORMATS {
        let root = folder.path().join(format!("{format:?}"));
        for (at, n) in [("a", 1), ("x/b", 2), ("x/y/c", 3), ("k=1/d", 4), ("k=1/m=2/e", 5)] {
            format.write(&root.join(at), &df! { "n" => [n] }.expect("a frame"));
        }
        fs::write(root.join("notes.txt"), "none").expect("written");
        fs::rename(root.join("notes.txt"), root.join(".notes")).expect("hidden");
        let all = ["1", "4", "5", "2", "3"];
        for pattern in ["**", "**/*", "**/**", "../*/**", "./**"] {
            let pattern = root.join(pattern);
            if pattern.ends_with("../*/**") && format != Format::Csv {
                continue;
            }
            for hive in [true, false] {
                let read = format.read(&pattern, None, hive).expect("read");
                assert_eq!(texts(&read, "n"), all, "{} {hive}", pattern.display());
                let parts = format.scan(&pattern, None, hive).expect("files");
                let scanned: Vec<String> = parts.flat_map(|part| texts(&part.expect("rows"), "n")).collect();
                assert_eq!(scanned, all, "{} {hive}", pattern.display());
                assert_eq!(read.columns().len(), if hive { 3 } else { 1 });
            }
        }
        // A folder that is no column stands for its files too.
        for (pattern, expected) in
            [("*", &["1", "4", "5", "2"][..]), ("x/**", &["2", "3"]), ("x/*/**", &["3"])]
        {
            let read = format.read(&root.join(pattern), None, true).expect("read");
            assert_eq!(texts(&read, "n"), expected, "{pattern}");
        }
    }
}

/// As pyarrow with `promote_options="permissive"`; DuckDB with `union_by_name` rounds.
#[test]
fn integer_that_is_no_float_is_refused_beside_floats() {
    let folder = tempdir().expect("a folder");
    let cases = [
        (vec![1_i64, 9_007_199_254_740_993], "9007199254740993"),
        (vec![0, i64::MAX], "9223372036854775807"),
    ];
    for (at, (integers, value)) in cases.into_iter().enumerate() {
        let root = folder.path().join(at.to_string());
        fs::create_dir(&root).expect("made");
        for (ending, float) in [("a", 0.5), ("c", 1.5)] {
            let frame = df! { "c" => [float] }.expect("a frame");
            frame.write_parquet(root.join(ending).with_extension("parquet")).expect("written");
            frame.write_ipc(root.join(ending).with_extension("arrow")).expect("written");
        }
        let frame = df! { "c" => integers }.expect("a frame");
        let rows = ParquetWriteOptions::new().row_group_rows(1);
        frame.write_parquet_with(root.join("b.parquet"), &rows).expect("written");
        frame.write_ipc(root.join("b.arrow")).expect("written");
        let error = read_parquet(root.join("*.parquet")).read().expect_err("no float");
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        let text = error.to_string();
        for part in ["b.parquet", "row group 1", "column \"c\"", value, "float64"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let error = read_ipc(root.join("*.arrow")).read().expect_err("no float");
        assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
        let text = error.to_string();
        for part in ["column \"c\"", value, "float64"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // A part of the rows that has it not.
        let some = read_parquet(root.join("*.parquet")).rows(0..2).read().expect("two rows");
        assert_eq!(values(&some, "c")[0], Scalar::Float64(0.5));
    }
}

#[test]
fn decimals_and_times_of_files_widen() {
    let folder = tempdir().expect("a folder");
    let host = Exec::host();
    let number = |precision, scale| DType::decimal(precision, scale).expect("a dtype");
    let zoned = |unit| DType::TimestampTz(unit, TimeZone::new("Europe/Berlin").expect("a zone"));
    let pairs = [
        (number(9, 2), number(18, 2), "1.25", "2.50", Some(number(18, 2))),
        (number(9, 2), number(7, 5), "1.25", "2.50000", Some(number(12, 5))),
        (number(38, 2), number(38, 3), "1.25", "2.500", None),
        (DType::Int32, number(7, 2), "7", "1.25", Some(number(12, 2))),
        (number(30, 2), DType::Int64, "7.00", "1", Some(number(30, 2))),
        (
            DType::Date32,
            DType::Timestamp(TimeUnit::Milli),
            "2026-01-31",
            "2026-01-31 01:02:03",
            Some(DType::Timestamp(TimeUnit::Milli)),
        ),
        (
            DType::Timestamp(TimeUnit::Nano),
            DType::Timestamp(TimeUnit::Second),
            "2026-01-31 01:02:03",
            "2026-01-31",
            Some(DType::Timestamp(TimeUnit::Nano)),
        ),
        (
            zoned(TimeUnit::Milli),
            zoned(TimeUnit::Micro),
            "2026-01-31 01:02:03Z",
            "2026-01-31 00:00:00Z",
            Some(zoned(TimeUnit::Micro)),
        ),
        (
            zoned(TimeUnit::Milli),
            DType::Timestamp(TimeUnit::Milli),
            "2026-01-31 01:02:03Z",
            "2026-01-31",
            None,
        ),
        (
            DType::Time(TimeUnit::Milli),
            DType::Time(TimeUnit::Nano),
            "01:02:03",
            "04:05:06",
            Some(DType::Time(TimeUnit::Nano)),
        ),
        (
            DType::Duration(TimeUnit::Micro),
            DType::Duration(TimeUnit::Milli),
            "1 days 02:03:04",
            "2 days 00:00:00",
            Some(DType::Duration(TimeUnit::Micro)),
        ),
        (
            DType::Duration(TimeUnit::Micro),
            DType::Timestamp(TimeUnit::Micro),
            "1 days 02:03:04",
            "2026-01-31",
            None,
        ),
        (DType::Int64, DType::Float64, "-9007199254740992", "2.5", Some(DType::Float64)),
        (DType::Float32, DType::Int64, "2.5", "9007199254740994", Some(DType::Float64)),
        (DType::UInt64, DType::Float64, "9223372036854775808", "2.5", Some(DType::Float64)),
    ];
    let stored = |dtype: &DType, text: &str| {
        let texts = [Scalar::Utf8(text.to_owned()), Scalar::Null(DType::Utf8)];
        let texts = Column::from_scalars(&DType::Utf8, &texts, &host).expect("text");
        cast(&texts, dtype, CastMode::Checked, &host).expect("values")
    };
    for (at, (first, second, a, b, wide)) in pairs.into_iter().enumerate() {
        let root = folder.path().join(at.to_string());
        fs::create_dir(&root).expect("made");
        for (name, dtype, text) in [("a", &first, a), ("b", &second, b)] {
            let frame = df! { "c" => stored(dtype, text) }.expect("a frame");
            frame.write_parquet(root.join(name).with_extension("parquet")).expect("written");
            frame.write_ipc(root.join(name).with_extension("arrow")).expect("written");
        }
        let reads = [read_parquet(root.join("*.parquet")).read(), read_ipc(root.join("*.arrow")).read()];
        for read in reads {
            let Some(wide) = &wide else {
                let error = read.expect_err("no common dtype");
                assert_eq!(error.kind(), ErrorKind::Type, "{error}");
                assert!(error.to_string().contains("column \"c\""), "{error}");
                continue;
            };
            let read = read.unwrap_or_else(|error| panic!("{first} and {second}: {error}"));
            assert_eq!(read.dtypes(), std::slice::from_ref(wide), "{first} and {second}");
            let expected = [(&first, a), (&second, b)].map(|(dtype, text)| {
                cast(&stored(dtype, text), wide, CastMode::Checked, &host)
                    .expect("fits")
                    .get(0)
                    .expect("a row")
            });
            let found = values(&read, "c");
            assert_eq!([&found[0], &found[2]], [&expected[0], &expected[1]], "{first} and {second}");
        }
        if wide.is_some() {
            // The filter compares by value in both files.
            let value = stored(&first, a).get(0).expect("a value");
            let kept = read_parquet(root.join("*.parquet")).filter(col("c").eq(lit(value))).read();
            assert_eq!(kept.expect("read").len(), 1, "{first} and {second}");
        }
    }
}

#[test]
fn values_that_a_finer_unit_does_not_have_are_an_error_of_their_column() {
    let folder = tempdir().expect("a folder");
    for (name, unit, value) in [("a", TimeUnit::Milli, i64::MAX / 4), ("b", TimeUnit::Nano, 0)] {
        let column =
            Column::from_scalars(&DType::Timestamp(unit), &[Scalar::Timestamp(value, unit)], &Exec::host());
        let frame = df! { "c" => column.expect("a time") }.expect("a frame");
        frame.write_parquet(folder.path().join(name).with_extension("parquet")).expect("written");
    }
    let error = read_parquet(folder.path()).read().expect_err("no such nanosecond");
    assert_eq!(error.kind(), ErrorKind::Overflow, "{error}");
    let text = error.to_string();
    assert!(text.contains("a.parquet") && text.contains("column \"c\""), "{text}");
}

#[test]
fn lines_are_skipped_beyond_the_first_chunk_of_a_file() {
    let folder = tempdir().expect("a folder");
    let (large, small) = (folder.path().join("a.csv"), folder.path().join("b.csv"));
    fs::write(&large, "comment\n".repeat(600_000) + "n,s\n1,x\n2,y\n").expect("written");
    fs::write(&small, "\"\n".repeat(599_999) + "no\nn,s\n3,z\n").expect("written");
    let reader = |paths: &[&Path]| read_csv(paths).skip_rows(600_000);
    let read = reader(&[&large, &small]).read().expect("read");
    assert_eq!(read.columns(), ["n", "s"]);
    assert_eq!(read.column("n").unwrap().to_vec::<i64>().unwrap(), [1, 2, 3]);
    let scanned: Vec<usize> =
        reader(&[&large, &small]).scan().expect("a scan").map(|part| part.expect("rows").len()).collect();
    assert_eq!(scanned.iter().sum::<usize>(), 3);
    fs::write(&small, "no\n".repeat(600_000) + "n,s\n3,z\n4\n").expect("written");
    let error = reader(&[&small]).read().expect_err("a row of one field").to_string();
    assert!(error.contains("line 600003"), "{error}");
    let error = read_csv(&small).skip_rows(700_000).read().expect_err("no header").to_string();
    assert!(error.contains("the file is empty"), "{error}");
    assert!(
        read_csv(&small).skip_rows(700_000).names(["a"]).has_header(false).read().expect("named").is_empty()
    );
}

#[test]
fn dates_that_have_no_text_are_refused_with_their_column() {
    let folder = tempdir().expect("a folder");
    let days = Column::from_scalars(
        &DType::Date32,
        &[Scalar::Date32(0), Scalar::Null(DType::Date32), Scalar::Date32(i32::MAX)],
        &Exec::host(),
    );
    let days = df! { "n" => [1, 2, 3], "d" => days.expect("days") }.expect("a frame");
    let far = Column::from_scalars(&DType::Date32, &[Scalar::Date32(i32::MIN)], &Exec::host());
    let in_list = ListColumn::from_lengths(&far.expect("a day"), [Some(1)], &Exec::host()).expect("a list");
    let lists = df! { "d" => Column::List(in_list) }.expect("a frame");
    let path = folder.path().join("f");
    for frame in [&days, &lists] {
        let error = frame.write_json(&path).expect_err("no text");
        assert_eq!(error.kind(), ErrorKind::Overflow);
        let text = error.to_string();
        assert!(text.contains("column \"d\": ") && text.contains(" of date32 has no text"), "{text}");
    }
    let error = days.write_csv(&path).expect_err("no text").to_string();
    assert!(error.contains("column \"d\": 5881580-07-11 of date32 has no text"), "{error}");
    assert!(!path.exists());
}

#[test]
fn thousands_of_columns_are_read_from_every_format() {
    let folder = tempdir().expect("a folder");
    let one = Column::from_values([1_i64, 2], &Exec::host()).expect("a column");
    let columns = ColumnAccessor::from_columns((0..3000).map(|at| (format!("c{at}"), one.clone())));
    let frame = DataFrame::from_accessor(columns.expect("columns"), &Exec::host());
    for format in FORMATS {
        let path = format.write(&folder.path().join("wide"), &frame);
        let read = format.read(&path, None, true).expect("read");
        assert_eq!(read.shape(), (2, 3000), "{format:?}");
        let some = format.read(&path, Some(&["c2999", "c7"]), true).expect("read");
        assert_eq!(some.columns(), ["c2999", "c7"], "{format:?}");
        let error = format.read(&path, Some(&["c1", "c1"]), true).expect_err("twice").to_string();
        assert!(error.contains("c1"), "{error}");
    }
    let path = folder.path().join("wide.parquet");
    frame.write_parquet(&path).expect("written");
    assert_eq!(read_parquet(&path).read().expect("read").shape(), (2, 3000));
    for options in
        [ParquetWriteOptions::new().bloom_filter("q"), ParquetWriteOptions::new().plain_column("q")]
    {
        let error = frame.write_parquet_with(&path, &options).expect_err("no such column").to_string();
        assert!(error.contains("has no column \"q\""), "{error}");
    }
}

#[test]
fn scans_without_rows_give_one_frame_with_the_columns() {
    let folder = tempdir().expect("a folder");
    let frame = df! { "n" => [1_i64, 2], "s" => ["x", "y"] }.expect("a frame");
    let path = folder.path().join("f.parquet");
    frame.write_parquet(&path).expect("written");
    let shapes = |scan: &mut dyn Iterator<Item = Result<DataFrame>>| -> Vec<(usize, usize)> {
        scan.map(|part| part.expect("a frame").shape()).collect()
    };
    let reader = || read_parquet(&path).filter(col("n").gt(7));
    assert_eq!(shapes(&mut reader().scan().expect("a scan")), [(0, 2)]);
    assert_eq!(shapes(&mut read_parquet(&path).scan().expect("a scan").batch_rows(1)), [(1, 2), (1, 2)]);
    let copy = folder.path().join("copy.parquet");
    let mut writer = ParquetWriter::create_for_frames(&copy, &ParquetWriteOptions::new()).expect("a writer");
    for part in reader().scan().expect("a scan") {
        writer.append_frame(&part.expect("a frame")).expect("appended");
    }
    writer.finish().expect("written");
    assert_eq!(read_parquet(&copy).read().expect("read").dtypes(), [DType::Int64, DType::Utf8]);
    for format in FORMATS {
        let path = format.write(&folder.path().join(format!("{format:?}")), &frame.head(0).expect("none"));
        let scanned = shapes(&mut format.scan(&path, None, true).expect("a scan"));
        // A file of JSON lines without lines has no columns.
        assert_eq!(scanned, [(0, if format == Format::Json { 0 } else { 2 })], "{format:?}");
    }
}
