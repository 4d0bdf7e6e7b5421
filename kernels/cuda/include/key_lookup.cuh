// A table from keys of one word to the row that has them, for keys without duplicates.
//   find_range   the least and the greatest key
//   insert_keys  rows into the table: at the difference to the least key if the range is small, else by hashing; marks
//                duplicates
//   find_keys    the row of each row of another side, and how many rows of each tile have one
//   keep_rows    the rows that have one, side by side
// Keys are read where they are. All kernels decide by the range on the device, so that nothing waits for it.
#pragma once
#include "rows.cuh"

namespace CN_BUILD {

// Rows of a block of find_keys and keep_rows.
constexpr int kLookupItems = LookupPolicy::kItems;
constexpr int kLookupTile = kThreads * kLookupItems;
constexpr unsigned kRangeBlocks = LookupPolicy::kRangeBlocks;

struct KeyLookup {
  KeyColumns columns;
  Packing packing;
  // All bytes begin as 0xff. Row numbers, all ones where there is none.
  unsigned *rows;
  // The least key and the complement of the greatest one.
  unsigned long long *range;
  // 0: a key came twice.
  unsigned *unique;
  // The length of `rows`, and the part of it that is hashed into, a power of two less one.
  uint64_t slots;
  uint64_t mask;

  __device__ __forceinline__ bool is_direct(uint64_t *least) const {
    ulonglong2 range_words = *reinterpret_cast<const ulonglong2 *>(range);
    *least = range_words.x;
    return ~range_words.y - range_words.x < slots;
  }
  // The greatest key less the least one.
  __device__ __forceinline__ uint64_t span(uint64_t least) const { return ~range[1] - least; }
  __device__ __forceinline__ uint64_t first_slot(uint64_t key) const { return mix_word(mix_word(0, key), 0) & mask; }
  __device__ __forceinline__ uint64_t key(int64_t row) const { return packed_key(columns, packing, row); }

  // The row that has the key, all ones without one.
  __device__ __forceinline__ unsigned find(uint64_t wanted, bool direct, uint64_t least) const {
    if (direct) return wanted - least < slots ? rows[wanted - least] : ~0u;
    for (uint64_t at = first_slot(wanted);; at = (at + 1) & mask) {
      unsigned found = rows[at];
      if (found == ~0u || key(static_cast<int64_t>(found)) == wanted) return found;
    }
  }

  // `clears`: the rows too.
  cudaError_t create(const Alloc &alloc, const KeyColumns &keys, const Packing &layout, int64_t row_count, bool clears,
                     cudaStream_t stream) {
    columns = keys;
    packing = layout;
    uint64_t capacity = 64;
    while (capacity < 2 * static_cast<uint64_t>(row_count)) capacity *= 2;
    mask = capacity - 1;
    slots = capacity > 4 * static_cast<uint64_t>(row_count) ? capacity : 4 * static_cast<uint64_t>(row_count);
    int64_t bytes = 24 + static_cast<int64_t>(slots) * 4;
    range = alloc.scratch<unsigned long long>((bytes + 7) / 8);
    if (range == nullptr) return cudaErrorMemoryAllocation;
    unique = reinterpret_cast<unsigned *>(range + 2);
    rows = unique + 2;
    return cudaMemsetAsync(range, 0xff, clears ? static_cast<size_t>(bytes) : 24, stream);
  }
};

namespace lookup_detail {

static __global__ void find_range(const __grid_constant__ KeyLookup lookup, int64_t rows) {
  SHARED(least, unsigned long long);
  SHARED(greatest, unsigned long long);
  if (threadIdx.x == 0) {
    least = ~0ull;
    greatest = 0;
  }
  __syncthreads();
  unsigned long long low = ~0ull, high = 0;
  int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t row = thread_index(); row < rows; row += step) {
    if (!lookup.columns.takes_part(row)) continue;
    unsigned long long key = lookup.key(row);
    low = key < low ? key : low;
    high = key > high ? key : high;
  }
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
    unsigned long long other_low = __shfl_down_sync(0xffffffffu, low, lanes);
    unsigned long long other_high = __shfl_down_sync(0xffffffffu, high, lanes);
    low = other_low < low ? other_low : low;
    high = other_high > high ? other_high : high;
  }
  if (threadIdx.x % 32 == 0) {
    atomicMin(&least, low);
    atomicMax(&greatest, high);
  }
  __syncthreads();
  if (threadIdx.x != 0) return;
  atomicMin(&lookup.range[0], least);
  atomicMin(&lookup.range[1], ~greatest);
}

