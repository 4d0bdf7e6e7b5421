// Rows of several key columns as keys: hashes, comparison, keys packed into one word, and open-addressing
// hash tables of row numbers. NaNs are equal, -0.0 equals 0.0, nulls equal nulls.
#pragma once
#include "strings.cuh"

namespace CN_BUILD {

constexpr int kMaxKeys = KeyPolicy::kMost;

// The key columns of one side, small enough to be passed by value.
struct KeyColumns {
  ColumnDesc columns[kMaxKeys];
  int32_t count;
  // Rows with a null key are excluded.
  int32_t drop_nulls;

  __device__ __forceinline__ bool takes_part(int64_t row) const {
    if (!drop_nulls) return true;
    for (int k = 0; k < count; k++) {
      if (!columns[k].valid(row)) return false;
    }
    return true;
  }
};

// Copies the descriptors; `drop_nulls` is kept only if a column has a mask.
inline KeyColumns key_columns(const ColumnDesc *columns, int32_t count, bool drop_nulls) {
  KeyColumns keys{};
  keys.count = count;
  for (int k = 0; k < count; k++) {
    keys.columns[k] = columns[k];
    keys.drop_nulls |= drop_nulls && columns[k].validity != nullptr;
  }
  return keys;
}

// A value of up to 64 bits as one word; equal words are equal keys.
__device__ __forceinline__ uint64_t key_word(const ColumnDesc &column, int64_t row) {
  switch (column.storage) {
    case BIT: return column.bit(row);
    case I8:
    case U8: return column.at<uint8_t>(row);
    case I16:
    case U16: return column.at<uint16_t>(row);
    case I32:
    case U32: return column.at<uint32_t>(row);
    case F32: {
      float value = column.at<float>(row);
      uint32_t bits = column.at<uint32_t>(row);
      return value != value ? 0x7fc00000u : value == 0 ? 0 : bits;
    }
    case F64: {
      double value = column.at<double>(row);
      uint64_t bits = column.at<uint64_t>(row);
      return value != value ? 0x7ff8000000000000u : value == 0 ? 0 : bits;
    }
    default: return column.at<uint64_t>(row);
  }
}

// A value of up to 64 bits as the word that is hashed: integers of one value have one word, whatever their width.
__device__ __forceinline__ uint64_t hash_word(const ColumnDesc &column, int64_t row) {
  switch (column.storage) {
    case I8: return static_cast<uint64_t>(static_cast<int64_t>(column.at<int8_t>(row)));
    case I16: return static_cast<uint64_t>(static_cast<int64_t>(column.at<int16_t>(row)));
    case I32: return static_cast<uint64_t>(static_cast<int64_t>(column.at<int32_t>(row)));
    default: return key_word(column, row);
  }
}

__device__ __forceinline__ uint64_t mix_word(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0xff51afd7ed558ccdu;
  return hash ^ (hash >> 32);
}

// Eight bytes per step.
__device__ __forceinline__ uint64_t hash_string(StringRow text, CharRange range) {
  uint64_t hash = mix_word(0, static_cast<uint64_t>(text.length));
  for (WordReader words(text, range); words.left > 0;) hash = mix_word(hash, words.next());
  return hash;
}

// Negative, zero or positive as `a` is less than, equal to or greater than `b`, by bytes.
__device__ __forceinline__ int compare_string(StringRow a, CharRange a_range, StringRow b, CharRange b_range) {
  WordReader left(a, a_range), right(b, b_range);
  while (left.left > 0 && right.left > 0) {
    uint64_t x = left.next(), y = right.next();
    if (x == y) continue;
    // The first byte that differs; a string that ended there has a zero, and so may the other.
    int shift = (__ffsll(static_cast<long long>(x ^ y)) - 1) & ~7;
    return (x >> shift & 0xff) < (y >> shift & 0xff) ? -1 : 1;
  }
  return a.length < b.length ? -1 : a.length > b.length;
}

// Rows of any types, compared column by column.
struct AnyRows {
  KeyColumns keys;

