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

  // Of two neighbouring rows a thread, of which `row` is the first and even.
  __device__ __forceinline__ void store_pair(int64_t row, int64_t count, const bool (&bad)[2]) const {
    unsigned lane = threadIdx.x % 32;
    uint32_t even = __ballot_sync(0xffffffffu, bad[0]), odd = __ballot_sync(0xffffffffu, bad[1]);
    if (lane < 2) {
      // The rows of 16 threads are the bits of a word, and 64 rows of a warp two words.
      int64_t word = row / 64 * 2 + lane;
      uint32_t bits = every_other(even >> (16 * lane)) | every_other(odd >> (16 * lane)) << 1;
      if (word * 32 < count) rows[word] = bits;
      if (lane == 0 && (even | odd) != 0) atomicOr(any, 1u);
    }
  }

 private:
  // The lower 16 bits at even positions.
  __device__ __forceinline__ static uint32_t every_other(uint32_t bits) {
    bits &= 0xffffu;
    bits = (bits | bits << 8) & 0x00ff00ffu;
    bits = (bits | bits << 4) & 0x0f0f0f0fu;
    bits = (bits | bits << 2) & 0x33333333u;
    return (bits | bits << 1) & 0x55555555u;
  }
};

}  // namespace CN_BUILD
