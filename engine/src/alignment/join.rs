//! Columns of two frames in rows of one label.

use columnade_columns::{ColumnAccessor, Label};
use columnade_ops::copying::MapNulls;

use super::{Aligned, LabelJoin, Take};
use crate::dataframe::DataFrame;
use crate::error::{Error, InOperation, Result};
use crate::frame::Frame;
use crate::index::Index;
use crate::indexed_frame::IndexedFrame;
use crate::selection::IntoLabels;

/// How frames are joined by row labels: by [`DataFrame::join`]. A [`LabelJoin`] stands for one by the labels of both.
///
/// # Source
/// pandas `DataFrame.join(on=…, how=…, lsuffix=…, rsuffix=…)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Join {
    how: LabelJoin,
    on: Vec<Label>,
    suffixes: (String, String),
}

impl Join {
    /// By the labels of both.
    pub fn new(how: LabelJoin) -> Self {
        Self { how, on: Vec::new(), suffixes: (String::new(), String::new()) }
    }

    /// The values of these columns of the left frame in place of its labels, one column for each level of the right labels.
    #[must_use]
    pub fn on<A>(self, labels: impl IntoLabels<A>) -> Self {
        Self { on: labels.into_labels(), ..self }
    }

    /// What follows the labels of columns that both frames have.
    #[must_use]
    pub fn suffixes(self, left: impl Into<String>, right: impl Into<String>) -> Self {
        Self { suffixes: (left.into(), right.into()), ..self }
    }
}

impl From<LabelJoin> for Join {
    fn from(how: LabelJoin) -> Self {
        Self::new(how)
    }
}

impl DataFrame {
    /// The columns of both frames in rows of one label, null where one does not have the label; rows as
    /// [`align`](Self::align) pairs them, also by the levels that both have. By [columns](Join::on) of this frame and the labels of the other, the rows keep the
    /// labels of this frame, null for a row that it does not have; such a row has the keys of the other.
    ///
    /// ```
    /// use columnade::{Join, LabelJoin, df};
    ///
    /// let stock = df! { "item" => ["tea", "rye"], "n" => [3, 4] }?.set_index("item")?;
    /// let price = df! { "item" => ["rye", "oat"], "price" => [7, 8] }?.set_index("item")?;
    /// let both = stock.join(&price, LabelJoin::Left)?;
    /// assert_eq!(both.column("price")?.to_options::<i32>()?, [None, Some(7)]);
    ///
    /// let sales = df! { "item" => ["rye", "rye"], "day" => [1, 2] }?;
    /// let sales = sales.join(&price, Join::new(LabelJoin::Inner).on("item"))?;
    /// assert_eq!(sales.columns(), ["item", "day", "price"]);
    /// assert_eq!(sales.len(), 2);
    /// # Ok::<(), columnade::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::MissingColumns`]; [`Error::Operation`] for a column that both frames have, unless suffixes are given, another
    /// number of levels, labels of another kind, frames on different devices, and when memory runs out.
    ///
    /// # Device
    /// As [`align`](Self::align).
    ///
    /// # Source
    /// pandas `DataFrame.join`.
    pub fn join(&self, other: &DataFrame, options: impl Into<Join>) -> Result<DataFrame> {
        const OPERATION: &str = "join";
        let (options, exec) = (options.into(), self.exec());
        let aligned = if options.on.is_empty() {
            self.index().joined_in_order(OPERATION, other.index(), options.how, exec)?
        } else {
            let keys = self.keys_of(OPERATION, &options.on)?;
            keys.check_levels(OPERATION, other.index())?;
            // Keys go by position, whatever the levels are called.
            keys.joined_in_order(OPERATION, &other.index().renamed(keys.names()), options.how, exec)?
        };
        let mut left = aligned.left.columns(self.frame().accessor(), exec).operation(OPERATION)?;
        let right = aligned.right.columns(other.frame().accessor(), exec).operation(OPERATION)?;
        let index = if options.on.is_empty() {
            aligned.index.clone()
        } else {
            let levels = aligned.index.columns(exec).operation(OPERATION)?;
            for (label, level) in options.on.iter().zip(levels.iter()) {
                // Rows of the left frame have its keys; others those of the right one.
                if matches!(options.how, LabelJoin::Outer | LabelJoin::Right) {
                    left.set(label, level.clone()).operation(OPERATION)?;
                }
            }
            self.labels_taken(OPERATION, &aligned)?
        };
        let columns = side_by_side(OPERATION, &left, &right, &options.suffixes)?;
        let frame = Frame::new(columns, exec.clone());
        Ok(Self::from_indexed(IndexedFrame::with_index(frame, index)))
    }

    fn keys_of(&self, operation: &'static str, labels: &[Label]) -> Result<Index> {
        self.frame().check_labels(operation, labels)?;
        let columns = self.frame().accessor().select(labels).operation(operation)?;
        Index::of_columns(operation, labels, columns.columns(), self.exec())
    }

    /// The labels of this frame in the rows of both, null where it has no row.
    fn labels_taken(&self, operation: &'static str, aligned: &Aligned) -> Result<Index> {
        let (index, exec) = (self.index(), self.exec());
        match &aligned.left {
            Take::All => Ok(index.clone()),
            Take::Slice { offset, len } => index.slice(*offset, *len),
            Take::Rows { map, nulls: MapNulls::Never } => {
                let step = columnade_ops::selection::Step::Rows {
                    map: map.clone(),
                    distinct: false,
                    ordered: false,
                };
                index.picked(&[step], exec).operation(operation)
            }
            take @ Take::Rows { .. } => {
                let levels = index.columns(exec).operation(operation)?;
                let levels = levels.iter().map(|level| take.column(level, exec));
                let levels = levels.collect::<columnade_columns::Result<Vec<_>>>().operation(operation)?;
                Ok(Index::of_owned(index.names(), levels, exec))
            }
        }
    }
}

/// The columns of both, those of labels that both have with suffixes.
fn side_by_side(
    operation: &'static str,
    left: &ColumnAccessor,
    right: &ColumnAccessor,
    suffixes: &(String, String),
) -> Result<ColumnAccessor> {
    let mut columns = ColumnAccessor::with_levels(left.rows(), left.levels().clone());
    let suffixed = |label: &Label, is_shared: bool, suffix: &str| -> Result<Label> {
        if !is_shared || suffix.is_empty() {
            return Ok(label.clone());
        }
        let text = label.as_text().ok_or_else(|| {
            Error::argument(operation, "suffixes", format!("the column {label:?} is not called by a text"))
        })?;
        Ok(Label::from(format!("{text}{suffix}")))
    };
    for (label, column) in left.iter() {
        let label = suffixed(label, right.contains(label), &suffixes.0)?;
        columns.insert(label, column.clone()).operation(operation)?;
    }
    for (label, column) in right.iter() {
        let label = suffixed(label, left.contains(label), &suffixes.1)?;
        columns.insert(label, column.clone()).operation(operation)?;
    }
    Ok(columns)
}