  // The words of the row mixed into the hash of columns before, without the final mixing step for tables.
  __device__ uint64_t mixed(int64_t row, uint64_t hash = 0) const {
    for (int k = 0; k < keys.count; k++) {
      const ColumnDesc &column = keys.columns[k];
      if (!column.valid(row)) {
        hash = mix_word(hash, 0x6a09e667f3bcc909u);
      } else if (column.storage == STRING) {
        hash = mix_word(hash, hash_string(string_row(column, row), char_range(column)));
      } else if (column.storage == I128) {
        const uint64_t *halves = static_cast<const uint64_t *>(column.data) + 2 * (column.offset + row);
        hash = mix_word(hash, halves[0]);
        // A number that 64 bits hold, with a sign or without, hashes as in 64 bits.
        bool narrow = halves[1] == 0 || (halves[1] == ~uint64_t{0} && halves[0] >> 63 == 1);
        if (!narrow) hash = mix_word(hash, halves[1]);
      } else {
        hash = mix_word(hash, hash_word(column, row));
      }
    }
    return hash;
  }

  __device__ uint64_t hash(int64_t row) const { return mix_word(mixed(row), 0); }

  __device__ bool same(int64_t row, const AnyRows &other, int64_t other_row) const {
    for (int k = 0; k < keys.count; k++) {
      const ColumnDesc &a = keys.columns[k];
      const ColumnDesc &b = other.keys.columns[k];
      bool valid = a.valid(row);
      if (valid != b.valid(other_row)) return false;
      if (!valid) continue;
      if (a.storage == STRING) {
        StringRow left = string_row(a, row);
        StringRow right = string_row(b, other_row);
        if (left.length != right.length) return false;
        if (compare_string(left, char_range(a), right, char_range(b)) != 0) return false;
      } else if (a.storage == I128) {
        const uint64_t *left = static_cast<const uint64_t *>(a.data) + 2 * (a.offset + row);
        const uint64_t *right = static_cast<const uint64_t *>(b.data) + 2 * (b.offset + other_row);
        if (left[0] != right[0] || left[1] != right[1]) return false;
      } else if (key_word(a, row) != key_word(b, other_row)) {
        return false;
      }
    }
    return true;
  }
};

// Rows whose keys are packed in one word each.
struct PackedRows {
  const uint64_t *keys;

  __device__ __forceinline__ uint64_t hash(int64_t row) const { return mix_word(mix_word(0, keys[row]), 0); }
  __device__ __forceinline__ bool same(int64_t row, const PackedRows &other, int64_t other_row) const {
    return keys[row] == other.keys[other_row];
  }
};

// The most bytes of strings that are packed: with their length they fit in a word.
constexpr int32_t kPackedBytes = 7;

// The place of each column in a packed word: its code from bit shift[k] on. The code of a value is its `key_word`. If the
// columns are narrowed (key_ranges.cuh) it is the difference to base[k], and of strings their bytes and, from bit base[k]
// on, their length.
struct Packing {
  uint64_t base[kMaxKeys];
  // The code of a null in its place; 0 if rows with nulls are excluded or there are none.
  uint64_t null[kMaxKeys];
  int32_t shift[kMaxKeys];
  // All keys are less than 2^bits, and at most this if the columns are narrowed.
  int32_t bits;
  uint64_t greatest;
  bool narrowed;
  // Whether all columns fit in a word.
  bool fits;

