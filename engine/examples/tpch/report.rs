//! What the example prints and records.

use std::fs::File;
use std::io::Write;
use std::path::Path;

use columnade::Device;
use serde_json::{Value, json};

use crate::Failure;
use crate::queries::Query;

/// What one query did.
#[derive(Debug)]
pub(crate) struct Record {
    /// The query.
    pub(crate) query: &'static Query,
    /// Where it ran.
    pub(crate) device: Device,
    /// Rows of its result.
    pub(crate) rows: usize,
    /// Seconds to read its columns.
    pub(crate) load_seconds: f64,
    /// Seconds of each run over the loaded columns.
    pub(crate) seconds: Vec<f64>,
    /// Bytes of column chunks read from the files.
    pub(crate) bytes_read: u64,
    /// Most bytes of the device that the runs held at a time beyond the loaded columns; `None` where the memory
    /// resource keeps no statistics.
    pub(crate) peak_bytes: Option<usize>,
    /// How the comparison went; `None` where there was none.
    pub(crate) verified: Option<bool>,
}

impl Record {
    /// The line under a query's result.
    pub(crate) fn summary(&self) -> String {
        let mut seconds = self.seconds.clone();
        seconds.sort_by(f64::total_cmp);
        let median = seconds[seconds.len() / 2];
        let runs = match seconds.len() {
            1 => String::new(),
            n => format!(" (median of {n}, {:.4} to {:.4})", seconds[0], seconds[n - 1]),
        };
        let verdict = match self.verified {
            Some(true) => "; verified",
            Some(false) => "; DIFFERS",
            None => "",
        };
        format!(
            "Q{} on {}: read {:.1} MB in {:.3} s; query {median:.4} s{runs}{verdict}",
            self.query.number,
            self.device,
            megabytes(self.bytes_read),
            self.load_seconds,
        )
    }

    fn to_json(&self) -> Value {
        json!({
            "query": self.query.number,
            "sql": crate::verify::duckdb::sql(self.query.number).ok(),
            "device": self.device.to_string(),
            "rows": self.rows,
            "load_seconds": self.load_seconds,
            "seconds": self.seconds,
            "bytes_read": self.bytes_read,
            "peak_bytes": self.peak_bytes,
            "verified": self.verified,
        })
    }
}

/// Opens the file of the records, before the work that they are of.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn open(path: &Path) -> Result<File, Failure> {
    File::create(path).map_err(|error| format!("cannot write {}: {error}", path.display()).into())
}

/// Writes the records as a JSON array.
///
/// # Errors
/// When the file cannot be written.
pub(crate) fn write_json(mut file: File, records: &[Record]) -> Result<(), Failure> {
    let array = Value::Array(records.iter().map(Record::to_json).collect());
    writeln!(file, "{array:#}").map_err(|error| format!("cannot write the records: {error}"))?;
    Ok(())
}

fn megabytes(bytes: u64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "printed with one digit after the point")]
    let bytes = bytes as f64;
    bytes / 1e6
}
