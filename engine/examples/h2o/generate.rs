//! Makes the tables of db-benchmark as Parquet files, by the rules of its generators `groupby-datagen.R` and
//! `join-datagen.R`.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::builder::StringBuilder;
use arrow_array::{ArrayRef, Float64Array, Int32Array, RecordBatch};
use columnade::parquet::{ParquetWriteOptions, ParquetWriter};

use crate::Failure;
use crate::cli::Cli;
use crate::random::Random;

/// Rows of a row group.
const BATCH_ROWS: usize = 1 << 20;
/// Rows of the smallest table, however few the others have.
const FEWEST_ROWS: usize = 10;

/// The folder that holds the tables of a command line.
pub(crate) fn folder(cli: &Cli) -> PathBuf {
    let name = format!("rows{}-k{}-nulls{}-seed{}", cli.rows, cli.k, cli.nulls, cli.seed);
    PathBuf::from("target/h2o").join(name)
}

/// Makes the tables of these that `folder` does not have yet. A table appears under its name only when it is complete.
///
/// # Errors
/// When a file cannot be written, and for more distinct values than an `int32` has.
pub(crate) fn missing_tables<'a>(
    tables: impl IntoIterator<Item = &'a str>,
    folder: &Path,
    cli: &Cli,
) -> Result<(), Failure> {
    if i32::try_from(cli.rows + cli.rows / 10).is_err() {
        return Err("--rows: the tables have int32 keys, so that there are fewer than 1.9e9 rows".into());
    }
    for table in tables {
        let path = folder.join(format!("{table}.parquet"));
        if path.exists() {
            continue;
        }
        std::fs::create_dir_all(folder)
            .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;
        eprintln!("making {}", path.display());
        if table == "g1" { write_groups(&path, cli)? } else { write_join_table(table, &path, cli)? }
    }
    Ok(())
}

fn int32(value: usize) -> i32 {
    i32::try_from(value).unwrap_or(i32::MAX)
}

/// Strings of numbers; `None` is null.
fn strings(values: &[Option<usize>], digits: usize) -> ArrayRef {
    let mut builder = StringBuilder::with_capacity(values.len(), values.len() * (digits + 2));
    for value in values {
        if let Some(value) = value {
            // Writing to memory does not fail.
            write!(builder, "id{value:0digits$}").unwrap_or_default();
            builder.append_value("");
        } else {
            builder.append_null();
        }
    }
    Arc::new(builder.finish())
}

/// Which of the numbers 1 to `distinct` are null.
fn null_values(distinct: usize, nulls: u32, random: &mut Random) -> Vec<bool> {
    let mut are_null = vec![false; distinct + 1];
    let count = distinct * nulls as usize / 100;
    are_null[1..].iter_mut().take(count).for_each(|is_null| *is_null = true);
    random.shuffle(&mut are_null[1..]);
    are_null
}

/// A key column of the group-by questions: numbers from 1 to `distinct`, of which some are null.
struct Key {
    name: &'static str,
    distinct: usize,
    are_null: Vec<bool>,
    random: Random,
    /// Digits of a string; `None` for numbers.
    digits: Option<usize>,
}

impl Key {
    fn column(&mut self, rows: usize) -> ArrayRef {
        let values: Vec<Option<usize>> = (0..rows)
            .map(|_| Some(self.random.below(self.distinct) + 1).filter(|&value| !self.are_null[value]))
            .collect();
        match self.digits {
            Some(digits) => strings(&values, digits),
            None => Arc::new(values.into_iter().map(|value| value.map(int32)).collect::<Int32Array>()),
        }
    }
}

/// Chooses a number of rows of a table one after the other (Knuth, algorithm S).
struct Choice {
    chosen: usize,
    rows: usize,
    random: Random,
}

impl Choice {
    fn take(&mut self) -> bool {
        let takes = self.chosen > 0 && self.random.below(self.rows) < self.chosen;
        self.chosen -= usize::from(takes);
        self.rows = self.rows.saturating_sub(1);
        takes
    }
}