  // Places `width` bits at the end; false if there is no space for them.
  bool place(int32_t column, int32_t width) {
    // A column of one code has no bits, and a shift by a whole word is not defined.
    shift[column] = width == 0 ? 0 : bits;
    bits += width;
    return bits <= 64;
  }
};

// Whether a table of rows can be addressed by the keys themselves: at most four slots a row.
inline bool keys_are_slots(const Packing &packing, int64_t rows) {
  return packing.bits < 62 && int64_t{1} << packing.bits <= 4 * rows;
}

// Bits of the codes of a column that is not narrowed, without nulls; 0 if no word holds them.
inline int32_t code_bits(const ColumnDesc &column) {
  return column.storage == I128 || column.storage == STRING ? 0 : storage_bits(column.storage);
}

inline bool has_floats(const ColumnDesc &column) { return column.storage == F32 || column.storage == F64; }

// Whether a null of column `k` needs a code. `other` may be null.
inline bool has_null_code(const ColumnDesc *columns, const ColumnDesc *other, int32_t k, bool null_keys) {
  return null_keys && (columns[k].validity != nullptr || (other != nullptr && other[k].validity != nullptr));
}

// Places a column that is not narrowed. The null of floats is a NaN that no value has, that of others needs a bit.
inline bool place_whole(Packing &packing, const ColumnDesc &column, int32_t k, bool has_null) {
  int32_t width = code_bits(column);
  if (width == 0) return false;
  bool takes_bit = has_null && !has_floats(column);
  if (!packing.place(k, takes_bit ? width + 1 : width)) return false;
  if (has_null) packing.null[k] = (takes_bit ? uint64_t{1} << width : ~uint64_t{0} >> (64 - width)) << packing.shift[k];
  return true;
}

// The packing of one side, or of two sides (`other` may be null) that must agree, by the types of the columns.
inline Packing packing(const ColumnDesc *columns, const ColumnDesc *other, int32_t count, bool null_keys) {
  Packing result{};
  for (int32_t k = 0; k < count; k++) {
    if (!place_whole(result, columns[k], k, has_null_code(columns, other, k, null_keys))) return result;
  }
  result.fits = true;
  return result;
}

// The code of a value of narrowed columns.
__device__ __forceinline__ uint64_t narrowed_code(const ColumnDesc &column, uint64_t base, int64_t row) {
  if (column.storage != STRING) return hash_word(column, row) - base;
  // In one aligned word, or two.
  StringRow text = string_row(column, row);
  int length = static_cast<int>(text.length), skew = static_cast<int>(reinterpret_cast<uintptr_t>(text.bytes) & 7);
  uint64_t bytes = 0;
  if (length > 0) bytes = load_word(text.bytes - skew, char_range(column)) >> (8 * skew);
  if (skew + length > 8) bytes |= load_word(text.bytes - skew + 8, char_range(column)) << (64 - 8 * skew);
  return (bytes & ((uint64_t{1} << (8 * length)) - 1)) | static_cast<uint64_t>(length) << base;
}

// The key of a row in one word.
__device__ __forceinline__ uint64_t packed_key(const KeyColumns &keys, const Packing &packing, int64_t row) {
  uint64_t key = 0;
  for (int k = 0; k < keys.count; k++) {
    const ColumnDesc &column = keys.columns[k];
    if (column.valid(row)) {
      uint64_t code = packing.narrowed ? narrowed_code(column, packing.base[k], row) : key_word(column, row);
      key |= code << packing.shift[k];
    } else {
      key |= packing.null[k];
    }
  }
  return key;
}

namespace rows_detail {

static __global__ void pack_rows(KeyColumns keys, Packing packing, uint64_t *out, int64_t rows) {
  int64_t row = thread_index();
  if (row < rows) out[row] = packed_key(keys, packing, row);
}

// A slot contains the smallest row number among rows with one key. A slot's row only ever changes to a row of
// the same key, so comparing with the current row is correct.
template <class Row, class Keys>
__global__ void insert_rows(Keys keys, KeyColumns columns, Row *table, uint64_t mask, Row *slots, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  Row slot = static_cast<Row>(-1);
  if (columns.takes_part(row)) {
    uint64_t at = keys.hash(row) & mask;
    Row mine = static_cast<Row>(row);
    while (true) {
      // A load before the atomic: with few keys nearly all slots are taken, and atomics on them would queue. A slot that
      // the load finds taken never becomes empty; one that it finds empty may have been taken since.
      Row found = load_relaxed(&table[at]);
      if (found == static_cast<Row>(-1)) {
        found = atomicCAS(&table[at], static_cast<Row>(-1), mine);
        if (found == static_cast<Row>(-1)) break;
      }
      if (keys.same(row, keys, static_cast<int64_t>(found))) {
        if (mine < found) atomicMin(&table[at], mine);
        break;
      }
      at = (at + 1) & mask;
    }
    slot = static_cast<Row>(at);
  }
  slots[row] = slot;
}

template <class Row, class Keys>
__global__ void find_rows(Keys keys, KeyColumns columns, Keys built, const Row *table, uint64_t mask, Row *slots,
                          int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  Row slot = static_cast<Row>(-1);
  if (columns.takes_part(row)) {
    for (uint64_t at = keys.hash(row) & mask;; at = (at + 1) & mask) {
      Row found = table[at];
      if (found == static_cast<Row>(-1)) break;
      if (keys.same(row, built, static_cast<int64_t>(found))) {
        slot = static_cast<Row>(at);
        break;
      }
    }
  }
  slots[row] = slot;
}

}  // namespace rows_detail

// A table over the rows of one side. Row is unsigned (fewer than 2^31 rows) or unsigned long long.
template <class Row>
struct RowTable {
  // Row numbers, all ones where a slot is empty.
  Row *rows;
  // A power of two; of hashed rows at least twice their number.
  int64_t capacity;

