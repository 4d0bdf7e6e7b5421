//! What a user may do wrong, and what the errors say: each names operation, column, dtype or file. Files that are not
//! Parquet are in the reader's own suite, the command line of the example in `tpch_example.rs`.

#![expect(clippy::expect_used, reason = "a test stops when what it needs is not there")]

use std::path::Path;

use columnade::{
    DType, DataFrame, Device, Error, ErrorKind, Merge, Scalar, Series, col, date, lit, lit_decimal,
    read_parquet, set_default_device,
};

/// An id, a text, and a decimal(38,0) near its limit.
fn frame() -> DataFrame {
    let big =
        DType::decimal(38, 0).and_then(|dtype| Scalar::parse(&dtype, &"9".repeat(38))).expect("38 digits");
    let big = Series::new(vec![1_i64, 2])
        .and_then(|rows| rows.evaluate(|_| lit(big)))
        .expect("a constant for each row");
    DataFrame::new([("id", vec![1_i64, 2])])
        .and_then(|frame| frame.with_column("name", ["a", "b"]))
        .and_then(|frame| frame.with_column("big", big))
        .expect("columns of one length")
}

fn check<T>(what: &str, result: columnade::Result<T>, kind: ErrorKind, parts: &[&str]) {
    let error = result.err().unwrap_or_else(|| {
        Error::from(columnade::errors::ColumnError::NotImplemented { feature: what.to_owned() })
    });
    let text = error.to_string();
    assert_eq!(error.kind(), kind, "{what}: {text}");
    for part in parts {
        assert!(text.contains(part), "{what}: {part:?} is not in: {text}");
    }
}

#[test]
fn missing_columns_are_named() {
    for device in Device::available() {
        set_default_device(device).expect("available");
        let frame = frame();
        let there = ["there is", "\"id\"", "\"name\"", "\"big\""];
        let check = |what: &'static str, result| {
            check(what, result, ErrorKind::Key, &[&there[..], &[what, "\"tax\"", "\"rate\""]].concat());
        };
        check("select", frame.select(["tax", "id", "rate"]));
        check("drop", frame.drop(["tax", "rate"]));
        check("rename", frame.rename([("tax", "t"), ("rate", "r")]));
        check("with_columns", frame.with_columns([col("tax") * col("rate")]));
        check("filter", frame.filter(col("tax").gt(col("rate"))));
        check("sort_values", frame.sort_values(["tax", "rate"]));
        check("agg", frame.group_by(["id"]).agg([(col("tax") + col("rate")).sum()]));
        check("merge", frame.merge(&frame, &Merge::inner().on(["tax", "rate"])));
    }
}

#[test]
fn unsupported_dtypes_are_named() {
    for device in Device::available() {
        set_default_device(device).expect("available");
        let frame = frame();
        check("a sum of text", frame.agg([col("name").sum()]), ErrorKind::Type, &["agg", "name", "utf8"]);
        check(
            "text and number",
            frame.select([col("name") + col("id")]),
            ErrorKind::Type,
            &["select", "utf8", "(name + id)"],
        );
        check("no condition", frame.filter(col("id")), ErrorKind::Type, &["filter", "id", "int64"]);
        check(
            "a part of text",
            frame.select([col("name").dt().year()]),
            ErrorKind::Type,
            &["select", "year", "utf8"],
        );
        check(
            "a prefix of a number",
            frame.filter(col("id").str().starts_with("1")),
            ErrorKind::Type,
            &["filter", "int64"],
        );
        // Methods of this crate are named, and what they are made of is not.
        let points = frame.to_struct().and_then(|rows| frame.with_column("row", rows)).expect("a struct");
        let text = |result: columnade::Result<DataFrame>| result.expect_err("structs").to_string();
        let summed = text(points.agg(col("row").sum()));
        assert!(summed.starts_with("agg: expression row.sum(): dtype struct<id: "), "{summed}");
        let joined = text(points.merge(&points, &Merge::inner().left_on("row").right_on("name")));
        assert!(joined.starts_with("merge: the key \"row\" of the left frame is struct<id: "), "{joined}");
        let twice = DataFrame::new([("id", ["1"]), ("id", ["2"])]);
        assert_eq!(text(twice), "DataFrame::new: duplicate column label \"id\"");
        let other = DataFrame::new([("id", ["1", "2"])]).expect("text");
        let merged = frame.merge(&other, &Merge::inner().on("id"));
        check("keys", merged, ErrorKind::Type, &["merge", "\"id\"", "int64", "utf8"]);
    }
}

