//! The operations of the ledger.
//!
//! The ideal bytes of an operation are what it must read and write once: `w` bytes a row of each input and output column,
//! and a bit a row of a mask. Where an algorithm has passes that every known one has (radix sort), they count.

mod copying;
mod elementwise;
mod relational;
mod strings;

use columnade_columns::Result;

use crate::Case;
use crate::inputs::Inputs;

pub(crate) fn all<'a>(inputs: &'a Inputs<'a>) -> Vec<Case<'a>> {
    [elementwise::cases, copying::cases, relational::cases, strings::cases]
        .into_iter()
        .flat_map(|cases| cases(inputs))
        .collect()
}

fn case<'a, T>(name: &'static str, ideal: u64, run: impl Fn() -> Result<T> + 'a) -> Case<'a> {
    Case { name, ideal, run: Box::new(move || run().map(drop)) }
}
