//! Storage types: the representation of a value in memory, whatever its dtype.

use columnade_buffers::Pod;
use std::fmt;

/// How one value of a fixed-width column is stored.
///
/// Several dtypes share one storage type: a date is an `I32`, a timestamp or a decimal of up to 18 digits an
/// `I64`, a dictionary code an `I32`. The discriminants are those in the `.cu` files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(i32)]
pub enum Storage {
    /// One bit, least significant first.
    Bit = 0,
    /// Signed 8-bit integer.
    I8 = 1,
    /// Signed 16-bit integer.
    I16 = 2,
    /// Signed 32-bit integer.
    I32 = 3,
    /// Signed 64-bit integer.
    I64 = 4,
    /// Signed 128-bit integer, little-endian.
    I128 = 5,
    /// Unsigned 8-bit integer.
    U8 = 6,
    /// Unsigned 16-bit integer.
    U16 = 7,
    /// Unsigned 32-bit integer.
    U32 = 8,
    /// Unsigned 64-bit integer.
    U64 = 9,
    /// IEEE 754 binary32.
    F32 = 10,
    /// IEEE 754 binary64.
    F64 = 11,
}

impl Storage {
    /// Every storage type, for tests over all of them.
    pub const ALL: [Storage; 12] = [
        Storage::Bit,
        Storage::I8,
        Storage::I16,
        Storage::I32,
        Storage::I64,
        Storage::I128,
        Storage::U8,
        Storage::U16,
        Storage::U32,
        Storage::U64,
        Storage::F32,
        Storage::F64,
    ];

    /// Bits of one value.
    pub const fn bits(self) -> usize {
        match self {
            Storage::Bit => 1,
            Storage::I8 | Storage::U8 => 8,
            Storage::I16 | Storage::U16 => 16,
            Storage::I32 | Storage::U32 | Storage::F32 => 32,
            Storage::I64 | Storage::U64 | Storage::F64 => 64,
            Storage::I128 => 128,
        }
    }

    /// Bytes of one value; `None` for [`Storage::Bit`].
    pub const fn width(self) -> Option<usize> {
        match self {
            Storage::Bit => None,
            other => Some(other.bits() / 8),
        }
    }

    /// Bytes of `rows` values, with the last byte of a boolean column counted in full.
    pub const fn bytes(self, rows: usize) -> usize {
        match self.width() {
            // More than an allocation can have is out of memory, never fewer bytes.
            Some(width) => rows.saturating_mul(width),
            None => rows.div_ceil(8),
        }
    }

    /// Whether values are integers of any width or sign (bits are not).
    pub const fn is_integer(self) -> bool {
        !matches!(self, Storage::Bit | Storage::F32 | Storage::F64)
    }

    /// Whether values are floating point.
    pub const fn is_float(self) -> bool {
        matches!(self, Storage::F32 | Storage::F64)
    }

    /// Whether values are signed integers.
    pub const fn is_signed(self) -> bool {
        matches!(self, Storage::I8 | Storage::I16 | Storage::I32 | Storage::I64 | Storage::I128)
    }
}

impl fmt::Display for Storage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Storage::Bit => "bit",
            Storage::I8 => "i8",
            Storage::I16 => "i16",
            Storage::I32 => "i32",
            Storage::I64 => "i64",
            Storage::I128 => "i128",
            Storage::U8 => "u8",
            Storage::U16 => "u16",
            Storage::U32 => "u32",
            Storage::U64 => "u64",
            Storage::F32 => "f32",
            Storage::F64 => "f64",
        })
    }
}

/// A Rust type of a column's values. Sealed by [`Pod`] and the storage table.
pub trait Element: Pod + Default + PartialEq + PartialOrd + fmt::Debug + Send + Sync {
    /// The storage type of `Self`.
    const STORAGE: Storage;
    /// `value` as `Self`; `None` if it has another type.
    fn from_value(value: Value) -> Option<Self>;
    /// `self` as a [`Value`].
    fn into_value(self) -> Value;
}

macro_rules! elements {
    ($($ty:ty => $variant:ident),* $(,)?) => {
        $(impl Element for $ty {
            const STORAGE: Storage = Storage::$variant;
            fn from_value(value: Value) -> Option<Self> {
                match value { Value::$variant(v) => Some(v), _ => None }
            }
            fn into_value(self) -> Value { Value::$variant(self) }
        })*
        /// One value of a storage type.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub enum Value {
            /// A bit.
            Bit(bool),
            $(#[doc = concat!("A `", stringify!($ty), "`.")] $variant($ty),)*
        }
        impl Value {
            /// The storage type of the value.
            pub const fn storage(self) -> Storage {
                match self { Value::Bit(_) => Storage::Bit, $(Value::$variant(_) => Storage::$variant,)* }
            }
            /// The value's bytes, little-endian, zero beyond its width.
            pub fn to_bytes(self) -> [u8; 16] {
                let mut bytes = [0; 16];
                match self {
                    Value::Bit(v) => bytes[0] = u8::from(v),
                    $(Value::$variant(v) => bytes[..size_of::<$ty>()].copy_from_slice(&v.to_le_bytes()),)*
                }
                bytes
            }
            /// The zero of a storage type.
            pub const fn zero(storage: Storage) -> Value {
                match storage { Storage::Bit => Value::Bit(false), $(Storage::$variant => Value::$variant(0 as $ty),)* }
            }
        }
    };
}

elements! {
    i8 => I8, i16 => I16, i32 => I32, i64 => I64, i128 => I128,
    u8 => U8, u16 => U16, u32 => U32, u64 => U64, f32 => F32, f64 => F64,
}

/// Width of the offsets of a string column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(i32)]
pub enum OffsetWidth {
    /// `i32` offsets: at most 2³¹ − 1 bytes of characters.
    I32 = 4,
    /// `i64` offsets.
    I64 = 8,
}

impl OffsetWidth {
    /// Bytes of one offset.
    pub const fn bytes(self) -> usize {
        match self {
            OffsetWidth::I32 => 4,
            OffsetWidth::I64 => 8,
        }
    }

    /// The narrowest width for `bytes` bytes of characters.
    pub const fn for_bytes(bytes: usize) -> OffsetWidth {
        if bytes <= i32::MAX as usize { OffsetWidth::I32 } else { OffsetWidth::I64 }
    }
}
