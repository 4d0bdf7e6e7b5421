// Columns that one launch writes, as kernel arguments.
#pragma once
#include "bits.cuh"
#include "operand.cuh"

namespace CN_BUILD {

// One array to write: the values or the mask of a column.
struct Target {
  // Null: every bit is one, and every value is the number of its row.
  const void *source;
  void *out;
  // The first row in `source`.
  int64_t offset;
  // Of a value: 1, 8, 16, 32, 64 or 128.
  int32_t bits;
};

struct Targets {
  Target of[TargetsPolicy::kMost];
  int32_t count;
};

// Calls run(targets) for at most kMost of them at a time.
template <class Run>
cudaError_t for_each_launch(const Target *targets, size_t count, Run run) {
  Targets some;
  for (size_t first = 0; first < count; first += TargetsPolicy::kMost) {
    size_t left = count - first;
    some.count = static_cast<int32_t>(left < TargetsPolicy::kMost ? left : TargetsPolicy::kMost);
    for (int32_t c = 0; c < some.count; c++) some.of[c] = targets[first + c];
    CN_TRY(run(some));
  }
  return cudaSuccess;
}

// An output without padding for `rows` values.
inline void *output_of(const Alloc &alloc, int32_t slot, int32_t bits, int64_t rows) {
  return alloc.unpadded<uint8_t>(slot, bits == 1 ? (rows + 7) / 8 : rows * (bits / 8));
}

// Zeros after `bytes` bytes of an output up to a multiple of kPadding, by the threads of one block.
__device__ __forceinline__ void store_padding(void *out, int64_t bytes) {
  int64_t end = (bytes + kPadding - 1) / kPadding * kPadding;
  for (int64_t i = bytes + threadIdx.x; i < end; i += blockDim.x) static_cast<uint8_t *>(out)[i] = 0;
}

// Calls f with a value of the unsigned type of that width.
template <class F>
__device__ __forceinline__ void with_width(int32_t bits, F f) {
  switch (bits) {
    case 8: return f(uint8_t{});
    case 16: return f(uint16_t{});
    case 32: return f(uint32_t{});
    case 64: return f(uint64_t{});
    default: return f(uint4{});
  }
}

}  // namespace CN_BUILD
