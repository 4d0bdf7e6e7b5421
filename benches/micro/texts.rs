//! Operations of texts of one length, of letters and numbers.

use crate::{Case, case};
use columnade::expressions::JoinNulls;
use columnade::prelude::*;
use columnade_tests::Rng;

/// Bytes of an offset.
const OFFSET: usize = 4;

pub(crate) struct Data {
    length: usize,
    rows: usize,
    frame: DataFrame,
}

impl Data {
    /// Texts of `length` characters.
    pub(crate) fn new(rows: usize, length: usize) -> columnade::Result<Self> {
        let mut rng = Rng::new(4);
        let letters = b"abcdefghijklmnopqrstuvwxyz0123456789";
        let mut letter =
            || letters.get(usize::try_from(rng.below(36)).unwrap_or(0)).map_or('a', |&at| char::from(at));
        let texts: Vec<String> = (0..rows).map(|_| (0..length).map(|_| letter()).collect()).collect();
        let mut rng = Rng::new(5);
        let order: Vec<i64> = (0..rows).map(|_| rng.below(1 << 40).cast_signed()).collect();
        let frame = DataFrame::empty()?.with_column("s", texts)?.with_column("order", order)?;
        Ok(Self { length, rows, frame })
    }

    pub(crate) fn cases(&self) -> Vec<Case<'_>> {
        let Self { length, rows, frame } = self;
        let text = length + OFFSET;
        let name = |operation: &str| format!("{operation} of {length} characters");
        let select = |operation: &str, bytes: usize, expr: Expr| {
            case(name(operation), rows * bytes, move || frame.select([expr.clone()]))
        };
        vec![
            select("contains", text, col("s").str().contains("abc")),
            select("upper", 2 * text, col("s").str().upper()),
            select("concat", 3 * text, col("s").str().concat([col("s")], "-", JoinNulls::Propagate)),
            select("encode", text + OFFSET, col("s").cat().encode()),
            case(name("sort by numbers"), rows * (2 * text + 2 * 16), move || frame.sort_values("order")),
            case(name("sort"), rows * (2 * text), move || frame.select(["s"])?.sort_values("s")),
            case(name("two frames"), rows * (4 * text), move || concat([frame, frame])),
        ]
    }
}
