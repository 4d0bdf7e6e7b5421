//! Shallow copies under the policy of copy-on-write, writes in place, and columns that become a context's own.

use super::{CategoricalColumn, Column, IntervalColumn, ListColumn, NumericColumn, StructColumn};
use crate::test_dtypes::{dtypes, scalars};
use crate::{Closed, DType, ErrorKind};
use arrow_array::{Int64Array, StringArray};
use columnade_buffers::{Buffer, Device, Exec, Managed, SpillManager, SpillOptions};
use columnade_tests::{Nulls, Rng};
use std::sync::Arc;

fn execs() -> Vec<Exec> {
    Device::available().into_iter().map(|device| Exec::new(device).unwrap()).collect()
}

/// A context over a manager of its own.
fn managed(exec: &Exec, copy_on_write: bool) -> (Exec, Arc<SpillManager>) {
    let options = SpillOptions { spill: true, copy_on_write, ..SpillOptions::default() };
    let managed = Managed::new(exec.resource().clone(), options).unwrap();
    let manager = managed.manager().clone();
    (exec.with_resource(Arc::new(managed)), manager)
}

/// Every buffer, those of children included, those of dictionaries not.
fn buffers(column: &Column) -> Vec<Buffer> {
    let own = [column.data(), column.mask(), column.offsets().map(|(offsets, _)| offsets)];
    let mut all: Vec<Buffer> = own.into_iter().flatten().cloned().collect();
    if !matches!(column, Column::Categorical(_)) {
        all.extend(column.children().iter().flat_map(|child| buffers(child)));
    }
    all
}

/// For each buffer that is not empty, whether both columns share it.
fn shared(left: &Column, right: &Column) -> Vec<bool> {
    let (left, right) = (buffers(left), buffers(right));
    assert_eq!(left.len(), right.len());
    let pairs = left.iter().zip(&right).filter(|(left, _)| !left.is_empty());
    pairs.map(|(left, right)| left.shares_memory(right)).collect()
}

fn numbers(data: Buffer) -> Column {
    Column::Numeric(NumericColumn::new(DType::Int64, data, None, 0, 4).unwrap())
}

#[test]
fn shallow_copies_of_every_dtype_follow_copy_on_write() {
    for exec in execs() {
        for copy_on_write in [true, false] {
            let (exec, _) = managed(&exec, copy_on_write);
            let mut rng = Rng::new(3);
            for (k, dtype) in dtypes().into_iter().enumerate() {
                let values = scalars(&dtype, 700, Nulls::ALL[k % 4], &mut rng);
                let mut whole = Column::from_scalars(&dtype, &values, &exec).unwrap();
                // The policy is the memory's, wherever the values were made.
                whole.adopt(&exec).unwrap();
                for (offset, len) in [(0, 700), (517, 63), (700, 0)] {
                    let column = whole.slice(offset, len).unwrap();
                    let copy = column.shallow_copy(&exec).unwrap();
                    let context = format!("{dtype} {offset}+{len} on {}", exec.device());
                    assert!(shared(&column, &copy).into_iter().all(|is| is == copy_on_write), "{context}");
                    assert_eq!(copy.dtype(), column.dtype(), "{context}");
                    assert_eq!(copy.to_scalars().unwrap(), values[offset..offset + len], "{context}");
                    if let (Column::Categorical(column), Column::Categorical(copy)) = (&column, &copy) {
                        assert!(column.shares_dictionary(copy), "{context}");
                    }
                }
            }
        }
    }
}

