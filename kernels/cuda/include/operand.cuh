// Inputs of element-wise kernels: a column, or one value for every row; and the C++ type of a Storage.
#pragma once
#include "column.cuh"

#include <cstring>

namespace CN_BUILD {

using int128 = __int128;
using uint128 = unsigned __int128;

// A type as a value.
template <class T>
struct Type {
  using type = T;
};

// Calls f with the C++ type of a storage type of whole bytes.
template <class F>
cudaError_t with_storage(int32_t storage, F f) {
  switch (storage) {
    case I8: return f(Type<int8_t>{});
    case I16: return f(Type<int16_t>{});
    case I32: return f(Type<int32_t>{});
    case I64: return f(Type<int64_t>{});
    case I128: return f(Type<int128>{});
    case U8: return f(Type<uint8_t>{});
    case U16: return f(Type<uint16_t>{});
    case U32: return f(Type<uint32_t>{});
    case U64: return f(Type<uint64_t>{});
    case F32: return f(Type<float>{});
    case F64: return f(Type<double>{});
    default: return cudaErrorInvalidValue;
  }
}

// 128 bits from two halves, low half first.
__host__ __device__ __forceinline__ int128 from_halves(const uint64_t (&halves)[2]) {
  return static_cast<int128>(static_cast<uint128>(halves[1]) << 64 | halves[0]);
}

// The values of a column, or without data one value for every row.
template <class T>
struct Operand {
  const T *values;
  T value;

  Operand(const ColumnDesc &column, const uint64_t (&bytes)[2])
      : values(column.data == nullptr ? nullptr : static_cast<const T *>(column.data) + column.offset) {
    memcpy(&value, bytes, sizeof(T));
  }
  __device__ __forceinline__ T at(int64_t row) const { return values == nullptr ? value : values[row]; }
};

// Packs one bit per thread into one word per warp, row 0 of the launch at bit 0 of `out`. Every thread of the
// block must call this, also those past the last row.
__device__ __forceinline__ void store_bit(uint32_t *out, int64_t row, int64_t rows, bool bit) {
  uint32_t word = __ballot_sync(0xffffffffu, bit && row < rows);
  if ((threadIdx.x & 31) == 0 && row < rows) out[row >> 5] = word;
}

// One word on the device that kernels set when they find invalid data; null if out of memory.
inline uint32_t *cleared_flag(const Alloc &alloc, int32_t slot, cudaStream_t stream) {
  uint32_t *flag = alloc.output<uint32_t>(slot, 1);
  if (flag == nullptr || cudaMemsetAsync(flag, 0, sizeof(*flag), stream) != cudaSuccess) return nullptr;
  return flag;
}

// Like cleared_flag, or the fault word of a caller that asks later, and only once for several entries.
inline uint32_t *fault_flag(const Alloc &alloc, int32_t slot, cudaStream_t stream) {
  uint32_t *fault = static_cast<uint32_t *>(alloc.take(alloc.context, -4, sizeof(uint32_t)));
  return fault != nullptr ? fault : cleared_flag(alloc, slot, stream);
}

}  // namespace CN_BUILD
