// Group ids: a hash table of row numbers whose slots end as the first row of each key. First rows are flagged
// and scanned, and a row's id is the rank of its first row. One thread per row; deterministic, because the
// minimum is.
#include "group_ids.abi.h"
#include "rows.cuh"

namespace CN_BUILD {
namespace {

template <class Row>
__global__ void flag_first_rows(const Row *table, const Row *slots, Row *flags, int64_t rows) {
  int64_t row = thread_index();
  if (row > rows) return;
  // One flag more than rows, so that the last element of the scan is the total.
  Row slot = row < rows ? slots[row] : static_cast<Row>(-1);
  flags[row] = slot != static_cast<Row>(-1) && table[slot] == static_cast<Row>(row);
}

template <class Row>
__global__ void write_ids(const Row *table, const Row *slots, const Row *ranks, uint32_t *ids, Row *first_rows,
                          int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  Row slot = slots[row];
  if (slot == static_cast<Row>(-1)) {
    ids[row] = UINT32_MAX;
    return;
  }
  Row first = table[slot];
  ids[row] = static_cast<uint32_t>(ranks[first]);
  if (first == static_cast<Row>(row)) first_rows[ranks[first]] = first;
}

template <class Row, class Keys>
cudaError_t number_rows(const GroupIdsArgs &args, Keys keys, const KeyColumns &columns, cudaStream_t stream) {
  int64_t rows = args.rows;
  RowTable<Row> table;
  CN_TRY(table.create(args.alloc, rows, stream));
  Row *slots = args.alloc.scratch<Row>(rows);
  Row *flags = args.alloc.scratch<Row>(rows + 1);
  uint32_t *ids = args.alloc.output<uint32_t>(0, rows);
  if (slots == nullptr || flags == nullptr || ids == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(table.insert(keys, columns, slots, rows, stream));
  CN_TRY(launch(flag_first_rows<Row>, blocks_for(rows + 1, kThreads), kThreads, 0, stream,
                static_cast<const Row *>(table.rows), static_cast<const Row *>(slots), flags, rows));
  CN_TRY(prim::exclusive_sum(args.alloc, flags, flags, rows + 1, stream));
  Row groups = 0;
  CN_TRY(cudaMemcpyAsync(&groups, flags + rows, sizeof(groups), cudaMemcpyDeviceToHost, stream));
  CN_TRY(cudaStreamSynchronize(stream));
  *args.groups = static_cast<int64_t>(groups);
  Row *first_rows = args.alloc.output<Row>(1, static_cast<int64_t>(groups));
  if (first_rows == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(write_ids<Row>, blocks_for(rows, kThreads), kThreads, 0, stream, static_cast<const Row *>(table.rows),
                static_cast<const Row *>(slots), static_cast<const Row *>(flags), ids, first_rows, rows);
}

template <class Row>
cudaError_t number_packed_or_any(const GroupIdsArgs &args, cudaStream_t stream) {
  KeyColumns columns = key_columns(args.columns, args.column_count, !args.null_keys);
  Packing layout = packing(args.columns, nullptr, args.column_count, args.null_keys);
  if (!layout.fits) return number_rows<Row>(args, AnyRows{columns}, columns, stream);
  PackedRows packed{};
  CN_TRY(pack(args.alloc, columns, layout, args.rows, &packed, stream));
  return number_rows<Row>(args, packed, columns, stream);
}

}  // namespace

ENTRY(group_ids)(const GroupIdsArgs *args, cudaStream_t stream) {
  if (args->column_count > kMaxKeys) return cudaErrorInvalidValue;
  return args->map_width == 4 ? number_packed_or_any<unsigned>(*args, stream)
                              : number_packed_or_any<unsigned long long>(*args, stream);
}

}  // namespace CN_BUILD
