//! Several files as one frame: folders of partitions, columns that differ, parts of the rows, and what is not read.

use std::fs;
use std::path::Path;

use columnade_buffers::{Device, Tier};
use columnade_columns::{DType, ErrorKind, Scalar, TimeUnit, TimeZone};
use columnade_ops::expression::{Expr, col, lit};
use tempfile::{TempDir, tempdir};

use crate::dataframe::DataFrame;
use crate::df;
use crate::error::Error;
use crate::io::{ParquetError, ParquetWriteOptions, read_parquet};
use crate::testing::{managed, on_every_device, values};

fn texts(frame: &DataFrame, label: &str) -> Vec<String> {
    values(frame, label).iter().map(ToString::to_string).collect()
}

fn write(folder: &Path, name: &str, frame: &DataFrame) {
    let path = folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("made");
    frame.write_parquet(path).expect("written");
}

/// Folders as pyarrow 26 names them.
fn hive() -> TempDir {
    let folder = tempdir().expect("a folder");
    for (at, (year, city)) in [2025, 2026]
        .into_iter()
        .flat_map(|year| {
            ["Oslo%20a%2Fb", "Z%C3%BCrich", "__HIVE_DEFAULT_PARTITION__"].map(|city| (year, city))
        })
        .enumerate()
    {
        let first = i32::try_from(2 * at).expect("few");
        let frame = df! { "n" => [first, first + 1] }.expect("a frame");
        write(folder.path(), &format!("year={year}/city={city}/p-0.parquet"), &frame);
    }
    folder
}

#[test]
fn partitions_in_paths_are_columns() {
    on_every_device(|_| {
        let folder = hive();
        let read = read_parquet(folder.path()).read().expect("read");
        assert_eq!(read.columns(), ["n", "year", "city"]);
        assert_eq!(read.dtypes(), [DType::Int32, DType::Int64, DType::Utf8]);
        assert_eq!(texts(&read, "n"), (0..12).map(|n| n.to_string()).collect::<Vec<_>>());
        let years: Vec<_> = (0..12).map(|n| if n < 6 { "2025" } else { "2026" }).collect();
        assert_eq!(texts(&read, "year"), years);
        let cities: Vec<_> = (0..12).map(|n| ["Oslo a/b", "Zürich", "<NA>"][n / 2 % 3]).collect();
        assert_eq!(texts(&read, "city"), cities);

        let some = read_parquet(folder.path()).columns(["city", "n"]).rows(3..5).read().expect("read");
        assert_eq!(
            (texts(&some, "city"), texts(&some, "n")),
            (cities_of(&[3, 4]), vec!["3".into(), "4".into()])
        );
        // A pattern: only what stands below its first wildcard is looked at.
        let pattern = folder.path().join("year=2026/city=*/*.parquet");
        let below = read_parquet(&pattern).read().expect("read");
        assert_eq!((below.columns(), below.len()), (&["n".into(), "city".into()][..], 6));
        let folders = read_parquet(folder.path().join("year=*")).read().expect("read");
        assert_eq!((folders.columns(), folders.len()), (read.columns(), 12));
        let plain = read_parquet(&pattern).hive_partitions(false).read().expect("read");
        assert_eq!(plain.columns(), ["n"]);
        let none = read_parquet(folder.path()).hive_partitions(false).read().expect_err("no file of its own");
        assert!(none.to_string().contains("holds no .parquet file"), "{none}");
    });
}

fn cities_of(rows: &[usize]) -> Vec<String> {
    rows.iter().map(|n| ["Oslo a/b", "Zürich", "<NA>"][n / 2 % 3].to_owned()).collect()
}

