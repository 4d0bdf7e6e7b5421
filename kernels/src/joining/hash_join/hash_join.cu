// Hash join. Right keys without duplicates, of one word: a table of their rows, and left rows look up theirs
// (key_lookup.cuh). Semi and anti joins and membership of such keys need a bit a row (key_members.cuh). Otherwise a hash
// table of right rows; right rows sorted stably by slot, so that the rows of a key are contiguous and in row order; the
// number of matches of each left row, scanned; then blocks write the same number of pairs each, so that a key with many
// matches uses many threads. Semi and anti joins need only the table. A full join marks the slots that left rows found, and
// appends the right rows whose slots are not marked. Ranges are those of the sorted right rows. Deterministic: the slot of
// a key may vary, but the order of the result does not depend on it.
#include "hash_join.abi.h"
#include "key_members.cuh"
#include "key_ranges.cuh"
#include "operand.cuh"

namespace CN_BUILD {
namespace {

// The discriminants in cuda.rs.
enum Kind : int32_t { INNER, LEFT, SEMI, ANTI, FULL, RANGES, MEMBERS };

// The rows of a slot: [start, end) of the sorted right rows.
template <class Row>
struct Runs {
  Row *start;
  Row *end;
};

template <class Row>
__global__ void number_rows(Row *out, int64_t rows) {
  int64_t row = thread_index();
  if (row < rows) out[row] = static_cast<Row>(row);
}

// Slots beyond the last are excluded rows; they have no run.
template <class Row>
__global__ void mark_runs(const Row *slots, Runs<Row> runs, int64_t capacity, int64_t rows) {
  int64_t i = thread_index();
  if (i >= rows || slots[i] >= static_cast<Row>(capacity)) return;
  if (i == 0 || slots[i - 1] != slots[i]) runs.start[slots[i]] = static_cast<Row>(i);
  if (i + 1 == rows || slots[i + 1] != slots[i]) runs.end[slots[i]] = static_cast<Row>(i + 1);
}

// The number of pairs of each left row; one count more than rows, so that the last element of the scan is the
// total.
template <class Row>
__global__ void count_pairs(const Row *slots, Runs<Row> runs, int32_t kind, int64_t *counts, int64_t rows) {
  int64_t row = thread_index();
  if (row > rows) return;
  int64_t count = 0;
  if (row < rows) {
    Row slot = slots[row];
    bool found = slot != static_cast<Row>(-1);
    if (kind == SEMI) {
      count = found;
    } else if (kind == ANTI) {
      count = !found;
    } else if (found) {
      count = static_cast<int64_t>(runs.end[slot]) - static_cast<int64_t>(runs.start[slot]);
    } else {
      count = kind == LEFT || kind == FULL;
    }
  }
  counts[row] = count;
}

// Pairs of a block of write_pairs.
constexpr int kPairItems = 4;
constexpr int kPairs = kThreads * kPairItems;

struct Later {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a > b ? a : b; }
};

// A block writes neighbouring pairs after one search for its first left row: each row marks the place of its first pair,
// and a pair is of the last row marked at or before it. `before[row]`: the number of pairs before the row. `right` null:
// writes left rows only.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    write_pairs(const int64_t *before, const Row *slots, Runs<Row> runs, const Row *sorted, Row *left, Row *right,
                int64_t rows, int64_t pairs) {
  using Scan = cub::BlockScan<unsigned, kThreads>;
  SHARED(scan, typename Scan::TempStorage);
  SHARED(heads, unsigned[kPairs]);
  SHARED(first_row, int64_t);
  int64_t first = static_cast<int64_t>(blockIdx.x) * kPairs;
  int64_t end = first + kPairs < pairs ? first + kPairs : pairs;
  int thread = static_cast<int>(threadIdx.x);
  if (thread < 32) {
    // The last row with before[row] <= first: each lane tries one place.
    int64_t low = 0, high = rows;
    while (high - low > 1) {
      int64_t step = (high - low + 31) / 32, at = low + step * thread;
      unsigned reached = __ballot_sync(0xffffffffu, at < high && before[at] <= first);
      low += step * (31 - __clz(static_cast<int>(reached)));
      high = low + step < high ? low + step : high;
    }
    if (thread == 0) first_row = low;
  }
  for (int k = thread; k < kPairs; k += kThreads) heads[k] = 0;
  __syncthreads();
  int64_t low = first_row;
  for (int64_t row = low + 1 + thread; row < rows; row += kThreads) {
    int64_t start = before[row];
    if (start >= end) break;
    if (before[row + 1] > start) heads[start - first] = static_cast<unsigned>(row - low);
  }
  __syncthreads();
  unsigned rows_after[kPairItems];
#pragma unroll
  for (int k = 0; k < kPairItems; k++) rows_after[k] = heads[thread * kPairItems + k];
  Scan(scan).InclusiveScan(rows_after, rows_after, Later{});
#pragma unroll
  for (int k = 0; k < kPairItems; k++) heads[thread * kPairItems + k] = rows_after[k];
  __syncthreads();
  for (int64_t pair = first + thread; pair < end; pair += kThreads) {
    int64_t row = low + heads[pair - first];
    left[pair] = static_cast<Row>(row);
    if (right == nullptr) continue;
    Row slot = slots[row];
    right[pair] = slot == static_cast<Row>(-1)
                      ? static_cast<Row>(-1)
                      : sorted[static_cast<int64_t>(runs.start[slot]) + (pair - before[row])];
  }
}