#[test]
fn unequal_lengths_are_refused() {
    for device in Device::available() {
        set_default_device(device).expect("available");
        let frame = frame();
        let parts = ["\"more\"", "2", "3"];
        check("a longer column", frame.with_column("more", vec![1_i64, 2, 3]), ErrorKind::Value, &parts);
        let made = DataFrame::new([("id", vec![1_i64, 2]), ("more", vec![1, 2, 3])]);
        assert_eq!(
            made.expect_err("lengths that differ").to_string(),
            "DataFrame::new: column \"more\": expected 2 rows, found 3"
        );
    }
}

#[test]
fn decimal_overflow_is_error() {
    for device in Device::available() {
        set_default_device(device).expect("available");
        let frame = frame();
        let doubled = frame.with_columns([(col("big") * lit(2)).alias("twice")]);
        check("a product of 39 digits", doubled, ErrorKind::Overflow, &["with_columns", "decimal"]);
        let added = frame.rows_where(col("id").gt(lit(0))).agg([(col("big") + col("big")).sum().alias("s")]);
        check("an addition of 39 digits", added, ErrorKind::Overflow, &["agg", "decimal"]);
    }
}

#[test]
fn invalid_literals_are_refused() {
    for text in ["1995-02-30", "2026-1-1", "tomorrow"] {
        check("a date", date(text).map_err(Error::from), ErrorKind::Value, &[text, "YYYY-MM-DD"]);
    }
    check("a decimal", lit_decimal("1.2.3").map_err(Error::from), ErrorKind::Value, &["1.2.3"]);
}

#[test]
fn missing_devices_are_named() {
    for name in ["cuda:99", "sim", "cuda:0"] {
        let device: Device = name.parse().expect("the name of a device");
        if Device::available().contains(&device) {
            continue;
        }
        check("a device", set_default_device(device), ErrorKind::Device, &[name, "cannot be used"]);
        check("to_device", frame().to_device(device), ErrorKind::Device, &[name, "cannot be used"]);
    }
}

#[test]
fn invalid_device_names_are_refused() {
    for name in ["", "abacus", "cuda:", "cuda:-1", "host:0"] {
        let parsed = name.parse::<Device>().map_err(Error::from);
        check("a name", parsed, ErrorKind::Value, &[&format!("{name:?}"), "host"]);
    }
}

#[test]
fn write_parquet_refuses_folders_and_follows_links() {
    let folder = tempfile::tempdir().expect("a folder");
    let frame = frame();
    check(
        "a folder",
        frame.write_parquet(folder.path()),
        ErrorKind::Io,
        &["write_parquet", "is not a file, but a folder, a pipe or a device"],
    );
    check("a folder without files", read_parquet(folder.path()).read(), ErrorKind::Io, &["no .parquet file"]);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);

    // A link stays one, and what it leads to is replaced.
    #[cfg(unix)]
    {
        let (file, link) = (folder.path().join("file.parquet"), folder.path().join("link.parquet"));
        frame.write_parquet(&file).expect("written");
        std::os::unix::fs::symlink(&file, &link).expect("linked");
        frame.head(1).expect("a row").write_parquet(&link).expect("written");
        assert!(link.is_symlink());
        assert_eq!(read_parquet(&file).read().expect("read").len(), 1);

        // What it leads to need not be there.
        let (folder, file) = (folder.path(), folder.path().join("later.parquet"));
        for (link, to) in [("second", "first"), ("first", "later.parquet")] {
            std::os::unix::fs::symlink(to, folder.join(link)).expect("linked");
        }
        frame.write_parquet(folder.join("second")).expect("written");
        assert!(folder.join("first").is_symlink() && folder.join("second").is_symlink());
        assert_eq!(read_parquet(&file).read().expect("read").len(), frame.len());
    }
}

#[cfg(unix)]
#[test]
fn files_that_are_replaced_keep_their_permissions() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let (frame, path) = (frame(), folder.path().join("frame"));
    let mode = || std::fs::metadata(&path).expect("a file").permissions().mode() & 0o777;
    let writes: [fn(&DataFrame, &Path) -> columnade::Result<()>; 4] = [
        |frame, path| frame.write_parquet(path),
        |frame, path| frame.write_csv(path),
        |frame, path| frame.write_ipc(path),
        |frame, path| frame.write_json(path),
    ];
    for write in writes {
        write(&frame, &path).expect("written");
        let new = mode();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).expect("a file");
        write(&frame, &path).expect("written");
        assert_eq!(mode(), 0o600);
        std::fs::remove_file(&path).expect("a file");
        write(&frame, &path).expect("written");
        assert_eq!(mode(), new);
        std::fs::remove_file(&path).expect("a file");
    }
}

#[test]
fn read_of_device_file_is_io_error() {
    let result = read_parquet("/dev/null").read();
    check("reading a device", result, ErrorKind::Io, &["/dev/null", "not a file"]);
}
