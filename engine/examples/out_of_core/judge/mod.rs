//! Whether work under a limit was done right: its result is the one without a limit, and the limit was kept.

#[cfg(test)]
mod tests;

use columnade::{DataFrame, Device, Result};

/// By how much the peak may pass the limit.
const TOLERANCE: f64 = 1.05;

/// The criteria by which one task is judged.
#[derive(Clone, Debug)]
pub(crate) struct Verdict {
    /// Where the result differs from the one without a limit.
    pub(crate) difference: Option<String>,
    /// The most bytes of the device in use at one time.
    pub(crate) peak: usize,
    pub(crate) limit: usize,
}

impl Verdict {
    /// What is wrong, if anything is.
    pub(crate) fn fault(&self) -> Option<String> {
        let difference =
            self.difference.as_ref().map(|difference| format!("the result differs: {difference}"));
        difference.or_else(|| {
            let Self { peak, limit, .. } = self;
            (!self.keeps_limit())
                .then(|| format!("a peak of {peak} bytes passes the limit of {limit} by more than 5 %"))
        })
    }

    pub(crate) fn is_good(&self) -> bool {
        self.fault().is_none()
    }

    /// Whether the peak stayed within the limit and 5 % of it.
    pub(crate) fn keeps_limit(&self) -> bool {
        self.peak_share() <= TOLERANCE
    }

    #[expect(clippy::cast_precision_loss, reason = "a share")]
    pub(crate) fn peak_share(&self) -> f64 {
        self.peak as f64 / self.limit as f64
    }
}

/// What the example exits with: 0 if every task is correct, else 1.
pub(crate) fn exit_code<'a>(verdicts: impl IntoIterator<Item = &'a Verdict>) -> u8 {
    u8::from(!verdicts.into_iter().all(Verdict::is_good))
}

/// Where two frames differ first, if they do. Compares about `chunk_bytes` bytes of each at a time.
pub(crate) fn first_difference(
    found: &DataFrame,
    expected: &DataFrame,
    chunk_bytes: usize,
) -> Result<Option<String>> {
    if found.columns() != expected.columns() || found.dtypes() != expected.dtypes() {
        return Ok(Some(format!(
            "columns {:?} of {:?}, expected {:?} of {:?}",
            found.columns(),
            found.dtypes(),
            expected.columns(),
            expected.dtypes()
        )));
    }
    if found.len() != expected.len() {
        return Ok(Some(format!("{} rows, expected {}", found.len(), expected.len())));
    }
    let row_bytes = expected.memory_bytes().div_ceil(expected.len().max(1)).max(1);
    let chunk_rows = (chunk_bytes / row_bytes).max(1);
    for start in (0..expected.len()).step_by(chunk_rows) {
        let rows = chunk_rows.min(expected.len() - start);
        let chunk = |frame: &DataFrame| isolated(frame, start, rows)?.to_device(Device::Host)?.to_arrow();
        let (found, expected) = (chunk(found)?, chunk(expected)?);
        for (at, field) in expected.schema().fields().iter().enumerate() {
            if found.column(at) != expected.column(at) {
                let end = start + rows;
                return Ok(Some(format!("column {:?} differs in rows {start} to {end}", field.name())));
            }
        }
    }
    Ok(None)
}

/// Some rows of a frame, so that of what is spilled no more than these comes back.
fn isolated(frame: &DataFrame, start: usize, rows: usize) -> Result<DataFrame> {
    let exec = frame.exec();
    let columns = frame.frame().accessor().slice(start, rows).and_then(|columns| columns.isolate(exec));
    Ok(DataFrame::from_accessor(columns?, exec))
}
