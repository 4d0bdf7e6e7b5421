//! Running aggregates of the groups of one range of rows.

use crate::elementwise::lane::Lane;
use crate::expression::Register;
use crate::expression::evaluate::{MORSEL_ROWS, Morsel};
use crate::grouping::aggregate::Aggregation;
use crate::{Element, Storage, Value};

/// Groups up to which sums go through the interleaved partial sums of [`Partials`].
const FEW_GROUPS: usize = 256;

/// Running sums of consecutive rows that must not wait for each other.
const LANES: usize = 4;

/// What a running aggregate keeps for each group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Rows.
    Rows,
    /// Valid values of a register.
    Valid(Register),
    /// Exact sum of an integer register.
    Exact(Register, Storage),
    /// Sum of a float register.
    Float(Register, Storage),
    /// Least value of a register.
    Min(Register, Storage),
    /// Greatest value of a register.
    Max(Register, Storage),
}

/// The running values of one [`Kind`]: position 0 takes the rows that no group takes, group `g` is at `g + 1`.
#[derive(Clone, Debug)]
pub(super) enum Values {
    Counts(Vec<i64>),
    Exact(Vec<i128>),
    Floats(Vec<f64>),
    /// The value, and whether there was one.
    Extremes(Vec<Option<Value>>),
}

/// One running aggregate.
#[derive(Clone, Debug)]
pub(super) struct State {
    pub(super) kind: Kind,
    pub(super) values: Values,
}

impl Kind {
    /// The running aggregates that `aggregation` of a register of `storage` is computed from.
    pub(super) fn of(aggregation: Aggregation, register: Register, storage: Storage) -> Vec<Kind> {
        let sum =
            if storage.is_float() { Kind::Float(register, storage) } else { Kind::Exact(register, storage) };
        match aggregation {
            Aggregation::CountAll => vec![Kind::Rows],
            Aggregation::Count => vec![Kind::Valid(register)],
            Aggregation::Sum | Aggregation::SumWide => vec![sum],
            Aggregation::Mean => vec![sum, Kind::Valid(register)],
            Aggregation::Min => vec![Kind::Min(register, storage)],
            Aggregation::Max => vec![Kind::Max(register, storage)],
        }
    }
}

impl State {
    pub(super) fn new(kind: Kind) -> Self {
        let values = match kind {
            Kind::Rows | Kind::Valid(_) => Values::Counts(Vec::new()),
            Kind::Exact(..) => Values::Exact(Vec::new()),
            Kind::Float(..) => Values::Floats(Vec::new()),
            Kind::Min(..) | Kind::Max(..) => Values::Extremes(Vec::new()),
        };
        Self { kind, values }
    }

    /// Makes room for `groups` groups.
    pub(super) fn grow(&mut self, groups: usize) {
        match &mut self.values {
            Values::Counts(values) => values.resize(groups + 1, 0),
            Values::Exact(values) => values.resize(groups + 1, 0),
            // The identity of addition is −0.0: it keeps a sum of negative zeros.
            Values::Floats(values) => values.resize(groups + 1, -0.0),
            Values::Extremes(values) => values.resize(groups + 1, None),
        }
    }

    /// Takes the rows of the morsel, row `i` into position `places[i]`.
    pub(super) fn update(&mut self, morsel: &Morsel<'_>, places: &Places) {
        match (&mut self.values, self.kind) {
            (Values::Counts(counts), Kind::Valid(register)) => {
                count(places.of(morsel, register).as_slice(), counts);
            }
            (Values::Counts(counts), _) => count(&places.all[..morsel.rows()], counts),
            (Values::Exact(sums), Kind::Exact(register, storage)) => {
                let places = places.of(morsel, register);
                let places = places.as_slice();
                dispatch_integer!(storage, T => sum_exact::<T>(morsel.lane(register), places, sums),
                    other => sum_bits(morsel.bits(register), places, sums));
            }
            (Values::Floats(sums), Kind::Float(register, storage)) => {
                let places = places.of(morsel, register);
                match storage {
                    Storage::F32 => {
                        sum_floats(morsel.lane::<f32>(register), f64::from, places.as_slice(), sums);
                    }
                    _ => sum_floats(morsel.lane::<f64>(register), |value| value, places.as_slice(), sums),
                }
            }
            (Values::Extremes(extremes), Kind::Min(register, storage)) => {
                extreme(morsel, register, storage, places.of(morsel, register).as_slice(), extremes, less);
            }
            (Values::Extremes(extremes), Kind::Max(register, storage)) => {
                extreme(
                    morsel,
                    register,
                    storage,
                    places.of(morsel, register).as_slice(),
                    extremes,
                    |a, b| less(b, a),
                );
            }
            _ => debug_assert!(false, "a state holds the values of its kind"),
        }
    }

