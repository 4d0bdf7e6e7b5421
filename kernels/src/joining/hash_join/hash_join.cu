// Hash join. Right keys without duplicates, of one word: a table of their rows, and left rows look up theirs
// (key_lookup.cuh). Semi and anti joins and membership of such keys need a bit a row (key_members.cuh). Otherwise right rows
// are sorted stably by the slot of their key, so that the rows of a key are a run, in row order (key_lists.cuh; slots of keys
// of several words are those of a hash table of rows); the lengths of the runs of left rows are scanned; then blocks write
// the same number of pairs each, so that a key with many matches uses many threads. Semi and anti joins need only the table.
// A full join marks what left rows found, and appends the right rows that are not marked. Ranges are the runs. Deterministic:
// the slot of a key may vary, but the order of the result does not depend on it.
#include "hash_join.abi.h"
#include "key_lists.cuh"
#include "key_members.cuh"
#include "key_ranges.cuh"
#include "operand.cuh"
#include "runs.cuh"

namespace CN_BUILD {
namespace {

// The discriminants in cuda.rs.
enum Kind : int32_t { INNER, LEFT, SEMI, ANTI, FULL, RANGES, MEMBERS, UNIQUE };

template <class Row>
__global__ void number_rows(Row *out, int64_t rows) {
  int64_t row = thread_index();
  if (row < rows) out[row] = static_cast<Row>(row);
}

// The runs of left rows by their slots.
template <class Row>
__global__ void runs_of_slots(const Row *slots, const RowRun<Row> *runs, Finding<Row> finding, int64_t rows) {
  int64_t row = thread_index();
  Row slot = row < rows ? slots[row] : static_cast<Row>(-1);
  finding.store(row, rows, slot == static_cast<Row>(-1) ? ~uint64_t{0} : static_cast<uint64_t>(slot), runs);
}

// One row for each left row that a semi or anti join keeps.
template <class Row>
__global__ void kept_rows(const Row *slots, bool is_anti, RowRun<Row> *found, int64_t rows) {
  int64_t row = thread_index();
  if (row < rows) found[row] = RowRun<Row>::none((slots[row] == static_cast<Row>(-1)) == is_anti);
}

// The pairs of each left row; one count more than rows, so that the last element of the scan is the total.
template <class Row>
struct PairCounts {
  const RowRun<Row> *found;
  int64_t rows;

  __device__ __forceinline__ int64_t operator()(int64_t row) const {
    return row < rows ? static_cast<int64_t>(found[row].count()) : 0;
  }
};

// A block writes neighbouring pairs: they are in runs, of which each left row has one. `before[row]`: the number of pairs
// before the row. `right` null: writes left rows only.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    write_pairs(const int64_t *before, const RowRun<Row> *found, const Row *sorted, Row *left, Row *right, int64_t rows,
                int64_t pairs) {
  SHARED(tile, RunsOfTile);
  int64_t first = static_cast<int64_t>(blockIdx.x) * kRunTile;
  int64_t end = first + kRunTile < pairs ? first + kRunTile : pairs;
  int64_t low = find_tile_runs(tile, before, rows, first, end);
  for (int64_t pair = first + threadIdx.x; pair < end; pair += kThreads) {
    int64_t row = low + tile.runs[pair - first];
    left[pair] = static_cast<Row>(row);
    if (right == nullptr) continue;
    RowRun<Row> run = found[row];
    right[pair] = run.is_none() ? static_cast<Row>(-1) : sorted[static_cast<int64_t>(run.start) + (pair - before[row])];
  }
}

// Whether each row has a slot, as bits.
template <class Row>
__global__ void bits_of_slots(const Row *slots, uint32_t *bits, int64_t rows) {
  int64_t row = thread_index();
  store_bit(bits, row, rows, row < rows && slots[row] != static_cast<Row>(-1));
}

// The pairs of a full join whose right keys have no duplicates, but for the right rows without a match.
__global__ void pair_all(const unsigned *matches, unsigned *left, unsigned *right, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  left[row] = static_cast<unsigned>(row);
  right[row] = matches[row];
}

// The right rows that no left row has marked.
template <class Row>
struct Rest {
  uint32_t *bits;
  // Before each tile, and at the end all.
  Row *before;

