// The rows where a checked operation overflows: a bit per row, and a word that tells whether there is one.
#pragma once
#include "operand.cuh"

namespace CN_BUILD {

struct Overflow {
  uint32_t *any;
  uint32_t *rows;

  // Outputs 1 and 2.
  Overflow(const Alloc &alloc, int64_t count, cudaStream_t stream)
      : any(fault_flag(alloc, 1, stream)), rows(alloc.output<uint32_t>(2, (count + 31) / 32)) {}

  bool allocated() const { return any != nullptr && rows != nullptr; }

  // Every thread of the block must call this, also those past the last row.
  __device__ __forceinline__ void store(int64_t row, int64_t count, bool bad) const {
    store_bit(rows, row, count, bad);
    if (bad) atomicOr(any, 1u);
  }
};

}  // namespace CN_BUILD
