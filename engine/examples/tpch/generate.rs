//! Makes the TPC-H tables as Parquet files.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use arrow_array::{RecordBatch, RecordBatchReader};
use columnade::parquet::{ParquetWriteOptions, ParquetWriter};
use indicatif::{ProgressBar, ProgressStyle};
use rayon::prelude::*;
use tpchgen::generators::{
    CustomerGenerator, LineItemGenerator, NationGenerator, OrderGenerator, PartGenerator, PartSuppGenerator,
    RegionGenerator, SupplierGenerator,
};
use tpchgen_arrow::{
    CustomerArrow, LineItemArrow, NationArrow, OrderArrow, PartArrow, PartSuppArrow, RegionArrow,
    SupplierArrow,
};

use crate::Failure;

/// About so many rows make one part of a table, which becomes one row group.
const PART_ROWS: u64 = 122_880;
/// A part is one batch, whatever its size.
const BATCH_ROWS: usize = 1 << 24;
/// Lines in an order, at most 7 and 4 on average.
const LINES_PER_ORDER: i64 = 4;

/// A table of TPC-H.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Table {
    /// 150 000 rows at scale 1.
    Customer,
    /// About 6 000 000 rows at scale 1.
    Lineitem,
    /// 25 rows at any scale.
    Nation,
    /// 1 500 000 rows at scale 1.
    Orders,
    /// 200 000 rows at scale 1.
    Part,
    /// 800 000 rows at scale 1.
    Partsupp,
    /// 5 rows at any scale.
    Region,
    /// 10 000 rows at scale 1.
    Supplier,
}

impl Table {
    /// Every table.
    pub(crate) const ALL: [Table; 8] = [
        Table::Customer,
        Table::Lineitem,
        Table::Nation,
        Table::Orders,
        Table::Part,
        Table::Partsupp,
        Table::Region,
        Table::Supplier,
    ];

    /// Its name in the specification, which is the stem of its file.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Table::Customer => "customer",
            Table::Lineitem => "lineitem",
            Table::Nation => "nation",
            Table::Orders => "orders",
            Table::Part => "part",
            Table::Partsupp => "partsupp",
            Table::Region => "region",
            Table::Supplier => "supplier",
        }
    }

    /// The number of parts it is made in.
    fn parts(self, scale: f64) -> i32 {
        let rows = match self {
            Table::Customer => CustomerGenerator::calculate_row_count(scale, 1, 1),
            Table::Lineitem => OrderGenerator::calculate_row_count(scale, 1, 1) * LINES_PER_ORDER,
            Table::Orders => OrderGenerator::calculate_row_count(scale, 1, 1),
            Table::Part => PartGenerator::calculate_row_count(scale, 1, 1),
            Table::Partsupp => PartSuppGenerator::calculate_row_count(scale, 1, 1),
            Table::Supplier => SupplierGenerator::calculate_row_count(scale, 1, 1),
            Table::Nation | Table::Region => 1,
        };
        i32::try_from(rows.unsigned_abs().div_ceil(PART_ROWS).max(1)).unwrap_or(i32::MAX)
    }

    /// The rows of one part, as a reader of Arrow batches.
    fn reader(self, scale: f64, part: i32, parts: i32) -> Box<dyn RecordBatchReader> {
        match self {
            Table::Customer => Box::new(
                CustomerArrow::new(CustomerGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS),
            ),
            Table::Lineitem => Box::new(
                LineItemArrow::new(LineItemGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS),
            ),
            Table::Nation => Box::new(
                NationArrow::new(NationGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS),
            ),
            Table::Orders => {
                Box::new(OrderArrow::new(OrderGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS))
            }
            Table::Part => {
                Box::new(PartArrow::new(PartGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS))
            }
            Table::Partsupp => Box::new(
                PartSuppArrow::new(PartSuppGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS),
            ),
            Table::Region => Box::new(
                RegionArrow::new(RegionGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS),
            ),
            Table::Supplier => Box::new(
                SupplierArrow::new(SupplierGenerator::new(scale, part, parts)).with_batch_size(BATCH_ROWS),
            ),
        }
    }
}

/// The folder that holds the tables of a scale.
pub(crate) fn folder(scale: f64) -> PathBuf {
    PathBuf::from("target/tpch").join(format!("sf{scale}"))
}

/// Makes the tables that `folder` does not have yet.
///
/// A table appears under its name only when it is complete.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn missing_tables(folder: &Path, scale: f64) -> Result<(), Failure> {
    let missing: Vec<(Table, PathBuf)> = Table::ALL
        .into_iter()
        .map(|table| (table, folder.join(format!("{}.parquet", table.name()))))
        .filter(|(_, path)| !path.exists())
        .collect();
    if missing.is_empty() {
        return Ok(());
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot create {}: {error}", folder.display()))?;

    let parts = missing.iter().map(|(table, _)| u64::from(table.parts(scale).unsigned_abs())).sum();
    let progress = ProgressBar::new(parts);
    progress.set_style(
        ProgressStyle::with_template("making {msg:10} [{bar:40}] {percent:>3}% {elapsed}")?
            .progress_chars("=> "),
    );
    for (table, path) in missing {
        progress.set_message(table.name());
        write_table(table, scale, &path, &progress)?;
    }
    progress.finish_and_clear();
    eprintln!(
        "made the tables of scale {scale} in {} in {:.1} s",
        folder.display(),
        progress.elapsed().as_secs_f64()
    );
    Ok(())
}

fn write_table(table: Table, scale: f64, path: &Path, progress: &ProgressBar) -> Result<(), Failure> {
    let parts = table.parts(scale);
    let options = ParquetWriteOptions::new().plain_column(comment_column(table));
    let mut writer = ParquetWriter::create(path, table.reader(scale, 1, parts).schema(), &options)?;
    let wave = i32::try_from(rayon::current_num_threads()).unwrap_or(1) * 2;
    let mut first = 1;
    while first <= parts {
        let last = parts.min(first + wave - 1);
        writer.append(&make_parts(table, scale, first..=last, parts)?)?;
        progress.inc(u64::from((last - first + 1).unsigned_abs()));
        first = last + 1;
    }
    writer.finish()?;
    Ok(())
}

/// Makes a run of parts, one batch each, in parallel.
fn make_parts(
    table: Table,
    scale: f64,
    run: RangeInclusive<i32>,
    parts: i32,
) -> Result<Vec<RecordBatch>, Failure> {
    run.into_par_iter()
        .map(|part| table.reader(scale, part, parts).collect::<Result<Vec<_>, _>>())
        .collect::<Result<Vec<_>, _>>()
        .map(|made| made.into_iter().flatten().collect())
        .map_err(Failure::from)
}

/// The column of unrepeated text, for which trying a dictionary would only cost time.
fn comment_column(table: Table) -> &'static str {
    match table {
        Table::Customer => "c_comment",
        Table::Lineitem => "l_comment",
        Table::Nation => "n_comment",
        Table::Orders => "o_comment",
        Table::Part => "p_comment",
        Table::Partsupp => "ps_comment",
        Table::Region => "r_comment",
        Table::Supplier => "s_comment",
    }
}
