//! Rows by some labels of each level.

use columnade_buffers::Exec;
use columnade_columns::{self as columns, Column, Label, Scalar};
use columnade_ops::copying::RowMap;
use columnade_ops::join::{JoinKind, NullEquality, hash_join};
use columnade_ops::selection::{Step, compose_maps, map_of_positions, positions};
use columnade_ops::sort::{NullOrder, Order, SortKey, argsort};

use super::key::{LevelLabels, Rows};
use super::{RowKey, right_of};
use crate::error::{Error, InOperation, Result};
use crate::index::Index;
use crate::index::lookup::rows_of;
use crate::indexed_frame::IndexedFrame;

/// The rows that are left, of all rows.
struct Left {
    /// `None` for all of them.
    rows: Option<RowMap>,
    index: Index,
}

impl Left {
    fn take(&mut self, step: &Step, exec: &Exec) -> columns::Result<()> {
        let map = map_of_positions(&rows_of(step, exec)?, exec)?;
        self.rows = Some(match &self.rows {
            None => map,
            Some(rows) => compose_maps(rows, &map, exec)?,
        });
        self.index = self.index.picked(std::slice::from_ref(step), exec)?;
        Ok(())
    }
}

impl Rows {
    /// The labels of levels that these rows stand for: of a label of which a text names a period, and of a tuple.
    pub(super) fn of_levels(&self, index: &Index) -> Option<Vec<LevelLabels>> {
        match self {
            Rows::Levels(levels) => Some(levels.clone()),
            Rows::Key(key) if index.level_count() > 1 && index.has_period(key) => {
                Some(key.0.iter().cloned().map(LevelLabels::One).collect())
            }
            Rows::Key(_)
            | Rows::Keys(_)
            | Rows::Slice(_)
            | Rows::Mask(_)
            | Rows::Labels(_)
            | Rows::Where(_) => None,
        }
    }
}

impl IndexedFrame {
    /// The rows of which each of the first levels is one of some labels: in their order, or in that of lists of labels.
    pub(super) fn step_of_levels(&self, operation: &'static str, levels: &[LevelLabels]) -> Result<Step> {
        let (index, exec) = (self.index(), self.frame().exec());
        if levels.len() > index.level_count() {
            let reason = format!("labels of {} levels for {}", levels.len(), index.level_count());
            return Err(Error::argument(operation, "labels", reason));
        }
        let bound = levels.iter().find_map(|level| match level {
            LevelLabels::Slice { start, end } => start.as_ref().or(end.as_ref()),
            LevelLabels::One(_) | LevelLabels::Several(_) => None,
        });
        if let Some(bound) = bound
            && !index.increasing_labels().operation(operation)?
        {
            return Err(Error::UnsortedIndex { operation, label: vec![bound.clone()] });
        }
        let mut left = Left { rows: None, index: index.clone() };
        let mut lists = Vec::new();
        for (level, labels) in levels.iter().enumerate() {
            let all = index.with_levels(operation, &[level])?;
            let own = left.index.with_levels(operation, &[level])?;
            let step = match labels {
                LevelLabels::Slice { start: None, end: None } => continue,
                LevelLabels::Slice { start, end } => {
                    own.rows_from_to(operation, start.as_ref(), end.as_ref(), exec)?
                }
                LevelLabels::One(value) => {
                    let key = RowKey(vec![value.clone()]);
                    all.found(operation, &key, exec)?;
                    own.located(operation, &key, exec)?.unwrap_or(Step::Slice { offset: 0, len: 0 })
                }
                LevelLabels::Several(values) if values.is_empty() => Step::Slice { offset: 0, len: 0 },
                LevelLabels::Several(values) => {
                    let list = listed(&all, values, exec).operation(operation)?;
                    all.rows_of_all(operation, &list.columns(exec).operation(operation)?, exec)?;
                    let step = rows_among(&own, &list, exec).operation(operation)?;
                    lists.push((level, list));
                    step
                }
            };
            left.take(&step, exec).operation(operation)?;
        }
        let Some(rows) = left.rows else { return Ok(Step::Slice { offset: 0, len: index.len() }) };
        if rows.len == 0 && levels.iter().all(LevelLabels::asks_for_some) {
            let missing = vec![levels.iter().filter_map(LevelLabels::first).collect()];
            return Err(Error::MissingLabels { operation, missing });
        }
        lists.retain(|(_, list)| list.len() > 1);
        if lists.is_empty() {
            return Ok(Step::Rows { map: rows, distinct: true, ordered: true });
        }
        let order = || -> Result<RowMap> {
            let mut places = Vec::with_capacity(lists.len());
            for (level, list) in &lists {
                let own = left.index.with_levels(operation, &[*level])?;
                let maps = list.joined(operation, &own, exec)?;
                places.push(right_of(&maps).and_then(|map| positions(map, exec)).operation(operation)?);
            }
            let key = |column| SortKey { column, order: Order::Ascending, nulls: NullOrder::Last };
            argsort(&places.iter().map(key).collect::<Vec<_>>(), exec).operation(operation)
        };
        let map = compose_maps(&rows, &order()?, exec).operation(operation)?;
        Ok(Step::Rows { map, distinct: true, ordered: false })
    }

    /// The levels that rows keep: with a slice of a level all, otherwise those of which not one label was asked for.
    pub(super) fn levels_kept(&self, levels: &[LevelLabels]) -> Vec<usize> {
        let index = self.index();
        let all = 0..index.level_count();
        if levels.iter().any(|level| matches!(level, LevelLabels::Slice { .. })) {
            return all.collect();
        }
        let drops = |&level: &usize| match levels.get(level) {
            Some(LevelLabels::One(value)) => !index.is_period(level, value),
            Some(LevelLabels::Several(_) | LevelLabels::Slice { .. }) | None => false,
        };
        all.filter(|level| !drops(level)).collect()
    }
}

impl LevelLabels {
    /// Whether no rows are an error.
    fn asks_for_some(&self) -> bool {
        match self {
            LevelLabels::One(_) => true,
            LevelLabels::Several(values) => !values.is_empty(),
            LevelLabels::Slice { .. } => false,
        }
    }

    fn first(&self) -> Option<Scalar> {
        match self {
            LevelLabels::One(value) => Some(value.clone()),
            LevelLabels::Several(values) => values.first().cloned(),
            LevelLabels::Slice { .. } => None,
        }
    }
}

/// The labels of a list, once each.
fn listed(level: &Index, values: &[Scalar], exec: &Exec) -> columns::Result<Index> {
    let keys: Vec<RowKey> = values.iter().map(|value| RowKey(vec![value.clone()])).collect();
    let needles: Vec<Column> = level.needles(&keys.iter().collect::<Vec<_>>(), exec)?;
    Index::of_owned(&[Label::NULL], needles, exec).distinct(exec)
}

/// The rows of a level whose labels are in a list.
fn rows_among(level: &Index, list: &Index, exec: &Exec) -> columns::Result<Step> {
    let (labels, listed) = (level.columns(exec)?, list.columns(exec)?);
    let (labels, listed): (Vec<_>, Vec<_>) = labels.iter().zip(listed.iter()).unzip();
    let map = hash_join(&labels, &listed, JoinKind::Semi, NullEquality::Equal, exec)?.left;
    Ok(Step::Rows { map, distinct: true, ordered: true })
}
