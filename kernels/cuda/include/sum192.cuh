// Sums of 128-bit integers in 192 bits: they hold the sum of any number of rows, so that an overflow depends on the total
// alone and not on the order of the rows.
#pragma once
#include "operand.cuh"

namespace CN_BUILD {

// The smallest number of 39 digits.
constexpr int128 kDigits38 = static_cast<int128>(10000000000000000000ull) * 10000000000000000000ull;

struct Sum192 {
  uint64_t low, mid, high;

  static __device__ __forceinline__ Sum192 of(int128 value) {
    return {static_cast<uint64_t>(value), static_cast<uint64_t>(value >> 64), value < 0 ? ~uint64_t{0} : 0};
  }
  static __device__ __forceinline__ Sum192 add(const Sum192 &a, const Sum192 &b) {
    uint128 low = static_cast<uint128>(a.low) + b.low;
    uint128 mid = static_cast<uint128>(a.mid) + b.mid + static_cast<uint64_t>(low >> 64);
    return {static_cast<uint64_t>(low), static_cast<uint64_t>(mid), a.high + b.high + static_cast<uint64_t>(mid >> 64)};
  }
  __device__ __forceinline__ int128 value() const { return static_cast<int128>(static_cast<uint128>(mid) << 64 | low); }
  // Whether the sum has at most 38 digits.
  __device__ __forceinline__ bool fits() const {
    int128 sum = value();
    return high == (sum < 0 ? ~uint64_t{0} : 0) && sum < kDigits38 && sum > -kDigits38;
  }
};

}  // namespace CN_BUILD
