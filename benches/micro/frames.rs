//! Operations of frames: sorts, groups, joins and windows. `peers.py` has the same ones.

use crate::{Case, case};
use columnade::prelude::*;
use columnade_tests::Rng;

/// Groups of a hundred rows each, of ten million.
const GROUPS: u64 = 100_000;
/// The exponent of the frequencies of skewed keys.
const ZIPF: f64 = 1.5;

/// Columns of a frame whose pairs are correlated; it has a row for each 5,000.
const MANY_COLUMNS: usize = 300;

/// Numbers and keys, and what is joined with them.
pub(crate) struct Data {
    rows: usize,
    facts: DataFrame,
    /// The first thousand rows of two columns.
    few: DataFrame,
    /// One row for each key, by the name of the key.
    others: Vec<(&'static str, DataFrame)>,
    /// Ten rows for each of the keys below `GROUPS`.
    repeated: DataFrame,
    events: DataFrame,
    quotes: DataFrame,
    /// Floats in many columns.
    columns: DataFrame,
}

impl Data {
    pub(crate) fn new(rows: usize) -> columnade::Result<Self> {
        let mut rng = Rng::new(3);
        let count = rows as u64;
        let mut keys_rng = Rng::new(6);
        let mut below =
            |bound: u64| -> Vec<i64> { (0..rows).map(|_| keys_rng.below(bound).cast_signed()).collect() };
        let keys = [("k10", 10), ("k1e3", 1000), ("k1e4", 10_000), ("k1e5", GROUPS), ("k1e6", 1_000_000)];
        let mut facts = DataFrame::empty()?;
        for (key, bound) in keys {
            facts = facts.with_column(key, below(bound.min(count)))?;
        }
        let bits = below(1 << 62);
        let narrow: Vec<u32> = bits.iter().map(|&bits| u32::try_from(bits >> 30).unwrap_or(0)).collect();
        let wide: Vec<i64> = bits.iter().map(|&bits| bits - (1 << 61)).collect();
        let (unique, half) = (shuffled(count, &mut rng), shuffled(2 * count, &mut rng));
        let units: Vec<f64> = (0..rows).map(|_| rng.unit()).collect();
        let partly: Vec<Option<f64>> = units.iter().map(|&unit| (unit < 0.95).then_some(unit)).collect();
        let zipf: Vec<i64> = units.iter().map(|unit| skewed(*unit)).collect();
        let names: Vec<String> = (0..rows).map(|_| format!("id{:08}", rng.below(GROUPS))).collect();
        let facts = facts
            .with_column("u32", narrow)?
            .with_column("i64", wide)?
            .with_column("each", unique)?
            .with_column("half", half[..rows].to_vec())?
            .with_column("zipf", zipf)?
            .with_column("name", names)?
            .with_column("partly", partly)?
            .with_column("money", decimals(below(1_000_000), 12, 2))?
            .with_column("x", units)?
            .with_column("i27", below(1 << 27))?;
        let others = [("k1e4", 10_000), ("k1e6", 1_000_000), ("each", count)]
            .map(|(key, keys)| Ok((key, one_each(key, keys.min(count), &mut rng)?)));
        let others = others.into_iter().collect::<columnade::Result<_>>()?;
        let tens: Vec<i64> = (0..10 * GROUPS.min(count)).map(|at| (at / 10).cast_signed()).collect();
        let repeated = DataFrame::empty()?.with_column("k1e5", tens)?;
        let mut times = |step: u64| -> Vec<i64> {
            let mut time = 0;
            let next = |_| {
                time += rng.below(step).cast_signed();
                time
            };
            (0..rows).map(next).collect()
        };
        let events = DataFrame::empty()?.with_column("t", times(10))?;
        let quotes = DataFrame::empty()?.with_column("t", times(10))?.with_column("price", col("t") * 2)?;
        let few = facts.select(["k10", "x"])?.head(1000)?;
        let mut floats = || -> Vec<f64> { (0..rows / 5_000).map(|_| rng.unit()).collect() };
        let columns = DataFrame::new((0..MANY_COLUMNS).map(|column| (format!("c{column}"), floats())))?;
        Ok(Self { rows, facts, few, others, repeated, events, quotes, columns })
    }

    pub(crate) fn cases(&self) -> Vec<Case<'_>> {
        let mut cases = self.sorts();
        cases.extend(self.groups());
        cases.extend(self.joins());
        cases.extend(self.windows());
        cases
    }

