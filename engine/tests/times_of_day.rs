//! Columns of times of day through what frames do and through files, on every device.

use columnade::builders::times;
use columnade::expressions::Interpolation;
use columnade::parquet::ParquetWriteOptions;
use columnade::{
    DType, DataFrame, Device, ErrorKind, Merge, Scalar, Series, SortBy, Time, TimeUnit, col, df, lit,
    read_csv, read_ipc, read_json, read_parquet, set_default_device,
};

type Tested = Result<(), columnade::Error>;

fn on_every_device(test: impl Fn() -> Tested) -> Tested {
    for device in Device::available() {
        set_default_device(device)?;
        test()?;
    }
    Ok(())
}

const SECONDS: [Option<i64>; 8] =
    [Some(5), Some(86_399), None, Some(43_200), Some(5), None, Some(0), Some(86_399)];

/// `n`: numbers; `t`: the times of day after so many seconds; `m`: rows.
fn frame(unit: TimeUnit) -> columnade::Result<DataFrame> {
    let counts = SECONDS.map(|second| second.map(|second| second * unit.per_second()));
    df! { "n" => SECONDS, "m" => (0..8_i64).collect::<Vec<_>>(), "t" => times(counts.to_vec(), unit) }
}

#[test]
fn times_of_day_sort_group_and_join_as_their_counts() -> Tested {
    on_every_device(|| {
        for unit in TimeUnit::ALL {
            let frame = frame(unit)?;
            let dtype = DType::Time(unit);
            assert_eq!(frame.dtypes()[2], dtype);
            let same = |time: columnade::Result<DataFrame>, number: columnade::Result<DataFrame>| -> Tested {
                let (time, number) = (time?, number?);
                assert_eq!(time.column("m")?.to_scalars()?, number.column("m")?.to_scalars()?, "{dtype}");
                Ok(())
            };
            same(frame.sort_values(["t"]), frame.sort_values(["n"]))?;
            same(frame.sort_values([SortBy::descending("t")]), frame.sort_values([SortBy::descending("n")]))?;
            let sums = |key: &str| frame.group_by([key]).agg([col("m").sum().alias("m")]);
            same(sums("t"), sums("n"))?;
            let other = frame.select(["t", "n"])?.head(5)?;
            let joined = |key: &str| frame.merge(&other.select([key])?, &Merge::inner().on(key));
            same(joined("t"), joined("n"))?;
            // Keys of another unit.
            for finer in TimeUnit::ALL {
                let keys =
                    other.select(["t"])?.with_columns([col("t").cast(DType::Time(finer)).alias("t")])?;
                same(frame.merge(&keys, &Merge::inner().on("t")), joined("n"))?;
            }
            let t = frame.column("t")?;
            let of = |second: i64| Scalar::Time(second * unit.per_second(), unit);
            assert_eq!((t.min()?, t.max()?), (of(0), of(86_399)));
            let median = Scalar::Time(43_205 * unit.per_second() / 2, unit);
            assert_eq!((t.median()?, t.quantile(0.0)?), (median, of(0)));
            assert_eq!(t.nunique()?, 4_i64.into());
            let found = frame.select([
                col("t").first().alias("first"),
                col("t").last().alias("last"),
                col("t").mode().alias("mode"),
                col("t").quantile_with(0.5, Interpolation::Higher).alias("higher"),
            ])?;
            assert_eq!(found.dtypes(), vec![dtype.clone(); 4]);
            let row: Vec<Scalar> =
                found.columns().iter().map(|label| found.column(label)?.get(0)).collect::<Result<_, _>>()?;
            assert_eq!(row, [of(5), of(86_399), of(5), of(43_200)]);
            for refused in [t.sum(), t.var()] {
                assert_eq!(refused.map_err(|error| error.kind()), Err(ErrorKind::Type));
            }
            assert_eq!(t.mean()?, Scalar::Time(216_008 * unit.per_second() / 6, unit));
            assert_eq!(t.std()?.dtype(), DType::Duration(unit));
            assert_eq!(t.unique()?.len(), 5);
            assert_eq!(t.value_counts()?.len(), 4);
            let members = frame.filter(col("t").is_in(Series::new(times([5], TimeUnit::Second))?))?;
            assert_eq!(members.column("m")?.to_vec::<i64>()?, [0, 4]);
            let late = frame.filter(col("t").gt("12:00:00"))?;
            assert_eq!(late.column("m")?.to_vec::<i64>()?, [1, 7]);
            let filled = t.fill_null("06:30:00")?;
            assert_eq!(filled.get(2)?, of(23_400));
            let noon = Time { value: 43_200 * unit.per_second(), unit };
            assert_eq!(t.to_options::<Time>()?[3], Some(noon));
            let indexed = frame.set_index(["t"])?;
            assert_eq!(indexed.loc(noon)?.column("m")?.to_vec::<i64>()?, [3]);
            let shown = frame.to_string();
            let fraction = ["", ".000", ".000000", ".000000000"][unit as usize];
            assert!(
                shown.contains(&format!("12:00:00{fraction}")) && shown.contains(&dtype.to_string()),
                "{shown}"
            );
            let summary = frame.select(["t"])?.describe(..)?;
            assert!(summary.to_string().contains("23:59:59"), "{summary}");
        }
        Ok(())
    })
}

