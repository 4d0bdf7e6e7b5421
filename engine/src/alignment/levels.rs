//! Labels of which only some levels are those of the other side.

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{self as columns, Label};
use columnade_ops::copying::MapNulls;
use columnade_ops::join::JoinKind;
use columnade_ops::selection::Step;

use super::pairs::{Side, pairs};
use super::{Aligned, LabelJoin, Take, comparable_levels, joined};
use crate::error::{Error, InOperation, Result};
use crate::index::Index;
use crate::index::lookup::right_of;

/// The levels by which two sides are joined: of one name, in the order of the left side.
struct Shared {
    left: Vec<usize>,
    right: Vec<usize>,
}

impl Index {
    /// Whether labels are joined as a whole: those of one level, and of several levels of the same names.
    pub(super) fn has_levels_of(&self, other: &Index) -> bool {
        self.level_count() == other.level_count()
            && (self.level_count() == 1 || self.names() == other.names())
    }

    /// The labels of both sides that `how` keeps, which are joined by the levels that have one name on both sides.
    ///
    /// Labels of one level look up those of several: each row of several levels keeps its label and its place, and the other
    /// side, whose labels are unique, adds none. Two sides of several levels are joined by the levels that both have.
    pub(super) fn aligned_by_levels(
        &self,
        operation: &'static str,
        other: &Index,
        how: LabelJoin,
        exec: &Exec,
    ) -> Result<Aligned> {
        let shared = self.shared_levels(operation, other)?;
        if self.level_count() > 1 && other.level_count() > 1 {
            let join = |exec: &Exec| self.joined_by_levels(other, &shared, how, exec);
            return with_retry_no_split(exec, join).operation(operation);
        }
        let is_left = self.level_count() > 1;
        let (several, one) = if is_left { (self, other) } else { (other, self) };
        one.check_unique(operation, exec)?;
        let level = if is_left { &shared.left } else { &shared.right };
        let keeps_all = match how {
            LabelJoin::Outer => true,
            LabelJoin::Inner => false,
            LabelJoin::Left => is_left,
            LabelJoin::Right => !is_left,
        };
        let level = several.with_levels(operation, level)?;
        let find = |exec: &Exec| looked_up(several, &level, one, keeps_all, exec);
        let (index, of_several, of_one) = with_retry_no_split(exec, find).operation(operation)?;
        let (left, right) = if is_left { (of_several, of_one) } else { (of_one, of_several) };
        Ok(Aligned { index, left, right })
    }

    fn shared_levels(&self, operation: &'static str, other: &Index) -> Result<Shared> {
        let mut shared = Shared { left: Vec::new(), right: Vec::new() };
        for (level, name) in self.names().iter().enumerate() {
            if *name != Label::NULL
                && let Some(of_other) = other.names().iter().position(|other| other == name)
            {
                shared.left.push(level);
                shared.right.push(of_other);
            }
        }
        if shared.left.is_empty() {
            let reason = format!("no level of {:?} has the name of one of {:?}", other.names(), self.names());
            return Err(Error::argument(operation, "row labels", reason));
        }
        Ok(shared)
    }

    /// Sides of several levels each.
    fn joined_by_levels(
        &self,
        other: &Index,
        shared: &Shared,
        how: LabelJoin,
        exec: &Exec,
    ) -> columns::Result<Aligned> {
        let levels = |index: &Index, levels: &[usize]| {
            let columns = index.columns(exec)?;
            let names: Vec<Label> = levels.iter().map(|&level| index.names()[level].clone()).collect();
            let chosen = levels.iter().map(|&level| columns[level].clone()).collect();
            Ok::<_, columns::Error>(Index::of_owned(&names, chosen, exec))
        };
        let (left, right) = (levels(self, &shared.left)?, levels(other, &shared.right)?);
        let Aligned { index: keys, left, right } = joined(&left, &right, how, exec)?;
        let keys = keys.columns(exec)?;
        let (of_left, of_right) = ((self, &shared.left, &left), (other, &shared.right, &right));
        let (first, second) = if how == LabelJoin::Right { (of_right, of_left) } else { (of_left, of_right) };
        let (mut names, mut made) = (Vec::new(), Vec::new());
        for (is_first, (index, of_both, take)) in [(true, first), (false, second)] {
            for (level, column) in index.columns(exec)?.iter().enumerate() {
                match of_both.iter().position(|shared| *shared == level) {
                    Some(at) if is_first => made.push(keys[at].clone()),
                    Some(_) => continue,
                    None => made.push(take.column(column, exec)?),
                }
                names.push(index.names()[level].clone());
            }
        }
        Ok(Aligned { index: Index::of_owned(&names, made, exec), left, right })
    }
}

/// The rows of `several` whose label of one `level` is one of `one`, or all of them, and the rows of `one` that they are of.
fn looked_up(
    several: &Index,
    level: &Index,
    one: &Index,
    keeps_all: bool,
    exec: &Exec,
) -> columns::Result<(Index, Take, Take)> {
    let (wanted, labels) = comparable_levels(level, one, exec)?;
    let kind = if keeps_all { JoinKind::Left } else { JoinKind::Inner };
    let (from, to) = (Side { index: level, levels: &wanted }, Side { index: one, levels: &labels });
    let maps = pairs(from, to, kind, exec)?.maps;
    let found = right_of(&maps)?.clone();
    if keeps_all {
        return Ok((several.clone(), Take::All, Take::rows(found)));
    }
    let step = Step::Rows { map: maps.left.clone(), distinct: true, ordered: true };
    let exist = |map| Take::Rows { map, nulls: MapNulls::Never };
    Ok((several.picked(&[step], exec)?, exist(maps.left), exist(found)))
}
