//! Operations over columns.

use columnade::column::{ColumnAccessor, DeviceScalar};
use columnade::errors::ColumnError;
use columnade::expressions::Literal;
use columnade::{
    Column, DType, ErrorKind, Expr, Result, Scalar, TimeUnit, col, date, len, lit, lit_decimal, when,
};
use columnade_ops::binning::{BinEdges, bin_numbers};
use columnade_ops::cast::{CastMode, cast, decode};
use columnade_ops::comparing::equals;
use columnade_ops::copying::{MapNulls, RowMap, broadcast, concat, copy_if_else, gather, gather_column};
use columnade_ops::correlation::{corr, cov, kendall, spearman};
use columnade_ops::distinct::{Keep, duplicated, factorize, is_in, unique};
use columnade_ops::expression::{Rank, evaluate, evaluate_mask, row_number};
use columnade_ops::filter::{apply_mask, filter, filter_columns};
use columnade_ops::groupby::{self, GroupOptions, NullKeys};
use columnade_ops::join::{
    Asof, AsofStrategy, JoinKind, JoinSide, NullEquality, PairCondition, asof_join, check_sorted,
    coalesce_keys, cross_join, duplicate_key, hash_join, join_rows, join_rows_where, merge_join,
};
use columnade_ops::missing::{DropHow, drop_nulls, fill_null};
use columnade_ops::partition::hash_partition;
use columnade_ops::selection::{
    Step, affine_labels, compose_maps, fold, kept_rows, map_of_positions, positions, range_labels,
    repeated_rows, rows_at,
};
use columnade_ops::sort::{
    NullOrder, Order, SearchSide, SortColumn, SortKey, Ties, argsort, is_sorted, is_strictly_sorted,
    merge_sorted, search_sorted, sort_by, sorted_order, top_k,
};
use columnade_ops::strings::{JoinNulls, Measure, Transform, concat as concat_strings, measure, transform};

use super::Operator;
use crate::inputs::Inputs;
use crate::made::Made;

