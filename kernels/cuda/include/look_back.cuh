// A scan of tiles in one pass: a block tells what its tile comes to, then waits for the tiles before it. M has `start`, and
// `merge` of what comes first and what comes then. Tiles are in groups: a tile merges those of its own group before it, side
// by side, and takes from the last tile of the group before what all earlier ones come to. So the order of merges depends on
// the number of tiles alone, and the result is the same in every run, also of floats.
// Blocks take tiles in the order in which they begin, so that they wait only for blocks that run or have ended, and tell
// their own value before they wait: the chain of waiting has a link for each group.
#pragma once
#include "accumulate.cuh"
#include "limits.cuh"

namespace CN_BUILD {

template <class M>
struct LookBack {
  using Word = unsigned long long;
  static_assert(sizeof(M) % sizeof(Word) == 0, "values are words");
  // How many tiles have begun.
  unsigned *begun;
  // 1 for a tile whose value is there, and for a group before which the value of all tiles is there.
  unsigned *has_tile, *has_group;
  M *tiles, *groups;
  int64_t of_group;
  int64_t tile_count, group_count;

  // Of `scans` scans of `count` tiles each.
  cudaError_t create(const Alloc &alloc, int64_t count, cudaStream_t stream, int64_t scans = 1) {
    of_group = small_limits(alloc) ? LookBackPolicy::kSmallGroup : LookBackPolicy::kGroup;
    tile_count = count;
    // The last tile of a group tells what is before the next, even if there is none.
    group_count = (count + of_group - 1) / of_group + 1;
    int64_t words = scans * (1 + tile_count + group_count);
    begun = alloc.scratch<unsigned>(words);
    tiles = alloc.scratch<M>(scans * tile_count);
    groups = alloc.scratch<M>(scans * group_count);
    if (begun == nullptr || tiles == nullptr || groups == nullptr) return cudaErrorMemoryAllocation;
    has_tile = begun + 1;
    has_group = has_tile + tile_count;
    return cudaMemsetAsync(begun, 0, static_cast<size_t>(words) * sizeof(*begun), stream);
  }

  // That of one scan.
  LookBack of_scan(int64_t scan) const {
    LookBack one = *this;
    one.begun += scan * (1 + tile_count + group_count);
    one.has_tile = one.begun + 1;
    one.has_group = one.has_tile + tile_count;
    one.tiles += scan * tile_count;
    one.groups += scan * group_count;
    return one;
  }

  // The tile of this block, which every thread of it must call once.
  __device__ __forceinline__ int64_t take() const {
    SHARED(tile, unsigned);
    if (threadIdx.x == 0) tile = atomicAdd(begun, 1u);
    __syncthreads();
    return static_cast<int64_t>(tile);
  }

  // The value of all tiles before `tile`, whose own one is `mine`. Every thread of the block must call this. `runs`: kBlock
  // values in shared memory.
  __device__ __forceinline__ M before(int64_t tile, const M &mine, M *runs) const {
    SHARED(of_all, M);
    int64_t group = tile / of_group, first = group * of_group;
    int place = static_cast<int>(tile - first), thread = static_cast<int>(threadIdx.x);
    if (thread == 0) {
      tiles[tile] = mine;
      store_release(&has_tile[tile], 1u);
    }
    if (thread < place) wait_for(&has_tile[first + thread]);
    __syncthreads();
    // Word by word, so that neighbouring threads read neighbouring words.
    const Word *from = reinterpret_cast<const Word *>(tiles + first);
    Word *to = reinterpret_cast<Word *>(runs);
    constexpr int kWords = static_cast<int>(sizeof(M) / sizeof(Word));
    for (int k = thread; k < place * kWords; k += kBlock) to[k] = from[k];
    if (thread >= place) runs[thread] = M::start();
    __syncthreads();
    M in_group, other = runs[thread];
    block_before_in(runs, other, &in_group);
    if (thread == 0) {
      if (group > 0) {
        wait_for(&has_group[group]);
        in_group = M::merge(groups[group], in_group);
      }
      of_all = in_group;
      if (place == of_group - 1) {
        groups[group + 1] = M::merge(in_group, mine);
        store_release(&has_group[group + 1], 1u);
      }
    }
    __syncthreads();
    return of_all;
  }

  static __device__ __forceinline__ void wait_for(const unsigned *flag) {
    while (load_acquire(flag) == 0) spin_pause();
  }
};

}  // namespace CN_BUILD
