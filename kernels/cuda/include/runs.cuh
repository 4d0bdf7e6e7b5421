// Runs of positions that follow each other: which one each position of a block is in, after one search a block.
#pragma once
#include "primitives.cuh"

namespace CN_BUILD {

// Neighbouring positions of a block.
constexpr int kRunItems = RunPolicy::kItems;
constexpr int kRunTile = kThreads * kRunItems;
// With more runs than this, most of them empty, each position is searched instead of each run read.
constexpr int64_t kTileRuns = RunPolicy::kMostRuns * kRunTile;

struct LaterRun {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a > b ? a : b; }
};

// Shared memory of a block.
struct RunsOfTile {
  using Scan = cub::BlockScan<unsigned, kThreads>;
  typename Scan::TempStorage scan;
  int64_t ends[2];
  // Of each position its run, less that of the first.
  unsigned runs[kRunTile];
};

// The last run that begins at `position` or before, found by a warp: each lane tries one place.
__device__ __forceinline__ int64_t last_run(const int64_t *begins, int64_t runs, int64_t position) {
  int64_t low = 0, high = runs;
  while (high - low > 1) {
    int64_t step = (high - low + 31) / 32, at = low + step * (threadIdx.x % 32);
    unsigned reached = __ballot_sync(0xffffffffu, at < high && begins[at] <= position);
    low += step * (31 - __clz(static_cast<int>(reached)));
    high = low + step < high ? low + step : high;
  }
  return low;
}

// Finds the runs of the positions from `first` to before `end`, at most kRunTile, and returns that of `first`. `begins`
// ascends from 0; a run ends where the next one begins. Every thread of the block must call this.
__device__ __forceinline__ int64_t find_tile_runs(RunsOfTile &tile, const int64_t *begins, int64_t runs, int64_t first,
                                                  int64_t end) {
  int thread = static_cast<int>(threadIdx.x);
  if (thread < 64) {
    int64_t run = last_run(begins, runs, thread < 32 ? first : end - 1);
    if (thread % 32 == 0) tile.ends[thread / 32] = run;
  }
  for (int k = thread; k < kRunTile; k += kThreads) tile.runs[k] = 0;
  __syncthreads();
  int64_t low = tile.ends[0], last = tile.ends[1];
  if (last - low > kTileRuns) {
    for (int64_t position = first + thread; position < end; position += kThreads) {
      int64_t from = low, to = last + 1;
      while (to - from > 1) {
        int64_t middle = from + (to - from) / 2;
        if (begins[middle] <= position) from = middle;
        else to = middle;
      }
      tile.runs[position - first] = static_cast<unsigned>(from - low);
    }
    __syncthreads();
    return low;
  }
  // A run that is not empty marks its first position, and a position is in the last run marked at or before it.
  for (int64_t run = low + 1 + thread; run <= last; run += kThreads) {
    int64_t begin = begins[run];
    if (run == last || begins[run + 1] > begin) tile.runs[begin - first] = static_cast<unsigned>(run - low);
  }
  __syncthreads();
  unsigned of_thread[kRunItems];
#pragma unroll
  for (int k = 0; k < kRunItems; k++) of_thread[k] = tile.runs[thread * kRunItems + k];
  RunsOfTile::Scan(tile.scan).InclusiveScan(of_thread, of_thread, LaterRun{});
#pragma unroll
  for (int k = 0; k < kRunItems; k++) tile.runs[thread * kRunItems + k] = of_thread[k];
  __syncthreads();
  return low;
}

}  // namespace CN_BUILD
