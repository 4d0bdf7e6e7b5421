//! Methods of frames, and the limit of memory.

use std::num::NonZero;

use columnade::expressions::{Every, FrameOperand, IndexerMethod, Interpolation, Keep, SearchSide, Ties};
use columnade::{
    Concat, Crosstab, DType, DataFrame, Device, Exec, GroupKey, Index, LabelJoin, MaintainOrder, Melt, Merge,
    MergeAsof, Normalize, Pivot, PivotTable, Reindex, Sample, Scalar, Series, SetIndex, SetOrder, SortBy,
    SortOrder, Unstack, WideToLong, col, concat, concat_with, crosstab, len, lit, memory, merge_sorted,
};

use columnade::arrow::{
    ArrowArray, ArrowArrayStream, ArrowDeviceArray, ArrowDeviceArrayStream, CopyPolicy, ExportOptions,
    ImportOptions,
};
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
    Operator::new(
        "frame: row labels, there and back",
        &[
            "engine::dataframe::index::set_index",
            "engine::dataframe::index::set_index_with",
            "engine::dataframe::index::with_index",
            "engine::dataframe::index::reset_index",
            "engine::dataframe::index::reset_levels",
            "engine::dataframe::index::sort_index",
            "ops::copying::gather::gather_in_chunks",
            "ops::sort::sort_by::argsort_rows",
            "engine::dataframe::index::sort_levels",
            "engine::dataframe::index::take",
        ],
        |inputs| {
            let levels = inputs.frame.set_index(["word", "n"])?;
            let unique = SetIndex::new().append(true).verify_integrity(true);
            let levels =
                levels.ignore_index().set_index_with("wide", unique)?.rename_axis(["row", "wide"])?;
            let sorted = levels.sort_levels("wide", SortOrder::descending())?;
            let back = sorted.take((0..900).rev())?.sort_index(..)?.reset_levels("wide")?;
            let labels = inputs.frame.index().slice(0, back.len())?;
            Ok(back.with_index(&labels)?.reset_index()?.into())
        },
    ),
    Operator::new(
        "frame: rows by labels and positions",
        &[
            "engine::index::lookup::get_loc",
            "engine::index::lookup::get_locs",
            "engine::index::lookup::contains",
            "engine::index::lookup::is_in",
            "engine::index::lookup::get_indexer",
            "engine::index::lookup::get_indexer_non_unique",
            "engine::index::slices::slice_locs",
            "engine::index::nearest::get_indexer_with",
            "engine::locate::loc",
            "engine::locate::loc_at",
            "engine::locate::iloc",
            "engine::locate::at",
            "engine::locate::iat",
            "engine::locate::assign::set_loc",
            "engine::locate::assign::set_iloc",
        ],
        |inputs| {
            let numbers = Index::new((0..900).rev().collect::<Vec<i64>>())?;
            let frame = inputs.frame.iloc(..900)?.with_index(&numbers)?;
            let sorted = frame.iloc((..).every(-1))?.sort_index(..)?;
            let row = numbers.get_loc(7)? + sorted.index().slice_locs(3..=9)?.len();
            let found = numbers.get_indexer(sorted.index())?;
            let (again, _) = numbers.get_indexer_non_unique(sorted.index())?;
            let near = numbers.get_indexer_with(sorted.index(), IndexerMethod::Nearest)?;
            let is_in = numbers.is_in(sorted.index())?;
            let one = [frame.at(5, "n")?.to_string(), frame.iat(5, 0)?.to_string()];
            let is_there = numbers.contains(3)? && numbers.get_locs(4)?.len() == 1;
            let values: Vec<i32> = (0..3).collect();
            let set = frame.set_loc([5, 3, 9], "n", values)?.set_iloc(0..7, "n", 4)?;
            let set = set.set_loc(3..=5, "n", &frame.column("n")?)?.loc(&is_in)?;
            let set = set.loc_at(sorted.index(), ["n", "word"])?.loc([1, 0])?;
            let rows = lit(i64::try_from(row + usize::from(is_there)).unwrap_or(0));
            let set = set.with_column("one", one)?.with_column("rows", rows)?;
            let set = set.with_column("found", found.tail(2)?)?.with_column("again", again.tail(2)?)?;
            Ok(set.with_column("near", near.tail(2)?)?.into())
        },
    ),
    Operator::new(
        "frame: rows of two frames by label",
        &[
            "engine::alignment::frame::align",
            "engine::alignment::frame::align_rows",
            "engine::alignment::series::align",
            "engine::alignment::reindex::reindex",
            "engine::alignment::reindex::reindex_with",
            "engine::alignment::reindex::reindex_like",
            "engine::alignment::reindex::reindex_columns",
        ],
        |inputs| {
            let numbers =
                |from: i64| Index::new((from..from + 600).map(|row| row * 7 % 1009).collect::<Vec<_>>());
            let frame = inputs.frame.select(["n", "float"])?;
            let left = frame.iloc(..600)?.with_index(&numbers(0)?)?;
            let right = frame.iloc(100..700)?.with_index(&numbers(50)?)?;
            let (a, b) = left.align(&right, LabelJoin::Outer)?;
            let (c, _) = left.align_rows(&right, LabelJoin::Inner)?;
            let sum = (&a + &b)?.add_with(&c, 1)?.reindex_like(&right)?;
            let sum = sum.mul(FrameOperand::Rows(&left.column("n")?))?.reindex([3, 2, 5000])?;
            let pad = Reindex::new().method(IndexerMethod::Pad).limit(2).fill_value(0);
            let rows = right.sort_index(..)?.reindex_with((0..90).collect::<Vec<i64>>(), pad)?;
            let (n, _) = left.column("n")?.align(&right.column("n")?, LabelJoin::Right)?;
            let column = sum.reindex_columns(["float"])?.column("float")?;
            let column = column.add_with(&rows.column("float")?, 2)?.add(&n)?.rename("sum");
            Ok(column.reset_index()?.into())
        },
    ),
    Operator::new(
        "frame: arithmetic by label, with a value in place of what is missing",
        &["engine::alignment::frame::align"],
        |inputs| {
            let numbers = |from: i64| Index::new((from..from + 400).collect::<Vec<_>>());
            let frame = inputs.frame.select(["n", "float"])?;
            // Sorted labels are merged, others joined by hashing.
            let left = frame.iloc(..400)?.with_index(&numbers(0)?)?;
            let right = frame.iloc(100..500)?.with_index(&numbers(50)?)?.iloc((..).every(3))?;
            let (n, m) = (left.column("n")?, right.column("n")?.iloc((..).every(-1))?);
            let frames = [
                left.add_with(&right, 1)?,
                left.sub_with(&right, 1)?,
                left.mul_with(&right, 2)?,
                left.div_with(&right, 3)?,
                left.floor_div_with(&right, 5)?,
                left.rem_with(&right, 7)?,
                left.pow_with(2, 1)?,
            ];
            let series = [
                n.add_with(&m, 1)?,
                n.sub_with(&m, 1)?,
                n.mul_with(&m, 2)?,
                n.div_with(&m, 3)?,
                n.floor_div_with(&m, 5)?,
                n.rem_with(&m, 7)?,
            ];
            let mut values = Vec::new();
            for frame in frames {
                values.extend(frame.column("float")?.to_scalars()?);
            }
            for series in series {
                values.extend(series.to_scalars()?);
            }
            Ok(Made::Scalars(values))
        },
    ),
    Operator::new(
        "frame: rows by labels of levels, and levels that two sides share",
        &["engine::locate::loc", "engine::alignment::series::align"],
        |inputs| {
            let rows = 600_i64;
            let index = Index::from_tuples((0..rows).map(|row| (row / 7, row % 7)), ["k", "n"])?;
            let frame = inputs.frame.select(["n", "float"])?.iloc(..600)?.with_index(&index)?;
            let found = frame.loc((10..=60, [3, 1]))?;
            let one = Series::new((0..50_i64).collect::<Vec<_>>())?;
            let one = one.with_index(&Index::new((0..50_i64).rev().collect::<Vec<_>>())?.rename("k")?)?;
            let (left, right) = frame.column("n")?.align(&one, LabelJoin::Outer)?;
            let other =
                one.with_index(&Index::from_tuples((0..50_i64).map(|row| (row, -row)), ["n", "m"])?)?;
            let (pairs, _) = frame.column("n")?.align(&other, LabelJoin::Left)?;
            let mut values = found.column("float")?.to_scalars()?;
            for series in [left, right, pairs] {
                values.extend(series.to_scalars()?);
            }
            Ok(Made::Scalars(values))
        },
    ),
    Operator::new(
        "frame: values of two frames by label",
        &[
            "engine::alignment::combine::combine_first",
            "engine::alignment::combine::update",
            "engine::alignment::combine::where_",
            "engine::alignment::combine::mask",
            "engine::alignment::concat::concat_with",
            "engine::dataframe::assign::insert",
            "engine::dataframe::assign::pop",
            "engine::dataframe::assign::reorder",
        ],
        |inputs| {
            let numbers =
                |from: i64| Index::new((from..from + 600).map(|row| row * 7 % 1009).collect::<Vec<_>>());
            let frame = inputs.frame.select(["n", "float"])?;
            let left = frame.iloc(..600)?.with_index(&numbers(0)?)?;
            let right = frame.iloc(100..700)?.with_index(&numbers(50)?)?;
            let (n, rest) = right.pop("n")?;
            let first = left.column("n")?.combine_first(&n)?.update(&n)?;
            let both = left.combine_first(&right)?.update(&rest)?.insert(0, "first", &first)?;
            let positive = both.column("float")?.gt(0)?;
            let both = both.where_(&positive, 1)?.mask(&both.gt(100)?, &left)?.reorder("float")?;
            let series = first.where_(&positive, 0)?.mask(&positive, &n)?;
            let wide = concat_with([&both, &series.to_frame()], &Concat::columns().keys(["a", "b"]))?;
            let long = concat_with([&both, &right], &Concat::rows().keys([1, 2]))?;
            let flat = DataFrame::new([("sum", long.column("n")?)])?;
            Ok(flat.head(100)?.with_column("wide", wide.column(("a", "n"))?.ignore_index())?.into())
        },
    ),
    Operator::new(
        "frame: labels as sets, joins and samples by label",
        &[
            "engine::alignment::join::join",
            "engine::dataframe::sample::sample",
            "engine::index::set_ops::union",
            "engine::index::set_ops::union_with",
            "engine::index::set_ops::intersection",
            "engine::index::set_ops::intersection_with",
            "engine::index::set_ops::difference",
            "engine::index::set_ops::difference_with",
            "engine::index::set_ops::symmetric_difference",
            "engine::index::set_ops::symmetric_difference_with",
            "engine::index::set_ops::unique",
            "engine::index::set_ops::duplicated",
            "engine::index::set_ops::insert",
            "engine::index::set_ops::delete",
            "engine::index::set_ops::drop",
            "engine::index::set_ops::join",
            "engine::index::set_ops::drop_rows",
            "engine::index::set_ops::xs",
        ],
        |inputs| {
            let numbers = |by: i64| Index::new((0..300).map(|row| row * by % 211).collect::<Vec<_>>());
            let (a, b) = (numbers(7)?, numbers(13)?);
            let order = SetOrder::Appearance;
            let mut labels = a.union(&b)?.difference(&numbers(2)?)?.to_scalars()?.concat();
            labels.extend(a.union_with(&b, order)?.insert(3, 9_i64)?.delete([0, -1])?.to_scalars()?.concat());
            labels.extend(a.intersection(&b)?.drop([14_i64])?.to_scalars()?.concat());
            labels.extend(a.intersection_with(&b, order)?.symmetric_difference(&b)?.to_scalars()?.concat());
            let one = a.difference_with(&b, order)?.symmetric_difference_with(&a, order)?;
            labels.extend(one.unique()?.to_scalars()?.concat());
            labels.extend(a.duplicated(Keep::First)?.to_scalars()?);
            let (_, rows, _) = a.join(&b, LabelJoin::Outer)?;
            labels.extend(rows.to_scalars()?);
            let frame = inputs.frame.select(["n", "word"])?.iloc(..300)?.with_index(&a)?;
            let other = inputs.frame.select(["float"])?.iloc(..300)?.with_index(&b)?;
            let joined = frame.join(&other, LabelJoin::Inner)?.drop_rows([7_i64])?;
            let weights = joined.column("float")?.where_(&joined.column("float")?.gt(0)?, 1)?.ignore_index();
            let joined = joined.ignore_index();
            let rows = joined.sample(Sample::n(50).weights(&weights.clip_max(9)?))?;
            labels.extend(rows.column("word")?.to_scalars()?);
            let rows = joined.sample(Sample::n(50).replace(true).weights(&weights.clip_max(9)?))?;
            labels.extend(rows.column("n")?.sample(9)?.to_scalars()?);
            let levels = frame.set_index("word")?.with_index(&b.rename("b")?)?;
            labels.extend(levels.xs(13_i64, "b")?.column("n")?.to_scalars()?);
            Ok(labels.into())
        },
    ),
    Operator::new(
        "frame: labels of rows that operations keep",
        &[
            "ops::filter::filter_rows",
            "ops::sort::sort_by::sort_rows",
            "ops::sort::top_k::top_rows",
            "ops::distinct::unique_rows",
            "ops::missing::drop_nulls::valid_rows",
            "ops::lists::explode::explode_rows",
            "engine::dataframe::reshape::concat",
        ],
        |inputs| {
            let frame = inputs.frame.select(["n", "word", "float"])?;
            let rows = frame.filter(col("n").is_not_null())?.drop_nulls("word")?;
            let rows = rows.unique(["n", "word"])?.sort_values("word")?;
            let rows = concat([&rows, &frame.head(200)?])?.nlargest(150, "n", Ties::First)?;
            let mut labels = rows.index().to_scalars()?.concat();
            let lists = inputs.rare.select("list")?.explode("list")?;
            labels.extend(lists.index().slice(100, 50)?.to_scalars()?.concat());
            Ok(labels.into())
        },
    ),
    Operator::new(
        "index: labels and facts",
        &[
            "engine::index::append::append",
            "engine::index::build::new",
            "engine::index::build::from_arrays",
            "engine::index::build::from_frame",
            "engine::index::build::from_series",
            "engine::index::build::to_series",
            "engine::index::build::to_frame",
            "engine::index::build::to_scalars",
            "engine::index::build::get_level_values",
            "engine::index::build::droplevel",
            "engine::index::build::swaplevel",
            "engine::index::build::reorder_levels",
            "engine::index::order::sort_values",
            "engine::index::order::argsort",
            "engine::index::get",
            "engine::index::slice",
            "engine::index::equals",
            "engine::index::identical",
            "engine::index::is_unique",
            "engine::index::is_monotonic_increasing",
            "engine::index::is_monotonic_decreasing",
            "engine::index::has_nulls",
        ],
        |inputs| {
            let (word, n) = (inputs.frame.column("word")?, inputs.frame.column("n")?);
            let levels = Index::from_arrays([("word", word.clone()), ("n", n)])?;
            let mut seen = levels.sort_values(..)?.slice(3, 40)?.to_scalars()?.concat();
            seen.push(levels.get(7)?);
            let words = Index::from_series(&word)?;
            let swapped = levels.reorder_levels(["n", "word"])?.swaplevel("n", "word")?;
            let facts = [
                swapped.equals(&levels)?,
                swapped.identical(&levels)?,
                words.is_unique()?,
                words.is_monotonic_increasing()?,
                words.is_monotonic_decreasing()?,
                words.has_nulls()?,
                levels.droplevel("n")?.equals(&levels.get_level_values("word")?)?,
                words.append([&words.slice(2, 9)?])?.is_unique()?,
                Index::new(vec![1_i64; 900])?.equals(&Index::of_rows(900))?,
            ];
            seen.extend(facts.map(Scalar::Bool));
            seen.extend(words.argsort(..)?.tail(5)?.to_scalars()?);
            seen.extend(Index::from_frame(&levels.to_frame()?)?.to_series()?.head(2)?.to_scalars()?);
            Ok(seen.into())
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
            let (schema, mut array) = inputs.frame.to_arrow_c::<ArrowArray>(&ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c(&schema, &mut array, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "frame: C device interface, there and back",
        &["engine::dataframe::arrow_c::to_arrow_c", "engine::dataframe::arrow_c::from_arrow_c"],
        |inputs| {
            let (schema, mut array) =
                inputs.frame.to_arrow_c::<ArrowDeviceArray>(&ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c(&schema, &mut array, &ImportOptions::default())?.into())
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
            let mut stream =
                inputs.frame.to_arrow_c_stream::<ArrowArrayStream>(rows, &ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c_stream(&mut stream, &ImportOptions::default())?.into())
        },
    ),
    Operator::new(
        "frame: C device stream, there and back",
        &[
            "engine::dataframe::arrow_c::to_arrow_c_stream",
            "engine::dataframe::arrow_c::from_arrow_c_stream",
            "engine::dataframe::arrow_c::export_arrow_stream",
            "engine::dataframe::arrow_c::new",
        ],
        |inputs| {
            let rows = NonZero::new(600).unwrap_or(NonZero::<usize>::MIN);
            let mut stream =
                inputs.frame.to_arrow_c_stream::<ArrowDeviceArrayStream>(rows, &ExportOptions::default())?;
            Ok(DataFrame::from_arrow_c_stream(&mut stream, &ImportOptions::default())?.into())
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
            "engine::dataframe::order::sort_head",
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
            let first = frame.sort_head(20, ["n", "kind"])?;
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
            "engine::dataframe::statistics::cov_ddof",
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
                numbers.cov_ddof(0)?,
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
    Operator::new(
        "frame: columns as rows",
        &[
            "engine::dataframe::melt::melt",
            "engine::dataframe::wide_to_long::wide_to_long",
            "engine::repeats::tile",
            "engine::repeats::repeat",
            "engine::dataframe::transpose::interleave_columns",
            "engine::dataframe::transpose::transpose",
            "ops::reshape::melt::melt",
            "ops::reshape::repeat::repeat_rows",
            "ops::reshape::repeat::tile_rows",
            "ops::reshape::rows::tile",
            "ops::reshape::rows::repeat",
            "ops::reshape::rows::interleave",
            "ops::reshape::rows::interleave_columns",
            "ops::reshape::melt::label_columns",
            "ops::reshape::rows::transpose",
        ],
        |inputs| {
            let numbers = inputs.frame.select(["n", "small", "word"])?;
            let rows = numbers.melt(&Melt::new().id_vars("word"))?;
            let named = numbers.rename([("n", "x1"), ("small", "x2")])?;
            let long = named.wide_to_long(&WideToLong::new("x", "j").i("word"))?;
            let mut values = rows.column("value")?.to_scalars()?;
            values.extend(long.column("x")?.to_scalars()?);
            let some = numbers.head(20)?.drop("word")?;
            values.extend(some.tile(3)?.repeat(2)?.interleave_columns()?.to_scalars()?);
            let (word, counts) =
                (rows.head(20)?.column("word")?, some.column("small")?.abs()?.evaluate(|x| x % 3)?);
            let words = word.repeat(counts.fill_null(1)?)?.tile(2)?;
            values.extend(words.to_scalars()?);
            values.extend(words.index().repeat(2)?.to_scalars()?.remove(0));
            for label in some.transpose()?.columns() {
                values.extend(some.transpose()?.column(label)?.to_scalars()?);
            }
            Ok(Made::Scalars(values))
        },
    ),
    Operator::new(
        "frame: group_by_with, levels and series, all categories",
        &["engine::dataframe::group_keys::group_by_with"],
        |inputs| {
            let frame = inputs.frame.select(["kind", "small", "n"])?.set_index("kind")?;
            let keys = [
                GroupKey::level("kind"),
                GroupKey::values(&inputs.frame.column("small")?.with_index(frame.index())?),
            ];
            Ok(frame
                .group_by_with(keys)?
                .observed(false)
                .as_index(true)
                .agg(col("n").sum())?
                .reset_index()?
                .into())
        },
    ),
    Operator::new(
        "frame: labels of columns as row labels, and back",
        &[
            "engine::dataframe::stack::stack",
            "engine::dataframe::stack::stack_levels",
            "engine::dataframe::stack::unstack",
            "engine::dataframe::stack::unstack_with",
            "ops::reshape::stack::stack",
        ],
        |inputs| {
            let keys = inputs.frame.unique(["small", "flag"])?.set_index(["small", "flag"])?;
            let wide = keys.select(["n", "float"])?.unstack()?;
            let filled = keys.select("n")?.unstack_with(&Unstack::new().levels(["small"]).fill_value(0))?;
            let long = wide.stack_levels([-1])?;
            let mut values = wide.stack()?.to_scalars()?;
            values.extend(keys.column("n")?.unstack()?.stack()?.to_scalars()?);
            for made in [long, filled] {
                for label in made.columns() {
                    values.extend(made.column(label)?.to_scalars()?);
                }
            }
            Ok(Made::Scalars(values))
        },
    ),
    Operator::new(
        "frame: rows as columns",
        &[
            "engine::dataframe::pivot::pivot",
            "engine::dataframe::pivot_table::pivot_table",
            "engine::dataframe::crosstab::crosstab",
            "engine::dataframe::dummies::get_dummies",
            "engine::dataframe::dummies::from_dummies",
            "ops::copying::gather::take",
            "ops::reshape::pivot::pivot",
        ],
        |inputs| {
            let frame = &inputs.frame;
            let table = PivotTable::new().index("kind").columns("flag").values(col("n").sum());
            let sums = frame.pivot_table(&table.fill_value(0).margins("all"))?;
            let keys = frame.unique(["small", "flag"])?;
            let table = keys.pivot(&Pivot::new().index("small").columns("flag").values("word"))?;
            let shares = Crosstab::new().normalize(Normalize::Index);
            let shares = crosstab(&frame.column("kind")?, &frame.column("flag")?, shares)?;
            let dummies = frame.select("kind")?.get_dummies(..)?;
            let kinds = dummies.from_dummies("_", Some("none"))?;
            let mut values = Vec::new();
            for made in [sums, table, shares, kinds] {
                for label in made.columns() {
                    values.extend(made.column(label)?.to_scalars()?);
                }
            }
            Ok(Made::Scalars(values))
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
    Operator::new(
        "frame: group_by, numbers",
        &[
            "engine::dataframe::groupby::ngroup",
            "engine::dataframe::groupby::cumcount",
            "ops::groupby::group_numbers",
        ],
        |inputs| {
            let groups = inputs.frame.group_by(["kind", "flag"]).sort(true);
            let mut numbers = groups.ngroup()?.to_scalars()?;
            numbers.extend(groups.cumcount()?.to_scalars()?);
            Ok(Made::Scalars(numbers))
        },
    ),
    Operator::new(
        "frame: group_by, rows of groups",
        &["engine::dataframe::groups::nth", "engine::dataframe::groups::filter"],
        |inputs| {
            let large = inputs.frame.group_by(["kind", "flag"]).filter(len().gt(2))?;
            Ok(large.group_by("kind").nth(-2)?.into())
        },
    ),
    Operator::new(
        "frame: group_by, one by one",
        &[
            "engine::dataframe::groups::get_group",
            "engine::dataframe::groups::groups",
            "engine::dataframe::group_apply::apply",
        ],
        |inputs| {
            let first = |_: &[Scalar], rows: &DataFrame| rows.head(2);
            let one = inputs.frame.group_by("flag").get_group(true)?;
            Ok(one.group_by("kind").apply(first)?.into())
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
            "engine::dataframe::missing::fill_null_each",
            "engine::dataframe::missing::fill_null_strict",
        ],
        |inputs| {
            let numbers = inputs.frame.select(["n", "small", "wide", "price"])?.fill_null_strict(7)?;
            let numbers = numbers.fill_null_each([("n", 8)])?.fill_null(8)?;
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