#[test]
fn filter_skips_files_by_their_paths() {
    on_every_device(|_| {
        let folder = hive();
        for (filter, rows, pruned) in [
            (col("year").eq(2026), &[6, 7, 8, 9, 10, 11][..], 3),
            (col("year").gt(2026), &[], 6),
            (col("city").eq("Zürich"), &[2, 3, 8, 9], 4),
            (col("city").is_null(), &[4, 5, 10, 11], 4),
            (col("city").is_not_null().and(col("year").lt(2026)), &[0, 1, 2, 3], 4),
            (col("year").eq(2025).or(col("n").eq(7)), &[0, 1, 2, 3, 4, 5, 7], 2),
        ] {
            let text = filter.to_string();
            let read = read_parquet(folder.path()).columns(["n"]).filter(filter);
            let (read, statistics) = read.read_with_statistics().expect(&text);
            let expected: Vec<String> = rows.iter().map(ToString::to_string).collect();
            assert_eq!((texts(&read, "n"), statistics.row_groups_pruned), (expected, pruned), "{text}");
            assert_eq!(read.columns(), ["n"]);
        }
    });
}

#[test]
fn written_dataset_reads_back() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("sales");
        let frame = df! {
            "n" => (0..66_i64).collect::<Vec<_>>(),
            "city" => (0..66).map(|n| [Some("Zürich"), None, Some("a=b/c"), Some("..")][n % 4]).collect::<Vec<_>>(),
            "m" => (0..66_i16).map(|n| (n % 3 != 0).then_some(-(n % 3))).collect::<Vec<_>>(),
        }
        .expect("a frame");
        for frame in [frame.clone(), frame.slice(31, 33).expect("inside"), frame.slice(5, 1).expect("inside")]
        {
            frame.write_dataset(&path, ["m", "city"]).expect("written");
            let read = read_parquet(&path).read().expect("read").sort_values("n").expect("sorted");
            assert_eq!(read.columns(), ["n", "m", "city"]);
            for label in ["n", "m", "city"] {
                assert_eq!(texts(&read, label), texts(&frame, label), "{label}");
            }
            assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing else is left");
            fs::remove_dir_all(&path).expect("removed");
        }
        frame.write_dataset(&path, ["city"]).expect("written");
        // Rows keep their order in a file.
        let one = read_parquet(path.join("city=Z%C3%BCrich/part-0.parquet")).read().expect("read");
        assert_eq!(texts(&one, "n"), (0..66).step_by(4).map(|n| n.to_string()).collect::<Vec<_>>());
        let full = frame.write_dataset(&path, ["city"]).expect_err("there are files");
        assert!(matches!(full, Error::Parquet { source: ParquetError::FolderNotEmpty, .. }), "{full}");
        let nothing = folder.path().join("nothing");
        frame.head(0).expect("no rows").write_dataset(&nothing, ["m"]).expect("written");
        let lost = folder.path().join("missing/sales");
        let error = frame.write_dataset(&lost, ["m"]).expect_err("no folder").to_string();
        assert!(error.contains("missing/sales: ") && !error.contains(".columnade-"), "{error}");
        let read = read_parquet(&nothing).read().expect("read");
        assert_eq!((read.len(), read.columns().last()), (0, Some(&"m".into())));
        let same = read.select(frame.columns().iter().cloned()).expect("the columns");
        assert_eq!(same.dtypes(), frame.dtypes());
        // Files of the columns in paths alone have rows without columns.
        let months = frame.select(["m"]).expect("a column");
        let alone = folder.path().join("alone");
        months.write_dataset(&alone, ["m"]).expect("written");
        let read = read_parquet(&alone).read().expect("read").cast([("m", months.dtypes()[0].clone())]);
        let sorted = |frame: &DataFrame| texts(&frame.sort_values("m").expect("sorted"), "m");
        assert_eq!(sorted(&read.expect("the dtype")), sorted(&months));
        fs::remove_dir_all(&alone).expect("removed");
        let bare = folder.path().join("bare");
        let lists = df! { "l" => [vec![1]], "n" => [1] }.expect("a frame");
        let error = lists.write_dataset(&bare, ["l"]).expect_err("lists");
        assert!(
            error.to_string().starts_with("write_dataset: ") && error.to_string().contains("\"l\""),
            "{error}"
        );
        for by in [vec![], vec!["m", "m"]] {
            assert_eq!(frame.write_dataset(&bare, by).expect_err("none or twice").kind(), ErrorKind::Value);
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2, "nothing else is left");
    });
}

