// Which rows of a side have a key of another one, for keys of one word, as a bit a row.
//   clear_members   empties what the range of the keys asks for
//   insert_members  bits over the range of the keys if it is small, else rows into the table of key_lookup.cuh
//   find_members    a bit for each row of the side that is kept, and their number in each tile
//   find_unmarked   the same for rows that no row of another side has marked
//   write_members   the kept rows, side by side
#pragma once
#include "bits.cuh"
#include "key_lookup.cuh"

namespace CN_BUILD {
namespace lookup_detail {

// The bit of a key, by its difference to the least one.
__device__ __forceinline__ bool has_bit(const KeyLookup &lookup, uint64_t at) {
  return at < lookup.slots && (lookup.rows[at / 32] >> (at % 32) & 1) != 0;
}

static __global__ void clear_members(const __grid_constant__ KeyLookup lookup) {
  bool direct = lookup.key_span().direct;
  uint64_t words = direct ? lookup.slots / 32 + 1 : lookup.capacity;
  uint64_t step = static_cast<uint64_t>(gridDim.x) * blockDim.x;
  for (uint64_t word = static_cast<uint64_t>(thread_index()); word < words; word += step) {
    if (direct) lookup.rows[word] = 0;
    else lookup.entries[word] = KeyLookup::kNone;
  }
}

static __global__ void insert_members(const __grid_constant__ KeyLookup lookup, int64_t rows) {
  int64_t row = thread_index();
  bool is_key = row < rows && lookup.columns.takes_part(row);
  KeySpan keys = lookup.key_span();
  unsigned long long key = is_key ? lookup.key(row) : 0;
  // One lane for each key, so that a frequent one makes no queue of atomics.
  unsigned with_key = __ballot_sync(0xffffffffu, is_key);
  unsigned same = __match_any_sync(0xffffffffu, key) & with_key;
  if (!is_key || __ffs(static_cast<int>(same)) - 1 != static_cast<int>(threadIdx.x % 32)) return;
  if (keys.direct) {
    uint64_t at = key - keys.least;
    atomicOr(&lookup.rows[at / 32], 1u << (at % 32));
    return;
  }
  bool is_new;
  lookup.insert(key, row, keys, false, &is_new);
}

// Which rows are kept.
enum Keep : int32_t { MATCHED, UNMATCHED };

// `keep`: MATCHED or UNMATCHED. `counts` has one element more than tiles; null: no counts.
static __global__ void __launch_bounds__(kThreads)
    find_members(const __grid_constant__ KeyLookup lookup, const __grid_constant__ KeyColumns columns, int32_t keep,
                 uint32_t *bits, unsigned *counts, int64_t rows) {
  SHARED(count, unsigned);
  if (threadIdx.x == 0) count = 0;
  if (counts != nullptr && blockIdx.x == 0 && threadIdx.x == 0) counts[gridDim.x] = 0;
  __syncthreads();
  KeySpan keys = lookup.key_span();
  int lane = static_cast<int>(threadIdx.x % 32);
  int64_t base = static_cast<int64_t>(blockIdx.x) * kLookupTile + threadIdx.x / 32 * (32 * kLookupItems) + lane;
  unsigned kept = 0;
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    int64_t row = base + 32 * k;
    bool found = false;
    if (row < rows && columns.takes_part(row)) {
      uint64_t key = packed_key(columns, lookup.packing, row);
      found = keys.direct ? has_bit(lookup, key - keys.least) : lookup.find(key, keys) != ~0u;
    }
    uint32_t word = __ballot_sync(0xffffffffu, row < rows && found == (keep == MATCHED));
    if (lane == 0 && row < rows) bits[row / 32] = word;
    kept += static_cast<unsigned>(__popc(word));
  }
  if (counts == nullptr) return;
  if (lane == 0) atomicAdd(&count, kept);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// A bit for each row whose slot is not marked, and the number of such rows in each tile. `slots`: of each row, all ones for
// none; null where rows are marked themselves.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    find_unmarked(const uint32_t *marks, const Row *slots, uint32_t *bits, Row *counts, int64_t rows) {
  SHARED(count, unsigned);
  if (threadIdx.x == 0) count = 0;
  if (blockIdx.x == 0 && threadIdx.x == 0) counts[gridDim.x] = 0;
  __syncthreads();
  int lane = static_cast<int>(threadIdx.x % 32);
  int64_t base = static_cast<int64_t>(blockIdx.x) * kLookupTile + threadIdx.x / 32 * (32 * kLookupItems) + lane;
  unsigned kept = 0;
#pragma unroll
  for (int k = 0; k < kLookupItems; k++) {
    int64_t row = base + 32 * k;
    bool unmarked = row < rows;
    if (unmarked) {
      Row slot = slots == nullptr ? static_cast<Row>(row) : slots[row];
      if (slot != static_cast<Row>(-1)) unmarked = (marks[slot / 32] >> (slot % 32) & 1) == 0;
    }
    uint32_t word = __ballot_sync(0xffffffffu, unmarked);
    if (lane == 0 && row < rows) bits[row / 32] = word;
    kept += static_cast<unsigned>(__popc(word));
  }
  if (lane == 0) atomicAdd(&count, kept);
  __syncthreads();
  if (threadIdx.x == 0) counts[blockIdx.x] = count;
}

// `before`: kept rows before each tile.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    write_members(const uint32_t *bits, const Row *before, Row *out, int64_t rows) {
  constexpr int kWords = kLookupTile / 32;
  static_assert(kWords == 32, "a lane a word");
  SHARED(words, uint32_t[kWords]);
  SHARED(before_words, Row[kWords]);
  int64_t first = static_cast<int64_t>(blockIdx.x) * kLookupTile;
  if (threadIdx.x < kWords) {
    int lane = static_cast<int>(threadIdx.x);
    uint32_t word = first + 32 * lane < rows ? bits[first / 32 + lane] : 0;
    unsigned mine = static_cast<unsigned>(__popc(word)), upto = mine;
    for (int step = 1; step < 32; step *= 2) {
      unsigned other = __shfl_up_sync(0xffffffffu, upto, step);
      if (lane >= step) upto += other;
    }
    words[lane] = word;
    before_words[lane] = before[blockIdx.x] + static_cast<Row>(upto - mine);
  }
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < kLookupTile; at += kThreads) {
    uint32_t word = words[at / 32];
    if ((word >> (at % 32) & 1) == 0) continue;
    out[before_words[at / 32] + static_cast<Row>(__popc(word & ((1u << (at % 32)) - 1)))] = static_cast<Row>(first + at);
  }
}

}  // namespace lookup_detail
}  // namespace CN_BUILD
