// Group ids: a hash table of row numbers whose slots end as the first row of each key. First rows are marked by a bit a
// row, which are counted by words of 32; the rank of a first row takes its place in the table, where the rows of its
// group find their id. Keys that fit in a word, by their types or by their ranges, are read where they are, and a block
// brings those of a tile of rows together in shared memory first: what it knows there, the table of all rows is asked
// once. If they are few bits, a key is its own slot. Others have a thread a row. Deterministic, because the minimum is.
#include "group_ids.abi.h"
#include "bits.cuh"
#include "key_ranges.cuh"

namespace CN_BUILD {
namespace {

// What a row has instead of a slot of its block.
constexpr uint16_t kOwnSlot = 0xfffe;
constexpr uint16_t kExcluded = 0xffff;
// Marks empty slots. A row whose key it is has a slot of its own.
constexpr unsigned long long kEmptyKey = 0x9d3c51e7a2b8406fu;

// Where each row finds its slot in the table of all rows.
template <class Row>
struct Slots {
  // Of tiles: the slot of each row in the table of its block. Null: all rows have their own.
  const uint16_t *codes;
  // The slots of those of each block, `of_block` of them.
  const Row *of_blocks;
  int32_t of_block;
  // The slots of rows that have their own; all ones for excluded rows where there are no codes.
  const Row *of_rows;
  int64_t tile;

  __device__ __forceinline__ Row at(int64_t row) const {
    if (codes == nullptr || codes[row] == kOwnSlot) return of_rows[row];
    if (codes[row] == kExcluded) return static_cast<Row>(-1);
    return of_blocks[row / tile * of_block + codes[row]];
  }
};

// Keys that fit in a word, packed as they are read, and the table of all rows.
template <class Row>
struct WordTable {
  // Rows of a thread at a time. Of wide row numbers more would spill registers.
  static constexpr int kBatch = sizeof(Row) == 4 ? TilePolicy::kBatch : TilePolicy::kBatch / 2;

  KeyColumns columns;
  Packing packing;
  Row *rows;
  uint64_t mask;
  // Whether a key is its own slot.
  bool direct;

  __device__ __forceinline__ uint64_t key(int64_t row) const { return packed_key(columns, packing, row); }
  static __device__ __forceinline__ uint64_t hash(uint64_t key) { return mix_word(mix_word(0, key), 0); }

  // The slots of the keys of some rows of this thread, those with a bit in `wanted`; see insert_rows of rows.cuh. Every lane
  // of the warp must call this: its lanes take each step together, with the loads of all rows in flight.
  __device__ __forceinline__ void insert(const uint64_t (&keys)[kBatch], const Row (&mine)[kBatch], unsigned wanted,
                                         Row (&slots)[kBatch]) const {
#pragma unroll
    for (int k = 0; k < kBatch; k++) slots[k] = static_cast<Row>(direct ? keys[k] : hash(keys[k]) & mask);
    while (__any_sync(0xffffffffu, wanted != 0)) {
      Row found[kBatch];
#pragma unroll
      for (int k = 0; k < kBatch; k++) {
        if (wanted >> k & 1) found[k] = load_relaxed(&rows[slots[k]]);
      }
      if (direct) {
#pragma unroll
        for (int k = 0; k < kBatch; k++) {
          // An empty slot is greater than all rows.
          if ((wanted >> k & 1) != 0 && mine[k] < found[k]) atomicMin(&rows[slots[k]], mine[k]);
        }
        return;
      }
#pragma unroll
      for (int k = 0; k < kBatch; k++) {
        if ((wanted >> k & 1) == 0 || found[k] != static_cast<Row>(-1)) continue;
        found[k] = atomicCAS(&rows[slots[k]], static_cast<Row>(-1), mine[k]);
        if (found[k] == static_cast<Row>(-1)) wanted &= ~(1u << k);
      }
      uint64_t others[kBatch];
#pragma unroll
      for (int k = 0; k < kBatch; k++) {
        if (wanted >> k & 1) others[k] = key(static_cast<int64_t>(found[k]));
      }
#pragma unroll
      for (int k = 0; k < kBatch; k++) {
        if ((wanted >> k & 1) == 0) continue;
        if (others[k] != keys[k]) {
          slots[k] = static_cast<Row>((slots[k] + 1) & mask);
          continue;
        }
        if (mine[k] < found[k]) atomicMin(&rows[slots[k]], mine[k]);
        wanted &= ~(1u << k);
      }
    }
  }
};

// The table of a block: keys, and the first row of each in the tile.
struct BlockTable {
  unsigned long long keys[TilePolicy::kSlots];
  unsigned first[TilePolicy::kSlots];
  unsigned count;

