//! Types of values and kinds of memory.

/// A type at the end of an instruction's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Pred,
    Bits(u8),
    Unsigned(u8),
    Signed(u8),
    Float(u8),
}

impl Type {
    /// `u32`, `pred` and so on, without a dot. 128-bit and half-precision types are not supported.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Some(match name {
            "pred" => Self::Pred,
            "b8" => Self::Bits(8),
            "b16" => Self::Bits(16),
            "b32" => Self::Bits(32),
            "b64" => Self::Bits(64),
            "u8" => Self::Unsigned(8),
            "u16" => Self::Unsigned(16),
            "u32" => Self::Unsigned(32),
            "u64" => Self::Unsigned(64),
            "s8" => Self::Signed(8),
            "s16" => Self::Signed(16),
            "s32" => Self::Signed(32),
            "s64" => Self::Signed(64),
            "f32" => Self::Float(32),
            "f64" => Self::Float(64),
            _ => return None,
        })
    }

    /// 1 for a predicate.
    pub(crate) fn bits(self) -> u8 {
        match self {
            Self::Pred => 1,
            Self::Bits(bits) | Self::Unsigned(bits) | Self::Signed(bits) | Self::Float(bits) => bits,
        }
    }

    /// Bytes in memory.
    pub(crate) fn bytes(self) -> usize {
        usize::from(self.bits().div_ceil(8))
    }

    pub(crate) fn is_signed(self) -> bool {
        matches!(self, Self::Signed(_))
    }
}

/// A state space. Constant memory counts as global.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Space {
    Generic,
    Global,
    Shared,
    Local,
    Param,
}
