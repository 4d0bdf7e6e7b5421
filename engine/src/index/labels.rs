//! Labels that are columns, or will be.

use std::sync::Arc;

use columnade_buffers::{Exec, with_retry_no_split};
use columnade_columns::{self as columns, Column, DType, Label, Scalar};
use columnade_ops::selection::Step;
use parking_lot::RwLock;

use super::deferred::{Base, LabelState, MAX_STEPS, folded, len_after, materialise};
use super::facts::Facts;
use crate::frequency::Frequency;

/// Labels of rows in one or several levels: what every index but the range is made of.
///
/// The labels of rows that an operation picked are computed when they are looked at: until then they are the rows that were
/// picked of other labels. A clone is another handle.
///
/// # Source
/// pandas `Index.array`, cuDF `SingleColumnFrame`.
#[derive(Clone, Debug)]
pub struct Labels {
    /// One for each level; null for a level without a name.
    names: Arc<[Label]>,
    dtypes: Arc<[DType]>,
    exec: Exec,
    /// How often times come, where they were made so.
    freq: Option<Frequency>,
    core: Arc<Core>,
}

#[derive(Debug)]
struct Core {
    len: usize,
    state: RwLock<LabelState>,
    facts: Facts,
}

impl Labels {
    /// Columns of one length, at least one, as many as names.
    pub(super) fn ready(names: Arc<[Label]>, columns: Vec<Column>, exec: &Exec) -> Self {
        let dtypes = columns.iter().map(Column::dtype).collect();
        let len = columns.first().map_or(0, Column::size);
        Self::of(names, dtypes, exec, len, LabelState::Ready(columns.into()))
    }

    fn of(names: Arc<[Label]>, dtypes: Arc<[DType]>, exec: &Exec, len: usize, state: LabelState) -> Self {
        let core = Core { len, state: RwLock::new(state), facts: Facts::default() };
        Self { names, dtypes, exec: exec.clone(), freq: None, core: Arc::new(core) }
    }

    /// The rows that `steps` leave of a base.
    pub(super) fn deferred(
        names: Arc<[Label]>,
        dtypes: Arc<[DType]>,
        exec: &Exec,
        base: Base,
        steps: Vec<Step>,
    ) -> columns::Result<Self> {
        let len = len_after(&base, &steps);
        let steps = if steps.len() > MAX_STEPS { folded(&steps, len, exec)? } else { steps };
        Ok(Self::of(names, dtypes, exec, len, LabelState::Deferred { base, steps }))
    }

    /// The names of the levels.
    pub(super) fn names(&self) -> &[Label] {
        &self.names
    }

    /// The dtypes of the levels.
    pub(super) fn dtypes(&self) -> &[DType] {
        &self.dtypes
    }

    /// The number of labels.
    pub(super) fn len(&self) -> usize {
        self.core.len
    }

    pub(super) fn exec(&self) -> &Exec {
        &self.exec
    }

    pub(super) fn facts(&self) -> &Facts {
        &self.core.facts
    }

    /// Whether both are handles of the same labels.
    pub(super) fn is_same(&self, other: &Labels) -> bool {
        Arc::ptr_eq(&self.core, &other.core)
    }

    /// Bytes of the labels that were computed.
    pub(super) fn memory_bytes(&self) -> usize {
        match &*self.core.state.read() {
            LabelState::Ready(columns) => columns.iter().map(Column::memory_bytes).sum(),
            LabelState::Deferred { .. } => 0,
        }
    }

    /// Whether the labels were computed.
    #[cfg(test)]
    pub(super) fn is_ready(&self) -> bool {
        matches!(&*self.core.state.read(), LabelState::Ready(_))
    }

    /// The same labels with other names of the levels.
    pub(super) fn with_names(&self, names: Arc<[Label]>) -> Self {
        Self { names, ..self.clone() }
    }

