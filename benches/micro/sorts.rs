//! Sorts of texts of several kinds.

use crate::{Case, case};
use columnade::prelude::*;
use columnade_tests::Rng;

/// Distinct texts of the kind that repeats.
const DISTINCT: u64 = 100_000;
/// The texts of each kind take about as many bytes, without offsets.
const KINDS: [(&str, usize); 4] =
    [("numbers that repeat", 12), ("numbers", 12), ("letters", 13), ("addresses", 44)];

pub(crate) struct Data {
    rows: usize,
    /// A column a kind.
    frame: DataFrame,
}

impl Data {
    pub(crate) fn new(rows: usize) -> columnade::Result<Self> {
        let mut rng = Rng::new(8);
        let mut frame = DataFrame::empty()?;
        for (kind, _) in KINDS {
            let texts: Vec<String> = (0..rows).map(|row| text(kind, row, rows, &mut rng)).collect();
            frame = frame.with_column(kind, texts)?;
        }
        Ok(Self { rows, frame })
    }

    pub(crate) fn cases(&self) -> Vec<Case<'_>> {
        let Self { rows, frame } = self;
        let sort = |(kind, bytes): (&'static str, usize)| {
            case(format!("sort of {kind}"), rows * 2 * (bytes + 4), move || {
                frame.select([kind])?.sort_values(kind)
            })
        };
        KINDS.map(sort).into()
    }
}

/// A text of the kind: `id%010d`, 5 to 20 small letters, or an address of the web.
fn text(kind: &str, row: usize, rows: usize, rng: &mut Rng) -> String {
    match kind {
        "numbers that repeat" => format!("id{:010}", rng.below(DISTINCT)),
        // Each number once, in an order without a pattern: a step that has no divisor in common with most counts.
        "numbers" => format!("id{:010}", (row as u64).wrapping_mul(6_700_417) % (rows as u64).max(1)),
        "letters" => {
            let length = 5 + rng.below(16);
            (0..length).map(|_| char::from(b'a' + u8::try_from(rng.below(26)).unwrap_or(0))).collect()
        }
        _ => {
            let (site, page, item) = (rng.below(1000), rng.below(DISTINCT), rng.below(1_000_000_000));
            format!("https://www.site{site}.com/page/{page}?id={item}")
        }
    }
}
