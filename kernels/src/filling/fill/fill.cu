// Fill: 16 bytes per thread; single bytes and bits are a memset. Repeat string: one thread per character.
// Writes every byte once. Deterministic.
#include "fill.abi.h"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

template <class T>
__global__ void fill_values(T value, T *out, int64_t rows) {
  constexpr int kRows = kVectorRows<T>;
  int64_t row = thread_index() * kRows;
  T values[kRows];
#pragma unroll
  for (int k = 0; k < kRows; k++) values[k] = value;
  store_vector_padded(out, row, rows, values);
}

template <class T>
cudaError_t values_out(const FillArgs &args, T value, cudaStream_t stream) {
  T *out = args.alloc.unpadded<T>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  return launch(fill_values<T>, vector_blocks<T>(args.rows), kThreads, 0, stream, value, out, args.rows);
}

cudaError_t bytes_out(const FillArgs &args, int value, cudaStream_t stream) {
  uint8_t *out = args.alloc.output<uint8_t>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  return cudaMemsetAsync(out, value, static_cast<size_t>(args.rows), stream);
}

// Ones; the bits after the last row are zero.
cudaError_t ones_out(const FillArgs &args, cudaStream_t stream) {
  size_t bytes = static_cast<size_t>((args.rows + 7) / 8);
  uint8_t *out = args.alloc.output<uint8_t>(0, static_cast<int64_t>(bytes));
  if (out == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(out, 0xff, bytes, stream));
  int last = static_cast<int>(args.rows % 8);
  return last == 0 ? cudaSuccess : cudaMemsetAsync(out + bytes - 1, (1 << last) - 1, 1, stream);
}

__global__ void repeat_chars(const uint8_t *text, int64_t size, uint8_t *out, int64_t bytes) {
  int64_t i = thread_index();
  if (i < bytes) out[i] = text[i % size];
}

}  // namespace

ENTRY(fill)(const FillArgs *args, cudaStream_t stream) {
  if (args->rows == 0) return cudaSuccess;
  uint64_t low = args->value[0];
  uint64_t high = args->value[1];
  switch (args->bits) {
    case 1: return ones_out(*args, stream);
    case 8: return bytes_out(*args, static_cast<int>(low), stream);
    case 16: return values_out(*args, static_cast<uint16_t>(low), stream);
    case 32: return values_out(*args, static_cast<uint32_t>(low), stream);
    case 64: return values_out(*args, low, stream);
    case 128: {
      ulonglong2 value{low, high};
      return values_out(*args, value, stream);
    }
    default: return cudaErrorInvalidValue;
  }
}

ENTRY(repeat_string)(const RepeatStringArgs *args, cudaStream_t stream) {
  int64_t bytes = args->size * args->rows;
  if (bytes == 0) return cudaSuccess;
  uint8_t *out = args->alloc.output<uint8_t>(0, bytes);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  return launch(repeat_chars, blocks_for(bytes, kThreads), kThreads, 0, stream,
                static_cast<const uint8_t *>(args->text), args->size, out, bytes);
}

}  // namespace CN_BUILD
