//! The memory that operations on the host work in is the context's: counted, and refused at a limit.

use crate::grouping::group_ids::{self, NullKeys, group_ids};
use crate::joining::hash_join::{self, JoinKind, NullEquality, hash_join};
use crate::partitioning::hash_partition::{self, hash_partition};
use crate::sorting::argsort::{self, NullOrder, Order, SortKey, argsort};
use crate::{Error, Fixed, OffsetWidth, Result, RowMap, Storage, StringsView, View};
use columnade_buffers::{Buffer, Device, Exec, HostPool, Limiting, MemoryResource, Statistics};
use std::sync::Arc;

/// Checks that `run` takes at least `bytes` of its context's memory, that a limit below that refuses it, that a limit
/// of what it took admits it, and that nothing stays taken.
fn takes(bytes: usize, run: impl Fn(&Exec) -> Result<()>) {
    let limited = |limit| {
        let counted = Arc::new(Statistics::new(Arc::new(HostPool::new())));
        let limiting = Arc::new(Limiting::new(counted.clone(), limit));
        (Exec::host().with_resource(limiting.clone()), counted, limiting)
    };
    let (exec, counted, _) = limited(usize::MAX);
    run(&exec).unwrap();
    let peak = counted.statistics().unwrap().peak;
    assert!(peak >= bytes, "a peak of {peak} bytes, of at least {bytes}");
    let (exec, _, limiting) = limited(bytes - 1);
    let refused = run(&exec);
    assert!(
        matches!(refused, Err(Error::Memory(columnade_buffers::Error::OutOfMemory { .. }))),
        "{refused:?} within {bytes} bytes"
    );
    assert_eq!(limiting.used(), 0, "a refused operation keeps nothing");
    // How far tables are filled when they grow depends on the threads.
    run(&limited(8 * peak).0).unwrap();
}

/// `rows` keys, of which `distinct` are different and far apart.
fn sparse_keys(rows: usize, distinct: usize) -> Buffer {
    let key = |row: usize| ((row % distinct) as i64).wrapping_mul(0x2545_f491_4f6c_dd1d);
    Buffer::from_slice(&(0..rows).map(key).collect::<Vec<_>>(), &Exec::host()).unwrap()
}

fn view(data: &Buffer) -> View<'_> {
    View::Fixed(Fixed { storage: Storage::I64, len: data.len() / 8, offset: 0, data, validity: None })
}

/// Tickets of both sides, and the slots of the right side's table: twice as many as keys, of 16 bytes.
#[test]
fn join_by_hash_table_is_counted_and_limited() {
    let (left, right) = (sparse_keys(200_000, 60_000), sparse_keys(100_000, 50_000));
    for kind in [JoinKind::Inner, JoinKind::Left, JoinKind::Semi, JoinKind::Anti, JoinKind::Full] {
        takes(4 * 300_000 + 2 * 50_000 * 16, |exec| {
            hash_join(&[view(&left)], &[view(&right)], kind, NullEquality::Equal, exec).map(drop)
        });
    }
}

/// The words of a table over a million possible keys, 16 bytes for 64 of them.
#[test]
fn join_by_rank_table_is_counted_and_limited() {
    let keys: Vec<i64> = (0..1000).map(|row| row * 1000).collect();
    let data = Buffer::from_slice(&keys, &Exec::host()).unwrap();
    takes(1_000_000 / 64 * 16, |exec| {
        hash_join(&[view(&data)], &[view(&data)], JoinKind::Inner, NullEquality::Equal, exec).map(drop)
    });
}

/// The tickets of both sides, and the lists of right rows: 4 bytes a row and 4 a key.
#[test]
fn join_lists_are_counted_and_limited() {
    // Dense keys, each five times: the table is small, the lists are not.
    let left = Buffer::from_slice(&vec![-1_i64; 300_000], &Exec::host()).unwrap();
    let right: Vec<i64> = (0..500_000).map(|row| row % 100_000).collect();
    let right = Buffer::from_slice(&right, &Exec::host()).unwrap();
    takes(4 * 800_000 + 4 * 500_000 + 4 * 100_000, |exec| {
        hash_join(&[view(&left)], &[view(&right)], JoinKind::Inner, NullEquality::Equal, exec).map(drop)
    });
}

/// Ids, and the slots of a table.
#[test]
fn grouping_by_hash_table_is_counted_and_limited() {
    let keys = sparse_keys(200_000, 50_000);
    takes(4 * 200_000 + 2 * 50_000 * 16, |exec| group_ids(&[view(&keys)], NullKeys::Group, exec).map(drop));
}

/// Ids, and an array over 2¹⁷ keys for each thread.
#[test]
fn grouping_by_array_is_counted_and_limited() {
    let keys: Vec<i64> = (0..200_000).map(|row| row % 100_000).collect();
    let keys = Buffer::from_slice(&keys, &Exec::host()).unwrap();
    takes(4 * 200_000 + 4 * (1 << 17), |exec| group_ids(&[view(&keys)], NullKeys::Group, exec).map(drop));
}

/// Ids; keys, rows, tickets and partition of each row; first rows and marks; a table of 2¹⁸ slots for each thread.
#[test]
fn grouping_by_partitions_is_counted_and_limited() {
    let rows = 5 << 18;
    let keys = sparse_keys(rows, rows - 1000);
    takes(rows * (4 + 8 + 4 + 4 + 2 + 4) + rows / 8 + 16 * (1 << 18), |exec| {
        group_ids(&[view(&keys)], NullKeys::Group, exec).map(drop)
    });
}