    fn sorts(&self) -> Vec<Case<'_>> {
        let Self { rows, facts, .. } = self;
        let sort =
            |name: &str, bytes: usize, columns: &'static [&'static str], by: &'static [&'static str]| {
                case(name, rows * bytes, move || facts.select(columns)?.sort_values(by))
            };
        // A pass of a radix sort reads and writes 8 bits of the keys.
        vec![
            sort("sort of u32", 4 + 8 * 4, &["u32"], &["u32"]),
            sort("sort of i64", 8 + 16 * 8, &["i64"], &["i64"]),
            sort("sort of floats", 8 + 16 * 8, &["x"], &["x"]),
            sort("sort of 27 bits", 8 + 8 * 4 + 8, &["i27"], &["i27"]),
            sort("sort by two keys", 16 + 16 * 8, &["k1e5", "i27"], &["k1e5", "i27"]),
            sort("sort of three columns", 8 + 8 * 3 + 24 * 2, &["k1e6", "x", "i64"], &["k1e6"]),
            sort("sort by text and floats with nulls", 14 + 8, &["name", "partly"], &["name", "partly"]),
        ]
    }

    fn groups(&self) -> Vec<Case<'_>> {
        let Self { rows, facts, few, .. } = self;
        let group = |name: &str, bytes: usize, key: &'static str, aggregates: Vec<Expr>| {
            case(name, rows * bytes, move || facts.group_by(key).sort(false).agg(aggregates.clone()))
        };
        let sum = || vec![col("x").sum().alias("sum")];
        let eight = || {
            let x = || col("x");
            let all =
                [x().sum(), x().mean(), x().min(), x().max(), x().var(), x().first(), x().last(), len()];
            all.into_iter().enumerate().map(|(at, aggregate)| aggregate.alias(format!("a{at}"))).collect()
        };
        vec![
            group("group-by 10", 16, "k10", sum()),
            group("group-by 1e3", 16, "k1e3", sum()),
            group("group-by 1e5", 16, "k1e5", sum()),
            group("group-by 1e6", 16, "k1e6", sum()),
            group("group-by each", 4 * 16, "each", sum()),
            group("group-by skewed", 16, "zipf", sum()),
            group("decimals by 1e5", 16, "k1e5", vec![col("money").sum().alias("sum")]),
            group("eight aggregates by 1e5", 16, "k1e5", eight()),
            group("group-by text", 14 + 8, "name", sum()),
            case("group-by of a thousand rows", 16 * few.len(), move || {
                few.group_by("k10").sort(false).agg([col("x").sum()])
            }),
        ]
    }

    fn joins(&self) -> Vec<Case<'_>> {
        let Self { rows, facts, others, repeated, events, quotes, .. } = self;
        let mut cases = Vec::new();
        for (key, other) in others {
            cases.push(case(format!("join with one row for each of {key}"), rows * (8 + 16), move || {
                facts.select([*key])?.merge(other, &Merge::inner().on(*key))
            }));
        }
        let wide = ["half", "each", "x", "i64", "i27"];
        if let Some((_, other)) = others.iter().find(|(key, _)| *key == "each") {
            let on = |merge: Merge| merge.left_on("half").right_on("each");
            cases.push(case("join, half matched, four columns", rows * (8 + 32 + 24), move || {
                facts.select(wide)?.merge(other, &on(Merge::inner()))
            }));
            cases.push(case("semi join, half matched", rows * 16, move || {
                facts.select(["half"])?.merge(other, &on(Merge::semi()))
            }));
            cases.push(case("anti join, half matched", rows * 16, move || {
                facts.select(["half"])?.merge(other, &on(Merge::anti()))
            }));
        }
        // A tenth of the rows, so that there are as many pairs as rows.
        cases.push(case("join of ten rows a key", rows * (1 + 16), move || {
            facts.select(["k1e5", "x"])?.head(rows / 10)?.merge(repeated, &Merge::inner().on("k1e5"))
        }));
        cases.push(case("asof join", rows * (8 + 8 + 8 + 16), move || {
            events.merge_asof(quotes, &MergeAsof::backward().on("t"))
        }));
        cases
    }

    fn windows(&self) -> Vec<Case<'_>> {
        let Self { rows, facts, columns, .. } = self;
        let select = |name: &str, bytes: usize, expr: Expr| {
            case(name, rows * bytes, move || facts.select([expr.clone()]))
        };
        vec![
            select("choice", 8 * 4, when(col("x").gt(0.5)).then(col("i64")).otherwise(col("i27"))),
            case("rows without nulls", rows * 4 * 8, move || facts.select(["partly", "i64"])?.drop_nulls(..)),
            select("rolling mean of 50", 16, col("x").rolling_mean(50)),
            select("rolling skewness of 50", 16, col("x").rolling_skew(50)),
            // A level of a wavelet matrix for each bit of the number of rows.
            select("rolling distinct values of 50", 16, col("k10").rolling_nunique(50)),
            select("rolling rank of 50", 16, col("x").rolling_rank(Rank::default(), 50)),
            case("kendall", rows * 16, move || facts.agg([col("x").kendall(col("i27"))])),
            case("correlations of 2 columns", rows * 16, move || facts.select(["x", "i27"])?.corr()),
            case("correlations of 300 columns", rows / 5_000 * MANY_COLUMNS * 8, move || columns.corr()),
            case("cut of ten bins", rows * 16, move || facts.select(["x"])?.cut("x", CutOptions::bins(10))),
            select("sum over 1e5", 8 + 16, col("x").sum().over("k1e5")),
            select("cumulative sum", 16, col("x").cum_sum()),
            select("rank", 8 + 16 * 8, col("x").rank(Rank { method: RankMethod::Min, ..Rank::default() })),
        ]
    }
}

/// The numbers below `count` in random order.
fn shuffled(count: u64, rng: &mut Rng) -> Vec<i64> {
    let mut numbers: Vec<i64> = (0..count.cast_signed()).collect();
    for at in (1..numbers.len()).rev() {
        let other = rng.below(at as u64 + 1);
        numbers.swap(at, usize::try_from(other).unwrap_or(at));
    }
    numbers
}

/// A key whose frequency falls with its number, from a uniform one.
fn skewed(unit: f64) -> i64 {
    #[expect(clippy::cast_possible_truncation, reason = "keys are small")]
    let key = (1.0 - unit).powf(1.0 / (1.0 - ZIPF)).min(1e6) as i64;
    key
}

/// One row with four columns for each key below `keys`, in random order.
fn one_each(key: &str, keys: u64, rng: &mut Rng) -> columnade::Result<DataFrame> {
    let frame = DataFrame::empty()?.with_column(key, shuffled(keys, rng))?;
    let more = [1, 2, 3].map(|by| (col(key) * by).alias(format!("y{by}")));
    frame.with_columns(more)
}