    /// Adds the groups of a later range: group `g` of it is group `places[g] − 1` here.
    pub(super) fn merge(&mut self, other: &State, places: &[u32]) {
        match (&mut self.values, &other.values) {
            (Values::Counts(into), Values::Counts(from)) => fold(into, from, places, |a, b| *a += b),
            (Values::Exact(into), Values::Exact(from)) => {
                fold(into, from, places, |a, b| *a = a.wrapping_add(b));
            }
            (Values::Floats(into), Values::Floats(from)) => fold(into, from, places, |a, b| *a += b),
            (Values::Extremes(into), Values::Extremes(from)) => {
                let keep_less = matches!(self.kind, Kind::Min(..));
                fold(into, from, places, |a, b| {
                    let better = match (*a, b) {
                        (_, None) => false,
                        (None, Some(_)) => true,
                        (Some(a), Some(b)) => {
                            if keep_less {
                                less(b, a)
                            } else {
                                less(a, b)
                            }
                        }
                    };
                    if better {
                        *a = b;
                    }
                });
            }
            _ => debug_assert!(false, "ranges have the same states"),
        }
    }
}

fn fold<T: Copy>(into: &mut [T], from: &[T], places: &[u32], mut merge: impl FnMut(&mut T, T)) {
    for (&value, &place) in from[1..].iter().zip(places) {
        merge(&mut into[place as usize], value);
    }
}

/// The order of values of one storage: numbers, then NaN; negative and positive zero are equal.
fn less(a: Value, b: Value) -> bool {
    match (a, b) {
        (Value::Bit(a), Value::Bit(b)) => !a & b,
        (Value::I8(a), Value::I8(b)) => a < b,
        (Value::I16(a), Value::I16(b)) => a < b,
        (Value::I32(a), Value::I32(b)) => a < b,
        (Value::I64(a), Value::I64(b)) => a < b,
        (Value::I128(a), Value::I128(b)) => a < b,
        (Value::U8(a), Value::U8(b)) => a < b,
        (Value::U16(a), Value::U16(b)) => a < b,
        (Value::U32(a), Value::U32(b)) => a < b,
        (Value::U64(a), Value::U64(b)) => a < b,
        (Value::F32(a), Value::F32(b)) => a < b || b.is_nan() && !a.is_nan(),
        (Value::F64(a), Value::F64(b)) => a < b || b.is_nan() && !a.is_nan(),
        _ => false,
    }
}

/// Where each row of a morsel goes.
#[derive(Debug)]
pub(super) struct Places {
    /// Group plus one, or 0 for a row of no group.
    pub(super) all: [u32; MORSEL_ROWS],
}

/// The places of rows whose value counts.
enum RowPlaces<'a> {
    All(&'a [u32]),
    Masked(Vec<u32>),
}

impl RowPlaces<'_> {
    fn as_slice(&self) -> &[u32] {
        match self {
            RowPlaces::All(places) => places,
            RowPlaces::Masked(places) => places,
        }
    }
}

impl Places {
    /// The places of the rows where the register is valid, 0 elsewhere.
    fn of(&self, morsel: &Morsel<'_>, register: Register) -> RowPlaces<'_> {
        let places = &self.all[..morsel.rows()];
        let Some(valid) = morsel.validity(register) else {
            return RowPlaces::All(places);
        };
        let masked = |(row, &place): (usize, &u32)| place * (valid[row / 64] >> (row % 64) & 1) as u32;
        RowPlaces::Masked(places.iter().enumerate().map(masked).collect())
    }
}

/// Partial sums of few groups, [`LANES`] a group, so that rows of one group that follow each other do not wait.
struct Partials<T>([T; FEW_GROUPS * LANES]);

impl<T: Copy + Default> Partials<T> {
    fn new(zero: T) -> Self {
        Self([zero; FEW_GROUPS * LANES])
    }

    /// Adds `values(i)` to the partial sum of `places[i]`, all below [`FEW_GROUPS`].
    #[inline]
    fn add(&mut self, places: &[u32], values: impl Fn(usize) -> T, add: impl Fn(T, T) -> T) {
        for (row, &place) in places.iter().enumerate() {
            let slot = &mut self.0[(place as usize * LANES + row % LANES) % (FEW_GROUPS * LANES)];
            *slot = add(*slot, values(row));
        }
    }