/// Exposed memory, and memory exported to a writer: as values, as a mask, and as every kind of child.
#[test]
fn shallow_copy_of_memory_a_consumer_may_write_copies_at_once() {
    for exec in execs() {
        let mut exposed = Buffer::from_slice(&[1_i64, 2, 3, 4], &exec).unwrap();
        exposed.expose(&exec).unwrap();
        let mut exported = Buffer::from_slice(&[1_i64, 2, 3, 4], &exec).unwrap();
        let lease = exported.lease_mut(&exec).unwrap();
        for foreign in [exposed, exported] {
            let column = numbers(foreign.clone());
            assert_eq!(shared(&column, &column.clone()), [true], "a clone is another handle");
            assert_eq!(shared(&column, &column.shallow_copy(&exec).unwrap()), [false]);
            let plain = numbers(Buffer::from_slice(&[5_i64, 6, 7, 8], &exec).unwrap());
            let masked =
                NumericColumn::new(DType::Int64, plain.data().unwrap().clone(), Some(foreign), 0, 4).unwrap();
            let lists = ListColumn::from_lengths(&column, [Some(3), None, Some(1)], &exec).unwrap();
            let fields = [("plain", plain.clone()), ("foreign", column.clone())];
            let structs = StructColumn::new(fields, None, 0, 4).unwrap();
            let intervals =
                IntervalColumn::new(plain.clone(), column.clone(), Closed::Left, None, 0, 4).unwrap();
            for column in [
                Column::Numeric(masked),
                Column::List(lists),
                Column::Struct(structs),
                Column::Interval(intervals),
            ] {
                let copy = column.shallow_copy(&exec).unwrap();
                let sharing = shared(&column, &copy);
                let foreign = sharing.iter().filter(|is_shared| !**is_shared).count();
                assert_eq!(foreign, 1, "{} on {}: {sharing:?}", column.dtype(), exec.device());
                assert_eq!(copy.to_scalars().unwrap(), column.to_scalars().unwrap());
            }
        }
        drop(lease);
    }
}

#[test]
fn first_write_separates_and_last_view_writes_in_place() {
    for exec in execs() {
        let mut first = Column::from_slice(&[1_i64, 2, 3, 4], &exec).unwrap();
        let copy = first.shallow_copy(&exec).unwrap();
        first.write(&exec).unwrap().copy_from_slice(&[10_i64, 10, 3, 4]).unwrap();
        assert_eq!(shared(&first, &copy), [false]);
        let id = first.data().unwrap().memory_id();
        first.write(&exec).unwrap().copy_from_slice(&[11_i64, 11, 3, 4]).unwrap();
        assert_eq!(first.data().unwrap().memory_id(), id);
        assert_eq!(copy.to_scalars().unwrap(), [1_i64, 2, 3, 4].map(Into::into));
        assert_eq!(first.to_scalars().unwrap(), [11_i64, 11, 3, 4].map(Into::into));

        let mut text = Column::from_options([Some("a"), None], &exec).unwrap();
        assert_eq!(text.write(&exec).unwrap_err().kind(), ErrorKind::Type);
        let mut dictionary = Column::Categorical(
            CategoricalColumn::new(&Column::from_slice(&[0_i32], &exec).unwrap(), Arc::new(text)).unwrap(),
        );
        assert_eq!(dictionary.write(&exec).unwrap_err().kind(), ErrorKind::Type);
    }
}

#[test]
fn columns_of_every_dtype_are_adopted() {
    for exec in execs() {
        let mut rng = Rng::new(8);
        for (k, dtype) in dtypes().into_iter().enumerate() {
            let values = scalars(&dtype, 300, Nulls::ALL[k % 4], &mut rng);
            for source in [&exec, &Exec::host()] {
                let (exec, manager) = managed(&exec, true);
                let mut column = Column::from_scalars(&dtype, &values, source).unwrap();
                column.adopt(&exec).unwrap();
                assert_eq!(column.device(), exec.device());
                assert_eq!(column.to_scalars().unwrap(), values, "{dtype} on {}", exec.device());
                let bytes = column.memory_bytes();
                assert!(manager.usage().managed >= bytes, "{dtype}: {bytes} of {:?}", manager.usage());
                manager.spill_device_memory(usize::MAX);
                assert_eq!(manager.usage().managed, 0, "{dtype} on {}", exec.device());
                assert_eq!(column.to_scalars().unwrap(), values);
            }
        }
    }
}

#[test]
fn unshared_arrays_are_adopted_in_place() {
    let (exec, manager) = managed(&Exec::host(), true);
    let array = Int64Array::from(vec![Some(3), None, Some(5)]);
    let mut column = Column::from_arrow(&array).unwrap();
    drop(array);
    let host = Exec::host();
    let address = |column: &Column| column.data().unwrap().read(&host).unwrap().as_ptr();
    let before = address(&column);
    column.adopt(&exec).unwrap();
    assert_eq!(address(&column), before);
    assert!(manager.usage().managed > 24, "values and a mask");
    assert_eq!(column.get(2).unwrap(), 5_i64.into());

    let array = StringArray::from(vec!["naïve", "", "ß"]);
    let mut column = Column::from_arrow(&array).unwrap();
    let before = address(&column);
    column.adopt(&exec).unwrap();
    assert_ne!(address(&column), before, "the array holds it still");
    assert_eq!(column.get(0).unwrap(), "naïve".into());
}
