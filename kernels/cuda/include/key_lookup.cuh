// A table from keys of one word to the row that has them, for keys without duplicates.
//   find_range   the least and the greatest key
//   insert_keys  rows into the table: at the difference to the least key if the range is small, else by hashing; marks
//                duplicates
//   find_keys    the row of each row of another side
//   find_pairs   the rows that have one, side by side
// Keys are read where they are. All kernels decide by the range on the device, so that nothing waits for it.
#pragma once
#include "look_back.cuh"
#include "rows.cuh"

namespace CN_BUILD {

// Rows of a block of find_keys and find_pairs.
constexpr int kLookupItems = LookupPolicy::kItems;
constexpr int kLookupTile = kThreads * kLookupItems;
constexpr unsigned kRangeBlocks = LookupPolicy::kRangeBlocks;

// The keys of a table: the least one, the difference of the greatest one to it, and what follows from them.
struct KeySpan {
  uint64_t least, span;
  // The table is addressed by the difference to the least key.
  bool direct;
  // The tag of an entry is that difference, so that equal tags are equal keys.
  bool exact;
};

struct KeyLookup {
  KeyColumns columns;
  Packing packing;
  // All bytes begin as 0xff. Of a direct table row numbers, all ones where there is none.
  unsigned *rows;
  // Of a hash table, in the same memory: a tag of the key above its row. A row is asked for its key only where the tag is the
  // same, and not even then if the tag is the key.
  unsigned long long *entries;
  // The least key and the complement of the greatest one.
  unsigned long long *range;
  // 0: a key came twice.
  unsigned *unique;
  // The length of `rows`, and that of `entries`.
  uint64_t slots;
  uint64_t capacity;
  // Whether the host knows the range: from 0 to `greatest`.
  bool is_known;
  uint64_t greatest;

  static constexpr unsigned long long kNone = ~0ull;

  __device__ __forceinline__ KeySpan key_span() const {
    uint64_t least = 0, span = greatest;
    if (!is_known) {
      ulonglong2 range_words = *reinterpret_cast<const ulonglong2 *>(range);
      least = range_words.x;
      span = ~range_words.y - range_words.x;
    }
    return {least, span, span < slots, span < (uint64_t{1} << 32)};
  }
  __device__ __forceinline__ uint64_t key(int64_t row) const { return packed_key(columns, packing, row); }

  static __device__ __forceinline__ uint64_t hash(uint64_t key) { return mix_word(mix_word(0, key), 0); }
  // Of the upper bits of a hash; a tag has the lower ones.
  __device__ __forceinline__ uint64_t first_slot(uint64_t hash) const { return __umul64hi(hash, capacity); }
  __device__ __forceinline__ uint64_t next_slot(uint64_t slot) const { return slot + 1 < capacity ? slot + 1 : 0; }
  static __device__ __forceinline__ uint32_t tag(uint64_t key, uint64_t hash, const KeySpan &keys) {
    return static_cast<uint32_t>(keys.exact ? key - keys.least : hash);
  }
  static __device__ __forceinline__ unsigned long long entry(uint32_t tag, int64_t row) {
    return static_cast<unsigned long long>(tag) << 32 | static_cast<uint32_t>(row);
  }
  // Whether an entry that is not empty has the key.
  __device__ __forceinline__ bool has_key(unsigned long long found, uint32_t wanted_tag, uint64_t wanted,
                                          const KeySpan &keys) const {
    if (static_cast<uint32_t>(found >> 32) != wanted_tag) return false;
    return keys.exact || key(static_cast<int64_t>(found & 0xffffffffu)) == wanted;
  }

