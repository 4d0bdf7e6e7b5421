//! Frames with columns of every dtype, through what frames do, on every device.

use columnade::builders::{
    categories, dates, decimals, durations, from_iter, intervals, structs, timestamps,
};
use columnade::column::{Storage, StructColumn};
use columnade::dtypes::IntervalScalar;
use columnade::{
    Closed, Column, DType, DataFrame, Date, Device, ErrorKind, Exec, Merge, Scalar, Series, SortBy, TimeUnit,
    TimeZone, col, concat, df, len, lit, read_parquet, set_default_device, struct_of,
};

type Tested = Result<(), columnade::Error>;

fn on_every_device(test: impl Fn(&Exec) -> Tested) -> Tested {
    for device in Device::available() {
        set_default_device(device)?;
        test(&Exec::new(device)?)?;
    }
    Ok(())
}

/// The kind of the error; [`ErrorKind::Io`], which none of these is, for a frame.
fn kind(result: columnade::Result<DataFrame>) -> ErrorKind {
    result.err().map_or(ErrorKind::Io, |error| error.kind())
}

/// Lists, structs, bytes, intervals and nulls beside a number, five rows.
fn nested(exec: &Exec) -> columnade::Result<DataFrame> {
    let x = Column::from_options([Some(1_i16), None, Some(3), Some(4), Some(5)], exec)?;
    let y = Column::from_values(["a", "é", "", "d", "e"], exec)?;
    let structs = Column::Struct(StructColumn::new([("x", x), ("y", y)], None, 0, 5)?);
    let span = |left: i64| {
        let (left, right) = (Scalar::from(left), Scalar::from(left + 1));
        Scalar::Interval(Box::new(IntervalScalar { left, right, closed: Closed::Right }))
    };
    let spans = DType::interval(DType::Int64, Closed::Right);
    let values = [span(3), span(1), Scalar::Null(spans.clone()), span(0), span(3)];
    let bytes: [&[u8]; 5] = [b"\xff\x00", b"b", b"", b"b", b"a"];
    df! {
        "n" => [5_i64, 3, 4, 1, 2],
        "lists" => [Some(vec![Some(1_i32), None]), None, Some(vec![]), Some(vec![Some(7)]), Some(vec![None])],
        "deep" => [vec![vec!["a", "b"], vec![]], vec![], vec![vec!["é"]], vec![], vec![vec!["z"]]],
        "structs" => structs,
        "bytes" => bytes,
        "spans" => Column::from_scalars(&spans, &values, exec)?,
        "nothing" => Column::full_null(&DType::Null, 5, exec)?,
    }
}

#[test]
fn df_macro_builds_frames() -> Tested {
    on_every_device(|exec| {
        let frame = df! { "a" => [1, 2, 3], "b" => ["x", "y", "z"], "c" => vec![None, Some(1.5), None] }?;
        assert_eq!((frame.shape(), frame.device()), ((3, 3), exec.device()));
        assert_eq!(frame.dtypes(), [DType::Int32, DType::Utf8, DType::Float64]);
        assert_eq!(df! {}?.shape(), (0, 0));
        assert_eq!(kind(df! { "a" => [1], "b" => [1, 2] }), ErrorKind::Value);
        assert_eq!(kind(df! { "a" => [1], "a" => [2] }), ErrorKind::Value);
        Ok(())
    })
}