#[test]
fn columns_of_files_are_joined_by_name_and_widened() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let first = df! { "a" => [1_i8, -2], "b" => [1.5_f32, 0.1], "c" => ["x", "y"] }.expect("a frame");
        let second = df! { "d" => [true], "b" => [i32::MAX], "a" => [u32::MAX] }.expect("a frame");
        write(folder.path(), "1.parquet", &first);
        write(folder.path(), "2.parquet", &second);
        let read = read_parquet(folder.path()).read().expect("read");
        assert_eq!(read.columns(), ["a", "b", "c", "d"]);
        assert_eq!(read.dtypes(), [DType::Int64, DType::Float64, DType::Utf8, DType::Bool]);
        assert_eq!(texts(&read, "a"), ["1", "-2", "4294967295"]);
        let floats = read.column("b").and_then(|b| b.to_vec::<f64>()).expect("floats");
        assert_eq!(floats, [1.5, f64::from(0.1_f32), f64::from(i32::MAX)]);
        assert_eq!(texts(&read, "c"), ["x", "y", "<NA>"]);
        assert_eq!(texts(&read, "d"), ["<NA>", "<NA>", "true"]);
        // Of a file without the column, no row is greater; statistics of floats in another width are not compared.
        for (filter, a) in [
            (col("c").eq("y"), vec!["-2"]),
            (col("d").is_null(), vec!["1", "-2"]),
            (col("b").gt(lit(0.1)).and(col("b").lt(lit(0.2))), vec!["-2"]),
            (col("a").gt(lit(4_000_000_000_i64)), vec!["4294967295"]),
        ] {
            let text = filter.to_string();
            let found = read_parquet(folder.path()).filter(filter).read().expect("read");
            assert_eq!(texts(&found, "a"), a, "{text}");
        }
        let none = read_parquet(folder.path()).columns(["a", "e"]).read().expect_err("in no file");
        assert!(none.to_string().contains("no column \"e\"; it has \"a\", \"b\", \"c\", \"d\""), "{none}");
    });
}

#[test]
fn dtypes_without_a_common_one_name_file_and_column() {
    let folder = tempdir().expect("a folder");
    let numbers = df! { "k" => [1], "n" => [1_u64] }.expect("a frame");
    write(folder.path(), "1.parquet", &numbers);
    for (other, found) in
        [(df! { "n" => [1_i8] }, "int8"), (df! { "n" => [true] }, "bool"), (df! { "n" => ["1"] }, "utf8")]
    {
        write(folder.path(), "2.parquet", &other.expect("a frame"));
        let error = read_parquet(folder.path()).read().expect_err("no common dtype");
        assert_eq!(error.kind(), ErrorKind::Type);
        let expected = format!("2.parquet: column \"n\" is {found}, and uint64 in a file before it");
        assert!(error.to_string().ends_with(&expected), "{error}");
        assert_eq!(read_parquet(folder.path()).columns(["k"]).read().expect("the other").len(), 2);
    }
}

/// Every pair of numbers, by what their values say.
#[test]
fn widened_columns_have_the_values_of_both() {
    let frames = [
        df! { "v" => [i8::MIN, i8::MAX] },
        df! { "v" => [i16::MIN, i16::MAX] },
        df! { "v" => [i32::MIN, i32::MAX] },
        df! { "v" => [i64::MIN, i64::MAX] },
        df! { "v" => [0, u8::MAX] },
        df! { "v" => [0, u16::MAX] },
        df! { "v" => [0, u32::MAX] },
        df! { "v" => [0, u64::MAX] },
        df! { "v" => [0.5_f32, 16_777_215.0] },
        df! { "v" => [0.1_f64, 9_007_199_254_740_991.0] },
    ]
    .map(|frame| frame.expect("numbers"));
    let mut joined = 0;
    for left in &frames {
        for right in &frames {
            let folder = tempdir().expect("a folder");
            write(folder.path(), "1.parquet", left);
            write(folder.path(), "2.parquet", right);
            let Ok(read) = read_parquet(folder.path()).read() else { continue };
            joined += 1;
            let back = |dtype: &DType, start| {
                let part = read.slice(start, 2).expect("rows");
                let part = part.with_columns([col("v").cast(dtype.clone())]).expect("each value fits");
                texts(&part, "v")
            };
            assert_eq!(back(&left.dtypes()[0], 0), texts(left, "v"));
            assert_eq!(back(&right.dtypes()[0], 2), texts(right, "v"));
        }
    }
    // All but those of 64 bits: `uint64` with signed ones, and both with floats, which do not have the greatest of them.
    assert_eq!(joined, 100 - 2 * (4 + 2 + 2));
}

