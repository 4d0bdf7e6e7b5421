// Products and quotients beyond 128 bits, as in kernels/src/elementwise/wide.rs.
#pragma once
#include "arithmetic.cuh"
#include "sum192.cuh"

namespace CN_BUILD {

// An unsigned 256-bit integer.
struct Wide {
  uint128 high, low;
};

__device__ __forceinline__ Wide wide_product(uint128 a, uint128 b) {
  uint64_t a1 = static_cast<uint64_t>(a >> 64), a0 = static_cast<uint64_t>(a);
  uint64_t b1 = static_cast<uint64_t>(b >> 64), b0 = static_cast<uint64_t>(b);
  uint128 low = static_cast<uint128>(a0) * b0;
  uint128 first = static_cast<uint128>(a1) * b0 + static_cast<uint64_t>(low >> 64);
  uint128 second = static_cast<uint128>(a0) * b1 + static_cast<uint64_t>(first);
  uint128 high = static_cast<uint128>(a1) * b1 + static_cast<uint64_t>(first >> 64) + static_cast<uint64_t>(second >> 64);
  return {high, second << 64 | static_cast<uint64_t>(low)};
}

// One digit of 64 bits of a long division: `rest` below the divisor, of which the highest bit is set, and one more digit.
__device__ __forceinline__ uint64_t wide_digit(uint128 &rest, uint64_t next, uint128 divisor) {
  uint64_t top = static_cast<uint64_t>(divisor >> 64), bottom = static_cast<uint64_t>(divisor);
  uint128 digit = rest / top, left = rest % top;
  while (digit >> 64 != 0 || digit * bottom > (left << 64 | next)) {
    digit--;
    left += top;
    if (left >> 64 != 0) break;
  }
  rest = (rest << 64 | next) - digit * divisor;
  return static_cast<uint64_t>(digit);
}

// The quotient and the rest; the high half is below the divisor.
__device__ __forceinline__ uint128 wide_quotient(Wide value, uint128 divisor, uint128 &rest) {
  int shift = 0;
  while ((divisor >> 127) == 0) {
    divisor <<= 1;
    shift++;
  }
  rest = shift == 0 ? value.high : value.high << shift | value.low >> (128 - shift);
  uint128 low = value.low << shift;
  uint64_t first = wide_digit(rest, static_cast<uint64_t>(low >> 64), divisor);
  uint64_t second = wide_digit(rest, static_cast<uint64_t>(low), divisor);
  rest >>= shift;
  return static_cast<uint128>(first) << 64 | second;
}

__device__ __forceinline__ uint128 rounded(uint128 quotient, uint128 rest, uint128 divisor) {
  return quotient + (rest >= divisor - rest ? 1 : 0);
}

// lhs * 10^power / rhs as a 128-bit magnitude, rounded half away from zero. `factor` is 10^min(|power|, 38), and `more`
// 10^(|power| - 38) or 1. False for what does not fit.
__device__ __forceinline__ bool divide_magnitude(uint128 dividend, uint128 divisor, int32_t power, uint128 factor,
                                                 uint128 more, uint128 &quotient) {
  Wide scaled = wide_product(power < 0 ? divisor : dividend, factor);
  if (power < 0) {
    bool small = power < -38 || scaled.high != 0;
    quotient = small ? 0 : rounded(dividend / scaled.low, dividend % scaled.low, scaled.low);
    return true;
  }
  quotient = 0;
  if (dividend == 0) return true;
  if (power > 76) return false;
  if (scaled.high == 0 && more == 1) {
    quotient = rounded(scaled.low / divisor, scaled.low % divisor, divisor);
    return true;
  }
  Wide low = wide_product(scaled.low, more), high = wide_product(scaled.high, more);
  uint128 top = high.low + low.high;
  if (high.high != 0 || top < low.high || top >= divisor) return false;
  uint128 rest;
  quotient = wide_quotient({top, low.low}, divisor, rest);
  quotient = rounded(quotient, rest, divisor);
  return true;
}

}  // namespace CN_BUILD
