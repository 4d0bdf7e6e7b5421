//! Loops compiled twice: for the baseline of the target and for AVX2, selected at run time.

/// Defines a function whose body is compiled for the baseline and, on x86-64, for AVX2. A call uses AVX2 if
/// the processor has it. Closures and generic calls are inlined into the body, so that both versions are
/// vectorised.
///
/// ```ignore
/// vectorised! {
///     /// Doubles.
///     pub(crate) fn double[T: Number](values: &mut [T]) { for v in values { *v = v.add(*v); } }
/// }
/// ```
macro_rules! vectorised {
    ($(
        $(#[$meta:meta])*
        $vis:vis fn $name:ident[$($t:ident: $bound:path),* $(,)?]($($arg:ident: $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block
    )*) => {$(
        $(#[$meta])*
        $vis fn $name<$($t: $bound),*>($($arg: $ty),*) $(-> $ret)? {
            #[inline(always)]
            #[allow(clippy::allow_attributes, reason = "the lint sees only some expansions")]
            #[allow(clippy::inline_always, reason = "the body must take on the features of its caller")]
            fn body<$($t: $bound),*>($($arg: $ty),*) $(-> $ret)? $body

            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
                fn avx2<$($t: $bound),*>($($arg: $ty),*) $(-> $ret)? {
                    body($($arg),*)
                }
                if $crate::simd::has_avx2() {
                    // SAFETY: the processor has the features that `avx2` is compiled for.
                    return unsafe { avx2($($arg),*) };
                }
            }
            body($($arg),*)
        }
    )*};
}

/// Whether the processor has AVX2 and BMI2. The standard library caches the result.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(crate) fn has_avx2() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}

/// Asks the processor for the cache lines of a value that is read soon.
#[inline]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let first = std::ptr::from_ref(value).cast::<i8>();
        for line in (0..size_of::<T>()).step_by(CACHE_LINE) {
            // SAFETY: the address is within the value; a prefetch reads nothing that the program sees.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(first.add(line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Bytes of a cache line.
#[cfg(target_arch = "x86_64")]
const CACHE_LINE: usize = 64;

/// Bit `k` of the result is byte `k` of `flags`, which are 0 or 1.
#[inline]
pub(crate) fn pack_flags(flags: &[u8; 64]) -> u64 {
    // One multiplication collects the low bits of eight bytes in the top byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let (bytes, _) = flags.as_chunks::<8>();
    bytes
        .iter()
        .enumerate()
        .fold(0, |word, (k, eight)| word | (u64::from_le_bytes(*eight).wrapping_mul(GATHER) >> 56) << (8 * k))
}