  // The slot of the key in the hash table and its row, all ones without one.
  __device__ __forceinline__ uint64_t find_slot(uint64_t wanted, const KeySpan &keys, unsigned *row) const {
    *row = ~0u;
    if (wanted - keys.least > keys.span) return ~uint64_t{0};
    uint64_t hashed = hash(wanted);
    uint32_t wanted_tag = tag(wanted, hashed, keys);
    for (uint64_t at = first_slot(hashed);; at = next_slot(at)) {
      unsigned long long found = entries[at];
      if (found == kNone) return ~uint64_t{0};
      if (!has_key(found, wanted_tag, wanted, keys)) continue;
      *row = static_cast<unsigned>(found);
      return at;
    }
  }
  // The row that has the key, all ones without one.
  __device__ __forceinline__ unsigned find(uint64_t wanted, const KeySpan &keys) const {
    if (keys.direct) return wanted - keys.least < slots ? rows[wanted - keys.least] : ~0u;
    unsigned row;
    find_slot(wanted, keys, &row);
    return row;
  }
  // The slot of the key of a row, which it takes in the hash table unless another row has it. `is_first`: a key is expected
  // to be new.
  __device__ __forceinline__ uint64_t insert(uint64_t mine, int64_t row, const KeySpan &keys, bool is_first, bool *is_new) const {
    uint64_t hashed = hash(mine);
    uint32_t own_tag = tag(mine, hashed, keys);
    for (uint64_t at = first_slot(hashed);; at = next_slot(at)) {
      // Where keys come often, a load before the atomic, which would queue.
      unsigned long long found = is_first ? kNone : load_relaxed(&entries[at]);
      if (found == kNone) found = atomicCAS(&entries[at], kNone, entry(own_tag, row));
      *is_new = found == kNone;
      if (*is_new || has_key(found, own_tag, mine, keys)) return at;
    }
  }

  // `clears`: the rows too.
  cudaError_t create(const Alloc &alloc, const KeyColumns &keys, const Packing &layout, int64_t row_count, bool clears,
                     cudaStream_t stream) {
    columns = keys;
    packing = layout;
    is_known = layout.narrowed;
    greatest = layout.greatest;
    uint64_t keys_most = row_count < 32 ? 32 : static_cast<uint64_t>(row_count);
    slots = 4 * keys_most;
    // Half of the entries stay empty, and more where it is known that they are needed.
    capacity = (is_known && greatest >= slots ? 3 : 2) * keys_most;
    uint64_t words = capacity * 2 > slots ? capacity * 2 : slots;
    int64_t bytes = 24 + static_cast<int64_t>(words) * 4;
    range = alloc.scratch<unsigned long long>((bytes + 7) / 8);
    if (range == nullptr) return cudaErrorMemoryAllocation;
    unique = reinterpret_cast<unsigned *>(range + 2);
    rows = unique + 2;
    entries = range + 3;
    return cudaMemsetAsync(range, 0xff, clears ? static_cast<size_t>(bytes) : 24, stream);
  }

  // What the host has read of the three words from `range` on: the range and whether keys are unique.
  void complete(uint64_t (&words)[3]) const {
    if (!is_known) return;
    words[0] = 0;
    words[1] = ~greatest;
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

// The range of the keys of so many rows, unless it is known.
inline cudaError_t measure_range(const KeyLookup &lookup, int64_t rows, cudaStream_t stream) {
  if (rows == 0 || lookup.is_known) return cudaSuccess;
  unsigned blocks = blocks_for(rows, kThreads);
  return launch(find_range, blocks < kRangeBlocks ? blocks : kRangeBlocks, kThreads, 0, stream, lookup, rows);
}

// A key that comes twice ends the work.
static __global__ void insert_keys(const __grid_constant__ KeyLookup lookup, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows || load_relaxed(lookup.unique) == 0 || !lookup.columns.takes_part(row)) return;
  KeySpan keys = lookup.key_span();
  uint64_t key = lookup.key(row);
  bool is_new;
  if (keys.direct) is_new = atomicCAS(&lookup.rows[key - keys.least], ~0u, static_cast<unsigned>(row)) == ~0u;
  else lookup.insert(key, row, keys, true, &is_new);
  if (!is_new) atomicExch(lookup.unique, 0u);
}

// Sets the bit of `match` unless it is all ones: by one lane for each match, so that a frequent one makes no queue of
// atomics. Every lane of the warp must call this.
__device__ __forceinline__ void mark_match(uint32_t *marks, unsigned match) {
  unsigned same = __match_any_sync(0xffffffffu, match);
  if (match == ~0u || __ffs(static_cast<int>(same)) - 1 != static_cast<int>(threadIdx.x % 32)) return;
  atomicOr(&marks[match / 32], 1u << (match % 32));
}

// What find_keys writes.
struct Matches {
  // The match of each row, all ones without one; with `ends` the range of right rows that match, from 0 to 0 without one.
  unsigned *rows;
  unsigned *ends;
  // The numbers of all rows, or a bit for each match; may be null.
  unsigned *all;
  uint32_t *marks;