// The range of the keys of so many rows.
inline cudaError_t measure_range(const KeyLookup &lookup, int64_t rows, cudaStream_t stream) {
  if (rows == 0) return cudaSuccess;
  unsigned blocks = blocks_for(rows, kThreads);
  return launch(find_range, blocks < kRangeBlocks ? blocks : kRangeBlocks, kThreads, 0, stream, lookup, rows);
}

// A key that comes twice ends the work.
static __global__ void insert_keys(const __grid_constant__ KeyLookup lookup, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows || load_relaxed(lookup.unique) == 0 || !lookup.columns.takes_part(row)) return;
  uint64_t least;
  bool direct = lookup.is_direct(&least);
  uint64_t key = lookup.key(row);
  uint64_t at = direct ? key - least : lookup.first_slot(key);
  unsigned mine = static_cast<unsigned>(row);
  while (true) {
    unsigned found = atomicCAS(&lookup.rows[at], ~0u, mine);
    if (found == ~0u) return;
    if (direct || lookup.key(static_cast<int64_t>(found)) == key) {
      atomicExch(lookup.unique, 0u);
      return;
    }
    at = (at + 1) & lookup.mask;
  }
}

// Sets the bit of `match` unless it is all ones: by one lane for each match, so that a frequent one makes no queue of
// atomics. Every lane of the warp must call this.
__device__ __forceinline__ void mark_match(uint32_t *marks, unsigned match) {
  unsigned same = __match_any_sync(0xffffffffu, match);
  if (match == ~0u || __ffs(static_cast<int>(same)) - 1 != static_cast<int>(threadIdx.x % 32)) return;
  atomicOr(&marks[match / 32], 1u << (match % 32));
}

// Which rows are kept.
enum Keep : int32_t { MATCHED, UNMATCHED };

// The match of each row, all ones without one, and the number of rows of each tile that have one, or in place of it the
// numbers of all rows, or a bit for each match: one of `counts`, `all` and `marks` is not null. Of a tile each warp has
// neighbouring rows.
static __global__ void __launch_bounds__(kThreads)
    find_keys(const __grid_constant__ KeyLookup lookup, const __grid_constant__ KeyColumns columns, unsigned *all,
              unsigned *matches, unsigned *counts, uint32_t *marks, int64_t rows) {
  SHARED(count, unsigned);
  if (threadIdx.x == 0) count = 0;
  // One count more than tiles.
  if (counts != nullptr && blockIdx.x == 0 && threadIdx.x == 0) counts[gridDim.x] = 0;
  __syncthreads();
  // The rest is not read.
  if (*lookup.unique == 0) return;
  uint64_t least;
  bool direct = lookup.is_direct(&least);
  int64_t base = static_cast<int64_t>(blockIdx.x) * kLookupTile + threadIdx.x / 32 * (32 * kLookupItems) + threadIdx.x % 32;
  unsigned kept = 0;
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    int64_t row = base + 32 * k;
    unsigned match = ~0u;
    if (row < rows && columns.takes_part(row)) {
      match = lookup.find(packed_key(columns, lookup.packing, row), direct, least);
    }
    if (marks != nullptr) mark_match(marks, match);
    if (row >= rows) continue;
    matches[row] = match;
    if (all != nullptr) all[row] = static_cast<unsigned>(row);
    kept += match != ~0u;
  }
  if (counts == nullptr) return;
  kept = __reduce_add_sync(0xffffffffu, kept);
  if (threadIdx.x % 32 == 0) atomicAdd(&count, kept);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// Writes the rows that have a match in order, and their matches. `before`: such rows before each tile.
static __global__ void __launch_bounds__(kThreads)
    keep_rows(const unsigned *matches, const unsigned *before, unsigned *left, unsigned *right, int64_t rows) {
  SHARED(warp_counts, unsigned[kThreads / 32]);
  int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  int64_t base = static_cast<int64_t>(blockIdx.x) * kLookupTile + warp * (32 * kLookupItems) + lane;
  unsigned match[kLookupItems], kept[kLookupItems];
  unsigned total = 0;
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    int64_t row = base + 32 * k;
    match[k] = row < rows ? matches[row] : ~0u;
    kept[k] = __ballot_sync(0xffffffffu, match[k] != ~0u);
    total += static_cast<unsigned>(__popc(kept[k]));
  }
  if (lane == 0) warp_counts[warp] = total;
  __syncthreads();
  int64_t place = static_cast<int64_t>(before[blockIdx.x]);
  for (int other = 0; other < warp; other++) place += warp_counts[other];
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    if (kept[k] >> lane & 1) {
      int64_t at = place + __popc(kept[k] & ((1u << lane) - 1));
      left[at] = static_cast<unsigned>(base + 32 * k);
      right[at] = match[k];
    }
    place += __popc(kept[k]);
  }
}

}  // namespace lookup_detail

}  // namespace CN_BUILD