// Whether each row has a slot, as bits.
template <class Row>
__global__ void bits_of_slots(const Row *slots, uint32_t *bits, int64_t rows) {
  int64_t row = thread_index();
  store_bit(bits, row, rows, row < rows && slots[row] != static_cast<Row>(-1));
}

// Marks the slots of left rows. All threads write the same value to a slot.
template <class Row>
__global__ void mark_found(const Row *slots, unsigned *found, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows || slots[row] == static_cast<Row>(-1)) return;
  atomicOr(&found[slots[row]], 1u);
}

// Whether each right row has no match, as 1 or 0; one count more than rows.
template <class Row>
__global__ void count_unmatched(const Row *slots, const unsigned *found, int64_t *counts, int64_t rows) {
  int64_t row = thread_index();
  if (row > rows) return;
  counts[row] = row < rows && (slots[row] == static_cast<Row>(-1) || found[slots[row]] == 0);
}

// Writes the right rows without a match behind the pairs.
template <class Row>
__global__ void write_unmatched(const int64_t *before, Row *left, Row *right, int64_t rows, int64_t pairs) {
  int64_t row = thread_index();
  if (row >= rows || before[row] == before[row + 1]) return;
  left[pairs + before[row]] = static_cast<Row>(-1);
  right[pairs + before[row]] = static_cast<Row>(row);
}

// The range of each left row; an empty one at 0 without a match.
template <class Row>
__global__ void write_ranges(const Row *slots, Runs<Row> runs, Row *starts, Row *ends, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  Row slot = slots[row];
  bool found = slot != static_cast<Row>(-1);
  starts[row] = found ? runs.start[slot] : 0;
  ends[row] = found ? runs.end[slot] : 0;
}