pub(super) const OPERATORS: &[Operator] = &[
    Operator::new(
        "ops: rows that steps leave",
        &[
            "ops::selection::to_device",
            "ops::selection::fold",
            "ops::selection::compose_maps",
            "ops::selection::kept_rows",
            "ops::selection::range_labels",
            "ops::selection::affine_labels",
            "ops::selection::positions",
            "ops::selection::map_of_positions",
            "ops::selection::repeated_rows",
            "ops::selection::rows_at::rows_at",
        ],
        |inputs| {
            let exec = &inputs.exec;
            let kept = kept_rows(&inputs.mask, exec)?;
            let numbers = range_labels(0, 2, kept.len / 2, exec)?;
            let map = map_of_positions(&numbers, exec)?;
            let steps = [
                Step::Mask { keep: inputs.mask.clone(), kept: kept.len },
                Step::Rows { map: map.clone(), distinct: true, ordered: true },
                Step::Slice { offset: 1, len: map.len - 1 },
            ];
            let steps = steps.iter().map(|step| step.to_device(exec)).collect::<Result<Vec<_>, _>>()?;
            let folded = fold(&steps, exec)?.map.unwrap_or(kept);
            let labels = affine_labels(&folded, 5, -1, exec)?;
            let some = RowMap::from_u32(&[3, u32::MAX], exec).map_err(ColumnError::from)?;
            let rows = positions(&compose_maps(&folded, &some, exec)?, exec)?;
            let twice = positions(&repeated_rows(&numbers, 2 * numbers.size(), exec)?, exec)?;
            let Step::Rows { map: at, .. } = rows_at(&numbers, 2 * numbers.size(), exec)? else {
                return Err(ColumnError::Internal { invariant: "positions are a map of rows" }.into());
            };
            let at = positions(&at, exec)?.slice(0, 2)?;
            let columns =
                [("labels", labels.slice(0, 2)?), ("rows", rows), ("twice", twice.slice(5, 2)?), ("at", at)];
            Ok(ColumnAccessor::from_columns(columns)?.into())
        },
    ),
    Operator::new("ops: groupby, grouped", &["ops::groupby::aggregate"], |inputs| {
        let keys = [col("n"), col("kind")];
        let aggregates = [
            (col("price") * lit_decimal("1.10")?).sum().alias("sum"),
            col("float").mean(),
            col("day").min(),
            col("exact").sum(),
            len().alias("rows"),
        ];
        let some = col("wide").gt(lit(1_000_000_000_000_000_i64));
        Ok(groupby::aggregate(
            inputs.columns(),
            Some(&some),
            &keys,
            &aggregates,
            GroupOptions::default(),
            &inputs.exec,
        )?
        .into())
    }),
    Operator::new("ops: groupby, statistics", &["ops::groupby::aggregate"], |inputs| {
        let aggregates = [
            col("float").var(),
            col("price").median().alias("median"),
            col("word").nunique(),
            col("n").arg_max().alias("arg"),
            col("word").collect().alias("words"),
            (col("n").max() - col("n").min()).alias("range"),
        ];
        let options = GroupOptions::default();
        Ok(groupby::aggregate(inputs.columns(), None, &[col("kind")], &aggregates, options, &inputs.exec)?
            .into())
    }),
    Operator::new("ops: evaluate, row functions", &["ops::expression::evaluate::evaluate"], |inputs| {
        let exprs = [
            (col("n") - col("n").mean()).over([col("kind")]),
            col("word").shift(1).over([col("kind")]).alias("shift"),
            col("float").rank(Rank::default()).alias("rank"),
            col("word").fill_forward(None).alias("fill"),
            row_number(),
        ];
        Ok(ColumnAccessor::from_columns(evaluate(&exprs, inputs.columns(), &inputs.exec)?)?.into())
    }),
    Operator::new("ops: unique", &["ops::distinct::unique"], |inputs| {
        Ok(unique(inputs.columns(), ["kind", "flag"], Keep::Last, &inputs.exec)?.into())
    }),
    Operator::new("ops: duplicated", &["ops::distinct::duplicated"], |inputs| {
        Ok(duplicated(inputs.columns(), ["word"], Keep::First, &inputs.exec)?.into())
    }),
    Operator::new("ops: is_in", &["ops::distinct::is_in"], |inputs| {
        let words = inputs.column("word")?;
        let among = words.slice(0, words.size() / 2)?;
        Ok(is_in(words, &among, NullEquality::Unequal, &inputs.exec)?.into())
    }),
    Operator::new("ops: factorize", &["ops::distinct::factorize"], |inputs| {
        let factorized = factorize(inputs.column("word")?, &inputs.exec)?;
        Ok(factorized.codes.into())
    }),
    Operator::new("ops: groupby, null keys kept", &["ops::groupby::aggregate"], |inputs| {
        let options = GroupOptions { null_keys: NullKeys::Group };
        let (keys, aggregates) =
            ([col("word")], [col("small").sum(), col("flag").count(), col("single").max()]);
        Ok(groupby::aggregate(inputs.columns(), None, &keys, &aggregates, options, &inputs.exec)?.into())
    }),
    Operator::new("ops: groupby, one group", &["ops::groupby::aggregate"], |inputs| {
        let aggregates = [col("price").mean(), col("float").min(), col("time").max(), col("kind").count()];
        let some = col("kind").ne(lit("a"));
        Ok(groupby::aggregate(
            inputs.columns(),
            Some(&some),
            &[],
            &aggregates,
            GroupOptions::default(),
            &inputs.exec,
        )?
        .into())
    }),
    Operator::new("ops: cast of numbers", &["ops::cast::cast"], |inputs| {
        casts(
            inputs,
            &[
                ("n", DType::Float64, CastMode::Checked),
                ("n", DType::Bool, CastMode::Checked),
                ("wide", DType::Int8, CastMode::Wrap),
                ("float", DType::Int32, CastMode::Wrap),
                ("flag", DType::UInt64, CastMode::Checked),
            ],
        )
    }),
    Operator::new("ops: cast of decimals", &["ops::cast::cast"], |inputs| {
        casts(
            inputs,
            &[
                ("small", DType::decimal(9, 2)?, CastMode::Checked),
                ("price", DType::decimal(38, 6)?, CastMode::Checked),
                ("price", DType::Int64, CastMode::Checked),
                ("exact", DType::Float64, CastMode::Checked),
                ("single", DType::decimal(12, 3)?, CastMode::Checked),
            ],
        )
    }),
    Operator::new("ops: cast of timestamps", &["ops::cast::cast"], |inputs| {
        casts(
            inputs,
            &[
                ("day", DType::Timestamp(TimeUnit::Milli), CastMode::Checked),
                ("time", DType::Date32, CastMode::Checked),
                ("time", DType::Int64, CastMode::Checked),
            ],
        )
    }),
    Operator::new("ops: cast that does not fit", &["ops::cast::cast"], |inputs| {
        match cast(inputs.column("wide")?, &DType::Int8, CastMode::Checked, &inputs.exec) {
            Err(error @ ColumnError::ValueOverflow { .. }) => Ok(Made::String(error.to_string())),
            Err(error) => Err(error.into()),
            Ok(column) => Ok(column.into()),
        }
    }),
    Operator::new("ops: decode", &["ops::cast::dictionary::decode"], |inputs| {
        let Column::Categorical(kind) = inputs.column("kind")? else {
            return Ok(Made::String(String::new()));
        };
        Ok(decode(kind, &inputs.exec)?.into())
    }),
    Operator::new("ops: concat", &["ops::copying::concat::concat"], |inputs| {
        let pairs =
            [("n", "small"), ("word", "kind"), ("kind", "kind"), ("flag", "flag"), ("price", "exact")];
        let joined = pairs.map(|(left, right)| {
            let column = concat(&[inputs.column(left)?, inputs.other_column(right)?], &inputs.exec)?;
            Ok((format!("{left} {right}"), column))
        });
        Ok(ColumnAccessor::from_columns(joined.into_iter().collect::<Result<Vec<_>>>()?)?.into())
    }),
    Operator::new("ops: copy_if_else", &["ops::copying::copy_if_else::copy_if_else"], |inputs| {
        let pairs = [("n", "small"), ("word", "kind"), ("flag", "flag"), ("exact", "price")];
        let chosen = pairs.map(|(left, right)| {
            let (left_column, right_column) = (inputs.column(left)?, inputs.column(right)?);
            Ok((left, copy_if_else(&inputs.mask, left_column, right_column, &inputs.exec)?))
        });
        Ok(ColumnAccessor::from_columns(chosen.into_iter().collect::<Result<Vec<_>>>()?)?.into())
    }),
    Operator::new("ops: fill_null", &["ops::missing::fill_null::fill_null"], |inputs| {
        let filled =
            [("n", Literal::from(7)), ("word", "ß".into()), ("kind", "a".into()), ("exact", 1.into())]
                .map(|(label, value)| Ok((label, fill_null(inputs.column(label)?, &value, &inputs.exec)?)));
        Ok(ColumnAccessor::from_columns(filled.into_iter().collect::<Result<Vec<_>>>()?)?.into())
    }),
    Operator::new("ops: drop_nulls", &["ops::missing::drop_nulls::drop_nulls"], |inputs| {
        Ok(drop_nulls(inputs.columns(), ["word", "n", "flag"], DropHow::Thresh(2), &inputs.exec)?.into())
    }),
    Operator::new("ops: gather", &["ops::copying::gather::gather"], |inputs| {
        Ok(gather(inputs.columns(), &inputs.map, MapNulls::Possible, &inputs.exec)?.into())
    }),
    Operator::new("ops: gather_column", &["ops::copying::gather::gather_column"], |inputs| {
        Ok(gather_column(inputs.column("word")?, &inputs.map, MapNulls::Possible, &inputs.exec)?.into())
    }),
    Operator::new("ops: gather, nested", &["ops::copying::gather::gather"], |inputs| {
        let rows: Vec<u32> = (0..500).map(|row| if row % 11 == 0 { RowMap::NONE_U32 } else { row }).collect();
        let map = RowMap::from_u32(&rows, &inputs.exec).map_err(ColumnError::from)?;
        Ok(gather(inputs.rare.frame().accessor(), &map, MapNulls::Possible, &inputs.exec)?.into())
    }),
    Operator::new("ops: broadcast", &["ops::copying::broadcast::broadcast"], |inputs| {
        let columns = inputs.rare.frame().accessor();
        let one = |column: &Column| broadcast(&DeviceScalar::from_row(column, 3)?, 300, &inputs.exec);
        Ok(columns.map(300, one)?.into())
    }),
    Operator::new("ops: equals", &["ops::comparing::equals::equals"], |inputs| {
        let mut found = Vec::new();
        for frame in [&inputs.frame, &inputs.rare] {
            for column in frame.frame().accessor().columns() {
                let other = column.slice(1, column.size() - 1)?;
                for other in [column, &other] {
                    found.push(Scalar::from(equals(column, other, &inputs.exec)?));
                }
            }
        }
        Ok(found.into())
    }),
    Operator::new("ops: evaluate arithmetic", &["ops::expression::evaluate::evaluate"], |inputs| {
        evaluated(
            inputs,
            &[
                (col("n") * lit(3) + col("small")).alias("a"),
                (col("float") / col("n")).alias("b"),
                col("wide").floor_div(lit(7)).alias("c"),
                (col("price") * col("price") - lit_decimal("0.01")?).alias("d"),
                (col("exact") + col("price")).alias("e"),
                (col("small") % lit(10)).alias("f"),
            ],
        )
    }),
    Operator::new("ops: evaluate text", &["ops::expression::evaluate::evaluate"], |inputs| {
        evaluated(
            inputs,
            &[
                col("word").str().contains("ß").alias("a"),
                col("word").str().starts_with("na").or(col("word").str().ends_with("1")).alias("b"),
                col("word").str().like("%a%_2").alias("c"),
                col("word").str().slice(0, 2).alias("g"),
                col("word").str().slice(-3, None).eq(col("kind").str().slice(0, 1)).alias("h"),
                col("word").lt(lit("naïve")).alias("d"),
                col("kind").eq(lit("ß")).alias("e"),
                col("kind").is_in([lit("a"), lit("中")]).alias("f"),
            ],
        )
    }),
    Operator::new("ops: evaluate dates and conditions", &["ops::expression::evaluate::evaluate"], |inputs| {
        let seasons =
            when(col("day").dt().month().lt(lit(4))).then(lit(1)).otherwise(col("day").dt().quarter());
        evaluated(
            inputs,
            &[
                col("day").dt().year().alias("a"),
                (col("time").dt().hour() * lit(60) + col("time").dt().minute()).alias("b"),
                seasons.alias("c"),
                col("day").ge(date("1995-03-15")?).and(col("flag")).alias("d"),
                col("n").is_null().alias("e"),
                col("small").cast(DType::Float32).alias("f"),
            ],
        )
    }),
    Operator::new("ops: evaluate is_in of many", &["ops::expression::evaluate::evaluate"], |inputs| {
        let numbers = (0..300).map(|number| lit(number * 2 - 300));
        let words = (0..60).map(|number| lit(format!("naïve{number}")));
        let column = |label: &str| inputs.columns().get(label);
        evaluated(
            inputs,
            &[
                col("n").is_in(numbers).alias("a"),
                col("word").is_in(words).alias("b"),
                col("small").is_in(column("small")?).alias("c"),
                col("word").is_in(column("word")?).alias("d"),
                col("kind").is_in(column("kind")?).alias("e"),
            ],
        )
    }),
    Operator::new("ops: evaluate_mask", &["ops::expression::evaluate::evaluate_mask"], |inputs| {
        let predicate = col("price").between(lit_decimal("10.5")?, lit(5000)).and(col("word").is_not_null());
        Ok(evaluate_mask(&predicate, inputs.columns(), &inputs.exec)?.into())
    }),
    Operator::new(
        "ops: strings",
        &["ops::strings::transform", "ops::strings::measure", "ops::strings::concat"],
        |inputs| {
            let (word, exec) = (inputs.columns().get("word")?, &inputs.exec);
            let lengths = measure(&Measure::Characters, word, exec)?;
            let made = transform(&Transform::Upper, word, exec)
                .and_then(|upper| concat_strings(&[&upper, word], "-", JoinNulls::Propagate, exec));
            match made {
                Ok(made) => Ok(made.into()),
                // On devices.
                Err(error) if error.kind() == ErrorKind::NotImplemented => Ok(lengths.into()),
                Err(error) => Err(error.into()),
            }
        },
    ),
    Operator::new("ops: apply_mask", &["ops::filter::apply_mask"], |inputs| {
        Ok(apply_mask(inputs.columns(), &inputs.mask, &inputs.exec)?.into())
    }),
    Operator::new("ops: filter", &["ops::filter::filter"], |inputs| {
        Ok(filter(inputs.columns(), &col("word").gt(lit("m")), &inputs.exec)?.into())
    }),
    Operator::new("ops: filter_columns", &["ops::filter::filter_columns"], |inputs| {
        Ok(filter_columns(inputs.columns(), &["n"], &col("word").gt(lit("m")), &inputs.exec)?.into())
    }),
    Operator::new("ops: join, inner", &["ops::join::hash_join::hash_join"], |inputs| {
        joined(inputs, &["n"], JoinKind::Inner, NullEquality::Equal)
    }),
    Operator::new("ops: join, left, of text", &["ops::join::hash_join::hash_join"], |inputs| {
        joined(inputs, &["word", "n"], JoinKind::Left, NullEquality::Unequal)
    }),
    Operator::new("ops: join, semi, of dictionaries", &["ops::join::hash_join::hash_join"], |inputs| {
        joined(inputs, &["kind", "small"], JoinKind::Semi, NullEquality::Equal)
    }),
    Operator::new("ops: join, anti, of decimals", &["ops::join::hash_join::hash_join"], |inputs| {
        joined(inputs, &["price", "exact"], JoinKind::Anti, NullEquality::Unequal)
    }),
    Operator::new("ops: join of sorted keys", &["ops::join::merge_join::merge_join"], |inputs| {
        let rows = i64::try_from(inputs.columns().rows()).unwrap_or(0);
        let left = range_labels(0, 3, inputs.columns().rows(), &inputs.exec)?;
        let right = cast(
            &range_labels(-rows, 2, 900, &inputs.exec)?,
            &DType::Int32,
            CastMode::Checked,
            &inputs.exec,
        )?;
        let mut maps = Vec::new();
        for kind in [JoinKind::Full, JoinKind::Left] {
            let merged = merge_join(&left, &right, kind, &inputs.exec)?;
            maps.extend(std::iter::once(merged.left).chain(merged.right));
        }
        Ok(Made::Maps(maps))
    }),
    Operator::new("ops: join_rows, left", &["ops::join::join_rows::join_rows"], |inputs| {
        joined_rows(inputs, &["n", "kind"], JoinKind::Left)
    }),
    Operator::new("ops: join_rows, inner, of text", &["ops::join::join_rows::join_rows"], |inputs| {
        joined_rows(inputs, &["word"], JoinKind::Inner)
    }),
    Operator::new("ops: join_rows, anti", &["ops::join::join_rows::join_rows"], |inputs| {
        joined_rows(inputs, &["small"], JoinKind::Anti)
    }),
    Operator::new("ops: join_rows, full", &["ops::join::join_rows::join_rows"], |inputs| {
        joined_rows(inputs, &["n", "word"], JoinKind::Full)
    }),
    Operator::new("ops: join_rows_where, full", &["ops::join::join_rows::join_rows_where"], |inputs| {
        joined_where(inputs, &["kind"], JoinKind::Full, col("a").lt(col("b")))
    }),
    Operator::new(
        "ops: join_rows_where, semi, by inequality",
        &["ops::join::join_rows::join_rows_where"],
        |inputs| joined_where(inputs, &[], JoinKind::Semi, col("a").lt(col("b"))),
    ),
    Operator::new(
        "ops: join_rows_where, inner, with an aggregate",
        &["ops::join::join_rows::join_rows_where"],
        |inputs| joined_where(inputs, &["kind"], JoinKind::Inner, col("a").lt(col("b").mean())),
    ),
    Operator::new("ops: asof_join", &["ops::join::asof_join::asof_join"], |inputs| {
        let asof =
            Asof { strategy: AsofStrategy::Nearest, allow_exact_matches: false, tolerance: Some(lit(100)) };
        asof_joined(inputs, "n", &asof)
    }),
    Operator::new("ops: asof_join, text", &["ops::join::asof_join::asof_join"], |inputs| {
        let asof = Asof { strategy: AsofStrategy::Backward, allow_exact_matches: true, tolerance: None };
        asof_joined(inputs, "word", &asof)
    }),
    Operator::new("ops: check_sorted", &["ops::join::asof_join::check_sorted"], |inputs| {
        let sorted = sort_by(inputs.columns(), &sort_columns(inputs, &["n"])?, &inputs.exec)?;
        check_sorted(sorted.get("n")?, &inputs.exec)?;
        Ok(sorted.get("n")?.clone().into())
    }),
    Operator::new("ops: check_sorted, categories", &["ops::join::asof_join::check_sorted"], |inputs| {
        let sorted = sort_by(inputs.columns(), &sort_columns(inputs, &["kind"])?, &inputs.exec)?;
        check_sorted(sorted.get("kind")?, &inputs.exec)?;
        Ok(sorted.get("kind")?.clone().into())
    }),
    Operator::new("ops: cross_join", &["ops::join::cross_join::cross_join"], |inputs| {
        let few = inputs.other.frame().accessor().slice(0, 3)?;
        let joined =
            cross_join(&few.select(["word", "kind"])?, &inputs.columns().select(["n"])?, &inputs.exec)?;
        let mut rows = joined.left;
        for (label, column) in joined.right.iter().flat_map(ColumnAccessor::iter) {
            rows.insert(label.clone(), column.clone())?;
        }
        Ok(rows.into())
    }),
    Operator::new("ops: coalesce_keys", &["ops::join::coalesce::coalesce_keys"], |inputs| {
        let mut made = ColumnAccessor::new();
        for (left, right) in [("n", "small"), ("word", "word"), ("kind", "kind")] {
            let key = coalesce_keys(inputs.column(left)?, inputs.column(right)?, &inputs.exec)?;
            made.insert(left, key)?;
        }
        Ok(made.into())
    }),
    Operator::new("ops: duplicate_key", &["ops::join::duplicate_key::duplicate_key"], |inputs| {
        let keys = [inputs.column("word")?, inputs.column("small")?];
        let key = duplicate_key(&keys, NullEquality::Unequal, &inputs.exec)?;
        Ok(key.unwrap_or_default().into())
    }),
    Operator::new("ops: merge_sorted", &["ops::out_of_core::external_sort::merge_sorted"], |inputs| {
        let position = inputs.columns().position("word")?;
        let key = SortColumn { position, order: Order::Ascending, nulls: NullOrder::Last };
        let sorted = |columns: &ColumnAccessor| sort_by(columns, &[key], &inputs.exec);
        let runs = vec![sorted(inputs.columns())?, sorted(inputs.other.frame().accessor())?];
        Ok(merge_sorted(runs, &[key], &inputs.exec)?.into())
    }),
    Operator::new("ops: hash_partition", &["ops::partition::hash_partition::hash_partition"], |inputs| {
        let keys = [inputs.column("word")?, inputs.column("exact")?];
        Ok(hash_partition(inputs.columns(), &keys, 5, 7, &inputs.exec)?.0.into())
    }),
    Operator::new("ops: argsort", &["ops::sort::argsort::argsort"], |inputs| {
        let keys = sort_keys(inputs, &["kind", "word", "float"])?;
        Ok(argsort(&keys, &inputs.exec)?.into())
    }),
    Operator::new(
        "ops: correlations",
        &[
            "ops::correlation::corr",
            "ops::correlation::cov",
            "ops::correlation::spearman",
            "ops::correlation::kendall",
        ],
        |inputs| {
            let numbers = inputs.columns().select(["n", "float", "price"])?;
            let full = inputs.columns().select(["n"])?;
            let mut made = Vec::new();
            for matrix in [
                corr(&numbers, &inputs.exec)?,
                cov(&numbers, 1, &inputs.exec)?,
                spearman(&full, &inputs.exec)?,
                kendall(&full, &inputs.exec)?,
            ] {
                for column in matrix.columns() {
                    // Sums of chunks differ from those of all rows in their last digits.
                    let digits = |value: Scalar| match value {
                        Scalar::Float64(value) => format!("{value:.9e}").into(),
                        other => other,
                    };
                    made.extend(column.to_scalars()?.into_iter().map(digits));
                }
            }
            Ok(made.into())
        },
    ),
    Operator::new(
        "ops: first rows, bins, and searches",
        &[
            "ops::sort::top_k::top_k",
            "ops::sort::is_sorted::is_sorted",
            "ops::sort::is_sorted::is_strictly_sorted",
            "ops::sort::search_sorted::search_sorted",
            "ops::sort::argsort::sorted_order",
            "ops::binning::bin_numbers",
        ],
        |inputs| {
            let keys = sort_columns(inputs, &["kind", "float"])?;
            let sort_keys = sort_keys(inputs, &["kind", "float"])?;
            let needles: Vec<&Column> = sort_keys.iter().map(|key| key.column).collect();
            let mut made =
                top_k(inputs.columns(), &keys, 30, Ties::All, &inputs.exec)?.columns()[0].to_scalars()?;
            made.push(Scalar::Bool(is_sorted(&sort_keys, &inputs.exec)?));
            made.push(Scalar::Bool(is_strictly_sorted(&sort_keys[1..], &inputs.exec)?));
            let found = search_sorted(&sort_keys, &needles, SearchSide::Left, &inputs.exec)?;
            made.extend(found.to_scalars()?);
            made.extend(sorted_order(&sort_keys, &inputs.exec)?.to_scalars()?);
            let closed = BinEdges { right: true, include_lowest: true };
            let floats = inputs.column("float")?;
            let bins = bin_numbers(floats, &[0.0, 9.0, 1e9], closed, &inputs.exec)?;
            made.extend(bins.to_scalars()?);
            Ok(made.into())
        },
    ),
    Operator::new("ops: sort_by one number", &["ops::sort::sort_by::sort_by"], |inputs| {
        let keys = sort_columns(inputs, &["float"])?;
        Ok(sort_by(inputs.columns(), &keys, &inputs.exec)?.into())
    }),
    Operator::new("ops: sort_by text and decimals", &["ops::sort::sort_by::sort_by"], |inputs| {
        let keys = sort_columns(inputs, &["word", "exact", "flag"])?;
        Ok(sort_by(inputs.columns(), &keys, &inputs.exec)?.into())
    }),
    Operator::new("ops: sort_by dictionaries and dates", &["ops::sort::sort_by::sort_by"], |inputs| {
        let keys = sort_columns(inputs, &["kind", "day", "time"])?;
        Ok(sort_by(inputs.columns(), &keys, &inputs.exec)?.into())
    }),
];

