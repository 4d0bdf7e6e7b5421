// A column as kernels see it; the same layout as ColumnDesc in kernels/src/abi.rs.
#pragma once
#include "kernel.h"

namespace CN_BUILD {

// The discriminants of Storage in kernels/src/storage.rs.
enum Storage : int32_t { BIT, I8, I16, I32, I64, I128, U8, U16, U32, U64, F32, F64, STRING = 100 };

// Bits of one value of a fixed-width storage type; 0 for strings.
inline int storage_bits(int32_t storage) {
  switch (storage) {
    case BIT: return 1;
    case I8: case U8: return 8;
    case I16: case U16: return 16;
    case I32: case U32: case F32: return 32;
    case I64: case U64: case F64: return 64;
    case I128: return 128;
    default: return 0;
  }
}

struct ColumnDesc {
  const void *data;
  const void *validity;
  const void *offsets;
  int64_t offset;
  int64_t rows;
  int32_t storage;
  int32_t offset_width;
  // The bytes behind `data` that may be read.
  int64_t data_bytes;

  __device__ __forceinline__ bool valid(int64_t row) const {
    return validity == nullptr || get_bit(static_cast<const uint8_t *>(validity), offset + row);
  }
  template <class T>
  __device__ __forceinline__ const T &at(int64_t row) const {
    return static_cast<const T *>(data)[offset + row];
  }
  __device__ __forceinline__ bool bit(int64_t row) const {
    return get_bit(static_cast<const uint8_t *>(data), offset + row);
  }
  // Where the string of a row starts (row may be one past the last).
  __device__ __forceinline__ int64_t string_offset(int64_t row) const {
    return offset_width == 4 ? static_cast<const int32_t *>(offsets)[offset + row]
                             : static_cast<const int64_t *>(offsets)[offset + row];
  }
};
static_assert(sizeof(ColumnDesc) == 56, "the layout of ColumnDesc in abi.rs");

}  // namespace CN_BUILD
