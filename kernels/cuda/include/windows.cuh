// Windows of rows: their bounds, and the rows that the windows of a block span.
#pragma once
#include "column.cuh"
#include "windows.abi.h"

namespace CN_BUILD {

struct WindowBounds {
  // Columns of I64; not there for windows around each row. Bounds beyond the `rows` rows are cut.
  ColumnDesc starts, ends;
  int64_t rows;
  bool around;
  int64_t before, after, windows;

  static WindowBounds of_desc(const BoundsDesc &desc, int64_t rows) {
    return {desc.starts, desc.ends, rows, desc.around != 0, desc.before, desc.after, desc.windows};
  }
  __device__ __forceinline__ int64_t cut(int64_t bound) const { return bound < 0 ? 0 : bound > rows ? rows : bound; }
  // Of a window beyond the last: no rows.
  __device__ __forceinline__ void of(int64_t window, int64_t *start, int64_t *end) const {
    *start = *end = 0;
    if (window >= windows) return;
    *start = cut(around ? window - before : starts.at<int64_t>(window));
    *end = cut(around ? window + after + 1 : ends.at<int64_t>(window));
  }
};

// The least start and the greatest end of the windows of a block of kThreads that have rows; without such windows the
// start is after the end. Every thread of the block must call this.
__device__ __forceinline__ void span_of_block(int64_t start, int64_t end, int64_t *first, int64_t *last) {
  SHARED(firsts, int64_t[kThreads / 32]);
  SHARED(lasts, int64_t[kThreads / 32]);
  bool has_rows = start < end;
  int64_t least = has_rows ? start : INT64_MAX, greatest = has_rows ? end : -1;
  for (int step = 16; step > 0; step /= 2) {
    int64_t other = __shfl_xor_sync(0xffffffffu, least, step);
    least = other < least ? other : least;
    other = __shfl_xor_sync(0xffffffffu, greatest, step);
    greatest = other > greatest ? other : greatest;
  }
  if (threadIdx.x % 32 == 0) {
    firsts[threadIdx.x / 32] = least;
    lasts[threadIdx.x / 32] = greatest;
  }
  __syncthreads();
  for (int warp = 0; warp < kThreads / 32; warp++) {
    least = firsts[warp] < least ? firsts[warp] : least;
    greatest = lasts[warp] > greatest ? lasts[warp] : greatest;
  }
  *first = least;
  *last = greatest;
}

// Notes in `far` whether this block is far, by one of its threads: a word that says whether any block is, then one a
// block.
__device__ __forceinline__ void note_far(uint32_t *far, bool is_far) {
  if (threadIdx.x != 0) return;
  far[1 + blockIdx.x] = is_far ? 1 : 0;
  if (is_far) atomicOr(far, 1u);
}

}  // namespace CN_BUILD