fn casts(inputs: &Inputs, casts: &[(&str, DType, CastMode)]) -> Result<Made> {
    let mut made = ColumnAccessor::new();
    for (label, dtype, mode) in casts {
        made.insert(format!("{label} {dtype}"), cast(inputs.column(label)?, dtype, *mode, &inputs.exec)?)?;
    }
    Ok(made.into())
}

fn evaluated(inputs: &Inputs, exprs: &[Expr]) -> Result<Made> {
    Ok(evaluate(exprs, inputs.columns(), &inputs.exec)?.into())
}

fn joined(inputs: &Inputs, keys: &[&str], kind: JoinKind, nulls: NullEquality) -> Result<Made> {
    let left = keys.iter().map(|label| inputs.column(label)).collect::<Result<Vec<_>>>()?;
    let right = keys.iter().map(|label| inputs.other_column(label)).collect::<Result<Vec<_>>>()?;
    let maps = hash_join(&left, &right, kind, nulls, &inputs.exec)?;
    Ok(Made::Maps(std::iter::once(maps.left).chain(maps.right).collect()))
}

fn joined_rows(inputs: &Inputs, keys: &[&str], kind: JoinKind) -> Result<Made> {
    let [left, right] = [inputs.columns(), inputs.other.frame().accessor()];
    let positions = |columns: &ColumnAccessor| -> Result<Vec<usize>> {
        Ok(keys.iter().map(|label| columns.position(*label)).collect::<Result<_, _>>()?)
    };
    let (left_keys, right_keys) = (positions(left)?, positions(right)?);
    let (left_output, right_output): (Vec<_>, Vec<_>) =
        ((0..left.len()).collect(), (0..right.len()).collect());
    let left = JoinSide { columns: left, keys: &left_keys, output: &left_output };
    let right = JoinSide { columns: right, keys: &right_keys, output: &right_output };
    let mut rows = join_rows(left, right, kind, NullEquality::Equal, &inputs.exec)?;
    for (label, column) in rows.right.iter().flat_map(ColumnAccessor::iter) {
        rows.left.insert(format!("right {label}"), column.clone())?;
    }
    Ok(rows.left.into())
}

