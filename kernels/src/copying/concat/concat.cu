// Concat: values and characters are copied by the runtime, one call per column. Bits and masks: one thread
// per output byte; if two columns share a byte, the launch of the first column writes it and the later launch
// of the second completes it. Offsets: one thread per row. Reads and writes every byte once.
#include "concat.abi.h"
#include "bits.cuh"
#include "column.cuh"
#include "limits.cuh"

#include <vector>

namespace CN_BUILD {
namespace {

// Appends `rows` bits, ones if `bits` is null, from bit `start` of `out`. Bits before `start` are unchanged.
__global__ void append_bits(const uint8_t *bits, int64_t offset, int64_t rows, uint8_t *out, int64_t start) {
  int64_t byte = start / 8 + thread_index();
  int64_t end = start + rows;
  if (byte * 8 >= end) return;
  int64_t low = byte * 8 > start ? byte * 8 : start;
  int64_t high = byte * 8 + 8 < end ? byte * 8 + 8 : end;
  int count = static_cast<int>(high - low);
  int shift = static_cast<int>(low - byte * 8);
  uint32_t value = bits == nullptr ? (1u << count) - 1 : load_bits(bits, offset + (low - start), count);
  uint32_t before = shift == 0 ? 0 : out[byte] & ((1u << shift) - 1);
  out[byte] = static_cast<uint8_t>(before | value << shift);
}

cudaError_t bits_out(const ConcatArgs &args, int32_t slot, cudaStream_t stream) {
  uint8_t *out = args.alloc.output<uint8_t>(slot, (args.rows + 7) / 8);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  int64_t start = 0;
  for (int32_t c = 0; c < args.column_count; c++) {
    const ColumnDesc &column = args.columns[c];
    if (column.rows == 0) continue;
    const void *bits = slot == 0 ? column.data : column.validity;
    int64_t bytes = (start + column.rows + 7) / 8 - start / 8;
    CN_TRY(launch(append_bits, blocks_for(bytes, kThreads), kThreads, 0, stream, static_cast<const uint8_t *>(bits),
                  column.offset, column.rows, out, start));
    start += column.rows;
  }
  return cudaSuccess;
}

cudaError_t values_out(const ConcatArgs &args, int64_t width, cudaStream_t stream) {
  uint8_t *out = args.alloc.output<uint8_t>(0, args.rows * width);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  for (int32_t c = 0; c < args.column_count; c++) {
    const ColumnDesc &column = args.columns[c];
    if (column.rows == 0) continue;
    const uint8_t *source = static_cast<const uint8_t *>(column.data) + column.offset * width;
    CN_TRY(cudaMemcpyAsync(out, source, static_cast<size_t>(column.rows * width), cudaMemcpyDeviceToDevice, stream));
    out += column.rows * width;
  }
  return cudaSuccess;
}

// The first and the last offset of a column's characters.
__global__ void string_bounds(ColumnDesc column, int64_t *bounds) {
  bounds[0] = column.string_offset(0);
  bounds[1] = column.string_offset(column.rows);
}

// Writes the offsets of one column, and the end, which the next column writes again with the same value.
template <class Offset>
__global__ void move_offsets(ColumnDesc column, int64_t by, Offset *out) {
  int64_t row = thread_index();
  if (row <= column.rows) out[row] = static_cast<Offset>(column.string_offset(row) + by);
}

// `bounds`: two per column, on the host.
template <class Offset>
cudaError_t offsets_out(const ConcatArgs &args, const int64_t *bounds, cudaStream_t stream) {
  Offset *out = args.alloc.output<Offset>(2, args.rows + 1);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  int64_t start = 0;
  for (int32_t c = 0; c < args.column_count; c++) {
    const ColumnDesc &column = args.columns[c];
    CN_TRY(launch(move_offsets<Offset>, blocks_for(column.rows + 1, kThreads), kThreads, 0, stream, column,
                  start - bounds[2 * c], out));
    out += column.rows;
    start += bounds[2 * c + 1] - bounds[2 * c];
  }
  return cudaSuccess;
}

cudaError_t string_out(const ConcatArgs &args, cudaStream_t stream) {
  int64_t *device_bounds = args.alloc.scratch<int64_t>(2 * args.column_count);
  if (device_bounds == nullptr) return cudaErrorMemoryAllocation;
  for (int32_t c = 0; c < args.column_count; c++) {
    CN_TRY(launch(string_bounds, 1, 1, 0, stream, args.columns[c], device_bounds + 2 * c));
  }
  std::vector<int64_t> bounds(2 * static_cast<size_t>(args.column_count));
  CN_TRY(args.alloc.read(static_cast<const int64_t *>(device_bounds), bounds.data(), 2 * args.column_count, stream));
  int64_t bytes = 0;
  for (int32_t c = 0; c < args.column_count; c++) bytes += bounds[2 * c + 1] - bounds[2 * c];
  *args.string_bytes = bytes;
  bool narrow = bytes == 0 || (bytes <= INT32_MAX && !small_limits(args.alloc));
  CN_TRY(narrow ? offsets_out<int32_t>(args, bounds.data(), stream)
                : offsets_out<int64_t>(args, bounds.data(), stream));
  if (bytes == 0) return cudaSuccess;
  uint8_t *chars = args.alloc.output<uint8_t>(0, bytes);
  if (chars == nullptr) return cudaErrorMemoryAllocation;
  for (int32_t c = 0; c < args.column_count; c++) {
    int64_t size = bounds[2 * c + 1] - bounds[2 * c];
    if (size == 0) continue;
    const uint8_t *source = static_cast<const uint8_t *>(args.columns[c].data) + bounds[2 * c];
    CN_TRY(cudaMemcpyAsync(chars, source, static_cast<size_t>(size), cudaMemcpyDeviceToDevice, stream));
    chars += size;
  }
  return cudaSuccess;
}

}  // namespace

ENTRY(concat)(const ConcatArgs *args, cudaStream_t stream) {
  int bits = storage_bits(args->columns[0].storage);
  if (bits == 0) CN_TRY(string_out(*args, stream));
  if (bits == 1) CN_TRY(bits_out(*args, 0, stream));
  if (bits >= 8) CN_TRY(values_out(*args, bits / 8, stream));
  return args->masked ? bits_out(*args, 1, stream) : cudaSuccess;
}

}  // namespace CN_BUILD
