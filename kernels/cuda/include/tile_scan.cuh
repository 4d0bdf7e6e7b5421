// A scan of tiles of rows, of which each is summed up in a value of its own: M has `start`, and `merge` of what comes first and
// what comes then. The order of merges depends on the number of tiles alone.
//   merge_groups   sums up each group of tiles
//   merge_before   replaces every value by that of all before it
#pragma once
#include "accumulate.cuh"
#include "limits.cuh"

namespace CN_BUILD {

template <class M>
__global__ void merge_groups(const M *tiles, int64_t count, int64_t of_group, M *groups) {
  int64_t of_thread = (of_group + kBlock - 1) / kBlock;
  int64_t start = static_cast<int64_t>(blockIdx.x) * of_group;
  int64_t end = start + of_group < count ? start + of_group : count;
  int64_t first = start + threadIdx.x * of_thread;
  M mine = M::start();
  for (int64_t tile = first; tile < first + of_thread && tile < end; tile++) mine = M::merge(mine, tiles[tile]);
  M all;
  block_before(mine, &all);
  if (threadIdx.x == 0) groups[blockIdx.x] = all;
}

// A block has `of_block` values; before its first stands that of `before_block`, or nothing. Four blocks fill half of a
// multiprocessor's threads.
template <class M>
__global__ void __launch_bounds__(kBlock, 4)
    merge_before(M *values, int64_t count, int64_t of_block, const M *before_block) {
  M carry = before_block == nullptr ? M::start() : before_block[blockIdx.x];
  int64_t start = static_cast<int64_t>(blockIdx.x) * of_block;
  int64_t end = start + of_block < count ? start + of_block : count;
  for (int64_t first = start; first < end; first += kBlock) {
    int64_t at = first + threadIdx.x;
    M all;
    M before = block_before(at < end ? values[at] : M::start(), &all);
    if (at < end) values[at] = M::merge(carry, before);
    carry = M::merge(carry, all);
  }
}

// Replaces the value of each tile by that of all before it; in groups, if there are many.
template <class M>
cudaError_t scan_tiles(const Alloc &alloc, M *values, int64_t tiles, cudaStream_t stream) {
  int64_t of_group = small_limits(alloc) ? TileScanPolicy::kSmallGroup : TileScanPolicy::kRounds * kBlock;
  int64_t groups = (tiles + of_group - 1) / of_group;
  M *of_groups = nullptr;
  if (groups > 1) {
    of_groups = alloc.scratch<M>(groups);
    if (of_groups == nullptr) return cudaErrorMemoryAllocation;
    CN_TRY(launch(merge_groups<M>, static_cast<unsigned>(groups), kBlock, 0, stream, static_cast<const M *>(values), tiles,
                  of_group, of_groups));
    CN_TRY(launch(merge_before<M>, 1, kBlock, 0, stream, of_groups, groups, groups, static_cast<const M *>(nullptr)));
  }
  return launch(merge_before<M>, static_cast<unsigned>(groups), kBlock, 0, stream, values, tiles,
                groups > 1 ? of_group : tiles, static_cast<const M *>(of_groups));
}

}  // namespace CN_BUILD
