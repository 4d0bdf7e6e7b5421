//! A merge sort of items, no two of which are equal, for the host. It needs no memory but the scratch that it is given.

use crate::parallel::{for_each_chunk, for_each_part, threads};

/// Items that one task sorts or merges, at least.
const PART: usize = 16 * 1024;

/// Whether an item comes before another.
type Before<'a> = dyn Fn(u64, u64) -> bool + Sync + 'a;

/// Sorts `items`; `scratch` has the same length and is clobbered.
pub(super) fn sort(items: &mut [u64], scratch: &mut [u64], before: &Before<'_>) {
    if items.is_sorted_by(|&a, &b| before(a, b)) {
        return;
    }
    // A few runs a thread, so that they balance.
    let mut run = items.len().div_ceil(4 * threads()).max(PART);
    for_each_chunk(items, run, |_, items| items.sort_unstable_by(|&a, &b| before(b, a).cmp(&before(a, b))));
    let (mut from, mut to) = (&mut *items, &mut *scratch);
    let mut sorted_in_scratch = false;
    while run < from.len() {
        let mut merges = Vec::new();
        for (pair, out) in from.chunks(2 * run).zip(to.chunks_mut(2 * run)) {
            let (a, b) = pair.split_at(run.min(pair.len()));
            cut(a, b, out, before, &mut merges);
        }
        for_each_part(merges, |_, merge: Merge<'_>| merge.run(before));
        std::mem::swap(&mut from, &mut to);
        sorted_in_scratch = !sorted_in_scratch;
        run *= 2;
    }
    if sorted_in_scratch {
        items.copy_from_slice(scratch);
    }
}

/// Two sorted runs, and where their items go.
struct Merge<'a> {
    a: &'a [u64],
    b: &'a [u64],
    out: &'a mut [u64],
}

/// Cuts the merge of two runs into merges of about [`PART`] items.
fn cut<'a>(
    mut a: &'a [u64],
    mut b: &'a [u64],
    mut out: &'a mut [u64],
    before: &Before<'_>,
    merges: &mut Vec<Merge<'a>>,
) {
    while out.len() > 2 * PART {
        // The number of items of `a` among the first `PART` of both.
        let (mut low, mut high) = (PART.saturating_sub(b.len()), PART.min(a.len()));
        while low < high {
            let middle = usize::midpoint(low, high);
            if before(a[middle], b[PART - 1 - middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let (a_head, a_tail) = a.split_at(low);
        let (b_head, b_tail) = b.split_at(PART - low);
        let (head, tail) = out.split_at_mut(PART);
        merges.push(Merge { a: a_head, b: b_head, out: head });
        (a, b, out) = (a_tail, b_tail, tail);
    }
    merges.push(Merge { a, b, out });
}

impl Merge<'_> {
    fn run(self, before: &Before<'_>) {
        let (mut a, mut b) = (self.a, self.b);
        let mut out = self.out.iter_mut();
        while let (Some((&first, a_rest)), Some((&second, b_rest))) = (a.split_first(), b.split_first()) {
            let Some(out) = out.next() else { return };
            if before(first, second) {
                (*out, a) = (first, a_rest);
            } else {
                (*out, b) = (second, b_rest);
            }
        }
        for (out, &item) in out.zip(a.iter().chain(b)) {
            *out = item;
        }
    }
}