#[test]
fn rust_values_build_every_dtype() -> Tested {
    on_every_device(|exec| {
        let day = Date { year: 2026, month: 1, day: 31 };
        let cents = vec![1999_i64, 5, -7];
        let parts = df! { "day" => [day; 3], "cents" => decimals(&cents, 9, 2) }?;
        let frame = df! {
            "at" => timestamps([Some(0_i64), None, Some(1)], TimeUnit::Nano).in_zone(TimeZone::utc()),
            "for" => durations(from_iter(0..3), TimeUnit::Second),
            "days" => dates(&[1, 2, 3]),
            "exact" => decimals(cents, 18, 2),
            "size" => categories(["low", "high", "low"]).codes(Storage::I8).ordered(),
            "parts" => parts.to_struct()?,
            "points" => structs([("x", [1, 2, 3]), ("y", [4, 5, 6])]),
            "bins" => intervals([0.0, 1.0, 2.0], [1.0, 2.0, 3.0], Closed::Right),
        }?;
        assert_eq!(frame.device(), exec.device());
        let text: Vec<String> = frame
            .tail(1)?
            .frame()
            .accessor()
            .columns()
            .iter()
            .map(|column| column.get(0))
            .map(text)
            .collect();
        assert_eq!(text[..3], ["1970-01-01 00:00:00.000000001Z", "00:00:02", "1970-01-04"]);
        assert_eq!(text[3..6], ["-0.07", "low", "{day: 2026-01-31, cents: -0.07}"]);
        assert_eq!(text[6..], ["{x: 3, y: 6}", "(2.0, 3.0]"]);
        assert_eq!(Series::new(dates([0.5])).err().map(|error| error.kind()), Some(ErrorKind::Type));
        assert_eq!(
            df! { "d" => decimals([1000], 3, 0) }.err().map(|error| error.kind()),
            Some(ErrorKind::Overflow)
        );
        let unnamed = df! { 5_i64 => [1] }?.to_struct().err();
        assert_eq!(unnamed.map(|error| error.kind()), Some(ErrorKind::Type));
        assert_eq!(df! {}?.to_struct()?.len(), 0);
        let bare = df! { "x" => [1, 2, 3] }?.drop(["x"])?;
        let rows = bare.to_struct()?;
        assert_eq!(
            (rows.len(), rows.dtype().to_string(), rows.device()),
            (3, "struct<>".to_owned(), bare.device())
        );
        assert_eq!(rows.get(2)?.to_string(), "{}");
        Ok(())
    })
}

fn text(value: Result<Scalar, columnade::errors::ColumnError>) -> String {
    value.map_or_else(|error| error.to_string(), |value| value.to_string())
}