/// 1000 rows in one row group, in pages of 100.
const PAGES: &[u8] = include_bytes!("../../../../tests/files/pages.parquet");

#[test]
fn filter_skips_pages_by_their_index() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("pages.parquet");
        let own = folder.path().join("own.parquet");
        fs::write(&path, PAGES).expect("written by pyarrow 26");
        let frame = read_parquet(&path).read().expect("read");
        frame.write_parquet_with(&own, &ParquetWriteOptions::new().page_rows(100)).expect("written");
        let cases: [(Expr, usize, usize); 7] = [
            (col("n").ge(950), 50, 900),
            (col("n").between(lit(199), lit(200)), 2, 800),
            (col("s").eq("k03"), 100, 900),
            // pyarrow ends pages by their bytes, and nulls have none.
            (col("x").is_null().and(col("n").gt(450)), 49, 900),
            (col("x").gt(lit(499.0)), 1, 900),
            (col("n").lt(50).or(col("s").ge("k09")), 150, 800),
            ((col("n") % lit(2)).eq(lit(0)), 500, 0),
        ];
        for path in [&path, &own] {
            for (filter, rows, pruned) in &cases {
                let text = filter.to_string();
                let read = read_parquet(path).filter(filter.clone()).read_with_statistics();
                let (read, statistics) = read.expect(&text);
                let expected = frame.filter(filter.clone()).expect("a filter");
                let pruned = if path.ends_with("pages.parquet") && *rows == 49 { 800 } else { *pruned };
                assert_eq!((read.len(), statistics.rows_pruned), (*rows, pruned), "{text}");
                for label in ["n", "s", "x"] {
                    assert_eq!(values(&read, label), values(&expected, label), "{text}");
                }
            }
        }
    });
}

/// 5000 rows in three row groups, with Bloom filters of the strings `é0` to `é49`.
const BLOOM: &[u8] = include_bytes!("../../../../tests/files/bloom.parquet");

#[test]
fn filter_skips_row_groups_by_bloom_filters() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("bloom.parquet");
        let own = folder.path().join("own.parquet");
        fs::write(&path, BLOOM).expect("written by DuckDB 2.0");
        let frame = read_parquet(&path).read().expect("read");
        let options = ParquetWriteOptions::new().bloom_filter("n").bloom_filter("s").row_group_rows(2048);
        frame
            .with_columns([(col("n") * 3).alias("n")])
            .and_then(|frame| frame.write_parquet_with(&own, &options))
            .expect("written");
        for path in [&path, &own] {
            for (value, rows) in [("é7", 100), ("é49", 100), ("é5x", 0), ("é123", 0)] {
                let read = read_parquet(path).filter(col("s").eq(value)).read_with_statistics();
                let (read, statistics) = read.expect("read");
                let pruned = if rows == 0 { 3 } else { 0 };
                assert_eq!((read.len(), statistics.row_groups_pruned), (rows, pruned), "{value}");
            }
        }
        // Multiples of three, so that statistics do not tell.
        for (value, rows, pruned) in [(3 * 4321, 1, 2), (100, 0, 3), (14_999, 0, 3)] {
            let (read, statistics) =
                read_parquet(&own).filter(lit(value).eq(col("n"))).read_with_statistics().expect("read");
            assert_eq!((read.len(), statistics.row_groups_pruned), (rows, pruned), "{value}");
        }
    });
}

