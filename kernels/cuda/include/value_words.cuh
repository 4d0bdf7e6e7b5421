// Values of groups as words: integers extended to 64 bits, and words whose unsigned order is that of the values.
#pragma once
#include "operand.cuh"

namespace CN_BUILD {

using Word = unsigned long long;
constexpr Word kSign = Word{1} << 63;

__device__ __forceinline__ bool is_signed(int32_t storage) { return storage >= I8 && storage <= I128; }

// The low 64 bits of an integer or a bit, extended by its sign.
__device__ __forceinline__ Word low_word(const ColumnDesc &values, int64_t row) {
  switch (values.storage) {
    case BIT: return values.bit(row);
    case I8: return static_cast<Word>(static_cast<int64_t>(values.at<int8_t>(row)));
    case I16: return static_cast<Word>(static_cast<int64_t>(values.at<int16_t>(row)));
    case I32: return static_cast<Word>(static_cast<int64_t>(values.at<int32_t>(row)));
    case U8: return values.at<uint8_t>(row);
    case U16: return values.at<uint16_t>(row);
    case U32: return values.at<uint32_t>(row);
    case I128: return static_cast<const Word *>(values.data)[2 * (values.offset + row)];
    default: return values.at<uint64_t>(row);
  }
}

// The high 64 bits of an integer of any width.
__device__ __forceinline__ Word high_word(const ColumnDesc &values, int64_t row) {
  if (values.storage == I128) return static_cast<const Word *>(values.data)[2 * (values.offset + row) + 1];
  return is_signed(values.storage) && (low_word(values, row) & kSign) != 0 ? ~Word{0} : 0;
}

// A number as a word whose unsigned order is the order of values; NaN is `nan`.
__device__ __forceinline__ Word ordered_word(const ColumnDesc &values, int64_t row, Word nan) {
  if (values.storage == F32 || values.storage == F64) {
    double value = values.storage == F32 ? values.at<float>(row) : values.at<double>(row);
    if (value != value) return nan;
    Word bits;
    memcpy(&bits, &value, sizeof(bits));
    return (bits & kSign) != 0 ? ~bits : bits | kSign;
  }
  return is_signed(values.storage) ? low_word(values, row) ^ kSign : low_word(values, row);
}

__device__ __forceinline__ double ordered_to_double(Word word) {
  bool is_nan = word == ~Word{0} || word == 0;
  Word bits = is_nan ? Word{0x7ff8000000000000} : (word & kSign) != 0 ? word ^ kSign : ~word;
  double value;
  memcpy(&value, &bits, sizeof(value));
  return value;
}

// Stores the value of an ordered word; bits apart.
__device__ __forceinline__ void store_ordered(Word word, int32_t storage, void *out, int64_t group) {
  Word plain = is_signed(storage) ? word ^ kSign : word;
  switch (storage) {
    case F32: static_cast<float *>(out)[group] = static_cast<float>(ordered_to_double(word)); break;
    case F64: static_cast<double *>(out)[group] = ordered_to_double(word); break;
    case I8:
    case U8: static_cast<uint8_t *>(out)[group] = static_cast<uint8_t>(plain); break;
    case I16:
    case U16: static_cast<uint16_t *>(out)[group] = static_cast<uint16_t>(plain); break;
    case I32:
    case U32: static_cast<uint32_t *>(out)[group] = static_cast<uint32_t>(plain); break;
    default: static_cast<uint64_t *>(out)[group] = plain; break;
  }
}

// The number of bytes of a result; bits apart.
inline int64_t result_width(int32_t result) {
  switch (result) {
    case I8:
    case U8: return 1;
    case I16:
    case U16: return 2;
    case I32:
    case U32:
    case F32: return 4;
    case I128: return 16;
    default: return 8;
  }
}

}  // namespace CN_BUILD
