// The bytes of the rows of a warp, assembled in shared memory and written in words.
#pragma once
#include "block_bytes.cuh"
#include "string_rows.cuh"

namespace CN_BUILD {

// The bytes of its rows that a warp assembles in shared memory; rows of more go to global memory byte by byte.
constexpr int kMadeBytes = StringPolicy::kMadeBytes;

struct AssembledBytes {
  // Where the row of this thread is in the output.
  int64_t start, end;
  // Those of the warp.
  int64_t begin, last, base;
  uint4 *words;
  uint8_t *chars;

  // The row of this thread is at `place`. Every lane of the warp must call this with neighbouring rows; those past the end
  // are empty. `words` are kMadeBytes of the warp's own.
  __device__ __forceinline__ AssembledBytes(RowPlace place, uint8_t *chars, uint4 *words)
      : start(place.start), end(place.end), words(words), chars(chars) {
    begin = __shfl_sync(0xffffffffu, start, 0);
    last = __shfl_sync(0xffffffffu, end, 31);
    base = begin & ~int64_t{15};
  }
  __device__ __forceinline__ bool fits() const { return last - base <= kMadeBytes; }
  // Where the byte of the output at `position` goes.
  __device__ __forceinline__ uint8_t *at(int64_t position) const {
    return fits() ? reinterpret_cast<uint8_t *>(words) + (position - base) : chars + position;
  }
  // Every lane of the warp must call this after its bytes are in place.
  __device__ __forceinline__ void write() const {
    if (!fits()) return;
    __syncwarp();
    int lane = static_cast<int>(threadIdx.x) % 32;
    // Whole words, and the bytes of the words that the warp shares with its neighbours.
    int64_t whole = (begin + 15) & ~int64_t{15}, tail = last & ~int64_t{15};
    for (int64_t at = whole + 16 * lane; at + 16 <= last; at += 16 * 32) {
      *reinterpret_cast<uint4 *>(chars + at) = words[(at - base) / 16];
    }
    int64_t at = lane < 16 ? base + lane : tail + lane - 16;
    bool is_edge = lane < 16 ? at >= begin && at < whole && at < last : tail >= whole && at < last;
    if (is_edge) chars[at] = reinterpret_cast<const uint8_t *>(words)[at - base];
  }
};

}  // namespace CN_BUILD