/// The table of the group-by questions.
fn write_groups(path: &Path, cli: &Cli) -> Result<(), Failure> {
    let (few, many) = (cli.k, (cli.rows / cli.k).max(1));
    let columns = [
        ("id1", few, Some(3)),
        ("id2", few, Some(3)),
        ("id3", many, Some(10)),
        ("id4", few, None),
        ("id5", few, None),
        ("id6", many, None),
    ];
    let mut keys: Vec<Key> = (0..)
        .zip(columns)
        .map(|(stream, (name, distinct, digits))| {
            let mut random = Random::new(cli.seed, stream);
            let are_null = null_values(distinct, cli.nulls, &mut random);
            Key { name, distinct, are_null, random, digits }
        })
        .collect();
    let nulls = cli.rows / 100 * cli.nulls as usize;
    let mut choices = [6, 7, 8].map(|stream| Choice {
        chosen: nulls,
        rows: cli.rows,
        random: Random::new(cli.seed, stream),
    });
    let mut values = [9, 10, 11].map(|stream| Random::new(cli.seed, stream));

    let batches = (0..cli.rows.div_ceil(BATCH_ROWS)).map(|batch| {
        let rows = BATCH_ROWS.min(cli.rows - batch * BATCH_ROWS);
        let mut columns: Vec<(&str, ArrayRef)> =
            keys.iter_mut().map(|key| (key.name, key.column(rows))).collect();
        let [v1, v2, v3] = &mut values;
        let [no_v1, no_v2, no_v3] = &mut choices;
        let integers = |random: &mut Random, nulls: &mut Choice, most: usize| -> ArrayRef {
            let value = |_| Some(int32(random.below(most) + 1)).filter(|_| !nulls.take());
            Arc::new((0..rows).map(value).collect::<Int32Array>())
        };
        columns.push(("v1", integers(v1, no_v1, 5)));
        columns.push(("v2", integers(v2, no_v2, 15)));
        let floats = (0..rows).map(|_| Some(six_digits(v3)).filter(|_| !no_v3.take()));
        columns.push(("v3", Arc::new(floats.collect::<Float64Array>())));
        RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(name, array)| (name, array, true)))
    });
    write(path, batches)
}

/// A number from 0 to 100 with six digits after the point.
fn six_digits(random: &mut Random) -> f64 {
    let millionths = u32::try_from(random.below(100_000_001)).unwrap_or(0);
    f64::from(millionths) / 1e6
}

fn write(
    path: &Path,
    batches: impl Iterator<Item = Result<RecordBatch, arrow_schema::ArrowError>>,
) -> Result<(), Failure> {
    let mut writer = None;
    for batch in batches {
        let batch = batch?;
        let writer = match &mut writer {
            Some(writer) => writer,
            none => none.insert(ParquetWriter::create(path, batch.schema(), &ParquetWriteOptions::new())?),
        };
        writer.append(&[batch])?;
    }
    writer.map_or(Ok(()), |writer| writer.finish().map_err(Failure::from))
}

/// The keys of one size on both sides of the joins: nine tenths are the same, so that a tenth has no match.
struct JoinKeys {
    left: Vec<usize>,
    right: Vec<usize>,
}

impl JoinKeys {
    fn new(size: usize, seed: u64, stream: u64) -> Self {
        let mut keys: Vec<usize> = (1..=size + size.div_ceil(10)).collect();
        Random::new(seed, stream).shuffle(&mut keys);
        let same = size - size.div_ceil(10);
        Self { left: keys[..size].to_vec(), right: [&keys[..same], &keys[size..]].concat() }
    }
}

/// Each of `keys`, then as many at random as make `rows`, shuffled.
fn sample_all(keys: &[usize], rows: usize, random: &mut Random) -> Vec<usize> {
    let mut values: Vec<usize> = keys.iter().copied().take(rows).collect();
    while values.len() < rows {
        values.push(keys[random.below(keys.len())]);
    }
    random.shuffle(&mut values);
    values
}

/// A table of the join questions.
fn write_join_table(table: &str, path: &Path, cli: &Cli) -> Result<(), Failure> {
    let size = |divisor: usize| (cli.rows / divisor).max(FEWEST_ROWS.min(cli.rows));
    let sizes = [size(1_000_000), size(1_000), cli.rows];
    // How many of the three keys the table has, and its rows.
    let (count, rows, is_left, stream) = match table {
        "x" => (3, cli.rows, true, 30),
        "small" => (1, sizes[0], false, 40),
        "medium" => (2, sizes[1], false, 50),
        "big" => (3, sizes[2], false, 60),
        _ => return Err(format!("db-benchmark has no table {table}").into()),
    };
    let mut columns: Vec<(String, ArrayRef)> = Vec::new();
    let mut labels: Vec<(String, ArrayRef)> = Vec::new();
    for (number, &size) in sizes.iter().enumerate().take(count) {
        let keys = JoinKeys::new(size, cli.seed, 20 + number as u64);
        let keys = if is_left { keys.left } else { keys.right };
        let values = sample_all(&keys, rows, &mut Random::new(cli.seed, stream + number as u64));
        let numbers: Int32Array = values.iter().map(|&value| Some(int32(value))).collect();
        let values: Vec<Option<usize>> = values.into_iter().map(Some).collect();
        columns.push((format!("id{}", number + 1), Arc::new(numbers)));
        labels.push((format!("id{}", number + 4), strings(&values, 1)));
    }
    columns.append(&mut labels);
    let mut random = Random::new(cli.seed, stream + 9);
    let values: Float64Array = (0..rows).map(|_| Some(six_digits(&mut random))).collect();
    columns.push((if is_left { "v1" } else { "v2" }.to_owned(), Arc::new(values)));
    let whole = RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true)))?;
    write(
        path,
        (0..rows).step_by(BATCH_ROWS).map(|start| Ok(whole.slice(start, BATCH_ROWS.min(rows - start)))),
    )
}
