// Arithmetic of the storage types, as in kernels/src/elementwise/number.rs: integers wrap around, integer
// division by zero gives 0, floats follow IEEE 754.
#pragma once
#include "operand.cuh"

#include <cmath>

namespace CN_BUILD {

// The type to compute in so that nothing overflows as a signed type: unsigned for integers, the type itself
// for floats.
template <class T>
struct Ring {
  using type = uint32_t;
};
template <>
struct Ring<int64_t> {
  using type = uint64_t;
};
template <>
struct Ring<uint64_t> {
  using type = uint64_t;
};
template <>
struct Ring<int128> {
  using type = uint128;
};
template <>
struct Ring<float> {
  using type = float;
};
template <>
struct Ring<double> {
  using type = double;
};
template <class T>
using ring_t = typename Ring<T>::type;

template <class T>
constexpr bool kFloat = static_cast<T>(0.5) != T{0};
template <class T>
constexpr bool kSigned = static_cast<T>(-1) < T{0};
// The largest and the smallest value of an integer type.
template <class T>
constexpr T kGreatest = kSigned<T> ? static_cast<T>(~(static_cast<uint128>(1) << (8 * sizeof(T) - 1)) &
                                                    (~static_cast<uint128>(0) >> (128 - 8 * sizeof(T))))
                                   : static_cast<T>(-1);
template <class T>
constexpr T kLeast = kSigned<T> ? static_cast<T>(-kGreatest<T> - 1) : T{0};

template <class T>
__device__ __forceinline__ T add(T a, T b) {
  return static_cast<T>(static_cast<ring_t<T>>(a) + static_cast<ring_t<T>>(b));
}
template <class T>
__device__ __forceinline__ T sub(T a, T b) {
  return static_cast<T>(static_cast<ring_t<T>>(a) - static_cast<ring_t<T>>(b));
}
template <class T>
__device__ __forceinline__ T mul(T a, T b) {
  return static_cast<T>(static_cast<ring_t<T>>(a) * static_cast<ring_t<T>>(b));
}
template <class T>
__device__ __forceinline__ T negative(T a) {
  if constexpr (kFloat<T>) return -a;
  return sub(T{0}, a);
}
template <class T>
__device__ __forceinline__ T magnitude(T a) {
  if constexpr (sizeof(T) == 4 && kFloat<T>) return fabsf(a);
  else if constexpr (kFloat<T>) return fabs(a);
  else return a < T{0} ? negative(a) : a;
}
template <class T>
__device__ __forceinline__ T divide(T a, T b) {
  if constexpr (kFloat<T>) return a / b;
  if (b == T{0}) return T{0};
  // The smallest value divided by -1 overflows; its negative wraps around to itself.
  if (kSigned<T> && b == static_cast<T>(-1)) return negative(a);
  return static_cast<T>(a / b);
}
template <class T>
__device__ __forceinline__ T remainder(T a, T b) {
  if constexpr (sizeof(T) == 4 && kFloat<T>) return fmodf(a, b);
  else if constexpr (kFloat<T>) return fmod(a, b);
  else if (b == T{0} || (kSigned<T> && b == static_cast<T>(-1))) return T{0};
  else return static_cast<T>(a % b);
}
template <class T>
__device__ __forceinline__ T modulo(T a, T b) {
  T rest = remainder(a, b);
  if constexpr (kFloat<T>) {
    if (rest == T{0}) return static_cast<T>(copysign(rest, b));
    return (rest < T{0}) != (b < T{0}) ? rest + b : rest;
  }
  return rest != T{0} && (rest < T{0}) != (b < T{0}) ? add(rest, b) : rest;
}
template <class T>
__device__ __forceinline__ T floor_divide(T a, T b) {
  if constexpr (kFloat<T>) {
    if (b == T{0}) return a / b;
    T rest = remainder(a, b);
    T quotient = (a - rest) / b;
    if (rest != T{0} && (rest < T{0}) != (b < T{0})) quotient -= T{1};
    if (quotient == T{0}) return static_cast<T>(copysign(T{0}, a / b));
    T whole = static_cast<T>(floor(quotient));
    return quotient - whole > static_cast<T>(0.5) ? whole + T{1} : whole;
  } else {
    T rest = remainder(a, b);
    T quotient = divide(a, b);
    return rest != T{0} && (rest < T{0}) != (b < T{0}) ? sub(quotient, T{1}) : quotient;
  }
}
template <class T>
__device__ __forceinline__ T lesser(T a, T b) {
  return a < b || b != b ? a : b;
}
template <class T>
__device__ __forceinline__ T greater(T a, T b) {
  return a > b || b != b ? a : b;
}

// Whether a * b does not fit in 128 bits.
__device__ __forceinline__ bool mul_overflows(int128 a, int128 b) {
  uint128 left = static_cast<uint128>(magnitude(a)), right = static_cast<uint128>(magnitude(b));
  uint64_t left_high = static_cast<uint64_t>(left >> 64), right_high = static_cast<uint64_t>(right >> 64);
  uint64_t left_low = static_cast<uint64_t>(left), right_low = static_cast<uint64_t>(right);
  if (left_high != 0 && right_high != 0) return true;
  uint128 cross = left_high != 0 ? static_cast<uint128>(left_high) * right_low : static_cast<uint128>(left_low) * right_high;
  if (cross >> 64 != 0) return true;
  uint128 low = static_cast<uint128>(left_low) * right_low;
  uint128 product = low + (cross << 64);
  if (product < low) return true;
  uint128 limit = static_cast<uint128>(kGreatest<int128>) + ((a < 0) != (b < 0) ? 1 : 0);
  return product > limit;
}

// The float nearest to a 128-bit integer. The bits shifted out are kept as one sticky bit, so that it is
// rounded once.
template <class F>
__device__ __forceinline__ F to_float(int128 value) {
  uint128 size = static_cast<uint128>(magnitude(value));
  uint64_t high = static_cast<uint64_t>(size >> 64);
  int shift = high == 0 ? 0 : 64 - __clzll(static_cast<long long>(high));
  bool lost = (size & ((static_cast<uint128>(1) << shift) - 1)) != 0;
  uint64_t top = static_cast<uint64_t>(size >> shift) | (lost ? 1 : 0);
  F result = static_cast<F>(ldexp(static_cast<F>(top), shift));
  return value < 0 ? -result : result;
}

}  // namespace CN_BUILD