  // The slot of a key, among `slots` of them; kOwnSlot if there are too many keys. Every lane of the warp must call this: its
  // lanes take each step together. `searches`: false for kExcluded.
  __device__ __forceinline__ uint16_t insert(unsigned long long key, uint64_t hash, unsigned row, unsigned slots, bool searches) {
    uint16_t code = searches ? kOwnSlot : kExcluded;
    searches = searches && key != kEmptyKey;
    // Other bits than the table of all rows uses first.
    unsigned at = static_cast<unsigned>(hash >> 40) & (slots - 1);
    for (int probe = 0; probe < TilePolicy::kProbes && __any_sync(0xffffffffu, searches); probe++) {
      if (!searches) continue;
      unsigned long long found = load_relaxed(&keys[at]);
      if (found == kEmptyKey) {
        searches = load_relaxed(&count) < slots / 2;
        if (!searches) continue;
        found = atomicCAS(&keys[at], kEmptyKey, key);
        if (found == kEmptyKey) atomicAdd(&count, 1u);
      }
      if (found == kEmptyKey || found == key) {
        if (row < load_relaxed(&first[at])) atomicMin(&first[at], row);
        code = static_cast<uint16_t>(at);
        searches = false;
      }
      at = (at + 1) & (slots - 1);
    }
    return code;
  }
};

template <class Row>
__global__ void __launch_bounds__(TilePolicy::kThreads, TilePolicy::kBlocks)
    insert_tiles(const __grid_constant__ WordTable<Row> table, int64_t tile, int32_t slots, uint16_t *codes, Row *of_blocks,
                 Row *of_rows, int64_t rows) {
  constexpr int kStep = TilePolicy::kThreads;
  constexpr int kBatch = WordTable<Row>::kBatch;
  SHARED(block, BlockTable);
  int thread = static_cast<int>(threadIdx.x);
  for (int slot = thread; slot < slots; slot += kStep) {
    block.keys[slot] = kEmptyKey;
    block.first[slot] = ~0u;
  }
  if (thread == 0) block.count = 0;
  __syncthreads();
  int64_t base = static_cast<int64_t>(blockIdx.x) * tile;
  int64_t end = base + tile < rows ? base + tile : rows;
  for (int64_t first = base; first < end; first += kBatch * kStep) {
    uint64_t keys[kBatch];
    Row mine[kBatch], at[kBatch];
    uint16_t code[kBatch];
    unsigned own = 0;
#pragma unroll
    for (int k = 0; k < kBatch; k++) {
      int64_t row = first + thread + k * kStep;
      keys[k] = row < end ? table.key(row) : 0;
      mine[k] = static_cast<Row>(row);
    }
#pragma unroll
    for (int k = 0; k < kBatch; k++) {
      int64_t row = first + thread + k * kStep;
      bool takes_part = row < end && table.columns.takes_part(row);
      code[k] = block.insert(keys[k], table.hash(keys[k]), static_cast<unsigned>(row - base), static_cast<unsigned>(slots), takes_part);
      if (code[k] == kOwnSlot) own |= 1u << k;
    }
    table.insert(keys, mine, own, at);
#pragma unroll
    for (int k = 0; k < kBatch; k++) {
      int64_t row = first + thread + k * kStep;
      if (row >= end) break;
      codes[row] = code[k];
      if (own >> k & 1) of_rows[row] = at[k];
    }
  }
  __syncthreads();
  for (int first = 0; first < slots; first += kBatch * kStep) {
    uint64_t keys[kBatch];
    Row mine[kBatch], at[kBatch];
    unsigned taken = 0;
#pragma unroll
    for (int k = 0; k < kBatch; k++) {
      int slot = first + thread + k * kStep;
      keys[k] = slot < slots ? block.keys[slot] : kEmptyKey;
      mine[k] = static_cast<Row>(base + (slot < slots ? block.first[slot] : 0));
      if (keys[k] != kEmptyKey) taken |= 1u << k;
    }
    table.insert(keys, mine, taken, at);
#pragma unroll
    for (int k = 0; k < kBatch; k++) {
      int slot = first + thread + k * kStep;
      if (slot < slots) {
        of_blocks[static_cast<int64_t>(blockIdx.x) * slots + slot] = (taken >> k & 1) != 0 ? at[k] : static_cast<Row>(-1);
      }
    }
  }
}

// Sets the bit of the row of each slot.
template <class Row>
__global__ void mark_first_rows(const Row *table, uint32_t *marks, int64_t capacity) {
  int64_t slot = thread_index();
  if (slot >= capacity) return;
  Row row = table[slot];
  if (row != static_cast<Row>(-1)) atomicOr(&marks[row / 32], 1u << (row % 32));
}

// The marks of each word; one count more than words, so that the last element of the scan is the total.
template <class Row>
__global__ void count_marks(const uint32_t *marks, Row *counts, int64_t words) {
  int64_t word = thread_index();
  if (word <= words) counts[word] = word < words ? static_cast<Row>(__popc(marks[word])) : 0;
}

// Lists the first rows, and puts their ranks in their places in the table.
template <class Row>
__global__ void list_first_rows(const uint32_t *marks, const Row *before, Slots<Row> slots, Row *table, Row *first_rows,
                                int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  uint32_t word = marks[row / 32], bit = 1u << (row % 32);
  if ((word & bit) == 0) return;
  Row rank = before[row / 32] + static_cast<Row>(__popc(word & (bit - 1)));
  first_rows[rank] = static_cast<Row>(row);
  table[slots.at(row)] = rank;
}

template <class Row>
__global__ void write_ids(const Row *table, const Row *slots, uint32_t *ids, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  Row slot = slots[row];
  ids[row] = slot == static_cast<Row>(-1) ? UINT32_MAX : static_cast<uint32_t>(table[slot]);
}

template <class Row>
__global__ void write_ids_of_tiles(const Row *table, Slots<Row> slots, uint32_t *ids, int64_t rows) {
  constexpr int kStep = TilePolicy::kThreads;
  SHARED(of_slots, uint32_t[TilePolicy::kSlots]);
  for (int slot = static_cast<int>(threadIdx.x); slot < slots.of_block; slot += kStep) {
    Row at = slots.of_blocks[static_cast<int64_t>(blockIdx.x) * slots.of_block + slot];
    of_slots[slot] = at == static_cast<Row>(-1) ? UINT32_MAX : static_cast<uint32_t>(table[at]);
  }
  __syncthreads();
  int64_t base = static_cast<int64_t>(blockIdx.x) * slots.tile;
  int64_t end = base + slots.tile < rows ? base + slots.tile : rows;
  for (int64_t row = base + threadIdx.x; row < end; row += kStep) {
    uint16_t code = slots.codes[row];
    ids[row] = code == kExcluded  ? UINT32_MAX
               : code == kOwnSlot ? static_cast<uint32_t>(table[slots.of_rows[row]])
                                  : of_slots[code];
  }
}

// Fills the table with the first row of each key.
template <class Row>
cudaError_t insert_words(const GroupIdsArgs &args, const RowTable<Row> &table, const KeyColumns &columns,
                         const Packing &layout, Row *of_rows, Slots<Row> *slots, cudaStream_t stream) {
  slots->of_block = args.tile_slots;
  slots->tile = small_limits(args.alloc) ? TilePolicy::kSmallRows : args.tile_rows;
  unsigned tiles = blocks_for(args.rows, slots->tile);
  uint16_t *codes = args.alloc.scratch<uint16_t>(args.rows);
  Row *of_blocks = args.alloc.scratch<Row>(static_cast<int64_t>(tiles) * slots->of_block);
  if (codes == nullptr || of_blocks == nullptr) return cudaErrorMemoryAllocation;
  slots->codes = codes;
  slots->of_blocks = of_blocks;
  if (tiles == 0) return cudaSuccess;
  WordTable<Row> words{columns, layout, table.rows, static_cast<uint64_t>(table.capacity - 1),
                       keys_are_slots(layout, args.rows)};
  return launch(insert_tiles<Row>, tiles, TilePolicy::kThreads, 0, stream, words, slots->tile, slots->of_block,
                codes, of_blocks, of_rows, args.rows);
}

template <class Row>
cudaError_t number_rows(const GroupIdsArgs &args, cudaStream_t stream) {
  int64_t rows = args.rows, words = words_for(rows);
  KeyColumns columns = key_columns(args.columns, args.column_count, !args.null_keys);
  Packing layout = packing(args.columns, nullptr, args.column_count, args.null_keys);
  if (!layout.fits) {
    CN_TRY(pack_by_range(args.alloc, {&columns, rows}, {}, args.null_keys, args.measured, &layout, stream));
  }
  RowTable<Row> table;
  if (layout.fits && keys_are_slots(layout, rows)) {
    CN_TRY(table.create_slots(args.alloc, int64_t{1} << layout.bits, stream));
  } else {
    CN_TRY(table.create(args.alloc, rows, stream));
  }
  Row *of_rows = args.alloc.scratch<Row>(rows);
  uint32_t *ids = args.alloc.output<uint32_t>(0, rows);
  uint32_t *marks = args.alloc.scratch<uint32_t>(words);
  Row *counts = args.alloc.scratch<Row>(words + 1);
  if (of_rows == nullptr || ids == nullptr || marks == nullptr || counts == nullptr) return cudaErrorMemoryAllocation;
  Slots<Row> slots{nullptr, nullptr, 0, of_rows, 0};
  if (layout.fits) {
    CN_TRY(insert_words(args, table, columns, layout, of_rows, &slots, stream));
  } else {
    CN_TRY(table.insert(AnyRows{columns}, columns, of_rows, rows, stream));
  }
  if (rows > 0) {
    CN_TRY(cudaMemsetAsync(marks, 0, static_cast<size_t>(words) * sizeof(uint32_t), stream));
    CN_TRY(launch(mark_first_rows<Row>, blocks_for(table.capacity, kThreads), kThreads, 0, stream,
                  static_cast<const Row *>(table.rows), marks, table.capacity));
  }
  CN_TRY(launch(count_marks<Row>, blocks_for(words + 1, kThreads), kThreads, 0, stream,
                static_cast<const uint32_t *>(marks), counts, words));
  CN_TRY(prim::exclusive_sum(args.alloc, counts, counts, words + 1, stream));
  Row groups = 0;
  CN_TRY(args.alloc.read(static_cast<const Row *>(counts + words), &groups, 1, stream));
  *args.groups = static_cast<int64_t>(groups);
  Row *first_rows = args.alloc.output<Row>(1, static_cast<int64_t>(groups));
  if (first_rows == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  unsigned blocks = blocks_for(rows, kThreads);
  CN_TRY(launch(list_first_rows<Row>, blocks, kThreads, 0, stream, static_cast<const uint32_t *>(marks),
                static_cast<const Row *>(counts), slots, table.rows, first_rows, rows));
  if (slots.codes != nullptr) {
    return launch(write_ids_of_tiles<Row>, blocks_for(rows, slots.tile), TilePolicy::kThreads, 0, stream,
                  static_cast<const Row *>(table.rows), slots, ids, rows);
  }
  return launch(write_ids<Row>, blocks, kThreads, 0, stream, static_cast<const Row *>(table.rows),
                static_cast<const Row *>(of_rows), ids, rows);
}

}  // namespace

ENTRY(group_ids)(const GroupIdsArgs *args, cudaStream_t stream) {
  if (args->column_count > kMaxKeys) return cudaErrorInvalidValue;
  return args->map_width == 4 ? number_rows<unsigned>(*args, stream) : number_rows<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