fn joined_where(inputs: &Inputs, keys: &[&str], kind: JoinKind, predicate: Expr) -> Result<Made> {
    let [left, right] = [inputs.columns(), inputs.other.frame().accessor()];
    let positions = |columns: &ColumnAccessor| -> Result<Vec<usize>> {
        Ok(keys.iter().map(|label| columns.position(*label)).collect::<Result<_, _>>()?)
    };
    let (left_keys, right_keys) = (positions(left)?, positions(right)?);
    let output = [left.position("word")?, left.position("n")?];
    let columns = vec![("a".into(), 0, left.position("n")?), ("b".into(), 1, right.position("n")?)];
    let condition = PairCondition { predicate, columns };
    let left = JoinSide { columns: left, keys: &left_keys, output: &output };
    let right = JoinSide { columns: right, keys: &right_keys, output: &output };
    let mut rows = join_rows_where(left, right, kind, NullEquality::Equal, &condition, &inputs.exec)?;
    for (label, column) in rows.right.iter().flat_map(ColumnAccessor::iter) {
        rows.left.insert(format!("right {label}"), column.clone())?;
    }
    Ok(rows.left.into())
}

/// The nearest rows by a column, of those of the same kind.
fn asof_joined(inputs: &Inputs, on: &str, asof: &Asof) -> Result<Made> {
    let right = sort_by(inputs.other.frame().accessor(), &sort_columns(inputs, &[on])?[..1], &inputs.exec)?;
    let left = inputs.columns();
    let keys = [left.position("kind")?, left.position(on)?];
    let right_keys = [right.position("kind")?, right.position(on)?];
    let (left_output, right_output) = ([left.position("word")?], [right.position("price")?]);
    let left = JoinSide { columns: left, keys: &keys, output: &left_output };
    let right = JoinSide { columns: &right, keys: &right_keys, output: &right_output };
    let mut rows = asof_join(left, right, asof, NullEquality::Equal, &inputs.exec)?;
    for (label, column) in rows.right.iter().flat_map(ColumnAccessor::iter) {
        rows.left.insert(label.clone(), column.clone())?;
    }
    Ok(rows.left.into())
}

/// Every second key descending, with its nulls first.
fn sort_columns(inputs: &Inputs, labels: &[&str]) -> Result<Vec<SortColumn>> {
    let key = |(at, label): (usize, &&str)| {
        let (order, nulls) = match at % 2 {
            0 => (Order::Ascending, NullOrder::Last),
            _ => (Order::Descending, NullOrder::First),
        };
        Ok(SortColumn { position: inputs.columns().position(*label)?, order, nulls })
    };
    labels.iter().enumerate().map(key).collect()
}

/// The same keys for [`argsort`].
fn sort_keys<'a>(inputs: &'a Inputs, labels: &[&str]) -> Result<Vec<SortKey<'a>>> {
    let columns = inputs.columns().columns();
    let key =
        |key: &SortColumn| SortKey { column: &columns[key.position], order: key.order, nulls: key.nulls };
    Ok(sort_columns(inputs, labels)?.iter().map(key).collect())
}