#[test]
fn nested_columns_move_with_rows() -> Tested {
    on_every_device(|exec| {
        let frame = nested(exec)?;
        let rows = |frame: &DataFrame, at: &[usize]| -> columnade::Result<()> {
            let whole = nested(exec)?;
            for label in ["n", "lists", "deep", "structs", "bytes", "spans", "nothing"] {
                let values = whole.column(label)?.to_scalars()?;
                let expected: Vec<Scalar> = at.iter().map(|&row| values[row].clone()).collect();
                assert_eq!(frame.column(label)?.to_scalars()?, expected, "{label} {at:?} {}", exec.device());
            }
            Ok(())
        };
        rows(&frame.sort_values(["n"])?, &[3, 4, 1, 2, 0])?;
        rows(&frame.sort_values([SortBy::descending("bytes")])?, &[0, 1, 3, 4, 2])?;
        rows(&frame.filter(col("n").gt(lit(2)))?, &[0, 1, 2])?;
        rows(&frame.filter(col("lists").is_null())?, &[1])?;
        rows(&frame.filter(col("spans").is_not_null().and(col("nothing").is_null()))?, &[0, 1, 3, 4])?;
        rows(&frame.filter(col("structs").is_null())?, &[])?;
        rows(&frame.head(2)?, &[0, 1])?;
        rows(&frame.tail(2)?, &[3, 4])?;
        rows(&concat(&[frame.tail(2)?, frame.head(3)?])?, &[3, 4, 0, 1, 2])?;
        rows(&frame.to_device(Device::Host)?, &[0, 1, 2, 3, 4])?;
        let right = df! { "n" => [4_i64, 9, 5], "right" => [vec![1_u8], vec![2], vec![]] }?;
        let merged = frame.merge(&right, &Merge::left().on("n"))?;
        let lists: Vec<String> =
            merged.column("right")?.to_scalars()?.iter().map(ToString::to_string).collect();
        assert_eq!(lists, ["[]", "<NA>", "[1]", "<NA>", "<NA>"]);
        let back = DataFrame::from_arrow(&frame.to_arrow()?)?;
        assert!(back.equals(&frame)?);
        assert!(!back.tail(4)?.equals(&frame.tail(3)?)?);
        let printed = frame.to_string();
        for part in
            ["[1, <NA>]", "{x: 3, y: }", "(3, 4]", "[[a, b], []]", r#"b"\xff\x00""#, "list<list<utf8>>"]
        {
            assert!(printed.contains(part), "{part} in {printed}");
        }
        Ok(())
    })
}

#[test]
fn unsupported_operations_on_nested_columns_name_the_operation() -> Tested {
    on_every_device(|exec| {
        let frame = nested(exec)?;
        for label in ["lists", "structs", "spans", "nothing"] {
            let cast = frame.with_columns([col(label).cast(DType::Int64).alias("cast")]);
            // Nulls are those of any dtype.
            let cast = if label == "nothing" {
                assert_eq!(cast?.column("cast")?.to_options::<i64>()?, [None; 5]);
                None
            } else {
                Some(cast)
            };
            let equal = frame.filter(col(label).eq(col("bytes")));
            // A null equals nothing, whatever the other side is.
            let equal = if label == "nothing" {
                assert_eq!(equal?.len(), 0);
                None
            } else {
                Some(equal)
            };
            let least = frame.group_by(["n"]).agg([col(label).min().alias("least")]);
            // Nested values have the order of sort keys. The least of nulls is a null.
            let nulls = least?.column("least")?.null_count()?;
            assert!((nulls == frame.len()) == (label == "nothing"), "{label}: {nulls} nulls");
            let sum = frame.with_columns([(col(label) + lit(1)).alias("sum")]);
            // A null takes the dtype of the literal.
            let sum = if label == "nothing" {
                assert_eq!(sum?.column("sum")?.to_options::<i64>()?, [None; 5]);
                None
            } else {
                Some(sum)
            };
            let merged = frame.merge(&frame, &Merge::inner().left_on(label).right_on("n"));
            let merged = if label == "nothing" {
                assert_eq!(merged?.len(), 0);
                None
            } else {
                Some(merged)
            };
            for refused in sum.into_iter().chain(merged).chain(cast).chain(equal) {
                let error = refused.expect_err("no operation on nested values");
                assert!(
                    matches!(error.kind(), ErrorKind::Type | ErrorKind::NotImplemented | ErrorKind::Value),
                    "{label}: {error}"
                );
            }
            if label == "nothing" {
                assert_eq!(frame.column(label)?.sum()?, 0_i64.into());
                assert!(frame.column(label)?.max()?.is_null());
            } else {
                assert!(frame.column(label)?.sum().is_err(), "{label}");
                assert!(!frame.column(label)?.max()?.is_null(), "{label}");
            }
            assert_eq!(frame.column(label)?.add(1).is_err(), label != "nothing", "{label}");
        }
        Ok(())
    })
}

/// A label, the rows in order, the sums of `n` by group, the pairs of a join with itself, and the rows that equal themselves.
type Expected = (&'static str, [i64; 5], &'static [i64], usize, usize);

#[test]
fn nested_columns_are_keys() -> Tested {
    on_every_device(|exec| {
        let frame = nested(exec)?;
        let expected: [Expected; 4] = [
            ("lists", [4, 5, 1, 2, 3], &[5, 4, 1, 2], 5, 4),
            ("structs", [5, 4, 1, 2, 3], &[5, 3, 4, 1, 2], 5, 5),
            ("spans", [1, 3, 5, 2, 4], &[7, 3, 1], 7, 4),
            ("nothing", [5, 3, 4, 1, 2], &[], 25, 0),
        ];
        for (label, order, sums, pairs, equal) in expected {
            let sorted = frame.sort_values([label])?;
            assert_eq!(sorted.column("n")?.to_vec::<i64>()?, order, "{label}");
            let groups = frame.group_by([label]).agg([col("n").sum()])?;
            assert_eq!(groups.column("n")?.to_vec::<i64>()?, sums, "{label}");
            assert_eq!(groups.columns()[0].to_string(), label);
            assert_eq!(frame.merge(&frame, &Merge::inner().on(label))?.len(), pairs, "{label}");
            assert_eq!(frame.filter(col(label).eq(col(label)))?.len(), equal, "{label}");
            let distinct = frame.unique([label])?.len();
            assert_eq!(distinct, frame.group_by([label]).dropna(false).agg([len()])?.len(), "{label}");
        }
        Ok(())
    })
}

#[test]
fn lists_structs_and_dictionaries_of_frames_change_shape() -> Tested {
    on_every_device(|exec| {
        let frame = nested(exec)?;
        let rows = frame.select(["n", "lists"])?.explode("lists")?;
        assert_eq!(rows.column("n")?.to_vec::<i64>()?, [5, 5, 3, 4, 1, 2]);
        let items = rows.column("lists")?.to_options::<i32>()?;
        assert_eq!(items, [Some(1), None, None, None, Some(7), None]);
        assert_eq!(frame.column("lists")?.explode()?.to_options::<i32>()?, items);
        let parts = frame.select(["n", "structs"])?.unnest("structs")?;
        assert_eq!(parts.columns(), ["n", "x", "y"]);
        assert_eq!(parts.column("x")?.to_options::<i16>()?, [Some(1), None, Some(3), Some(4), Some(5)]);
        let built = parts.select([struct_of([col("x"), col("y")]).alias("structs")])?;
        assert!(built.equals(&frame.select(["structs"])?)?);
        let y = parts.column("y")?.cat().encode()?;
        assert_eq!(y.cat().codes()?.to_vec::<i32>()?, [0, 1, 2, 3, 4]);
        assert_eq!(y.cat().remove_categories(["é"])?.cat().codes()?.null_count()?, 1);
        Ok(())
    })
}

/// A frame whose `t` are the numbers `n` as another dtype, and whose `o` are those from another place.
fn numbers_as(dtype: &DType) -> columnade::Result<DataFrame> {
    let numbers = [Some(5_i64), Some(-7), None, Some(1 << 50), Some(5), None, Some(0), Some(-7)];
    let frame = df! { "n" => numbers, "m" => (0..8_i64).collect::<Vec<_>>() }?;
    let times = frame.column("n")?.values().reinterpret(dtype)?;
    frame.with_column("t", times)
}

#[test]
fn temporal_keys_sort_group_and_join_by_value() -> Tested {
    on_every_device(|_| {
        let zone = TimeZone::new("Europe/Berlin")?;
        for dtype in [
            DType::Timestamp(TimeUnit::Nano),
            DType::TimestampTz(TimeUnit::Micro, zone.clone()),
            DType::Duration(TimeUnit::Milli),
        ] {
            let frame = numbers_as(&dtype)?;
            let same =
                |by_time: columnade::Result<DataFrame>, by_number: columnade::Result<DataFrame>| -> Tested {
                    let (by_time, by_number) = (by_time?, by_number?);
                    assert_eq!(
                        by_time.column("m")?.to_scalars()?,
                        by_number.column("m")?.to_scalars()?,
                        "{dtype}"
                    );
                    Ok(())
                };
            same(frame.sort_values(["t"]), frame.sort_values(["n"]))?;
            same(frame.sort_values([SortBy::descending("t")]), frame.sort_values([SortBy::descending("n")]))?;
            let sums = |key: &str| frame.group_by([key]).agg([col("m").sum().alias("m")]);
            same(sums("t"), sums("n"))?;
            let other = frame.select(["t", "n"])?.head(5)?;
            let joined = |key: &str| frame.merge(&other.select([key])?, &Merge::inner().on(key));
            same(joined("t"), joined("n"))?;
            let ends = frame.group_by(["m"]).agg([col("t").min().alias("lo"), col("t").max().alias("hi")])?;
            assert_eq!(ends.dtypes()[1..], [dtype.clone(), dtype.clone()]);
            let least = frame.column("t")?.min()?;
            assert_eq!((least.dtype(), frame.column("n")?.min()?), (dtype.clone(), Scalar::Int64(-7)));
            same(frame.filter(col("t").gt(lit(least.clone()))), frame.filter(col("n").gt(lit(-7))))?;
        }
        let spans = numbers_as(&DType::Duration(TimeUnit::Milli))?;
        assert_eq!(spans.column("t")?.sum()?, Scalar::Duration((1 << 50) - 4, TimeUnit::Milli));
        assert_eq!(spans.column("t")?.mean()?, Scalar::Duration(((1 << 50) - 4) / 6, TimeUnit::Milli));
        let words: [&[u8]; 4] = [b"b", b"\xff", b"", b"b"];
        let frame = df! { "k" => words, "m" => [1_i64, 2, 3, 4] }?;
        let sums = frame.group_by(["k"]).agg([col("m").sum()])?;
        assert_eq!(sums.column("m")?.to_scalars()?, [5_i64, 2, 3].map(Scalar::from));
        let equal = frame.filter(col("k").eq(lit(Scalar::from(b"b".to_vec()))))?;
        assert_eq!(equal.column("m")?.to_scalars()?, [1_i64, 4].map(Scalar::from));
        let merged = frame.merge(&sums.select(["k"])?, &Merge::inner().on("k"))?;
        assert_eq!(merged.len(), 4);
        Ok(())
    })
}

#[test]
fn temporal_arithmetic_is_exact() -> Tested {
    on_every_device(|exec| {
        let column =
            |dtype: DType, values: [Option<i64>; 3]| Column::from_options(values, exec)?.reinterpret(&dtype);
        let zone = TimeZone::new("+02:00")?;
        let frame = df! {
            "ms" => column(DType::Timestamp(TimeUnit::Milli), [Some(1500), None, Some(-1)])?,
            "s" => column(DType::Timestamp(TimeUnit::Second), [Some(1), Some(2), Some(3)])?,
            "us" => column(DType::Duration(TimeUnit::Micro), [Some(250), Some(1), None])?,
            "h" => column(DType::Duration(TimeUnit::Second), [Some(3600), Some(7200), Some(-1)])?,
            "z" => column(DType::TimestampTz(TimeUnit::Second, zone.clone()), [Some(0), Some(60), None])?,
        }?;
        let made = frame.with_columns([
            (col("ms") - col("s")).alias("between"),
            (col("s") + col("us")).alias("later"),
            (col("h") + col("us")).alias("span"),
            (col("us") + col("z")).alias("zoned"),
            (col("z") - col("h")).alias("earlier"),
            (-col("h")).alias("back"),
            col("z").dt().hour().alias("hour"),
            col("z").cast(DType::Date32).alias("day"),
        ])?;
        let values = |label: &str| -> columnade::Result<Vec<String>> {
            Ok(made.column(label)?.to_scalars()?.iter().map(ToString::to_string).collect())
        };
        assert_eq!(values("between")?, ["00:00:00.500", "<NA>", "-00:00:03.001"]);
        assert_eq!(values("later")?, ["1970-01-01 00:00:01.000250", "1970-01-01 00:00:02.000001", "<NA>"]);
        assert_eq!(values("span")?, ["01:00:00.000250", "02:00:00.000001", "<NA>"]);
        assert_eq!(made.column("zoned")?.dtype(), DType::TimestampTz(TimeUnit::Micro, zone));
        assert_eq!(values("zoned")?[1], "1970-01-01 02:01:00.000001+02:00");
        assert_eq!(values("earlier")?, ["1970-01-01 01:00:00+02:00", "1970-01-01 00:01:00+02:00", "<NA>"]);
        assert_eq!(values("hour")?, ["2", "2", "<NA>"]);
        assert_eq!(values("day")?, ["1970-01-01", "1970-01-01", "<NA>"]);
        assert_eq!(values("back")?, ["-01:00:00", "-02:00:00", "00:00:01"]);
        for wrong in [
            col("ms") + col("s"),
            col("us") - col("s"),
            col("us") * col("h"),
            col("ms") - col("z"),
            col("us").cast(DType::Timestamp(TimeUnit::Micro)),
        ] {
            assert!(frame.with_columns([wrong.clone().alias("wrong")]).is_err(), "{wrong}");
        }
        let late = frame.filter(col("us").gt(lit("00:00:00.000001")))?;
        assert_eq!(late.len(), 1);
        Ok(())
    })
}

#[test]
fn invalid_decimals_are_refused() -> Tested {
    on_every_device(|_| {
        let frame = df! { "n" => [1_i64, 2] }?;
        let wide =
            DType::Decimal { precision: 60, scale: 2, storage: columnade::column::DecimalStorage::Bits128 };
        assert_eq!(kind(frame.with_columns([col("n").cast(wide.clone()).alias("d")])), ErrorKind::Value);
        let scalar = Scalar::Decimal { value: 1, precision: 0, scale: 90 };
        let literals = [
            columnade::expressions::Literal::Decimal { value: i128::MAX, scale: 0 },
            columnade::expressions::Literal::Decimal { value: 1, scale: 99 },
            columnade::expressions::Literal::Decimal { value: 1, scale: -100 },
            columnade::expressions::Literal::Scalar(scalar),
            columnade::expressions::Literal::Int(i128::MIN),
        ];
        for literal in literals {
            let refused = frame.with_columns([(col("n") + lit(literal.clone())).alias("d")]);
            assert!(refused.is_err(), "{literal:?}");
            assert_eq!(
                kind(frame.with_columns([lit(literal.clone()).alias("d")])),
                ErrorKind::Value,
                "{literal:?}"
            );
        }
        Ok(())
    })
}

#[test]
fn parquet_keeps_supported_dtypes() -> Tested {
    let folder = tempfile::tempdir().expect("a folder");
    on_every_device(|exec| {
        let frame = nested(exec)?.drop(["nothing"])?;
        let zone = TimeZone::new("Europe/Berlin")?;
        let times = |dtype: DType| {
            Column::from_options([Some(1_i64), None, Some(-5), Some(7), Some(0)], exec)?.reinterpret(&dtype)
        };
        let frame = frame
            .with_column("zoned", times(DType::TimestampTz(TimeUnit::Micro, zone))?)?
            .with_column("span", times(DType::Duration(TimeUnit::Nano))?)?;
        let path = folder.path().join(format!("{}.parquet", exec.device()));
        frame.write_parquet(&path)?;
        let back = read_parquet(&path).read()?;
        assert_eq!(back.dtypes(), frame.dtypes());
        assert!(back.equals(&frame)?);
        let some = read_parquet(&path).columns(["lists", "n"]).filter(col("n").lt(lit(4))).read()?;
        assert_eq!(some.shape(), (3, 2));
        Ok(())
    })
}

/// A day that a timestamp does not represent is an error, never another one; a null is none.
#[test]
fn casts_of_dates_to_timestamps_are_exact_or_errors() -> Tested {
    let units = [
        (TimeUnit::Second, 1),
        (TimeUnit::Milli, 1000),
        (TimeUnit::Micro, 1_000_000),
        (TimeUnit::Nano, 1_000_000_000),
    ];
    on_every_device(|_| {
        for (unit, per_second) in units {
            let per_day = 86_400 * i128::from(per_second);
            let last = i32::try_from(i128::from(i64::MAX) / per_day).unwrap_or(i32::MAX);
            let ends = [last, last.saturating_add(1), -last, (-last).saturating_sub(1)];
            for day in ends.into_iter().chain([0, -1, 1, i32::MIN, i32::MAX]) {
                let frame = df! { "t" => dates([Some(day), None]) }?;
                let cast = frame.with_columns([col("t").cast(DType::Timestamp(unit)).alias("t")]);
                match i64::try_from(i128::from(day) * per_day) {
                    Ok(instant) => {
                        let expected =
                            [Scalar::Timestamp(instant, unit), Scalar::Null(DType::Timestamp(unit))];
                        assert_eq!(cast?.column("t")?.to_scalars()?, expected);
                    }
                    Err(_) => assert_eq!(kind(cast), ErrorKind::Overflow, "day {day} in {unit}"),
                }
            }
        }
        Ok(())
    })
}
