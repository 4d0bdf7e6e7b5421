//! Methods of frames, files, and the limit of memory.

use std::num::NonZero;

use columnade::expressions::{Interpolation, SearchSide, Ties};
use columnade::parquet::{Compression, ParquetWriteOptions, ParquetWriter};
use columnade::{
    DType, DataFrame, Device, Exec, MaintainOrder, Merge, MergeAsof, Scalar, Series, SortBy, col, concat,
    len, lit, memory, merge_sorted, read_csv, read_ipc, read_parquet,
};

use columnade::arrow::{CopyPolicy, ExportOptions, ImportOptions};
use columnade::dlpack::TensorRequest;
use columnade::memory::{DeviceLimit, SpillOptions, Tier};

use super::{Operator, shown};
use crate::made::Made;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::new(
        "frame: new",
        &["engine::dataframe::construct::new", "engine::dataframe::construct::empty"],
        |_| {
            let words = (0..900).map(|row| Some(format!("ß{row}"))).collect::<Vec<_>>();
            let frame = DataFrame::new([
                ("n", Series::new((0..900).collect::<Vec<i64>>())?),
                ("word", Series::new(words)?),
            ])?;
            Ok(DataFrame::empty()?.with_column("word", frame.column("word")?)?.into())
        },
    ),
    Operator::new("frame: from_arrow", &["engine::dataframe::construct::from_arrow"], |inputs| {
        Ok(DataFrame::from_arrow(&inputs.batch)?.into())
    }),
    Operator::new("frame: to_struct", &["engine::dataframe::construct::to_struct"], |inputs| {
        Ok(inputs.frame.to_struct()?.tail(300)?.into())
    }),
    Operator::new("frame: to_arrow", &["engine::dataframe::construct::to_arrow"], |inputs| {
        Ok(inputs.frame.to_arrow()?.into())
    }),
    Operator::new(
        "frame: C interface, there and back",
        &["engine::dataframe::arrow_c::to_arrow_c", "engine::dataframe::arrow_c::from_arrow_c"],
        |inputs| {
            let (schema, mut array) = inputs.frame.to_arrow_c(&ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c(&schema, &mut array, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "frame: C device interface, there and back",
        &["engine::dataframe::arrow_c::to_arrow_c_device", "engine::dataframe::arrow_c::from_arrow_c_device"],
        |inputs| {
            let (schema, mut array) = inputs.frame.to_arrow_c_device(&ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c_device(&schema, &mut array, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "frame: C stream, there and back",
        &[
            "engine::dataframe::arrow_c::to_arrow_c_stream",
            "engine::dataframe::arrow_c::from_arrow_c_stream",
            "engine::dataframe::arrow_c::export_arrow_stream",
            "engine::dataframe::arrow_c::new",
            "engine::dataframe::arrow_c::dtype",
        ],
        |inputs| {
            let rows = NonZero::new(600).unwrap_or(NonZero::<usize>::MIN);
            let mut stream = inputs.frame.to_arrow_c_stream(rows, &ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c_stream(&mut stream, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "frame: C device stream, there and back",
        &[
            "engine::dataframe::arrow_c::to_arrow_c_device_stream",
            "engine::dataframe::arrow_c::from_arrow_c_device_stream",
            "engine::dataframe::arrow_c::export_arrow_device_stream",
            "engine::dataframe::arrow_c::of_device",
        ],
        |inputs| {
            let rows = NonZero::new(600).unwrap_or(NonZero::<usize>::MIN);
            let mut stream = inputs.frame.to_arrow_c_device_stream(rows, &ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c_device_stream(&mut stream, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "frame: DLPack, there and back",
        &["engine::dataframe::dlpack::to_dlpack", "engine::dataframe::dlpack::from_dlpack"],
        |inputs| {
            let numbers = inputs.frame.select(["wide"])?.with_column("more", inputs.column("wide")?)?;
            let mut tensor = numbers.to_dlpack(&TensorRequest::default())?;
            // The labels are numbers, which Arrow has no names for.
            Ok(DataFrame::from_dlpack(&mut tensor, CopyPolicy::default())?.column(1)?.into())
        },
    ),
    Operator::new("frame: equals", &["engine::dataframe::equals::equals"], |inputs| {
        let found = [inputs.frame.equals(&inputs.frame.clone())?, inputs.rare.equals(&inputs.rare)?];
        Ok(Made::Scalars(found.map(Scalar::from).to_vec()))
    }),
    Operator::new("frame: difference", &["engine::dataframe::difference::difference"], |inputs| {
        let frame = &inputs.frame;
        let same = concat([&frame.head(700)?, &frame.tail(frame.len() - 700)?])?;
        let shifted = concat([&frame.head(900)?, &frame.head(frame.len() - 900)?])?;
        let found = [frame.difference(&same)?, frame.difference(&shifted)?];
        Ok(Made::String(format!("{found:?}")))
    }),
    Operator::new(
        "frame: first rows and order",
        &[
            "engine::dataframe::order::top_k",
            "engine::dataframe::order::nlargest",
            "engine::dataframe::order::nsmallest",
            "engine::dataframe::order::argsort",
            "engine::dataframe::order::is_sorted",
            "engine::dataframe::order::search_sorted",
            "engine::dataframe::order::merge_sorted",
        ],
        |inputs| {
            let frame = &inputs.frame;
            let sorted = frame.sort_values(["n", "kind"])?;
            let first = frame.top_k(20, ["n", "kind"])?;
            let some = concat([
                &first,
                &frame.nlargest(9, "n", Ties::All)?,
                &frame.nsmallest(9, "kind", Ties::Last)?,
            ])?;
            let found = sorted.search_sorted(["n", "kind"], &some, SearchSide::Right)?;
            let mut values = found.to_scalars()?;
            values.extend(frame.argsort("kind")?.to_scalars()?);
            values.push(Scalar::Bool(sorted.is_sorted(["n", "kind"])?));
            values.extend(merge_sorted([&sorted, &first], ["n", "kind"])?.column("n")?.to_scalars()?);
            Ok(Made::Scalars(values))
        },
    ),
    Operator::new(
        "frame: summaries",
        &[
            "engine::dataframe::describe::describe",
            "engine::dataframe::statistics::quantile",
            "engine::dataframe::statistics::quantile_with",
            "engine::dataframe::statistics::corr",
            "engine::dataframe::statistics::cov",
            "engine::dataframe::statistics::mode",
            "engine::dataframe::statistics::idxmin",
            "engine::dataframe::statistics::idxmax",
        ],
        |inputs| {
            let numbers = inputs.frame.select(["n", "float"])?;
            let words = inputs.frame.select(["kind"])?;
            let mut made = Vec::new();
            for table in [
                words.describe(..)?,
                numbers.quantile([0.5, 0.9])?,
                words.quantile_with([0.5], Interpolation::Lower)?,
                numbers.corr()?,
                numbers.cov()?,
                words.mode()?,
                numbers.idxmin()?,
                numbers.idxmax()?,
            ] {
                for label in table.columns() {
                    made.extend(table.column(label)?.to_scalars()?);
                }
            }
            Ok(Made::Scalars(made))
        },
    ),
    Operator::new("frame: with_column", &["engine::dataframe::assign::with_column"], |inputs| {
        let more = inputs.frame.with_column("text", vec!["ä"; inputs.frame.len()])?;
        Ok(more.with_column("n", inputs.column("exact")?)?.into())
    }),
    Operator::new("frame: with_columns", &["engine::dataframe::assign::with_columns"], |inputs| {
        let exprs = [(col("price") * lit(2)).alias("double"), col("float").cast(DType::Float32)];
        Ok(inputs.frame.with_columns(exprs)?.into())
    }),
    Operator::new(
        "frame: explode and unnest",
        &[
            "engine::dataframe::explode::explode",
            "engine::dataframe::explode::unnest",
            "ops::lists::explode::explode",
        ],
        |inputs| {
            let rows = inputs.rare.select(["list", "struct", "duration"])?.explode(["list"])?;
            Ok(rows.rename([("list", "item")])?.unnest("struct")?.into())
        },
    ),
    Operator::new(
        "frame: nested keys",
        &[
            "engine::dataframe::groupby::agg",
            "engine::dataframe::sort::sort_values",
            "engine::dataframe::join::merge",
        ],
        |inputs| {
            let rows = inputs.rare.select(["list", "struct", "interval", "duration"])?;
            let groups =
                rows.group_by(["list", "interval"]).dropna(false).agg([len(), col("duration").max()])?;
            let sorted = groups.sort_values(["list", "interval"])?;
            let other = rows.select(["list", "interval", "struct"])?;
            Ok(sorted.merge(&other, &Merge::left().on(["list", "interval"]))?.into())
        },
    ),
    Operator::new(
        "frame: distinct rows",
        &["engine::dataframe::distinct::unique", "engine::dataframe::distinct::duplicated"],
        |inputs| {
            let duplicates = inputs.frame.duplicated(["kind", "flag"])?;
            let frame = inputs.frame.with_column("duplicate", duplicates)?;
            Ok(frame.unique(["kind", "n"])?.into())
        },
    ),
    Operator::new("frame: filter", &["engine::dataframe::filter::filter"], |inputs| {
        Ok(inputs.frame.filter(col("n").gt(lit(0)).or(col("word").str().contains("中")))?.into())
    }),
    Operator::new("frame: filter_columns", &["engine::dataframe::filter::filter_columns"], |inputs| {
        let predicate = col("n").gt(lit(0)).or(col("word").str().contains("中"));
        Ok(inputs.frame.filter_columns(predicate, ["word", "kind"])?.into())
    }),
    Operator::new("frame: filter that keeps nothing", &["engine::dataframe::filter::filter"], |inputs| {
        Ok(inputs.frame.filter(col("n").gt(lit(1_000_000)))?.into())
    }),
    Operator::new("frame: group_by, sorted", &["engine::dataframe::groupby::agg"], |inputs| {
        let aggregates =
            [(col("price") * col("small")).sum().alias("sum"), col("float").mean(), col("day").min()];
        Ok(inputs.frame.group_by(["kind", "flag"]).sort(true).dropna(false).agg(aggregates)?.into())
    }),
    Operator::new(
        "frame: group_by, head and tail",
        &["engine::dataframe::groupby::head", "engine::dataframe::groupby::tail"],
        |inputs| {
            let first = inputs.frame.group_by("kind").dropna(false).head(3)?;
            Ok(first.group_by("kind").tail(2)?.into())
        },
    ),
    Operator::new("frame: rows_where, agg", &["engine::dataframe::groupby::agg"], |inputs| {
        Ok(inputs.frame.rows_where(col("flag")).agg([len(), col("exact").sum(), col("day").max()])?.into())
    }),
    Operator::new("frame: merge, inner", &["engine::dataframe::join::merge"], |inputs| {
        Ok(inputs.frame.merge(&inputs.other, &Merge::inner().on(["n", "kind"]))?.into())
    }),
    Operator::new("frame: merge, left, of text", &["engine::dataframe::join::merge"], |inputs| {
        Ok(inputs.frame.merge(&inputs.other, &Merge::left().on("word").nulls_equal(false))?.into())
    }),
    Operator::new("frame: merge, semi", &["engine::dataframe::join::merge"], |inputs| {
        Ok(inputs.frame.merge(&inputs.other, &Merge::semi().on("small"))?.into())
    }),
    Operator::new("frame: merge, anti", &["engine::dataframe::join::merge"], |inputs| {
        Ok(inputs.frame.merge(&inputs.other, &Merge::anti().left_on("n").right_on("n"))?.into())
    }),
    Operator::new("frame: merge, outer, with an indicator", &["engine::dataframe::join::merge"], |inputs| {
        let merge = Merge::outer().on(["n", "kind"]).indicator("from");
        Ok(inputs.frame.merge(&inputs.other, &merge)?.into())
    }),
    Operator::new("frame: merge, right, in left order", &["engine::dataframe::join::merge"], |inputs| {
        let merge = Merge::right().on(col("small") + 1).maintain_order(MaintainOrder::LeftRight);
        Ok(inputs.frame.merge(&inputs.other, &merge)?.into())
    }),
    Operator::new("frame: merge, left, with a condition", &["engine::dataframe::join::merge"], |inputs| {
        let merge = Merge::left().on("kind").condition(col("n_x").ne(col("n_y")));
        Ok(inputs.frame.merge(&inputs.other, &merge)?.into())
    }),
    Operator::new("frame: merge_asof", &["engine::dataframe::join::asof::merge_asof"], |inputs| {
        let (left, right) = (inputs.frame.sort_values("n")?, inputs.other.sort_values("n")?);
        Ok(left.merge_asof(&right, &MergeAsof::backward().on("n").by("kind").tolerance(50))?.into())
    }),
    Operator::new("frame: concat", &["engine::dataframe::reshape::concat"], |inputs| {
        Ok(concat([&inputs.frame, &inputs.other, &inputs.frame])?.into())
    }),
    Operator::new("frame: select, expressions", &["engine::dataframe::select::select"], |inputs| {
        Ok(inputs
            .frame
            .select([col("word"), (col("n") + lit(1)).alias("next"), col("time").dt().hour()])?
            .into())
    }),
    Operator::new(
        "frame: views",
        &[
            "engine::dataframe::select::column",
            "engine::dataframe::select::drop",
            "engine::dataframe::relabel::rename",
            "engine::dataframe::select::head",
            "engine::dataframe::select::tail",
            "engine::dataframe::select::slice",
            "engine::dataframe::select::select_by_label",
        ],
        |inputs| {
            let frame = inputs.frame.drop("wide")?.rename([("n", "number")])?.slice(3, 1200)?;
            let words = frame.head(900)?.tail(800)?.select_by_label(["word"])?.column("word")?;
            Ok(words.into())
        },
    ),
    Operator::new(
        "frame: nulls dropped and filled",
        &[
            "engine::dataframe::missing::drop_nulls",
            "engine::dataframe::missing::fill_null",
            "engine::dataframe::missing::fill_null_strict",
        ],
        |inputs| {
            let numbers = inputs.frame.select(["n", "small", "wide", "price"])?.fill_null_strict(7)?;
            let numbers = numbers.fill_null(8)?;
            let frame = numbers.with_column("word", inputs.column("word")?)?;
            Ok(concat([&frame.drop_nulls("word")?, &frame.drop_nulls(..)?])?.into())
        },
    ),
    Operator::new("frame: sort_values", &["engine::dataframe::sort::sort_values"], |inputs| {
        let by = [SortBy::descending("word").nulls_first(), SortBy::ascending("float")];
        Ok(inputs.frame.sort_values(by)?.into())
    }),
    Operator::new(
        "frame: shallow_copy and deep_copy",
        &[
            "engine::dataframe::copy::shallow_copy",
            "engine::dataframe::copy::deep_copy",
            "engine::indexed_frame::shallow_copy",
            "engine::indexed_frame::deep_copy",
            "engine::frame::shallow_copy",
            "engine::frame::deep_copy",
        ],
        |inputs| Ok(concat([&inputs.frame.shallow_copy()?, &inputs.frame.deep_copy()?])?.into()),
    ),
    Operator::new("frame: to_device", &["engine::dataframe::to_device"], |inputs| {
        Ok(inputs.frame.to_device(Device::Host)?.into())
    }),
    Operator::new("frame: to_exec", &["engine::dataframe::to_exec"], |inputs| {
        let host = inputs.frame.to_exec(&Exec::host())?;
        Ok(host.to_exec(&inputs.exec)?.into())
    }),
    Operator::new("frame: display", &["engine::dataframe::display::fmt"], |inputs| shown(&inputs.frame)),
    Operator::new(
        "parquet: read",
        &["engine::io::parquet::read::read", "engine::io::parquet::read::read_with_statistics"],
        |inputs| Ok(read_parquet(&inputs.file).exec(&inputs.exec).read()?.into()),
    ),
    Operator::new("parquet: read, filter and dictionary", &["engine::io::parquet::read::read"], |inputs| {
        let reader = read_parquet(&inputs.file).columns(["word", "price", "kind"]).dictionary(["word"]);
        Ok(reader.filter(col("n").lt(lit(100))).exec(&inputs.exec).read()?.into())
    }),
    Operator::new("parquet: read of a folder", &["engine::io::parquet::read::read"], |inputs| {
        let folder = inputs.file.parent().unwrap_or(&inputs.file);
        Ok(read_parquet(folder).columns(["n", "word"]).exec(&inputs.exec).read()?.into())
    }),
    Operator::new(
        "parquet: write",
        &["engine::io::parquet::write::write_parquet", "engine::io::parquet::write::write_parquet_with"],
        |inputs| {
            let options = ParquetWriteOptions::new().row_group_rows(600).compression(Compression::Zstd);
            inputs.frame.write_parquet_with(&inputs.target, &options)?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "parquet: write in batches",
        &[
            "engine::io::parquet::write::create",
            "engine::io::parquet::write::append",
            "engine::io::parquet::write::finish",
        ],
        |inputs| {
            let options = ParquetWriteOptions::default();
            let mut writer = ParquetWriter::create(&inputs.target, inputs.batch.schema(), &options)?;
            for start in [0, 512, 1024] {
                writer.append(&[inputs.frame.slice(start, 512)?.to_arrow()?])?;
            }
            writer.finish()?;
            Ok(Made::File)
        },
    ),
    Operator::new(
        "csv: read",
        &["engine::io::csv::read::read", "engine::io::csv::read::read_with_statistics"],
        |inputs| Ok(read_csv(&inputs.csv).exec(&inputs.exec).read()?.into()),
    ),
    Operator::new(
        "csv: write",
        &["engine::io::csv::write::write_csv", "engine::io::csv::write::write_csv_with"],
        |inputs| {
            inputs.frame.select(["n", "word"])?.write_csv(&inputs.target)?;
            Ok(Made::File)
        },
    ),
    Operator::new("ipc: read", &["engine::io::ipc::read::read"], |inputs| {
        Ok(read_ipc(&inputs.ipc).exec(&inputs.exec).read()?.into())
    }),
    Operator::new(
        "ipc: write",
        &["engine::io::ipc::write::write_ipc", "engine::io::ipc::write::write_ipc_with"],
        |inputs| {
            inputs.frame.write_ipc(&inputs.target)?;
            Ok(Made::File)
        },
    ),
    Operator::new("memory: set_options", &["engine::memory::set_options"], |inputs| {
        let before = memory::options()?;
        let used = memory::manager()?.usage().tiers[Tier::Device].bytes;
        let limit = Some(DeviceLimit::Bytes(used / 2));
        let lowered = memory::set_options(SpillOptions { device_limit: limit, ..before.clone() });
        // The limit is the trial's; what has left for the lower one is where it went.
        memory::set_options(before)?;
        lowered?;
        Ok(inputs.frame.clone().into())
    }),
];
