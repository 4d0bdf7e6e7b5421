// Group ids: a hash table of row numbers whose slots end as the first row of each key. First rows are marked by a bit a
// row, which are counted by words of 32; the rank of a first row takes its place in the table, where the rows of its
// group find their id. Keys that fit in a word are read where they are. One thread per row or slot; deterministic,
// because the minimum is.
#include "group_ids.abi.h"
#include "bits.cuh"
#include "rows.cuh"

namespace CN_BUILD {
namespace {

// Keys that fit in a word, packed as they are read.
struct WordRows {
  KeyColumns columns;
  Packing packing;

  __device__ __forceinline__ uint64_t hash(int64_t row) const {
    return mix_word(mix_word(0, packed_key(columns, packing, row)), 0);
  }
  __device__ __forceinline__ bool same(int64_t row, const WordRows &other, int64_t other_row) const {
    return packed_key(columns, packing, row) == packed_key(other.columns, other.packing, other_row);
  }
};

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
__global__ void list_first_rows(const uint32_t *marks, const Row *before, const Row *slots, Row *table, Row *first_rows,
                                int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  uint32_t word = marks[row / 32], bit = 1u << (row % 32);
  if ((word & bit) == 0) return;
  Row rank = before[row / 32] + static_cast<Row>(__popc(word & (bit - 1)));
  first_rows[rank] = static_cast<Row>(row);
  table[slots[row]] = rank;
}

template <class Row>
__global__ void write_ids(const Row *table, const Row *slots, uint32_t *ids, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  Row slot = slots[row];
  ids[row] = slot == static_cast<Row>(-1) ? UINT32_MAX : static_cast<uint32_t>(table[slot]);
}

template <class Row, class Keys>
cudaError_t number_rows(const GroupIdsArgs &args, Keys keys, const KeyColumns &columns, cudaStream_t stream) {
  int64_t rows = args.rows, words = words_for(rows);
  RowTable<Row> table;
  CN_TRY(table.create(args.alloc, rows, stream));
  Row *slots = args.alloc.scratch<Row>(rows);
  uint32_t *ids = args.alloc.output<uint32_t>(0, rows);
  uint32_t *marks = args.alloc.scratch<uint32_t>(words);
  Row *counts = args.alloc.scratch<Row>(words + 1);
  if (slots == nullptr || ids == nullptr || marks == nullptr || counts == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(table.insert(keys, columns, slots, rows, stream));
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
                static_cast<const Row *>(counts), static_cast<const Row *>(slots), table.rows, first_rows, rows));
  return launch(write_ids<Row>, blocks, kThreads, 0, stream, static_cast<const Row *>(table.rows),
                static_cast<const Row *>(slots), ids, rows);
}

template <class Row>
cudaError_t number_packed_or_any(const GroupIdsArgs &args, cudaStream_t stream) {
  KeyColumns columns = key_columns(args.columns, args.column_count, !args.null_keys);
  Packing layout = packing(args.columns, nullptr, args.column_count, args.null_keys);
  if (!layout.fits) return number_rows<Row>(args, AnyRows{columns}, columns, stream);
  return number_rows<Row>(args, WordRows{columns, layout}, columns, stream);
}

}  // namespace

ENTRY(group_ids)(const GroupIdsArgs *args, cudaStream_t stream) {
  if (args->column_count > kMaxKeys) return cudaErrorInvalidValue;
  return args->map_width == 4 ? number_packed_or_any<unsigned>(*args, stream)
                              : number_packed_or_any<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