  cudaError_t create(const Alloc &alloc, int64_t row_count, cudaStream_t stream) {
    int64_t slots = 64;
    while (slots < 2 * row_count) slots *= 2;
    return create_slots(alloc, slots, stream);
  }

  // A table of so many slots, for callers that address them by the keys.
  cudaError_t create_slots(const Alloc &alloc, int64_t slots, cudaStream_t stream) {
    capacity = slots;
    rows = alloc.scratch<Row>(capacity);
    if (rows == nullptr) return cudaErrorMemoryAllocation;
    return cudaMemsetAsync(rows, 0xff, static_cast<size_t>(capacity) * sizeof(Row), stream);
  }

  // Inserts all rows. Writes the slot of each row to `slots`, all ones for excluded rows.
  template <class Keys>
  cudaError_t insert(Keys keys, const KeyColumns &columns, Row *slots, int64_t row_count, cudaStream_t stream) {
    if (row_count == 0) return cudaSuccess;
    using namespace rows_detail;
    return launch(insert_rows<Row, Keys>, blocks_for(row_count, kThreads), kThreads, 0, stream, keys, columns, rows,
                  static_cast<uint64_t>(capacity - 1), slots, row_count);
  }

  // The slots of the rows of another side; all ones if no inserted row has the key.
  template <class Keys>
  cudaError_t find(Keys keys, const KeyColumns &columns, Keys built, Row *slots, int64_t row_count,
                   cudaStream_t stream) const {
    if (row_count == 0) return cudaSuccess;
    using namespace rows_detail;
    return launch(find_rows<Row, Keys>, blocks_for(row_count, kThreads), kThreads, 0, stream, keys, columns, built,
                  static_cast<const Row *>(rows), static_cast<uint64_t>(capacity - 1), slots, row_count);
  }
};

// Packs the rows of one side.
inline cudaError_t pack(const Alloc &alloc, const KeyColumns &keys, const Packing &packing, int64_t rows,
                        PackedRows *out, cudaStream_t stream) {
  using namespace rows_detail;
  uint64_t *words = alloc.scratch<uint64_t>(rows);
  if (words == nullptr) return cudaErrorMemoryAllocation;
  out->keys = words;
  if (rows == 0) return cudaSuccess;
  return launch(pack_rows, blocks_for(rows, kThreads), kThreads, 0, stream, keys, packing, words, rows);
}

}  // namespace CN_BUILD
