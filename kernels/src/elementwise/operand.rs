//! Operands of element-wise operations: a column, a value for every row, or a null for every row.

use super::lane::Lane;
use super::number::Number;
use crate::abi::ColumnDesc;
use crate::bits::BitSlice;
use crate::{Bits, Error, Fixed, Result, Storage, Value, View, ViewGuard};
use columnade_buffers::Exec;

/// An input of an element-wise operation.
#[derive(Clone, Copy, Debug)]
pub enum Operand<'a> {
    /// A column, one value per row.
    Column(Fixed<'a>),
    /// The same value in every row.
    Value(Value),
    /// Null in every row.
    Null(Storage),
}

impl<'a> Operand<'a> {
    /// The storage type of the values.
    pub fn storage(&self) -> Storage {
        match self {
            Operand::Column(column) => column.storage,
            Operand::Value(value) => value.storage(),
            Operand::Null(storage) => *storage,
        }
    }

    /// The number of rows of a column.
    pub fn rows(&self) -> Option<usize> {
        match self {
            Operand::Column(column) => Some(column.len),
            Operand::Value(_) | Operand::Null(_) => None,
        }
    }

    /// The validity bits of a column with a mask.
    pub(crate) fn validity_bits(&self) -> Option<Bits<'a>> {
        match self {
            Operand::Column(column) => column.validity_bits(),
            Operand::Value(_) | Operand::Null(_) => None,
        }
    }

    /// Whether every row is null.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Operand::Null(_))
    }
}

impl<'a> From<Fixed<'a>> for Operand<'a> {
    fn from(column: Fixed<'a>) -> Self {
        Operand::Column(column)
    }
}

impl From<Value> for Operand<'_> {
    fn from(value: Value) -> Self {
        Operand::Value(value)
    }
}

/// The number of rows of a result of two operands: that of the columns, or one without a column.
///
/// # Errors
/// [`Error::LengthMismatch`], and [`Error::UnsupportedStorage`] if the operands have different storage types.
pub(crate) fn rows(lhs: &Operand<'_>, rhs: &Operand<'_>) -> Result<usize> {
    if lhs.storage() != rhs.storage() {
        return Err(Error::UnsupportedStorage { storage: rhs.storage() });
    }
    match (lhs.rows(), rhs.rows()) {
        (Some(left), Some(right)) if left != right => Err(Error::LengthMismatch { left, right }),
        (Some(rows), _) | (None, Some(rows)) => Ok(rows),
        (None, None) => Ok(1),
    }
}

/// An operand that is readable until the guard is dropped.
pub(crate) enum OperandGuard<'a> {
    Column(ViewGuard<'a>),
    Value(Value),
}

impl<'a> OperandGuard<'a> {
    /// Takes the guards of both operands at once.
    pub(crate) fn pair(lhs: &Operand<'a>, rhs: &Operand<'a>, exec: &'a Exec) -> Result<[Self; 2]> {
        let columns = |operand: &Operand<'a>| match operand {
            Operand::Column(column) => Some(View::Fixed(*column)),
            Operand::Value(_) | Operand::Null(_) => None,
        };
        let views: Vec<View<'a>> = [lhs, rhs].into_iter().filter_map(columns).collect();
        let mut guards = crate::access(&views, exec)?.into_iter();
        let mut guard = |operand: &Operand<'a>| match operand {
            Operand::Column(column) => match guards.next() {
                Some(guard) => OperandGuard::Column(guard),
                None => OperandGuard::Value(Value::zero(column.storage)),
            },
            Operand::Value(value) => OperandGuard::Value(*value),
            Operand::Null(storage) => OperandGuard::Value(Value::zero(*storage)),
        };
        Ok([guard(lhs), guard(rhs)])
    }

    /// On the host: the values.
    pub(crate) fn lane<T: Number>(&self) -> Lane<'_, T> {
        match self {
            OperandGuard::Column(guard) => Lane::Slice(guard.values::<T>()),
            OperandGuard::Value(value) => Lane::Scalar(T::from_value(*value).unwrap_or(T::ZERO)),
        }
    }

    /// On the host: the values of a boolean operand.
    pub(crate) fn bit_lane(&self) -> BitLane<'_> {
        match self {
            OperandGuard::Column(guard) => BitLane::Bits(guard.value_bits()),
            OperandGuard::Value(value) => BitLane::Scalar(*value == Value::Bit(true)),
        }
    }

    /// On the host: the validity; a scalar is valid in every row.
    pub(crate) fn validity_lane(&self) -> BitLane<'_> {
        match self {
            OperandGuard::Column(guard) => guard.validity().map_or(BitLane::Scalar(true), BitLane::Bits),
            OperandGuard::Value(_) => BitLane::Scalar(true),
        }
    }

    /// The operand for the `.cu` files: a scalar is a column without data.
    pub(crate) fn desc(&self) -> (ColumnDesc, [u64; 2]) {
        match self {
            OperandGuard::Column(guard) => (guard.desc(), [0; 2]),
            OperandGuard::Value(value) => {
                let bytes = value.to_bytes();
                let (words, _) = bytes.as_chunks::<8>();
                (ColumnDesc::absent(value.storage()), [words[0], words[1]].map(u64::from_le_bytes))
            }
        }
    }
}

/// Bits of one input: one per row, or the same bit in every row.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BitLane<'a> {
    /// One bit per row.
    Bits(BitSlice<'a>),
    /// One bit for all rows.
    Scalar(bool),
}

impl BitLane<'_> {
    /// The bits of the rows `64 * word ..`.
    #[inline]
    pub(crate) fn word(&self, word: usize) -> u64 {
        match self {
            BitLane::Bits(bits) => bits.word(word),
            BitLane::Scalar(true) => u64::MAX,
            BitLane::Scalar(false) => 0,
        }
    }
}