    /// The partial sums of each place, in lane order.
    fn groups(&self) -> impl Iterator<Item = &[T; LANES]> {
        self.0.as_chunks::<LANES>().0.iter()
    }
}

fn count(places: &[u32], counts: &mut [i64]) {
    if counts.len() <= FEW_GROUPS {
        let mut partials = Partials::new(0i64);
        partials.add(places, |_| 1, |a, b| a + b);
        for (count, lanes) in counts.iter_mut().zip(partials.groups()) {
            *count += lanes.iter().sum::<i64>();
        }
    } else {
        for &place in places {
            counts[place as usize] += 1;
        }
    }
}

fn sum_bits(bits: &[u64], places: &[u32], sums: &mut [i128]) {
    for (row, &place) in places.iter().enumerate() {
        sums[place as usize] += i128::from(bits[row / 64] >> (row % 64) & 1);
    }
}

/// An integer, in 64 bits and exactly.
trait Exact: Element {
    /// The low 64 bits.
    fn low(self) -> i64;
    /// The value.
    fn wide(self) -> i128;
}

macro_rules! exact {
    ($($ty:ty),*) => {
        $(impl Exact for $ty {
            #[inline]
            fn low(self) -> i64 { self as i64 }
            #[inline]
            fn wide(self) -> i128 { self as i128 }
        })*
    };
}

exact!(i8, i16, i32, i64, i128, u8, u16, u32, u64);

/// Adds integers exactly: in 64 bits while the values of the morsel are small enough, else in 128.
fn sum_exact<T: Exact>(lane: Lane<'_, T>, places: &[u32], sums: &mut [i128]) {
    if sums.len() <= FEW_GROUPS && fits_partials(lane) {
        let mut partials = Partials::new(0i64);
        match lane {
            Lane::Slice(values) => {
                let values = &values[..places.len()];
                partials.add(places, |row| values[row].low(), i64::wrapping_add);
            }
            Lane::Scalar(value) => partials.add(places, |_| value.low(), i64::wrapping_add),
        }
        for (sum, lanes) in sums.iter_mut().zip(partials.groups()) {
            *sum = sum.wrapping_add(lanes.iter().map(|&lane| i128::from(lane)).sum());
        }
    } else {
        for (row, &place) in places.iter().enumerate() {
            let sum = &mut sums[place as usize];
            *sum = sum.wrapping_add(lane.get(row).wide());
        }
    }
}

/// Whether the sum of a morsel's values surely fits 64 bits.
fn fits_partials<T: Exact>(lane: Lane<'_, T>) -> bool {
    const BITS: u32 = 63 - MORSEL_ROWS.ilog2();
    // Zero when the value is a sign extension of its low BITS bits.
    let rest = |value: T| {
        let value = value.wide();
        (value >> (BITS - 1)) ^ (value >> 127)
    };
    match lane {
        Lane::Slice(values) => values.iter().fold(0, |rests, &value| rests | rest(value)) == 0,
        Lane::Scalar(value) => rest(value) == 0,
    }
}

fn sum_floats<T: Copy>(lane: Lane<'_, T>, wide: impl Fn(T) -> f64, places: &[u32], sums: &mut [f64]) {
    if sums.len() <= FEW_GROUPS {
        let mut partials = Partials::new(-0.0f64);
        partials.add(places, |row| wide(lane.get(row)), |a, b| a + b);
        for (sum, lanes) in sums.iter_mut().zip(partials.groups()) {
            *sum += (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        }
    } else {
        for (row, &place) in places.iter().enumerate() {
            sums[place as usize] += wide(lane.get(row));
        }
    }
}

fn extreme(
    morsel: &Morsel<'_>,
    register: Register,
    storage: Storage,
    places: &[u32],
    extremes: &mut [Option<Value>],
    better: impl Fn(Value, Value) -> bool,
) {
    let mut take = |place: u32, value: Value| {
        let held = &mut extremes[place as usize];
        if held.is_none_or(|held| better(value, held)) {
            *held = Some(value);
        }
    };
    dispatch!(storage, T => {
        let lane = morsel.lane::<T>(register);
        for (row, &place) in places.iter().enumerate() {
            take(place, lane.get(row).into_value());
        }
    }, bit => {
        let bits = morsel.bits(register);
        for (row, &place) in places.iter().enumerate() {
            take(place, Value::Bit(bits[row / 64] >> (row % 64) & 1 == 1));
        }
    });
}
