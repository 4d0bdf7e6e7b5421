// Binary search in ranges of sorted rows: one thread a needle. Deterministic.
#include "search_sorted.abi.h"
#include "column.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of Side in mod.rs.
enum Side : int32_t { LEFT, RIGHT };

__device__ __forceinline__ int64_t cut(int64_t bound, int64_t rows) {
  return bound < 0 ? 0 : bound > rows ? rows : bound;
}

__global__ void search_ranges(ColumnDesc values, ColumnDesc needles, ColumnDesc starts, ColumnDesc ends, int32_t side,
                              int64_t *out) {
  int64_t row = thread_index();
  if (row >= needles.rows) return;
  int64_t needle = needles.at<int64_t>(row);
  int64_t low = cut(starts.at<int64_t>(row), values.rows), high = cut(ends.at<int64_t>(row), values.rows);
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    int64_t value = values.at<int64_t>(middle);
    if (side == LEFT ? value < needle : value <= needle) low = middle + 1;
    else high = middle;
  }
  out[row] = low;
}

}  // namespace

ENTRY(search_sorted)(const SearchSortedArgs *args, cudaStream_t stream) {
  int64_t rows = args->needles.rows;
  int64_t *out = args->alloc.output<int64_t>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(search_ranges, blocks_for(rows, kThreads), kThreads, 0, stream, args->values, args->needles, args->starts,
                args->ends, args->side, out);
}

}  // namespace CN_BUILD