  int64_t tiles(const HashJoinArgs &args) const { return blocks_for(args.right_rows, kLookupTile); }
  const Row *total(const HashJoinArgs &args) const { return before + tiles(args); }

  cudaError_t count(const HashJoinArgs &args, const uint32_t *marks, const Row *slots, cudaStream_t stream) {
    using namespace lookup_detail;
    bits = args.alloc.scratch<uint32_t>(words_for(args.right_rows));
    before = args.alloc.scratch<Row>(tiles(args) + 1);
    if (bits == nullptr || before == nullptr) return cudaErrorMemoryAllocation;
    if (args.right_rows == 0) return cudaMemsetAsync(before, 0, sizeof(Row), stream);
    CN_TRY(launch(find_unmarked<Row>, static_cast<unsigned>(tiles(args)), kThreads, 0, stream, marks, slots, bits, before,
                  args.right_rows));
    return prim::exclusive_sum(args.alloc, before, before, tiles(args) + 1, stream);
  }

  // Behind `pairs` pairs.
  cudaError_t write(const HashJoinArgs &args, int64_t rest, Row *left, Row *right, int64_t pairs, cudaStream_t stream) const {
    using namespace lookup_detail;
    if (rest == 0) return cudaSuccess;
    CN_TRY(cudaMemsetAsync(left + pairs, 0xff, static_cast<size_t>(rest) * sizeof(Row), stream));
    return launch(write_members<Row>, static_cast<unsigned>(tiles(args)), kThreads, 0, stream,
                  static_cast<const uint32_t *>(bits), static_cast<const Row *>(before), right + pairs, args.right_rows);
  }
};

// Where left rows find their runs: in memory of the call, or in the outputs of ranges. False without memory.
template <class Row>
bool create_finding(const HashJoinArgs &args, int64_t slots, Finding<Row> *finding) {
  *finding = Finding<Row>{};
  finding->keeps = args.kind == LEFT || args.kind == FULL;
  if (args.kind == FULL) finding->marks = args.alloc.scratch<uint32_t>(words_for(slots));
  if (args.kind != RANGES) {
    finding->found = args.alloc.scratch<RowRun<Row>>(args.left_rows);
    return finding->found != nullptr && (args.kind != FULL || finding->marks != nullptr);
  }
  finding->starts = args.alloc.output<Row>(0, args.left_rows);
  finding->ends = args.alloc.output<Row>(1, args.left_rows);
  return finding->starts != nullptr && finding->ends != nullptr;
}

// The sorted right rows, which are an output of ranges.
template <class Row>
Row *memory_of_sorted(const HashJoinArgs &args) {
  return args.kind == RANGES ? args.alloc.output<Row>(2, args.right_rows) : args.alloc.scratch<Row>(args.right_rows);
}

// The pairs of the runs, and of a full join the right rows without a match. `sorted` null: left rows only.
template <class Row>
cudaError_t write_found(const HashJoinArgs &args, const Finding<Row> &finding, const Row *right_slots, const Row *sorted,
                        cudaStream_t stream) {
  const RowRun<Row> *found = finding.found;
  int64_t *before = args.alloc.scratch<int64_t>(args.left_rows + 1);
  if (before == nullptr) return cudaErrorMemoryAllocation;
  prim::Computed<int64_t, PairCounts<Row>> counts{{found, args.left_rows}, 0};
  CN_TRY(prim::exclusive_sum(args.alloc, counts, before, args.left_rows + 1, stream));
  const int64_t *total = before + args.left_rows;
  int64_t pairs = 0;
  Row unmatched = 0;
  Rest<Row> rest{};
  if (args.kind == FULL) {
    CN_TRY(rest.count(args, finding.marks, right_slots, stream));
    CN_TRY(args.alloc.read_two(total, &pairs, 1, rest.total(args), &unmatched, stream));
  } else {
    CN_TRY(args.alloc.read(total, &pairs, 1, stream));
  }
  int64_t after = static_cast<int64_t>(unmatched);
  *args.pairs = pairs + after;
  Row *left = args.alloc.output<Row>(0, pairs + after);
  Row *right = sorted != nullptr ? args.alloc.output<Row>(1, pairs + after) : nullptr;
  if (left == nullptr || (sorted != nullptr && right == nullptr)) return cudaErrorMemoryAllocation;
  if (args.kind == FULL) CN_TRY(rest.write(args, after, left, right, pairs, stream));
  if (pairs == 0) return cudaSuccess;
  return launch(write_pairs<Row>, blocks_for(pairs, kRunTile), kThreads, 0, stream, static_cast<const int64_t *>(before),
                found, sorted, left, right, args.left_rows, pairs);
}

// Keys of several words, and sides of many rows: slots of a hash table of right rows.
template <class Row, class Keys>
cudaError_t join(const HashJoinArgs &args, Keys left_keys, const KeyColumns &left_columns, Keys right_keys,
                 const KeyColumns &right_columns, cudaStream_t stream) {
  RowTable<Row> table;
  CN_TRY(table.create(args.alloc, args.right_rows, stream));
  KeyLists<Row> lists{};
  Row *left_slots = args.alloc.scratch<Row>(args.left_rows);
  bool has_pairs = args.kind != SEMI && args.kind != ANTI && args.kind != MEMBERS;
  if (left_slots == nullptr || !lists.create(args.alloc, table.capacity, args.right_rows, has_pairs)) {
    return cudaErrorMemoryAllocation;
  }
  CN_TRY(table.insert(right_keys, right_columns, lists.slots, args.right_rows, stream));
  CN_TRY(table.find(left_keys, left_columns, right_keys, left_slots, args.left_rows, stream));

  unsigned blocks = blocks_for(args.left_rows, kThreads);
  if (args.kind == MEMBERS) {
    uint32_t *bits = args.alloc.output<uint32_t>(0, words_for(args.left_rows));
    if (bits == nullptr) return cudaErrorMemoryAllocation;
    if (args.left_rows == 0) return cudaSuccess;
    return launch(bits_of_slots<Row>, blocks, kThreads, 0, stream, static_cast<const Row *>(left_slots), bits,
                  args.left_rows);
  }
  Finding<Row> finding{};
  if (!create_finding(args, table.capacity, &finding)) return cudaErrorMemoryAllocation;
  if (!has_pairs) {
    if (args.left_rows > 0) {
      CN_TRY(launch(kept_rows<Row>, blocks, kThreads, 0, stream, static_cast<const Row *>(left_slots), args.kind == ANTI,
                    finding.found, args.left_rows));
    }
    return write_found<Row>(args, finding, nullptr, nullptr, stream);
  }
  lists.sorted = memory_of_sorted<Row>(args);
  Row *numbers = args.alloc.scratch<Row>(args.right_rows);
  if (lists.sorted == nullptr || numbers == nullptr) return cudaErrorMemoryAllocation;
  if (args.right_rows > 0) {
    CN_TRY(launch(number_rows<Row>, blocks_for(args.right_rows, kThreads), kThreads, 0, stream, numbers, args.right_rows));
    int bits = slot_bits(static_cast<uint64_t>(table.capacity) - 1, true);
    CN_TRY(lists.sort(args.alloc, numbers, bits, args.right_rows, stream));
  }
  if (finding.marks != nullptr) {
    CN_TRY(cudaMemsetAsync(finding.marks, 0, static_cast<size_t>(words_for(table.capacity)) * 4, stream));
  }
  if (args.left_rows > 0) {
    CN_TRY(launch(runs_of_slots<Row>, blocks, kThreads, 0, stream, static_cast<const Row *>(left_slots),
                  static_cast<const RowRun<Row> *>(lists.runs), finding, args.left_rows));
  }
  if (args.kind == RANGES) return cudaSuccess;
  return write_found(args, finding, static_cast<const Row *>(lists.slots), static_cast<const Row *>(lists.sorted), stream);
}

// Keys of one word with duplicates. `range`: that of the keys, on the host.
cudaError_t join_lists(const HashJoinArgs &args, const KeyColumns &left_columns, const KeyLookup &lookup,
                       const uint64_t *range, cudaStream_t stream) {
  using namespace lists_detail;
  KeyLists<unsigned> lists{};
  lists.sorted = memory_of_sorted<unsigned>(args);
  Finding<unsigned> finding{};
  int64_t slots = static_cast<int64_t>(lookup.slots);
  if (lists.sorted == nullptr || !create_finding(args, slots, &finding)) return cudaErrorMemoryAllocation;
  CN_TRY(list_keys(args.alloc, lookup, range, args.right_rows, &lists, stream));
  if (finding.marks != nullptr) {
    CN_TRY(cudaMemsetAsync(finding.marks, 0, static_cast<size_t>(words_for(slots)) * 4, stream));
  }
  CN_TRY(launch(find_runs, blocks_for(args.left_rows, kThreads), kThreads, 0, stream, lookup, left_columns,
                static_cast<const RowRun<unsigned> *>(lists.runs), finding, args.left_rows));
  if (args.kind == RANGES) return cudaSuccess;
  return write_found(args, finding, static_cast<const unsigned *>(lists.slots),
                     static_cast<const unsigned *>(lists.sorted), stream);
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
  CN_TRY(measure_range(lookup, args.right_rows, stream));
  unsigned clearing = blocks_for(static_cast<int64_t>(lookup.capacity), 4 * kThreads);
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
  return launch(write_members<unsigned>, tiles, kThreads, 0, stream, static_cast<const uint32_t *>(bits),
                static_cast<const unsigned *>(counts), left, rows);
}

// The pairs of an inner join in outputs 2 and 3, which have memory for a pair of each left row; where most of it is empty, in
// outputs 0 and 1.
cudaError_t fit_pairs(const HashJoinArgs &args, const unsigned *left, const unsigned *right, cudaStream_t stream) {
  int64_t pairs = *args.pairs;
  if (2 * pairs > args.left_rows) return cudaSuccess;
  unsigned *fitting_left = args.alloc.output<unsigned>(0, pairs);
  unsigned *fitting_right = args.alloc.output<unsigned>(1, pairs);
  if (fitting_left == nullptr || fitting_right == nullptr) return cudaErrorMemoryAllocation;
  if (pairs == 0) return cudaSuccess;
  size_t bytes = static_cast<size_t>(pairs) * sizeof(unsigned);
  CN_TRY(cudaMemcpyAsync(fitting_left, left, bytes, cudaMemcpyDeviceToDevice, stream));
  return cudaMemcpyAsync(fitting_right, right, bytes, cudaMemcpyDeviceToDevice, stream);
}

// The pairs by a table of right rows, as ranges or as the match of each left row too; those of `join_lists` if right keys
// have duplicates, or -1 pairs where each left row has at most one match.
cudaError_t join_unique(const HashJoinArgs &args, const KeyColumns &left_columns, const KeyColumns &right_columns,
                        const Packing &layout, cudaStream_t stream) {
  using namespace lookup_detail;
  int64_t rows = args.left_rows;
  bool is_inner = args.kind == INNER, is_full = args.kind == FULL;
  KeyLookup lookup{};
  CN_TRY(lookup.create(args.alloc, right_columns, layout, args.right_rows, true, stream));
  unsigned tiles = blocks_for(rows, kLookupTile);
  LookBack<MatchCount> before{};
  Matches matches{};
  unsigned *left = nullptr;
  // Unless keys are unique, the outputs are allocated again.
  switch (args.kind) {
    case INNER:
      CN_TRY(before.create(args.alloc, tiles, stream));
      left = args.alloc.output<unsigned>(2, rows);
      matches.rows = args.alloc.output<unsigned>(3, rows);
      break;
    case FULL:
      matches.rows = args.alloc.scratch<unsigned>(rows);
      matches.marks = args.alloc.scratch<uint32_t>(words_for(args.right_rows));
      break;
    case RANGES:
      matches.rows = args.alloc.output<unsigned>(0, rows);
      matches.ends = args.alloc.output<unsigned>(1, rows);
      break;
    case LEFT: matches.all = args.alloc.output<unsigned>(0, rows); [[fallthrough]];
    default: matches.rows = args.alloc.output<unsigned>(1, rows);
  }
  bool is_given = matches.rows != nullptr && (!is_inner || left != nullptr) && (!is_full || matches.marks != nullptr) &&
                  (args.kind != RANGES || matches.ends != nullptr) && (args.kind != LEFT || matches.all != nullptr);
  if (!is_given) return cudaErrorMemoryAllocation;
  if (is_full) CN_TRY(cudaMemsetAsync(matches.marks, 0, static_cast<size_t>(words_for(args.right_rows)) * 4, stream));
  if (args.right_rows > 0) {
    CN_TRY(measure_range(lookup, args.right_rows, stream));
    CN_TRY(launch(insert_keys, blocks_for(args.right_rows, kThreads), kThreads, 0, stream, lookup, args.right_rows));
  }
  if (is_inner) {
    CN_TRY(launch(find_pairs, tiles, kThreads, 0, stream, lookup, left_columns, before, left, matches.rows,
                  lookup.unique + 1, rows));
  } else {
    CN_TRY(launch(find_keys, tiles, kThreads, 0, stream, lookup, left_columns, matches, rows));
  }
  // The range of the keys, whether they are unique, and the number of pairs of an inner join.
  uint64_t words[3] = {};
  const uint64_t *measured = reinterpret_cast<const uint64_t *>(lookup.range);
  unsigned unmatched = 0;
  Rest<unsigned> rest{};
  if (is_full) {
    CN_TRY(rest.count(args, matches.marks, nullptr, stream));
    CN_TRY(args.alloc.read_two(measured, words, 3, rest.total(args), &unmatched, stream));
  } else {
    CN_TRY(args.alloc.read(measured, words, 3, stream));
  }
  lookup.complete(words);
  if (static_cast<unsigned>(words[2]) == 0) {
    if (args.kind != UNIQUE) return join_lists(args, left_columns, lookup, words, stream);
    *args.pairs = -1;
    return cudaSuccess;
  }
  *args.pairs = is_inner ? static_cast<int64_t>(words[2] >> 32) : rows + static_cast<int64_t>(unmatched);
  if (is_inner) return fit_pairs(args, left, matches.rows, stream);
  if (!is_full) return cudaSuccess;
  left = args.alloc.output<unsigned>(0, *args.pairs);
  unsigned *right = args.alloc.output<unsigned>(1, *args.pairs);
  if (left == nullptr || right == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(rest.write(args, static_cast<int64_t>(unmatched), left, right, rows, stream));
  return launch(pair_all, blocks_for(rows, kThreads), kThreads, 0, stream, static_cast<const unsigned *>(matches.rows), left,
                right, rows);
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
  bool has_table = layout.fits && sizeof(Row) == sizeof(unsigned) && args.left_rows > 0;
  if (args.kind == UNIQUE && !has_table) {
    *args.pairs = -1;
    return cudaSuccess;
  }
  if (!layout.fits) return join<Row>(args, AnyRows{left}, left, AnyRows{right}, right, stream);
  if (has_table) {
    bool has_members = args.kind == SEMI || args.kind == ANTI || args.kind == MEMBERS;
    return has_members ? join_members(args, left, right, layout, stream) : join_unique(args, left, right, layout, stream);
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