/// Timestamps are compared by value, whatever the unit and the zone of a constant are.
#[test]
fn filters_of_timestamps_skip_row_groups_by_value() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let path = folder.path().join("f.parquet");
        // Even seconds, in ten row groups.
        let seconds: Vec<i64> = (0..1000).map(|row| row * 2).collect();
        let zone = TimeZone::new("Europe/Oslo").expect("a zone");
        let frame = df! { "n" => seconds }.expect("a frame");
        let at = |unit: TimeUnit| (col("n") * unit.per_second()).cast(DType::Timestamp(unit));
        let instants = (col("n") * 1_000_000).cast(DType::TimestampTz(TimeUnit::Micro, zone.clone()));
        let frame =
            frame.select([col("n"), at(TimeUnit::Milli).alias("t"), instants.alias("z")]).expect("a frame");
        let options = ParquetWriteOptions::new().bloom_filter("t").bloom_filter("z").row_group_rows(100);
        frame.write_parquet_with(&path, &options).expect("written");
        let naive = |value, unit| lit(Scalar::Timestamp(value, unit));
        let zoned = |value, unit| lit(Scalar::TimestampTz(value, unit, TimeZone::utc()));
        let text = |text: &str| lit(text.to_owned());
        for (filter, rows, pruned) in [
            (col("t").eq(naive(500, TimeUnit::Second)), 1, 9),
            (col("t").eq(naive(500_000_000_000, TimeUnit::Nano)), 1, 9),
            (col("t").eq(naive(500_000_000_001, TimeUnit::Nano)), 0, 10),
            (col("t").eq(naive(501, TimeUnit::Second)), 0, 10),
            (col("t").ge(naive(1800, TimeUnit::Second)), 100, 9),
            (col("t").gt(naive(1_799_999_999_999, TimeUnit::Nano)), 100, 9),
            (col("t").gt(naive(i64::MAX, TimeUnit::Second)), 0, 10),
            (col("t").lt(naive(i64::MIN, TimeUnit::Second)), 0, 10),
            (col("z").eq(zoned(500, TimeUnit::Second)), 1, 9),
            (col("z").eq(zoned(501, TimeUnit::Second)), 0, 10),
            (col("z").lt(zoned(200_000_000_001, TimeUnit::Nano)), 101, 8),
            (col("z").ge(text("1970-01-01T00:30:00Z")), 100, 9),
            (col("z").ge(text("1970-01-01T01:30:00+01:00")), 100, 9),
        ] {
            let shown = filter.to_string();
            let all =
                read_parquet(&path).read().and_then(|frame| frame.filter(filter.clone())).expect("rows");
            let read = read_parquet(&path).filter(filter).read_with_statistics();
            let (read, statistics) = read.expect("read");
            assert_eq!((all.len(), read.len()), (rows, rows), "{shown}");
            assert_eq!(statistics.row_groups_pruned, pruned, "{shown}");
        }
    });
}

#[test]
fn ranges_of_rows_are_read_across_files() {
    on_every_device(|_| {
        let folder = tempdir().expect("a folder");
        let frame = df! { "n" => (0..300_i64).collect::<Vec<_>>() }.expect("a frame");
        for (at, start) in [0, 150].into_iter().enumerate() {
            let part = frame.slice(start, 150).expect("inside");
            let options = ParquetWriteOptions::new().row_group_rows(64).page_rows(10);
            part.write_parquet_with(folder.path().join(format!("{at}.parquet")), &options).expect("written");
        }
        for range in [0..300, 0..1, 63..65, 64..128, 149..151, 299..300, 299..400, 7..7, 300..310, 1..299] {
            let read = read_parquet(folder.path()).rows(range.clone()).read().expect("read");
            let expected =
                values(&frame, "n").get(range.start..range.end.min(300)).unwrap_or_default().to_vec();
            assert_eq!(values(&read, "n"), expected, "{range:?}");
            // Of these, those that pass the filter.
            let even = (col("n") % lit(2)).eq(lit(0));
            let read = read_parquet(folder.path()).rows(range).filter(even).read().expect("read");
            let is_even = |value: &&Scalar| matches!(value, Scalar::Int64(n) if n % 2 == 0);
            assert_eq!(values(&read, "n"), expected.iter().filter(is_even).cloned().collect::<Vec<_>>());
        }
    });
}