#[test]
fn files_keep_times_of_day() -> Tested {
    let folder = tempfile::tempdir().expect("a folder");
    on_every_device(|| {
        for unit in TimeUnit::ALL {
            let frame = frame(unit)?;
            let dtype = DType::Time(unit);
            let path = |end: &str| folder.path().join(format!("{unit}.{end}"));
            frame.write_parquet(path("parquet"))?;
            let back = read_parquet(path("parquet")).read()?;
            // Parquet has no seconds.
            let stored = DType::Time(unit.max(TimeUnit::Milli));
            assert_eq!(back.column("t")?.dtype(), stored);
            assert!(back.cast([("t", dtype.clone())])?.equals(&frame)?, "{back}");
            for (filter, rows) in [
                (col("t").gt("23:59:58"), 2),
                (col("t").eq(lit(Scalar::Time(5, TimeUnit::Second))), 2),
                (col("t").lt(lit(Scalar::Time(1, TimeUnit::Nano))), 1),
            ] {
                assert_eq!(read_parquet(path("parquet")).filter(filter).read()?.len(), rows, "{unit}");
            }
            frame.write_ipc(path("arrow"))?;
            assert!(read_ipc(path("arrow")).read()?.equals(&frame)?);
            frame.write_csv(path("csv"))?;
            let back = read_csv(path("csv")).dtype("t", dtype.clone()).read()?;
            assert!(back.equals(&frame)?, "{back}");
            frame.write_json(path("jsonl"))?;
            let back = read_json(path("jsonl")).dtype("t", dtype.clone()).read()?;
            assert!(back.equals(&frame)?, "{back}");
            // Without a dtype they are strings, as dates are in JSON.
            assert_eq!(read_csv(path("csv")).read()?.column("t")?.dtype(), DType::Utf8);
            std::fs::write(path("bad.csv"), "t\n12:00\n24:00:00\n").expect("written");
            let refused = read_csv(path("bad.csv")).dtype("t", dtype.clone()).read().expect_err("no time");
            let text = refused.to_string();
            assert!(text.contains("24:00:00") && text.contains(&dtype.to_string()), "{text}");
        }
        Ok(())
    })
}

/// Row groups whose statistics rule them out are not read.
#[test]
fn times_of_day_prune_row_groups() -> Tested {
    let folder = tempfile::tempdir().expect("a folder");
    for unit in TimeUnit::ALL {
        let path = folder.path().join(format!("{unit}.parquet"));
        let counts: Vec<i64> = (0..100).map(|row| row * 600 * unit.per_second()).collect();
        let frame = df! { "t" => times(counts, unit) }?;
        let options = ParquetWriteOptions::new().row_group_rows(10);
        frame.write_parquet_with(&path, &options)?;
        let (read, statistics) =
            read_parquet(&path).filter(col("t").lt("01:00:00")).read_with_statistics()?;
        assert_eq!((read.len(), statistics.row_groups_read), (6, 1), "{unit}");
    }
    Ok(())
}
