//! Every operation, with operands.

mod bins;
mod columns;
mod columnwise;
mod files;
mod frames;
mod ops;
mod series;

use std::fmt::Display;

use columnade::Result;
use columnade::errors::DeviceError;
use columnade_buffers::Tier;

use crate::inputs::Inputs;
use crate::made::Made;

/// An operation with operands.
pub(crate) struct Operator {
    pub(crate) name: &'static str,
    /// The functions that it stands for, by their modules.
    pub(crate) of: &'static [&'static str],
    run: fn(&Inputs) -> Result<Made>,
}

impl Operator {
    const fn new(name: &'static str, of: &'static [&'static str], run: fn(&Inputs) -> Result<Made>) -> Self {
        Self { name, of, run }
    }

    pub(crate) fn run(&self, inputs: &Inputs) -> Result<Made> {
        (self.run)(inputs)
    }

    /// Whether the name, or that of a function that it stands for, has one of these in it; without any, yes.
    pub(crate) fn matches(&self, names: &[String]) -> bool {
        let called = |name: &String| self.name.contains(name) || self.of.iter().any(|of| of.contains(name));
        names.is_empty() || names.iter().any(called)
    }
}

/// All operations.
pub(crate) fn all() -> impl Iterator<Item = &'static Operator> {
    [
        columns::OPERATORS,
        columnwise::OPERATORS,
        ops::OPERATORS,
        files::OPERATORS,
        frames::OPERATORS,
        series::OPERATORS,
        bins::OPERATORS,
    ]
    .into_iter()
    .flatten()
}

/// The text of a table. One that cannot be read is shown as the reason, which stands here for the error.
fn shown(table: &impl Display) -> Result<Made> {
    let text = table.to_string();
    match text.strip_prefix(UNREADABLE) {
        None => Ok(Made::String(text)),
        Some(reason) => Err(DeviceError::Storage {
            tier: Tier::Device,
            operation: "read",
            bytes: 0,
            reason: reason.to_owned(),
        }
        .into()),
    }
}

/// How the text of a table begins whose values cannot be read.
const UNREADABLE: &str = "the values cannot be read: ";