// Sorts the right rows by slot and finds the run of each slot.
template <class Row>
cudaError_t list_rows(const HashJoinArgs &args, const Row *slots, int64_t capacity, Runs<Row> *runs, Row **sorted,
                      cudaStream_t stream) {
  bool wanted = args.kind == RANGES;
  int64_t rows = args.right_rows;
  runs->start = args.alloc.scratch<Row>(capacity);
  runs->end = args.alloc.scratch<Row>(capacity);
  Row *numbers = args.alloc.scratch<Row>(rows);
  Row *sorted_slots = args.alloc.scratch<Row>(rows);
  *sorted = wanted ? args.alloc.output<Row>(2, rows) : args.alloc.scratch<Row>(rows);
  if (runs->start == nullptr || runs->end == nullptr || numbers == nullptr || sorted_slots == nullptr ||
      *sorted == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  if (rows == 0) return cudaSuccess;
  CN_TRY(launch(number_rows<Row>, blocks_for(rows, kThreads), kThreads, 0, stream, numbers, rows));
  // One bit more than a slot has: excluded rows are all ones and go last.
  int bits = 1;
  while ((int64_t{1} << (bits - 1)) < capacity) bits++;
  int high = bits < static_cast<int>(sizeof(Row)) * 8 ? bits : static_cast<int>(sizeof(Row)) * 8;
  CN_TRY(prim::sort_pairs(args.alloc, slots, sorted_slots, static_cast<const Row *>(numbers), *sorted, rows, 0, high,
                          stream));
  return launch(mark_runs<Row>, blocks_for(rows, kThreads), kThreads, 0, stream,
                static_cast<const Row *>(sorted_slots), *runs, capacity, rows);
}

// The number of right rows without a match before each right row.
template <class Row>
cudaError_t count_rest(const HashJoinArgs &args, const Row *left_slots, const Row *right_slots, int64_t capacity,
                       int64_t **before, cudaStream_t stream) {
  unsigned *found = args.alloc.scratch<unsigned>(capacity);
  *before = args.alloc.scratch<int64_t>(args.right_rows + 1);
  if (found == nullptr || *before == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(found, 0, static_cast<size_t>(capacity) * sizeof(unsigned), stream));
  if (args.left_rows > 0) {
    CN_TRY(launch(mark_found<Row>, blocks_for(args.left_rows, kThreads), kThreads, 0, stream, left_slots, found,
                  args.left_rows));
  }
  CN_TRY(launch(count_unmatched<Row>, blocks_for(args.right_rows + 1, kThreads), kThreads, 0, stream, right_slots,
                static_cast<const unsigned *>(found), *before, args.right_rows));
  return prim::exclusive_sum(args.alloc, *before, *before, args.right_rows + 1, stream);
}

template <class Row, class Keys>
cudaError_t join(const HashJoinArgs &args, Keys left_keys, const KeyColumns &left_columns, Keys right_keys,
                 const KeyColumns &right_columns, cudaStream_t stream) {
  RowTable<Row> table;
  CN_TRY(table.create(args.alloc, args.right_rows, stream));
  Row *left_slots = args.alloc.scratch<Row>(args.left_rows);
  Row *right_slots = args.alloc.scratch<Row>(args.right_rows);
  if (left_slots == nullptr || right_slots == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(table.insert(right_keys, right_columns, right_slots, args.right_rows, stream));
  CN_TRY(table.find(left_keys, left_columns, right_keys, left_slots, args.left_rows, stream));

  if (args.kind == MEMBERS) {
    uint32_t *bits = args.alloc.output<uint32_t>(0, words_for(args.left_rows));
    if (bits == nullptr) return cudaErrorMemoryAllocation;
    if (args.left_rows == 0) return cudaSuccess;
    return launch(bits_of_slots<Row>, blocks_for(args.left_rows, kThreads), kThreads, 0, stream,
                  static_cast<const Row *>(left_slots), bits, args.left_rows);
  }
  bool lists = args.kind != SEMI && args.kind != ANTI;
  Runs<Row> runs{};
  Row *sorted = nullptr;
  if (lists) CN_TRY(list_rows<Row>(args, right_slots, table.capacity, &runs, &sorted, stream));
  if (args.kind == RANGES) {
    Row *starts = args.alloc.output<Row>(0, args.left_rows);
    Row *ends = args.alloc.output<Row>(1, args.left_rows);
    if (starts == nullptr || ends == nullptr) return cudaErrorMemoryAllocation;
    if (args.left_rows == 0) return cudaSuccess;
    return launch(write_ranges<Row>, blocks_for(args.left_rows, kThreads), kThreads, 0, stream,
                  static_cast<const Row *>(left_slots), runs, starts, ends, args.left_rows);
  }
  int64_t *before = args.alloc.scratch<int64_t>(args.left_rows + 1);
  if (before == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(count_pairs<Row>, blocks_for(args.left_rows + 1, kThreads), kThreads, 0, stream,
                static_cast<const Row *>(left_slots), runs, args.kind, before, args.left_rows));
  CN_TRY(prim::exclusive_sum(args.alloc, before, before, args.left_rows + 1, stream));
  int64_t *right_before = nullptr;
  if (args.kind == FULL) CN_TRY(count_rest(args, left_slots, right_slots, table.capacity, &right_before, stream));
  int64_t pairs = 0;
  int64_t rest = 0;
  const int64_t *total = before + args.left_rows;
  if (args.kind == FULL) {
    CN_TRY(args.alloc.read_two(total, static_cast<const int64_t *>(right_before + args.right_rows), &pairs, &rest, stream));
  } else {
    CN_TRY(args.alloc.read(total, &pairs, 1, stream));
  }
  *args.pairs = pairs + rest;
  Row *left = args.alloc.output<Row>(0, pairs + rest);
  Row *right = lists ? args.alloc.output<Row>(1, pairs + rest) : nullptr;
  if (left == nullptr || (lists && right == nullptr)) return cudaErrorMemoryAllocation;
  if (rest > 0) {
    CN_TRY(launch(write_unmatched<Row>, blocks_for(args.right_rows, kThreads), kThreads, 0, stream,
                  static_cast<const int64_t *>(right_before), left, right, args.right_rows, pairs));
  }
  if (pairs == 0) return cudaSuccess;
  return launch(write_pairs<Row>, blocks_for(pairs, kPairs), kThreads, 0, stream,
                static_cast<const int64_t *>(before), static_cast<const Row *>(left_slots), runs,
                static_cast<const Row *>(sorted), left, right, args.left_rows, pairs);
}

// A semi or anti join, or the membership of left rows.
cudaError_t join_members(const HashJoinArgs &args, const KeyColumns &left_columns, const KeyColumns &right_columns,
                         const Packing &layout, cudaStream_t stream) {
  using namespace lookup_detail;
  int64_t rows = args.left_rows;
  unsigned tiles = blocks_for(rows, kLookupTile);
  bool lists = args.kind != MEMBERS;
  KeyLookup lookup{};
  CN_TRY(lookup.create(args.alloc, right_columns, layout, args.right_rows, false, stream));
  uint32_t *bits = lists ? args.alloc.scratch<uint32_t>(words_for(rows)) : args.alloc.output<uint32_t>(0, words_for(rows));
  // One count more than tiles, so that the last element of the scan is the total.
  unsigned *counts = lists ? args.alloc.scratch<unsigned>(int64_t{tiles} + 1) : nullptr;
  if (bits == nullptr || (lists && counts == nullptr)) return cudaErrorMemoryAllocation;
  unsigned blocks = blocks_for(args.right_rows, kThreads);
  if (args.right_rows > 0) {
    CN_TRY(launch(find_range, blocks < kRangeBlocks ? blocks : kRangeBlocks, kThreads, 0, stream, lookup, args.right_rows));
  }
  unsigned clearing = blocks_for(static_cast<int64_t>(lookup.mask) + 1, 4 * kThreads);
  CN_TRY(launch(clear_members, clearing, kThreads, 0, stream, lookup));
  if (args.right_rows > 0) CN_TRY(launch(insert_members, blocks, kThreads, 0, stream, lookup, args.right_rows));
  int32_t keep = args.kind == ANTI ? UNMATCHED : MATCHED;
  CN_TRY(launch(find_members, tiles, kThreads, 0, stream, lookup, left_columns, keep, bits, counts, rows));
  if (!lists) return cudaSuccess;
  CN_TRY(prim::exclusive_sum(args.alloc, counts, counts, int64_t{tiles} + 1, stream));
  unsigned kept = 0;
  CN_TRY(args.alloc.read(static_cast<const unsigned *>(counts + tiles), &kept, 1, stream));
  *args.pairs = static_cast<int64_t>(kept);
  unsigned *left = args.alloc.output<unsigned>(0, *args.pairs);
  if (left == nullptr) return cudaErrorMemoryAllocation;
  if (kept == 0) return cudaSuccess;
  return launch(write_members, tiles, kThreads, 0, stream, static_cast<const uint32_t *>(bits),
                static_cast<const unsigned *>(counts), left, rows);
}

// The inner or left join by a table of right rows. Sets `done` unless right keys have duplicates.
cudaError_t join_unique(const HashJoinArgs &args, const KeyColumns &left_columns, const KeyColumns &right_columns,
                        const Packing &layout, bool *done, cudaStream_t stream) {
  using namespace lookup_detail;
  int64_t rows = args.left_rows;
  bool keeps_all = args.kind == LEFT;
  KeyLookup lookup{};
  CN_TRY(lookup.create(args.alloc, right_columns, layout, args.right_rows, true, stream));
  unsigned tiles = blocks_for(rows, kLookupTile);
  // The matches of all rows are the right map of a left join. Unless keys are unique, the outputs are allocated again.
  unsigned *left = keeps_all ? args.alloc.output<unsigned>(0, rows) : nullptr;
  unsigned *matches = keeps_all ? args.alloc.output<unsigned>(1, rows) : args.alloc.scratch<unsigned>(rows);
  // One count more than tiles, so that the last element of the scan is the total.
  unsigned *counts = keeps_all ? nullptr : args.alloc.scratch<unsigned>(int64_t{tiles} + 1);
  if (matches == nullptr || (keeps_all ? left : counts) == nullptr) return cudaErrorMemoryAllocation;
  if (args.right_rows > 0) {
    unsigned blocks = blocks_for(args.right_rows, kThreads);
    CN_TRY(launch(find_range, blocks < kRangeBlocks ? blocks : kRangeBlocks, kThreads, 0, stream, lookup, args.right_rows));
    CN_TRY(launch(insert_keys, blocks, kThreads, 0, stream, lookup, args.right_rows));
  }
  CN_TRY(launch(find_keys, tiles, kThreads, 0, stream, lookup, left_columns, left, matches, counts, rows));
  const unsigned *is_unique = lookup.unique;
  unsigned kept = 0, unique = 1;
  if (keeps_all) {
    CN_TRY(args.alloc.read(is_unique, &unique, 1, stream));
  } else {
    CN_TRY(prim::exclusive_sum(args.alloc, counts, counts, int64_t{tiles} + 1, stream));
    CN_TRY(args.alloc.read_two(static_cast<const unsigned *>(counts + tiles), is_unique, &kept, &unique, stream));
  }
  *done = unique != 0;
  if (!*done) return cudaSuccess;
  *args.pairs = keeps_all ? rows : static_cast<int64_t>(kept);
  if (keeps_all) return cudaSuccess;
  left = args.alloc.output<unsigned>(0, *args.pairs);
  unsigned *right = args.alloc.output<unsigned>(1, *args.pairs);
  if (left == nullptr || right == nullptr) return cudaErrorMemoryAllocation;
  if (kept == 0) return cudaSuccess;
  return launch(keep_rows, tiles, kThreads, 0, stream, static_cast<const unsigned *>(matches),
                static_cast<const unsigned *>(counts), left, right, rows);
}

template <class Row>
cudaError_t join_packed_or_any(const HashJoinArgs &args, cudaStream_t stream) {
  bool drop_nulls = !args.nulls_equal;
  KeyColumns left = key_columns(args.left, args.column_count, drop_nulls);
  KeyColumns right = key_columns(args.right, args.column_count, drop_nulls);
  Packing layout = packing(args.left, args.right, args.column_count, args.nulls_equal);
  if (!layout.fits) {
    CN_TRY(pack_by_range(args.alloc, {&right, args.right_rows}, {&left, args.left_rows}, args.nulls_equal, nullptr, &layout,
                         stream));
  }
  if (!layout.fits) return join<Row>(args, AnyRows{left}, left, AnyRows{right}, right, stream);
  bool has_words = sizeof(Row) == sizeof(unsigned) && args.left_rows > 0;
  if (has_words && (args.kind == SEMI || args.kind == ANTI || args.kind == MEMBERS)) {
    return join_members(args, left, right, layout, stream);
  }
  if (has_words && args.kind <= LEFT) {
    bool done = false;
    CN_TRY(join_unique(args, left, right, layout, &done, stream));
    if (done) return cudaSuccess;
  }
  PackedRows packed_left{};
  PackedRows packed_right{};
  CN_TRY(pack(args.alloc, left, layout, args.left_rows, &packed_left, stream));
  CN_TRY(pack(args.alloc, right, layout, args.right_rows, &packed_right, stream));
  return join<Row>(args, packed_left, left, packed_right, right, stream);
}

}  // namespace

ENTRY(hash_join)(const HashJoinArgs *args, cudaStream_t stream) {
  if (args->column_count > kMaxKeys) return cudaErrorInvalidValue;
  return args->map_width == 4 ? join_packed_or_any<unsigned>(*args, stream)
                              : join_packed_or_any<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