#[test]
fn scanned_frames_are_the_rows_that_read_gives() {
    for device in Device::available() {
        let folder = tempdir().expect("a folder");
        let frame = df! {
            "n" => (0..3000_i64).collect::<Vec<_>>(),
            "s" => (0..3000).map(|n| format!("text {}", n % 97)).collect::<Vec<_>>(),
        }
        .expect("a frame");
        for (at, start) in [0, 1500].into_iter().enumerate() {
            let part = frame.slice(start, 1500).expect("inside");
            let options = ParquetWriteOptions::new().row_group_rows(200);
            part.write_parquet_with(folder.path().join(format!("{at}.parquet")), &options).expect("written");
        }
        // The whole has about 80 kB.
        let (tight, manager) = managed(device, &[("COLUMNADE_SPILL_DEVICE_LIMIT", "20 kB")]);
        let filter = || (col("n") % lit(3)).ne(lit(0)).and(col("n").lt(2800));
        let expected = frame.filter(filter()).expect("a filter");
        for rows in [None, Some(1), Some(33), Some(100_000)] {
            let scan = read_parquet(folder.path()).filter(filter()).columns(["s"]).exec(&tight).scan();
            let scan = scan.expect("footers");
            assert_eq!(scan.statistics().files, 2);
            let scan = if let Some(rows) = rows { scan.batch_rows(rows) } else { scan };
            let mut texts = Vec::new();
            for part in scan {
                let part = part.expect("rows");
                assert!(!part.is_empty() && part.len() <= rows.unwrap_or(usize::MAX));
                assert_eq!((part.columns(), part.device()), (&["s".into()][..], device));
                texts.extend(values(&part, "s"));
            }
            assert_eq!(texts, values(&expected, "s"), "{rows:?} on {device}");
        }
        let peak = manager.usage().tiers[Tier::Device].peak;
        assert!(peak <= 20_000, "{peak} bytes at a time on {device}");
    }
}

#[test]
fn scan_ends_after_an_error() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("f.parquet");
    let frame = df! { "n" => (0..1000_i64).collect::<Vec<_>>() }.expect("a frame");
    frame.write_parquet_with(&path, &ParquetWriteOptions::new().row_group_rows(10)).expect("written");
    let mut bytes = fs::read(&path).expect("a file");
    let len = bytes.len();
    bytes[len / 3..len / 3 + 200].fill(0xa5);
    fs::write(&path, bytes).expect("written");
    let mut scan = read_parquet(&path).scan().expect("a footer");
    let frames: Vec<_> = scan.by_ref().collect();
    let (last, whole) = frames.split_last().expect("frames");
    assert!(whole.iter().all(Result::is_ok) && !whole.is_empty());
    assert!(last.as_ref().expect_err("damage").to_string().contains("f.parquet"));
    assert!(scan.next().is_none());
}

#[test]
fn text_of_digits_comes_back_from_a_dataset() {
    let folder = tempdir().expect("a folder");
    let texts = ["01234", "99", "-0", "+7"];
    let frame = crate::df! { "code" => texts, "n" => [1, 2, 3, 4] }.expect("a frame");
    frame.write_dataset(folder.path().join("d"), ["code"]).expect("written");
    let read =
        read_parquet(folder.path().join("d")).read().and_then(|read| read.sort_values(["n"])).expect("read");
    assert_eq!(read.column("code").and_then(|codes| codes.to_vec::<String>()).expect("text"), texts);
    let some = read_parquet(folder.path().join("d")).filter(col("code").eq("01234")).read().expect("read");
    assert_eq!(some.len(), 1);
}
