// The element-wise operations on one row, by their discriminants in Rust.
#pragma once
#include "arithmetic.cuh"

namespace CN_BUILD {

// The discriminants of BinaryOp in elementwise/binary/mod.rs.
enum BinaryOp : int32_t { ADD, SUB, MUL, DIV, FLOOR_DIV, MOD, MIN, MAX, BIT_AND, BIT_OR, BIT_XOR, POWER, SHIFT_LEFT, SHIFT_RIGHT };

// The integer's bits as a number without a sign.
template <class T>
__device__ __forceinline__ uint128 unsigned_bits(T value) {
  if constexpr (sizeof(T) == 16) return static_cast<uint128>(value);
  constexpr unsigned kBits = sizeof(T) < 16 ? 8 * sizeof(T) : 8;
  return static_cast<uint128>(value) & ((static_cast<uint128>(1) << kBits) - 1);
}

template <class T>
__device__ __forceinline__ T power(T base, T exponent) {
  T result = static_cast<T>(1);
  for (uint128 left = unsigned_bits(exponent); left != 0; left >>= 1) {
    if ((left & 1) != 0) result = mul(result, base);
    base = mul(base, base);
  }
  return result;
}

// From the width on, no bits are left but copies of the sign.
template <class T>
__device__ __forceinline__ T shift(int32_t op, T value, T places) {
  constexpr int kWidth = 8 * sizeof(T);
  uint128 by = unsigned_bits(places);
  if (op == SHIFT_LEFT) return by >= kWidth ? T{} : static_cast<T>(static_cast<uint128>(value) << static_cast<int>(by));
  return static_cast<T>(value >> (by >= kWidth ? kWidth - 1 : static_cast<int>(by)) >> (by >= kWidth ? 1 : 0));
}

template <class T>
__device__ __forceinline__ T binary_of(int32_t op, T a, T b) {
  switch (op) {
    case ADD: return add(a, b);
    case SUB: return sub(a, b);
    case MUL: return mul(a, b);
    case DIV: return divide(a, b);
    case FLOOR_DIV: return floor_divide(a, b);
    case MOD: return modulo(a, b);
    case MIN: return lesser(a, b);
    case MAX: return greater(a, b);
    default: break;
  }
  if constexpr (!kFloat<T>) {
    if (op == BIT_AND) return static_cast<T>(a & b);
    if (op == BIT_OR) return static_cast<T>(a | b);
    if (op == BIT_XOR) return static_cast<T>(a ^ b);
    if (op == POWER) return power(a, b);
    if (op == SHIFT_LEFT || op == SHIFT_RIGHT) return shift(op, a, b);
  }
  return T{};
}

// The discriminants of UnaryOp in elementwise/unary/mod.rs.
enum UnaryOp : int32_t { NEG, ABS, BIT_NOT, SQRT, FLOOR, CEIL, TRUNC, ROUND };

__device__ __forceinline__ float of_float(int32_t op, float v) {
  switch (op) {
    case SQRT: return sqrtf(v);
    case FLOOR: return floorf(v);
    case CEIL: return ceilf(v);
    case TRUNC: return truncf(v);
    default: return rintf(v);
  }
}
__device__ __forceinline__ double of_float(int32_t op, double v) {
  switch (op) {
    case SQRT: return sqrt(v);
    case FLOOR: return floor(v);
    case CEIL: return ceil(v);
    case TRUNC: return trunc(v);
    default: return rint(v);
  }
}

template <class T>
__device__ __forceinline__ T unary_of(int32_t op, T value) {
  if (op == NEG) return negative(value);
  if (op == ABS) return magnitude(value);
  if constexpr (kFloat<T>) return of_float(op, value);
  else return static_cast<T>(~value);
}

// The discriminants of CompareOp in elementwise/compare/mod.rs.
enum CompareOp : int32_t { EQ, NE, LT, LE, GT, GE };

template <class T>
__device__ __forceinline__ bool compare_of(int32_t op, T a, T b) {
  switch (op) {
    case EQ: return a == b;
    case NE: return a != b;
    case LT: return a < b;
    case LE: return a <= b;
    case GT: return a > b;
    default: return a >= b;
  }
}

constexpr double power_of_two(int exponent) { return exponent == 0 ? 1.0 : 2.0 * power_of_two(exponent - 1); }

// A float fits in an integer type if it is in [kBelow, kAbove).
template <class D>
constexpr double kAbove = power_of_two(8 * static_cast<int>(sizeof(D)) - (kSigned<D> ? 1 : 0));
template <class D>
constexpr double kBelow = kSigned<D> ? -kAbove<D> : 0.0;

template <class D>
__device__ __forceinline__ bool fits(double whole) {
  return whole >= kBelow<D> && whole < kAbove<D>;
}

// Converts a whole number in range.
template <class D>
__device__ __forceinline__ D exact(double whole) {
  if constexpr (sizeof(D) < 16) {
    return static_cast<D>(whole);
  } else {
    double size = fabs(whole);
    uint64_t high = static_cast<uint64_t>(size * 0x1p-64);
    uint64_t low = static_cast<uint64_t>(size - static_cast<double>(high) * 0x1p64);
    D value = static_cast<D>(static_cast<uint128>(high) << 64 | low);
    return whole < 0.0 ? negative(value) : value;
  }
}

template <class D>
struct Cast {
  D value;
  bool fits;
};

template <class D, class S>
__device__ __forceinline__ Cast<D> cast_of(S from) {
  if constexpr (kFloat<D> && sizeof(S) == 16) {
    return {to_float<D>(from), true};
  } else if constexpr (kFloat<D>) {
    return {static_cast<D>(from), true};
  } else if constexpr (kFloat<S>) {
    double whole = trunc(static_cast<double>(from));
    if (fits<D>(whole)) return {exact<D>(whole), true};
    return {whole != whole ? D{0} : whole < 0.0 ? kLeast<D> : kGreatest<D>, false};
  } else {
    D value = static_cast<D>(from);
    return {value, static_cast<S>(value) == from && (value < D{0}) == (from < S{0})};
  }
}

}  // namespace CN_BUILD
