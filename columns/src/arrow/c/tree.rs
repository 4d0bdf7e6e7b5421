//! Trees of exported structs, each in one block.

use super::abi::{ArrowArray, ArrowSchema};
use super::owned::{Owned, Struct};
use columnade_buffers::CallersContext;
use std::ffi::c_void;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{AtomicUsize, Ordering, fence};

/// The structs of one tree, and what they own.
///
/// A consumer may move any of them out of its parent and release it on any thread, before or after the others. What a
/// node holds (`H`) is dropped when that node is released; the block, and what its nodes hold together (`T`), with the
/// last of them.
pub(super) struct Tree<S, H, T> {
    nodes: Vec<Node<S, H, T>>,
    /// The children of all nodes, those of one next to each other, by number while the tree grows.
    children: Vec<usize>,
    /// The same by address.
    addresses: Vec<*mut S>,
    pub(super) shared: T,
    /// How many nodes are not released.
    live: AtomicUsize,
}

struct Node<S, H, T> {
    raw: S,
    /// `None` from the release on.
    held: Option<H>,
    family: Family,
    tree: *mut Tree<S, H, T>,
}

/// Where among all children a node has its own.
#[derive(Clone, Default)]
pub(super) struct Family {
    pub(super) children: Range<usize>,
    pub(super) dictionary: Option<usize>,
}

impl<S: Linked, H, T> Tree<S, H, T> {
    /// A tree of about so many nodes.
    pub(super) fn new(nodes: usize, shared: T) -> Self {
        Self {
            nodes: Vec::with_capacity(nodes),
            children: Vec::with_capacity(nodes),
            addresses: Vec::new(),
            shared,
            live: AtomicUsize::new(0),
        }
    }

    /// Places for so many children of one node, which is added after them.
    pub(super) fn reserve(&mut self, children: usize) -> Range<usize> {
        let first = self.children.len();
        self.children.resize(first + children, usize::MAX);
        first..first + children
    }

    /// Puts the node added last in a place that was reserved.
    pub(super) fn place(&mut self, at: usize) {
        self.children[at] = self.nodes.len() - 1;
    }

    /// One more node, whose children are in their places.
    #[inline]
    pub(super) fn add(&mut self, raw: S, held: H, family: Family) {
        self.nodes.push(Node { raw, held: Some(held), family, tree: ptr::null_mut() });
    }

    /// The struct of the node added last, the root of all. `point` writes where things are that nodes hold, none of
    /// which moves any more.
    pub(super) fn finish(mut self, mut point: impl FnMut(&mut S, &mut H, &T)) -> Owned<S> {
        let count = self.nodes.len();
        debug_assert!(count > 0 && self.children.iter().all(|&child| child < count));
        *self.live.get_mut() = count;
        let nodes = self.nodes.as_mut_ptr();
        // SAFETY: each child is the number of a node.
        let address = |&child: &usize| unsafe { &raw mut (*nodes.add(child)).raw };
        self.addresses = self.children.iter().map(address).collect();
        let addresses = self.addresses.as_mut_ptr();
        let tree = Box::into_raw(Box::new(self));
        for at in 0..count {
            // SAFETY: there are so many nodes, which stay where they are until the tree is dropped, and no other code knows
            // of them yet. Places are within those of all children.
            unsafe {
                let node = nodes.add(at);
                (*node).tree = tree;
                let Family { children, dictionary } = (*node).family.clone();
                (*node).raw.link(Links {
                    n_children: children.len(),
                    children: if children.is_empty() {
                        ptr::null_mut()
                    } else {
                        addresses.add(children.start)
                    },
                    dictionary: dictionary.map_or(ptr::null_mut(), |at| *addresses.add(at)),
                    release: release::<S, H, T>,
                    private_data: node.cast(),
                });
                if let Some(held) = &mut (*node).held {
                    point(&mut (*node).raw, held, &(*tree).shared);
                }
            }
        }
        // SAFETY: filled as the interface says; the root's struct moves to its owner, which releases it once.
        unsafe { Owned::move_from(address(&(count - 1))) }
    }
}

/// Releases a struct of [`Tree::finish`]. Of a driver it calls nothing but what gives an event and memory back, which any
/// thread may do.
///
/// # Safety
/// `raw` points to one that is not released.
unsafe extern "C" fn release<S: Linked, H, T>(raw: *mut S) {
    let _context = CallersContext::keep();
    // SAFETY: the caller's promise. The tree lives as long as one of its nodes is not released, and no thread but this
    // uses anything of this node, or of children that were not moved out. References are to single fields.
    unsafe {
        let node: *mut Node<S, H, T> = (*raw).private_data().cast();
        (*raw).forget();
        let tree = (*node).tree;
        let addresses = (*tree).addresses.as_ptr();
        let Family { children, dictionary } = (*node).family.clone();
        for at in children.chain(dictionary) {
            // Released, unless a consumer moved it out.
            drop(Owned::move_from(*addresses.add(at)));
        }
        (*node).held = None;
        if (*tree).live.fetch_sub(1, Ordering::Release) == 1 {
            fence(Ordering::Acquire);
            drop(Box::from_raw(tree));
        }
    }
}

/// The tree, as each of its structs refers to it.
pub(super) struct Links<S> {
    n_children: usize,
    children: *mut *mut S,
    dictionary: *mut S,
    release: unsafe extern "C" fn(*mut S),
    private_data: *mut c_void,
}

/// A struct with children of its own kind.
pub(super) trait Linked: Struct {
    fn link(&mut self, links: Links<Self>);
    fn private_data(&self) -> *mut c_void;
}

macro_rules! linked {
    ($($raw:ty),*) => {$(
        impl Linked for $raw {
            fn link(&mut self, links: Links<Self>) {
                self.n_children = i64::try_from(links.n_children).unwrap_or(i64::MAX);
                self.children = links.children;
                self.dictionary = links.dictionary;
                self.release = Some(links.release);
                self.private_data = links.private_data;
            }
            fn private_data(&self) -> *mut c_void {
                self.private_data
            }
        }
    )*};
}
linked!(ArrowSchema, ArrowArray);
