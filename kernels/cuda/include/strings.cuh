// Building string columns whose row sizes are not known in advance: sizes, scan, one synchronisation for the
// total, copy.
#pragma once
#include "column.cuh"
#include "primitives.cuh"

namespace CN_BUILD {

// The bytes of one row.
struct StringRow {
  const uint8_t *bytes;
  int64_t length;
};

__device__ __forceinline__ StringRow string_row(const ColumnDesc &column, int64_t row) {
  int64_t start = column.string_offset(row);
  return {static_cast<const uint8_t *>(column.data) + start, column.string_offset(row + 1) - start};
}

namespace strings_detail {

// One size more than rows, so that the last element of the scan is the total.
template <class Row>
__global__ void sizes(Row row, int64_t *out, int64_t rows) {
  int64_t i = thread_index();
  if (i <= rows) out[i] = i < rows ? row(i).length : 0;
}

// `lanes` neighbouring threads per row: short rows leave few threads idle, and long rows are read with
// coalesced loads.
template <class Row>
__global__ void copy_rows(Row row, const int64_t *offsets, uint8_t *chars, int lanes, int64_t rows) {
  int64_t i = thread_index() / lanes;
  if (i >= rows) return;
  StringRow source = row(i);
  uint8_t *out = chars + offsets[i];
  for (int64_t k = threadIdx.x % lanes; k < source.length; k += lanes) out[k] = source.bytes[k];
}

template <class Offset>
__global__ void store_offsets(const int64_t *offsets, Offset *out, int64_t count) {
  int64_t i = thread_index();
  if (i < count) out[i] = static_cast<Offset>(offsets[i]);
}

template <class Offset>
cudaError_t offsets_out(const Alloc &alloc, const int64_t *offsets, int64_t count, int32_t slot, cudaStream_t stream) {
  Offset *out = alloc.output<Offset>(slot, count);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  return launch(store_offsets<Offset>, blocks_for(count, kThreads), kThreads, 0, stream, offsets, out, count);
}

}  // namespace strings_detail

// The outputs of a string column: bytes, mask (not written here), offsets of 4 bytes, or of 8 from 2^31 bytes
// of characters.
constexpr int32_t kCharsSlot = 0;
constexpr int32_t kStringMaskSlot = 1;
constexpr int32_t kOffsetsSlot = 2;
// Outputs of a column of any type, where an entry makes several: column c has the slots from c * kColumnSlots on.
constexpr int32_t kColumnSlots = 3;

// Builds the column whose row i is row(i), a __device__ functor that returns a StringRow, in the outputs from
// `first_slot` on. Sets `bytes` to the total size.
template <class Row>
cudaError_t build_strings(const Alloc &alloc, Row row, int64_t rows, int64_t *bytes, cudaStream_t stream,
                          int32_t first_slot = 0) {
  using namespace strings_detail;
  int64_t *offsets = alloc.scratch<int64_t>(rows + 1);
  if (offsets == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(sizes<Row>, blocks_for(rows + 1, kThreads), kThreads, 0, stream, row, offsets, rows));
  CN_TRY(prim::exclusive_sum(alloc, offsets, offsets, rows + 1, stream));
  CN_TRY(alloc.read(offsets + rows, bytes, 1, stream));
  int32_t slot = first_slot + kOffsetsSlot;
  CN_TRY(*bytes <= INT32_MAX && !small_limits(alloc) ? offsets_out<int32_t>(alloc, offsets, rows + 1, slot, stream)
                             : offsets_out<int64_t>(alloc, offsets, rows + 1, slot, stream));
  if (*bytes == 0) return cudaSuccess;
  uint8_t *chars = alloc.output<uint8_t>(first_slot + kCharsSlot, *bytes);
  if (chars == nullptr) return cudaErrorMemoryAllocation;
  int lanes = 4;
  while (lanes < 32 && lanes < *bytes / rows) lanes *= 2;
  return launch(copy_rows<Row>, blocks_for(rows * lanes, kThreads), kThreads, 0, stream, row, offsets, chars, lanes,
                rows);
}

}  // namespace CN_BUILD