/// The characters and offsets of strings.
fn strings(text: &[String], exec: &Exec) -> (Buffer, Buffer) {
    let mut offsets = vec![0_i32];
    offsets.extend(text.iter().scan(0, |end, text| {
        *end += text.len() as i32;
        Some(*end)
    }));
    let chars = Buffer::from_slice(text.concat().as_bytes(), exec).unwrap();
    (chars, Buffer::from_slice(&offsets, exec).unwrap())
}

fn string_view<'a>(chars: &'a Buffer, offsets: &'a Buffer) -> View<'a> {
    View::String(StringsView {
        len: offsets.len() / 4 - 1,
        offset: 0,
        offsets,
        offset_width: OffsetWidth::I32,
        chars,
        validity: None,
    })
}

/// Items, the scratch that they are sorted in, and the map. The order is checked.
#[test]
fn sort_of_strings_is_counted_limited_and_stable() {
    let rows = 150_000_usize;
    // Equal first bytes, each string twice.
    let text: Vec<String> =
        (0..rows).map(|row| format!("same prefix {:06}", row * 7919 % (rows / 2))).collect();
    let (chars, offsets) = strings(&text, &Exec::host());
    let view = string_view(&chars, &offsets);
    let key = SortKey { view, order: Order::Ascending, nulls: NullOrder::Last };
    takes(rows * (8 + 8 + 4), |exec| {
        let map: RowMap = argsort(&[key], exec)?;
        let sorted: Vec<usize> = map.to_vec(exec)?.into_iter().map(|row| row.unwrap() as usize).collect();
        assert!(sorted.is_sorted_by_key(|&row| (&text[row], row)));
        Ok(())
    });
}

/// Fixed scratch of the primitives of a device, however few the rows are.
const PRIMITIVES: usize = 192 << 10;

/// Checks that `run` takes no more than `bytes` and what is fixed, and not far less.
fn takes_about(bytes: usize, run: impl Fn(&Exec) -> Result<()>, exec: &Exec, what: &str) {
    let counted = Arc::new(Statistics::new(exec.resource().clone()));
    let exec = exec.with_resource(counted.clone());
    run(&exec).unwrap();
    let peak = counted.statistics().unwrap().peak;
    let device = exec.device();
    assert!(peak <= bytes + PRIMITIVES, "{what} on {device}: a peak of {peak} bytes, of at most {bytes}");
    // Tables are sized by powers of two.
    assert!(peak >= bytes / 5, "{what} on {device}: a peak of {peak} bytes, of {bytes}");
}

/// What operators are told that kernels take is what they take, on every device.
#[test]
fn scratch_bytes_bound_what_kernels_take() {
    for device in Device::available() {
        let exec = Exec::new(device).unwrap();
        // Of one row more than a power of two tables have the most slots for each.
        for rows in [40_000, 65_536, 70_000, 131_073] {
            let column = |distinct: usize| {
                let key = |row: usize| ((row * 7919 % distinct) as i64).wrapping_mul(0x2545_f491_4f6c_dd1d);
                Buffer::from_slice(&(0..rows).map(key).collect::<Vec<_>>(), &exec).unwrap()
            };
            for distinct in [rows, rows / 16] {
                let keys = column(distinct);
                let what = format!("{rows} rows of {distinct} keys");
                takes_about(
                    group_ids::scratch_bytes(rows, distinct, device),
                    |exec| group_ids(&[view(&keys)], NullKeys::Group, exec).map(drop),
                    &exec,
                    &format!("grouping {what}"),
                );
                takes_about(
                    hash_partition::scratch_bytes(rows, device),
                    |exec| hash_partition(&[view(&keys)], 16, 0, exec).map(drop),
                    &exec,
                    &format!("partitioning {what}"),
                );
                let key = SortKey { view: view(&keys), order: Order::Ascending, nulls: NullOrder::Last };
                takes_about(
                    argsort::scratch_bytes([(Some(Storage::I64), false); 2], rows, device),
                    |exec| argsort(&[key, key], exec).map(drop),
                    &exec,
                    &format!("sorting {what}"),
                );
            }
            // All first words are those of many rows.
            let text: Vec<String> = (0..rows)
                .map(|row| format!("{:03} same street {:06}", row % 500, row * 7919 % rows))
                .collect();
            let (chars, offsets) = strings(&text, &exec);
            let key = SortKey {
                view: string_view(&chars, &offsets),
                order: Order::Ascending,
                nulls: NullOrder::Last,
            };
            takes_about(
                argsort::scratch_bytes([(None, false)], rows, device),
                |exec| argsort(&[key], exec).map(drop),
                &exec,
                &format!("sorting {rows} strings"),
            );
            // Each key twice on the right, and as many pairs as rows; without duplicates devices take less.
            let (left, right) = (column(rows), column(rows / 2));
            takes_about(
                hash_join::scratch_bytes(rows, rows, device),
                |exec| {
                    let (left, right) = ([view(&left)], [view(&right)]);
                    hash_join(&left, &right, JoinKind::Inner, NullEquality::Equal, exec).map(drop)
                },
                &exec,
                &format!("joining {rows} rows"),
            );
        }
    }
}
