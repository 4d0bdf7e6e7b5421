//! The dictionaries of a stream's last array.

use super::node::Node;
use crate::Column;
use arrow_schema::DataType;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Dictionaries that were looked through, and live where they came from: a stream hands out the same one with every
/// array, and who finds it here need not look again. What is not in one array any more is forgotten with the next.
#[derive(Debug, Default)]
pub(in super::super) struct KnownDictionaries {
    last: HashMap<Place, Arc<Column>>,
    current: RefCell<HashMap<Place, Arc<Column>>>,
}

/// Where a dictionary is. Its memory is kept by whoever knows it, so that nothing else is there.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    values: DataType,
    length: usize,
    offset: usize,
    buffers: [usize; 3],
}

/// Addresses of which no type of values is copied.
const ALIGNED: usize = 16;

impl Place {
    /// The place of values that an import shares; `None` for those that it copies, in part even, and for none at all.
    pub(super) fn of(node: &Node<'_>, values: &DataType) -> Option<Place> {
        let is_shared = match values {
            DataType::Utf8 | DataType::LargeUtf8 | DataType::Binary | DataType::LargeBinary => true,
            DataType::Float16 => false,
            other => other.is_primitive(),
        };
        let mut buffers = [0; 3];
        for (at, place) in (0..node.buffer_count().min(3)).zip(&mut buffers) {
            *place = node.buffer(at).map_or(0, |address| address.as_ptr().addr());
        }
        let is_aligned = buffers.iter().all(|address| address.is_multiple_of(ALIGNED));
        (is_shared && is_aligned && node.length > 0).then(|| Place {
            values: values.clone(),
            length: node.length,
            offset: node.offset,
            buffers,
        })
    }
}

impl KnownDictionaries {
    /// The dictionary of a place, without nulls and with no value twice.
    pub(super) fn get(&self, place: &Place) -> Option<Arc<Column>> {
        let mut current = self.current.borrow_mut();
        let known = current.get(place).or_else(|| self.last.get(place)).cloned()?;
        current.entry(place.clone()).or_insert_with(|| Arc::clone(&known));
        Some(known)
    }

    pub(super) fn insert(&self, place: Place, dictionary: &Arc<Column>) {
        self.current.borrow_mut().insert(place, Arc::clone(dictionary));
    }

    /// Ends one array: what it had not is forgotten.
    pub(in super::super) fn next_array(&mut self) {
        self.last = std::mem::take(self.current.get_mut());
    }
}
