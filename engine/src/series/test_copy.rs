//! The worked example of cuDF's library design ("copy-on-write") on series and frames, with the policy on and off and of
//! memory that others may write.

use columnade_buffers::{Buffer, Device, Exec};
use columnade_columns::{Column, DType, NumericColumn, Scalar};

use super::Series;
use crate::dataframe::DataFrame;
use crate::dlpack::TensorRequest;
use crate::options::set_default_exec;
use crate::testing::managed;

const VALUES: [i64; 4] = [1, 2, 3, 4];

fn address(column: &Column, exec: &Exec) -> usize {
    column.data().expect("numbers").read(exec).expect("memory").as_ptr().addr()
}

/// `series[0:2] = value`
fn set_first_two(series: Series, value: i64) -> Series {
    let (exec, name) = (series.exec().clone(), series.name().clone());
    let mut values = series.to_scalars().expect("numbers");
    values[..2].fill(value.into());
    let values: Vec<i64> =
        values.iter().map(|value| if let Scalar::Int64(n) = value { *n } else { 0 }).collect();
    let mut column = series.into_values();
    column.write(&exec).and_then(|mut guard| Ok(guard.copy_from_slice(&values)?)).expect("memory");
    Series::new(column).expect("a column").rename(name)
}

fn assert_values(series: &Series, expected: [i64; 4]) {
    assert_eq!(series.to_scalars().expect("numbers"), expected.map(Scalar::from));
}

/// A context of each device with the policy on and off.
fn on_every_device(test: impl Fn(&Exec, bool)) {
    for device in Device::available() {
        for copies_on_write in [true, false] {
            let value = if copies_on_write { "on" } else { "off" };
            let (exec, _) = managed(device, &[("COLUMNADE_COPY_ON_WRITE", value)]);
            set_default_exec(exec.clone());
            test(&exec, copies_on_write);
        }
    }
}

#[test]
fn series_shallow_copies_follow_copy_on_write() {
    on_every_device(|exec, copies_on_write| {
        let s1 = Series::new(VALUES.to_vec()).expect("numbers").rename("n");
        let s2 = s1.shallow_copy().expect("memory");
        let s3 = s2.shallow_copy().expect("memory");
        let addresses = [&s1, &s2, &s3].map(|series| address(series.values(), exec));
        assert_eq!(s3.name(), s1.name());
        assert!(s3.index().equals(s1.index()).expect("labels compare"));
        if copies_on_write {
            assert_eq!(addresses, [addresses[0]; 3]);
        } else {
            assert!(
                addresses[0] != addresses[1] && addresses[1] != addresses[2] && addresses[0] != addresses[2]
            );
        }

        let s2 = set_first_two(s2, 10);
        assert_values(&s1, VALUES);
        assert_values(&s2, [10, 10, 3, 4]);
        assert_values(&s3, VALUES);
        let after = [&s1, &s2, &s3].map(|series| address(series.values(), exec));
        assert_eq!([after[0], after[2]], [addresses[0], addresses[2]]);
        assert_eq!(after[1] == addresses[1], !copies_on_write, "what is its own is written in place");

        let s1 = set_first_two(s1, 11);
        assert_values(&s1, [11, 11, 3, 4]);
        assert_values(&s2, [10, 10, 3, 4]);
        assert_values(&s3, VALUES);
        let last = [&s1, &s2, &s3].map(|series| address(series.values(), exec));
        assert_eq!(last[1..], after[1..]);
        assert_eq!(last[0] == after[0], !copies_on_write);

        // The last of those that shared writes in place.
        let s3 = set_first_two(s3, 12);
        assert_eq!(address(s3.values(), exec), last[2]);
    });
}

#[test]
fn frame_shallow_copies_follow_copy_on_write() {
    on_every_device(|exec, copies_on_write| {
        let d1 = DataFrame::new([("n", VALUES.to_vec()), ("m", vec![5, 6, 7, 8])]).expect("numbers");
        let d1 = d1.with_column("word", ["a", "ß", "", "d"]).expect("text");
        let d2 = d1.shallow_copy().expect("memory");
        let d3 = d2.shallow_copy().expect("memory");
        let shares = |a: &DataFrame, b: &DataFrame| -> Vec<bool> {
            let columns = a.frame().accessor().columns().iter().zip(b.frame().accessor().columns());
            columns.map(|(a, b)| a.shares_memory(b)).collect()
        };
        assert_eq!(shares(&d1, &d2), [copies_on_write; 3]);
        assert_eq!(shares(&d2, &d3), [copies_on_write; 3]);
        assert_eq!(shares(&d1, &d1.clone()), [true; 3], "a clone is another handle");
        let before = [&d1, &d3].map(|frame| address(frame.column("n").expect("n").values(), exec));

        let written = set_first_two(d2.column("n").expect("n"), 10);
        let d2 = d2.with_column("n", written).expect("as long");
        assert_values(&d1.column("n").expect("n"), VALUES);
        assert_values(&d2.column("n").expect("n"), [10, 10, 3, 4]);
        assert_eq!(shares(&d1, &d2), [false, copies_on_write, copies_on_write]);

        let written = set_first_two(d1.column("n").expect("n"), 11);
        let d1 = d1.with_column("n", written).expect("as long");
        let after = [&d1, &d3].map(|frame| address(frame.column("n").expect("n").values(), exec));
        assert_ne!(after[0], before[0], "the frame of before was there still");
        assert_eq!(after[1], before[1]);
        assert_values(&d2.column("n").expect("n"), [10, 10, 3, 4]);
        assert_values(&d3.column("n").expect("n"), VALUES);

        let deep = d3.deep_copy().expect("memory");
        assert_eq!(shares(&d3, &deep), [false; 3]);
        assert!(deep.equals(&d3).expect("one device"));
    });
}

#[test]
fn shallow_copy_of_memory_a_consumer_may_write_copies_at_once() {
    on_every_device(|exec, _| {
        let mut data = Buffer::from_slice(&VALUES, exec).expect("memory");
        data.expose(exec).expect("memory");
        let exposed = NumericColumn::new(DType::Int64, data, None, 0, 4).expect("numbers");
        let mut exported = Column::from_slice(&VALUES, exec).expect("memory");
        let tensor = exported.to_dlpack_mut(&TensorRequest::default(), exec).expect("numbers");
        for column in [Column::Numeric(exposed), exported.clone()] {
            let series = Series::new(column).expect("a column").rename("n");
            assert!(series.clone().values().shares_memory(series.values()), "a clone is another handle");
            let copy = series.shallow_copy().expect("memory");
            assert!(!copy.values().shares_memory(series.values()));
            assert_values(&copy, VALUES);
            let frame = DataFrame::new([("n", series)]).expect("a column");
            let copy = frame.shallow_copy().expect("memory");
            let values = |frame: &DataFrame| frame.column("n").expect("n");
            assert!(!values(&copy).values().shares_memory(values(&frame).values()));
            assert_values(&values(&copy), VALUES);
        }
        drop(tensor);
        let series = Series::new(exported).expect("a column");
        let copy = series.shallow_copy().expect("memory");
        let policy = exec.resource().spill_manager().expect("managed").options().copy_on_write;
        assert_eq!(copy.values().shares_memory(series.values()), policy, "the tensor has gone");
    });
}
