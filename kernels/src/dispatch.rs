//! Macros from a storage type to its Rust type.

/// Evaluates `$body` with the type alias `$t` bound to the element type of `$storage`; `Bit` has an arm of
/// its own.
///
/// ```ignore
/// dispatch!(view.storage, T => sum::<T>(view), bit => count(view))
/// ```
macro_rules! dispatch {
    ($storage:expr, $t:ident => $body:expr, bit => $bit:expr) => {
        match $storage {
            $crate::Storage::Bit => $bit,
            $crate::Storage::I8 => {
                type $t = i8;
                $body
            }
            $crate::Storage::I16 => {
                type $t = i16;
                $body
            }
            $crate::Storage::I32 => {
                type $t = i32;
                $body
            }
            $crate::Storage::I64 => {
                type $t = i64;
                $body
            }
            $crate::Storage::I128 => {
                type $t = i128;
                $body
            }
            $crate::Storage::U8 => {
                type $t = u8;
                $body
            }
            $crate::Storage::U16 => {
                type $t = u16;
                $body
            }
            $crate::Storage::U32 => {
                type $t = u32;
                $body
            }
            $crate::Storage::U64 => {
                type $t = u64;
                $body
            }
            $crate::Storage::F32 => {
                type $t = f32;
                $body
            }
            $crate::Storage::F64 => {
                type $t = f64;
                $body
            }
        }
    };
}

/// Evaluates `$body` with `$t` bound to the unsigned type of the width of `$storage`: for moves, which ignore
/// the dtype.
macro_rules! dispatch_width {
    ($storage:expr, $t:ident => $body:expr, bit => $bit:expr) => {
        match $storage.width() {
            None => $bit,
            Some(1) => {
                type $t = u8;
                $body
            }
            Some(2) => {
                type $t = u16;
                $body
            }
            Some(4) => {
                type $t = u32;
                $body
            }
            Some(8) => {
                type $t = u64;
                $body
            }
            Some(_) => {
                type $t = u128;
                $body
            }
        }
    };
}

/// Like [`dispatch!`] over the integers; the other types have an arm of their own.
macro_rules! dispatch_integer {
    ($storage:expr, $t:ident => $body:expr, other => $other:expr) => {
        match $storage {
            $crate::Storage::I8 => {
                type $t = i8;
                $body
            }
            $crate::Storage::I16 => {
                type $t = i16;
                $body
            }
            $crate::Storage::I32 => {
                type $t = i32;
                $body
            }
            $crate::Storage::I64 => {
                type $t = i64;
                $body
            }
            $crate::Storage::I128 => {
                type $t = i128;
                $body
            }
            $crate::Storage::U8 => {
                type $t = u8;
                $body
            }
            $crate::Storage::U16 => {
                type $t = u16;
                $body
            }
            $crate::Storage::U32 => {
                type $t = u32;
                $body
            }
            $crate::Storage::U64 => {
                type $t = u64;
                $body
            }
            $crate::Storage::Bit | $crate::Storage::F32 | $crate::Storage::F64 => $other,
        }
    };
}