  __device__ __forceinline__ void store(int64_t row, unsigned match) const {
    if (all != nullptr) all[row] = static_cast<unsigned>(row);
    if (ends == nullptr) {
      rows[row] = match;
    } else {
      rows[row] = match == ~0u ? 0 : match;
      ends[row] = match + 1;
    }
  }
};

// The first row of a thread in a tile, of which each warp has neighbouring rows.
__device__ __forceinline__ int64_t first_row_of(int64_t tile) {
  return tile * kLookupTile + threadIdx.x / 32 * (32 * kLookupItems) + threadIdx.x % 32;
}

static __global__ void __launch_bounds__(kThreads)
    find_keys(const __grid_constant__ KeyLookup lookup, const __grid_constant__ KeyColumns columns, Matches matches,
              int64_t rows) {
  // The rest is not read.
  if (*lookup.unique == 0) return;
  KeySpan keys = lookup.key_span();
  int64_t base = first_row_of(blockIdx.x);
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    int64_t row = base + 32 * k;
    unsigned match = ~0u;
    if (row < rows && columns.takes_part(row)) match = lookup.find(packed_key(columns, lookup.packing, row), keys);
    if (matches.marks != nullptr) mark_match(matches.marks, match);
    if (row < rows) matches.store(row, match);
  }
}

// How many rows of tiles have a match.
struct MatchCount {
  unsigned long long rows;

  static __device__ __forceinline__ MatchCount start() { return {0}; }
  static __device__ __forceinline__ MatchCount merge(MatchCount a, MatchCount b) { return {a.rows + b.rows}; }
};

// Writes the rows that have a match in order, and their matches; the last tile tells how many there are.
static __global__ void __launch_bounds__(kThreads)
    find_pairs(const __grid_constant__ KeyLookup lookup, const __grid_constant__ KeyColumns columns,
               LookBack<MatchCount> before, unsigned *left, unsigned *right, unsigned *total, int64_t rows) {
  SHARED(counts, MatchCount[kBlock]);
  SHARED(warp_counts, unsigned[kThreads / 32]);
  // The rest is not read.
  if (*lookup.unique == 0) return;
  KeySpan keys = lookup.key_span();
  int64_t tile = before.take();
  int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  int64_t base = first_row_of(tile);
  unsigned match[kLookupItems], kept[kLookupItems];
  unsigned count = 0;
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    int64_t row = base + 32 * k;
    match[k] = ~0u;
    if (row < rows && columns.takes_part(row)) match[k] = lookup.find(packed_key(columns, lookup.packing, row), keys);
  }
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    kept[k] = __ballot_sync(0xffffffffu, match[k] != ~0u);
    count += static_cast<unsigned>(__popc(kept[k]));
  }
  if (lane == 0) warp_counts[warp] = count;
  __syncthreads();
  unsigned before_warp = 0, of_tile = 0;
  for (int other = 0; other < kThreads / 32; other++) {
    if (other < warp) before_warp += warp_counts[other];
    of_tile += warp_counts[other];
  }
  uint64_t first = before.before(tile, MatchCount{of_tile}, counts).rows;
  if (threadIdx.x == 0 && tile + 1 == gridDim.x) *total = static_cast<unsigned>(first) + of_tile;
  uint64_t place = first + before_warp;
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    if (kept[k] >> lane & 1) {
      uint64_t at = place + static_cast<unsigned>(__popc(kept[k] & ((1u << lane) - 1)));
      left[at] = static_cast<unsigned>(base + 32 * k);
      right[at] = match[k];
    }
    place += static_cast<unsigned>(__popc(kept[k]));
  }
}

}  // namespace lookup_detail

}  // namespace CN_BUILD
