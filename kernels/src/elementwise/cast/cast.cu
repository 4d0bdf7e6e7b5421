// Casts: 16 bytes of results per thread, one row if checked; instantiated by the target type, the source type is one
// uniform branch. Bits are written one word per warp. If checked, a valid row that does not fit sets a bit of its own and one word (atomic
// or, so the order does not matter).
#include "cast.abi.h"
#include "operations.cuh"
#include "overflow.cuh"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

// Calls f with zero in the type of a column; bits are bool.
template <class F>
__device__ __forceinline__ auto with_type(int32_t storage, F f) {
  switch (storage) {
    case BIT: return f(false);
    case I8: return f(int8_t{0});
    case I16: return f(int16_t{0});
    case I32: return f(int32_t{0});
    case I64: return f(int64_t{0});
    case I128: return f(int128{0});
    case U8: return f(uint8_t{0});
    case U16: return f(uint16_t{0});
    case U32: return f(uint32_t{0});
    case U64: return f(uint64_t{0});
    case F32: return f(float{0});
    default: return f(double{0});
  }
}

// The value of a row; of a bit 0 or 1.
__device__ __forceinline__ uint8_t value_of(const ColumnDesc &input, int64_t row, bool) { return input.bit(row); }
template <class S>
__device__ __forceinline__ S value_of(const ColumnDesc &input, int64_t row, S) {
  return input.at<S>(row);
}

// Calls f with the value of a row in its own type.
template <class F>
__device__ __forceinline__ auto visit(const ColumnDesc &input, int64_t row, F f) {
  return with_type(input.storage, [&](auto zero) { return f(value_of(input, row, zero)); });
}

// The values of the rows of a thread.
template <int kRows>
__device__ __forceinline__ void values_of(const ColumnDesc &input, int64_t row, int count, uint8_t (&values)[kRows], bool) {
#pragma unroll
  for (int k = 0; k < kRows; k++) values[k] = k < count && input.bit(row + k);
}
template <int kRows, class S>
__device__ __forceinline__ void values_of(const ColumnDesc &input, int64_t row, int count, S (&values)[kRows], S) {
  load_vector(static_cast<const S *>(input.data) + input.offset, row, count, values);
}

template <class D>
__global__ void cast_values(ColumnDesc input, D *out) {
  constexpr int kRows = kVectorRows<D>;
  int64_t block = static_cast<int64_t>(blockIdx.x) * kThreads * kRows;
  with_type(input.storage, [&](auto zero) {
    using S = decltype(value_of(input, 0, zero));
    // Of wider inputs fewer rows at once, so that a warp loads neighbouring bytes.
    constexpr int kOnce = kVectorRows<S> < kRows ? kVectorRows<S> : kRows;
#pragma unroll
    for (int part = 0; part < kRows / kOnce; part++) {
      int64_t row = block + (part * kThreads + static_cast<int64_t>(threadIdx.x)) * kOnce;
      int64_t left = input.rows - row;
      int count = left >= kOnce ? kOnce : left > 0 ? static_cast<int>(left) : 0;
      S values[kOnce];
      D results[kOnce];
      values_of(input, row, count, values, zero);
#pragma unroll
      for (int k = 0; k < kOnce; k++) results[k] = cast_of<D>(values[k]).value;
      store_vector_padded(out, row, input.rows, results);
    }
  });
}

template <class D>
__global__ void cast_checked(ColumnDesc input, D *out, Overflow overflow) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < input.rows) {
    Cast<D> cast = visit(input, row, [](auto from) { return cast_of<D>(from); });
    out[row] = cast.value;
    bad = !cast.fits && input.valid(row);
  }
  overflow.store(row, input.rows, bad);
}

__global__ void cast_to_bits(ColumnDesc input, uint32_t *out) {
  int64_t row = thread_index();
  bool bit = row < input.rows && visit(input, row, [](auto from) { return from != decltype(from){0}; });
  store_bit(out, row, input.rows, bit);
}

}  // namespace

ENTRY(cast)(const CastArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  unsigned blocks = blocks_for(rows, kThreads);
  if (args->to == BIT) {
    // Every number is a truth value.
    uint32_t *out = args->alloc.output<uint32_t>(0, (rows + 31) / 32);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    if (rows == 0) return cudaSuccess;
    return launch(cast_to_bits, blocks, kThreads, 0, stream, args->input, out);
  }
  return with_storage(args->to, [&](auto type) -> cudaError_t {
    using D = typename decltype(type)::type;
    D *out = args->checked ? args->alloc.output<D>(0, rows) : args->alloc.unpadded<D>(0, rows);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    if (!args->checked) {
      if (rows == 0) return cudaSuccess;
      return launch(cast_values<D>, vector_blocks<D>(rows), kThreads, 0, stream, args->input, out);
    }
    Overflow overflow(args->alloc, rows, stream);
    if (!overflow.allocated()) return cudaErrorMemoryAllocation;
    if (rows == 0) return cudaSuccess;
    return launch(cast_checked<D>, blocks, kThreads, 0, stream, args->input, out, overflow);
  });
}

}  // namespace CN_BUILD