    /// The base and the steps, if the labels were not computed yet.
    pub(super) fn pending(&self) -> Option<(Base, Vec<Step>)> {
        match &*self.core.state.read() {
            LabelState::Ready(_) => None,
            LabelState::Deferred { base, steps } => Some((base.clone(), steps.clone())),
        }
    }

    /// One column for each level, computed on first use.
    pub(super) fn columns(&self) -> columns::Result<Arc<[Column]>> {
        let (base, steps) = match &*self.core.state.read() {
            LabelState::Ready(columns) => return Ok(columns.clone()),
            LabelState::Deferred { base, steps } => (base.clone(), steps.clone()),
        };
        // No lock is held while memory is allocated; of two threads the first publishes.
        let made = with_retry_no_split(&self.exec, |exec| materialise(&base, &steps, exec))?;
        let mut state = self.core.state.write();
        if let LabelState::Ready(columns) = &*state {
            return Ok(columns.clone());
        }
        let before = std::mem::replace(&mut *state, LabelState::Ready(made.clone()));
        drop(state);
        drop(before);
        Ok(made)
    }

    /// The labels of the rows that `steps` leave.
    pub(super) fn picked(&self, steps: &[Step]) -> columns::Result<Self> {
        let mut picked = self.without_facts(steps)?;
        picked.facts().inherit(self.facts(), steps);
        if let [Step::Slice { .. }] = steps {
            picked.freq = self.freq;
        }
        Ok(picked)
    }

    pub(super) fn freq(&self) -> Option<Frequency> {
        self.freq
    }

    /// Times that come this often.
    pub(super) fn with_freq(self, freq: Option<Frequency>) -> Self {
        Self { freq, ..self }
    }

    fn without_facts(&self, steps: &[Step]) -> columns::Result<Self> {
        let (names, dtypes, exec) = (self.names.clone(), self.dtypes.clone(), &self.exec);
        if let Some((base, mut before)) = self.pending() {
            for step in steps {
                match (before.last_mut(), step) {
                    (Some(Step::Slice { offset: first, len: rows }), Step::Slice { offset, len }) => {
                        *first += offset;
                        *rows = *len;
                    }
                    _ => before.push(step.clone()),
                }
            }
            return Self::deferred(names, dtypes, exec, base, before);
        }
        let columns = self.columns()?;
        if let [Step::Slice { offset, len }] = steps {
            let sliced = columns.iter().map(|column| column.slice(*offset, *len));
            return Ok(Self::ready(names, sliced.collect::<columns::Result<_>>()?, exec));
        }
        let deferred = Self::deferred(names, dtypes, exec, Base::Columns(columns), steps.to_vec())?;
        // A small result would keep large labels alive.
        if self.len() / 4 > deferred.len() {
            deferred.columns()?;
        }
        Ok(deferred)
    }

    /// The labels of the rows `offset .. offset + len`, a list of scalars for each level; only these are copied to the host.
    pub(super) fn rows(&self, offset: usize, len: usize) -> columns::Result<Vec<Vec<Scalar>>> {
        let rows = self.picked(&[Step::Slice { offset, len }])?;
        let columns = rows.columns()?;
        columns.iter().map(|column| column.isolate(&self.exec)?.to_scalars()).collect()
    }

    /// The labels on the device of `exec`: steps of a range are moved as they are.
    pub(super) fn to_device(&self, exec: &Exec) -> columns::Result<Self> {
        if self.exec.device() == exec.device() {
            return Ok(Self { exec: exec.clone(), ..self.clone() });
        }
        let (names, dtypes) = (self.names.clone(), self.dtypes.clone());
        if let Some((base @ Base::Range(_), steps)) = self.pending() {
            let steps = steps.iter().map(|step| step.to_device(exec)).collect::<columns::Result<_>>()?;
            return Self::deferred(names, dtypes, exec, base, steps);
        }
        let columns = self.columns()?;
        let moved = columns.iter().map(|column| column.to_device(exec)).collect::<columns::Result<_>>()?;
        Ok(Self::ready(names, moved, exec).with_freq(self.freq))
    }
}
