//! The dictionaries of a stream's last array.

use super::Keeper;
use super::node::Node;
use crate::Column;
use arrow_schema::DataType;
use smallvec::SmallVec;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// Dictionaries that were validated: a stream exports the same one with every array, and if it is found here, an import need not
/// look again. What is not in one array any more is forgotten with the next.
#[derive(Debug, Default)]
pub(in super::super) struct DictionaryCache {
    last: HashMap<Place, CachedDictionary>,
    current: RefCell<HashMap<Place, CachedDictionary>>,
}

/// A dictionary, and the array that it came with: while that is kept, nothing else is in its place.
#[derive(Clone, Debug)]
struct CachedDictionary {
    dictionary: Arc<Column>,
    _memory: Arc<Keeper>,
}

/// Where a dictionary is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Place {
    values: DataType,
    length: usize,
    offset: usize,
    buffers: SmallVec<[usize; 3]>,
}

/// Views have any number of buffers. Those of more than these are looked through each time.
const MOST_BUFFERS: usize = 64;

impl Place {
    /// The place of values; `None` where it tells nothing, or not enough.
    pub(super) fn of(node: &Node<'_>, values: &DataType) -> Option<Place> {
        // The last buffer of views, of the sizes of the others, is made anew with every array.
        let is_view = matches!(values, DataType::Utf8View | DataType::BinaryView);
        let count = node.buffer_count().saturating_sub(usize::from(is_view));
        if node.length == 0 || count == 0 || count > MOST_BUFFERS {
            return None;
        }
        let address = |at| node.buffer(at).map_or(0, |address| address.as_ptr().addr());
        let buffers = (0..count).map(address).collect();
        Some(Place { values: values.clone(), length: node.length, offset: node.offset, buffers })
    }
}

impl DictionaryCache {
    /// The dictionary of a place, without nulls and with no value twice.
    pub(super) fn get(&self, place: &Place) -> Option<Arc<Column>> {
        let mut current = self.current.borrow_mut();
        let dictionaries = current.get(place).or_else(|| self.last.get(place)).cloned()?;
        let dictionary = Arc::clone(&dictionaries.dictionary);
        current.entry(place.clone()).or_insert(dictionaries);
        Some(dictionary)
    }

    pub(super) fn insert(&self, place: Place, dictionary: &Arc<Column>, memory: &Arc<Keeper>) {
        let dictionaries =
            CachedDictionary { dictionary: Arc::clone(dictionary), _memory: Arc::clone(memory) };
        self.current.borrow_mut().insert(place, dictionaries);
    }

    /// Ends one array: what it had not is forgotten.
    pub(in super::super) fn next_array(&mut self) {
        self.last = std::mem::take(self.current.get_mut());
    }
}
