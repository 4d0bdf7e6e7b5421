// Argsort. Numbers: every key is one or two fields of bits in unsigned order (a null bit, then the value).
// Fields are packed, first key on top, into as few 64-bit words as they need, and rows are sorted by each
// word, the last one first, with CUB's stable radix sort over just the bits in use. Of many rows of integers only the
// bits that differ between values are in use: one pass over the keys finds them, and the host waits for it. A word
// takes one launch, one thread per row. For w words of b bits: moves n * w * (8 + 4 + 2 * (8 + 4) * b / 8) bytes, less
// if a word has 32 bits. With a string among the keys: the same sort by one word, whose last bits are the first bytes
// of the string after those that all strings begin with; if rows with equal words are out of order then, which the host
// waits for, CUB's stable merge sort of these, by the bytes that follow and by comparing rows. Deterministic.
#include "argsort.abi.h"
#include "primitives.cuh"
#include "string_rows.cuh"

#include <type_traits>
#include <vector>

namespace CN_BUILD {
namespace {

template <class T>
__device__ __forceinline__ uint64_t ordered_integer(T value) {
  using Wide = std::conditional_t<std::is_signed<T>::value, int64_t, uint64_t>;
  uint64_t bits = static_cast<uint64_t>(static_cast<Wide>(value));
  // Within the width of the type: flip the sign bit.
  if (std::is_signed<T>::value) bits ^= uint64_t{1} << (8 * sizeof(T) - 1);
  return sizeof(T) == 8 ? bits : bits & ((uint64_t{1} << (8 * sizeof(T) % 64)) - 1);
}

// NaNs are the largest and equal; -0.0 is 0.0.
__device__ __forceinline__ uint64_t ordered_float(double value) {
  if (value != value) return ~uint64_t{0};
  uint64_t bits = static_cast<uint64_t>(__double_as_longlong(value + 0.0));
  return bits >> 63 ? ~bits : bits | uint64_t{1} << 63;
}
__device__ __forceinline__ uint64_t ordered_float(float value) {
  if (value != value) return ~uint32_t{0};
  uint32_t bits = __float_as_uint(value + 0.0f);
  return bits >> 31 ? ~bits : bits | uint32_t{1} << 31;
}

// The value of a row as an unsigned integer of the width of its storage type (the high or the low 64 bits of
// 128).
__device__ uint64_t ordered(const ColumnDesc &column, int64_t row, bool low_half) {
  switch (column.storage) {
    case BIT: return column.bit(row);
    case I8: return ordered_integer(column.at<int8_t>(row));
    case I16: return ordered_integer(column.at<int16_t>(row));
    case I32: return ordered_integer(column.at<int32_t>(row));
    case I64: return ordered_integer(column.at<int64_t>(row));
    case U8: return column.at<uint8_t>(row);
    case U16: return column.at<uint16_t>(row);
    case U32: return column.at<uint32_t>(row);
    case U64: return column.at<uint64_t>(row);
    case F32: return ordered_float(column.at<float>(row));
    case F64: return ordered_float(column.at<double>(row));
    case I128: {
      longlong2 halves = column.at<longlong2>(row);
      return low_half ? static_cast<uint64_t>(halves.x) : ordered_integer(static_cast<int64_t>(halves.y));
    }
    default: return 0;
  }
}

// Bits [shift, shift + bits) of a key's value, or of its null bit.
struct Field {
  SortKeyDesc key;
  bool nulls;
  bool low_half;
  int shift;
  int bits;

  __device__ uint64_t operator()(int64_t row) const {
    bool valid = key.column.valid(row);
    if (nulls) return valid == (key.nulls_last == 0);
    if (!valid) return 0;
    uint64_t value = ordered(key.column, row, low_half);
    if (key.descending) value = ~value;
    value >>= shift;
    return bits == 64 ? value : value & ((uint64_t{1} << bits) - 1);
  }
};

// Adjacent fields, the first on top.
struct PackedWord {
  std::vector<Field> fields;
  int bits = 0;
};

// 64 bits of a key.
struct Part {
  ColumnDesc column;
  bool low_half;
};
struct Parts {
  Part of[SortPolicy::kParts];
  int count;
};

// Bits that are set in some value, and those that are not set in some value.
struct SeenBits {
  unsigned long long set;
  unsigned long long clear;

  int differing() const {
    unsigned long long bits = set & clear;
    int count = 0;
    for (; bits != 0; bits >>= 1) count++;
    return count;
  }
};

// The first thread of a warp gets the or of all.
__device__ __forceinline__ unsigned long long warp_or(unsigned long long bits) {
  for (int step = 16; step > 0; step /= 2) bits |= __shfl_down_sync(0xffffffffu, bits, step);
  return bits;
}

__global__ void find_bits(Parts parts, SeenBits *seen, int64_t n) {
  SHARED(warps, SeenBits[kThreads / 32]);
  int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int p = 0; p < parts.count; p++) {
    const Part &part = parts.of[p];
    unsigned long long set = 0, clear = 0;
    for (int64_t row = thread_index(); row < n; row += stride) {
      if (!part.column.valid(row)) continue;
      uint64_t value = ordered(part.column, row, part.low_half);
      set |= value;
      clear |= ~value;
    }
    set = warp_or(set);
    clear = warp_or(clear);
    if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = SeenBits{set, clear};
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < kThreads / 32; w++) {
        set |= warps[w].set;
        clear |= warps[w].clear;
      }
    }
    __syncthreads();
    if (threadIdx.x != 0) continue;
    unsigned *words = reinterpret_cast<unsigned *>(seen + p);
    atomicOr(words, static_cast<unsigned>(set));
    atomicOr(words + 1, static_cast<unsigned>(set >> 32));
    atomicOr(words + 2, static_cast<unsigned>(clear));
    atomicOr(words + 3, static_cast<unsigned>(clear >> 32));
  }
}

// How many low bits of each 64 bits of each key differ; all of them where that is not worth asking.
cudaError_t bits_of_parts(const ArgsortArgs &args, std::vector<int> &bits, cudaStream_t stream) {
  std::vector<Part> asked;
  std::vector<size_t> position;
  bool small = small_limits(args.alloc);
  for (int32_t k = 0; k < args.key_count; k++) {
    const ColumnDesc &column = args.keys[k].column;
    int width = storage_bits(column.storage);
    bool is_trimmed = width >= 16 && column.storage != F32 && column.storage != F64;
    for (int part = 0; part < (width == 128 ? 2 : 1); part++) {
      if (is_trimmed && (small || args.rows >= SortPolicy::kTrimmedRows)) {
        asked.push_back(Part{column, part == 1});
        position.push_back(bits.size());
      }
      // Of strings as many bytes as their word takes.
      bits.push_back(width < 64 && column.storage != STRING ? width : 64);
    }
  }
  if (asked.empty()) return cudaSuccess;
  SeenBits *seen = args.alloc.scratch<SeenBits>(static_cast<int64_t>(asked.size()));
  if (seen == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(seen, 0, asked.size() * sizeof(SeenBits), stream));
  unsigned blocks = blocks_for(args.rows, kThreads);
  unsigned most = small ? 1 : SortPolicy::kBlocks;
  for (size_t first = 0; first < asked.size(); first += SortPolicy::kParts) {
    Parts parts{};
    while (parts.count < SortPolicy::kParts && first + parts.count < asked.size()) {
      parts.of[parts.count] = asked[first + parts.count];
      parts.count++;
    }
    CN_TRY(launch(find_bits, blocks < most ? blocks : most, kThreads, 0, stream, parts, seen + first, args.rows));
  }
  std::vector<SeenBits> found(asked.size());
  CN_TRY(args.alloc.read(seen, found.data(), static_cast<int64_t>(found.size()), stream));
  // Bits that are the same everywhere order no rows.
  for (size_t k = 0; k < found.size(); k++) bits[position[k]] = found[k].differing();
  return cudaSuccess;
}

std::vector<PackedWord> pack(const ArgsortArgs &args, const std::vector<int> &bits_of_part) {
  std::vector<PackedWord> words(1);
  auto add = [&](const SortKeyDesc &key, bool nulls, bool low_half, int bits) {
    while (bits > 0) {
      if (words.back().bits == 64) words.emplace_back();
      PackedWord &word = words.back();
      int top = bits < 64 - word.bits ? bits : 64 - word.bits;
      bits -= top;
      word.fields.push_back(Field{key, nulls, low_half, bits, top});
      word.bits += top;
    }
  };
  size_t part = 0;
  for (int32_t k = 0; k < args.key_count; k++) {
    const SortKeyDesc &key = args.keys[k];
    if (key.column.validity != nullptr) add(key, true, false, 1);
    add(key, false, false, bits_of_part[part++]);
    if (storage_bits(key.column.storage) == 128) add(key, false, true, bits_of_part[part++]);
  }
  return words;
}

template <class Row>
__global__ void count_up(Row *rows, int64_t n) {
  int64_t i = thread_index();
  if (i < n) rows[i] = static_cast<Row>(i);
}

struct Fields {
  Field of[SortPolicy::kFields];
  int count;
  // Whether they are the first of their words.
  bool first;
};

// `rows` null: the rows are in their order, and their numbers are stored in `numbers`.
template <class Word, class Row>
__global__ void pack_rows(Fields fields, const Row *rows, Row *numbers, Word *words, int64_t n) {
  int64_t i = thread_index();
  if (i >= n) return;
  int64_t row = rows == nullptr ? i : static_cast<int64_t>(rows[i]);
  uint64_t word = fields.first ? 0 : static_cast<uint64_t>(words[i]);
  for (int f = 0; f < fields.count; f++) {
    const Field &field = fields.of[f];
    word = (field.bits == 64 ? 0 : word << field.bits) | field(row);
  }
  words[i] = static_cast<Word>(word);
  if (numbers != nullptr) numbers[i] = static_cast<Row>(i);
}

// Sorts `rows`, which are in their order and not stored yet if `is_first`.
template <class Word, class Row>
cudaError_t sort_by_word(const ArgsortArgs &args, const PackedWord &packed, bool is_first, Row *rows, Row *sorted,
                         cudaStream_t stream) {
  int64_t n = args.rows;
  Word *words = args.alloc.scratch<Word>(n);
  Word *sorted_words = args.alloc.scratch<Word>(n);
  if (words == nullptr || sorted_words == nullptr) return cudaErrorMemoryAllocation;
  for (size_t first = 0; first < packed.fields.size(); first += SortPolicy::kFields) {
    Fields fields{};
    fields.first = first == 0;
    while (fields.count < SortPolicy::kFields && first + fields.count < packed.fields.size()) {
      fields.of[fields.count] = packed.fields[first + fields.count];
      fields.count++;
    }
    CN_TRY(launch(pack_rows<Word, Row>, blocks_for(n, kThreads), kThreads, 0, stream, fields,
                  is_first ? nullptr : rows, is_first ? rows : nullptr, words, n));
  }
  return prim::sort_pairs(args.alloc, words, sorted_words, rows, sorted, n, 0, packed.bits, stream);
}

template <class Row>
cudaError_t radix_argsort(const ArgsortArgs &args, Row *out, cudaStream_t stream) {
  std::vector<int> bits;
  CN_TRY(bits_of_parts(args, bits, stream));
  std::vector<PackedWord> words = pack(args, bits);
  // All keys are equal.
  if (words[0].bits == 0) {
    return launch(count_up<Row>, blocks_for(args.rows, kThreads), kThreads, 0, stream, out, args.rows);
  }
  Row *from = args.alloc.scratch<Row>(args.rows);
  Row *to = out;
  if (from == nullptr) return cudaErrorMemoryAllocation;
  // The last sort must write to `out`.
  if (words.size() % 2 == 0) std::swap(from, to);
  for (size_t w = words.size(); w-- > 0;) {
    bool is_first = w + 1 == words.size();
    // More than 2^32 rows are rare enough to skip the narrow sort, which takes seconds to compile.
    if constexpr (sizeof(Row) == 4) {
      if (words[w].bits <= 32) {
        CN_TRY(sort_by_word<uint32_t>(args, words[w], is_first, from, to, stream));
        std::swap(from, to);
        continue;
      }
    }
    CN_TRY(sort_by_word<uint64_t>(args, words[w], is_first, from, to, stream));
    std::swap(from, to);
  }
  return cudaSuccess;
}

// Eight bytes as a number whose order is that of the bytes.
__device__ __forceinline__ uint64_t big_endian(uint64_t word) {
  uint32_t low = static_cast<uint32_t>(word), high = static_cast<uint32_t>(word >> 32);
  return static_cast<uint64_t>(__byte_perm(low, 0, 0x0123)) << 32 | __byte_perm(high, 0, 0x0123);
}

__device__ int compare_string(const ColumnDesc &column, int64_t a, int64_t b) {
  StringRow x = string_row(column, a), y = string_row(column, b);
  WordReader from_x(x, char_range(column)), from_y(y, char_range(column));
  while (from_x.left > 0 && from_y.left > 0) {
    uint64_t p = big_endian(from_x.next()), q = big_endian(from_y.next());
    if (p != q) return p < q ? -1 : 1;
  }
  return (x.length > y.length) - (x.length < y.length);
}

__device__ int compare_values(const ColumnDesc &column, int64_t a, int64_t b) {
  if (column.storage == STRING) return compare_string(column, a, b);
  uint64_t x = ordered(column, a, false);
  uint64_t y = ordered(column, b, false);
  if (x == y && column.storage == I128) {
    x = ordered(column, a, true);
    y = ordered(column, b, true);
  }
  return (x > y) - (x < y);
}

// Not inlined: the merge sort compares in so many places that inlining takes minutes to compile.
__device__ __attribute__((noinline)) bool row_less(const SortKeyDesc *keys, int32_t key_count, int64_t a, int64_t b) {
  for (int32_t k = 0; k < key_count; k++) {
    const SortKeyDesc &key = keys[k];
    bool a_valid = key.column.valid(a);
    bool b_valid = key.column.valid(b);
    if (a_valid != b_valid) return a_valid == (key.nulls_last != 0);
    int order = a_valid ? compare_values(key.column, a, b) : 0;
    if (order != 0) return (order < 0) != (key.descending != 0);
  }
  return false;
}

template <class Row>
struct RowLess {
  // Device memory.
  const SortKeyDesc *keys;
  int32_t key_count;

  __device__ bool operator()(const Row &a, const Row &b) const {
    return row_less(keys, key_count, static_cast<int64_t>(a), static_cast<int64_t>(b));
  }
};

// Keys are passed as kernel arguments: the source of a copy from host memory would have to outlive this call.
__global__ void store_key(SortKeyDesc key, SortKeyDesc *out) { *out = key; }

// How many bytes all valid strings begin with, at most kCommonBytes; 0 if the first kThreads rows are null. `common`
// begins as all ones.
__global__ void __launch_bounds__(kThreads, 6) find_common_bytes(ColumnDesc column, unsigned *common, int64_t n) {
  SHARED(reference, int);
  if (threadIdx.x == 0) reference = kThreads;
  __syncthreads();
  int first = static_cast<int>(threadIdx.x);
  if (first < n && column.valid(first)) atomicMin(&reference, first);
  __syncthreads();
  unsigned least = 0;
  if (reference < kThreads) {
    StringRow other = string_row(column, reference);
    least = other.length < SortPolicy::kCommonBytes ? static_cast<unsigned>(other.length) : SortPolicy::kCommonBytes;
    CharRange range = char_range(column);
    int64_t stride = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t row = thread_index(); row < n && load_relaxed(common) != 0; row += stride) {
      if (!column.valid(row)) continue;
      StringRow mine = string_row(column, row);
      if (mine.length < least) least = static_cast<unsigned>(mine.length);
      WordReader from_mine(mine, range), from_other(other, range);
      for (unsigned at = 0; at < least; at += 8) {
        uint64_t differing = from_mine.next() ^ from_other.next();
        if (differing == 0) continue;
        unsigned equal = at + (static_cast<unsigned>(__ffsll(static_cast<long long>(differing))) - 1) / 8;
        if (equal < least) least = equal;
      }
    }
  }
  for (int step = 16; step > 0; step /= 2) {
    unsigned lane = __shfl_down_sync(0xffffffffu, least, step);
    least = lane < least ? lane : least;
  }
  if (threadIdx.x % 32 == 0 && least < load_relaxed(common)) atomicMin(common, least);
}

// Eight bytes of a string from a position on, zeros after its end, as a number in their order.
__device__ __forceinline__ uint64_t bytes_from(const ColumnDesc &column, int64_t row, int64_t position) {
  StringRow string = string_row(column, row);
  if (string.length <= position) return 0;
  string = {string.bytes + position, string.length - position};
  return big_endian(WordReader(string, char_range(column)).next());
}

// Like pack_rows, for the fields of the first word up to a string's, which is the last one.
template <class Row>
__global__ void pack_prefixes(Fields fields, const unsigned *common, Row *numbers, uint64_t *words, int64_t n) {
  int64_t row = thread_index();
  if (row >= n) return;
  uint64_t word = 0;
  for (int f = 0; f < fields.count; f++) {
    const Field &field = fields.of[f];
    const ColumnDesc &column = field.key.column;
    uint64_t value = 0;
    if (column.storage != STRING || field.nulls) {
      value = field(row);
    } else if (column.valid(row)) {
      value = bytes_from(column, row, *common);
      value = (field.key.descending ? ~value : value) >> field.shift;
    }
    word = (field.bits == 64 ? 0 : word << field.bits) | value;
  }
  words[row] = word;
  numbers[row] = static_cast<Row>(row);
}

// Whether rows with equal words, in the order of their numbers, are out of order.
template <class Row>
__global__ void find_disorder(const uint64_t *words, const Row *rows, RowLess<Row> less, unsigned *disorder, int64_t n) {
  int64_t i = thread_index() + 1;
  if (i >= n || words[i] != words[i - 1] || load_relaxed(disorder) != 0) return;
  if (less(rows[i], rows[i - 1])) atomicExch(disorder, 1u);
}

// A row and its word.
struct PrefixedRow {
  uint64_t word;
  uint64_t row;
};

// The lowest bits of the word of a tie: how many bytes its string has after the common ones, or that it has more than the two
// words.
constexpr int kLengthBits = 5;
constexpr uint64_t kLengths = (uint64_t{1} << kLengthBits) - 1;

struct PrefixLess {
  // Device memory.
  const SortKeyDesc *keys;
  int32_t key_count;
  // Of ties: the first keys of rows with equal words are equal, if the strings have at most so many bytes.
  int32_t most_bytes;
  int32_t equal_keys;
  uint64_t flipped;

  __device__ bool operator()(const PrefixedRow &a, const PrefixedRow &b) const {
    if (a.word != b.word) return a.word < b.word;
    bool are_equal = static_cast<int32_t>((a.word ^ flipped) & kLengths) <= most_bytes;
    int32_t first = are_equal ? equal_keys : 0;
    if (first == key_count) return false;
    return row_less(keys + first, key_count - first, static_cast<int64_t>(a.row), static_cast<int64_t>(b.row));
  }
};

// Of rows in the order of their words: 1 for one whose word another has too, and above 32 bits 1 for the first of each such
// word.
struct TieCount {
  const uint64_t *words;
  int64_t n;

  __device__ uint64_t operator()(int64_t i) const {
    if (i >= n) return 0;
    bool before = i > 0 && words[i - 1] == words[i], after = i + 1 < n && words[i + 1] == words[i];
    return (before || after ? 1 : 0) | static_cast<uint64_t>(!before && after) << 32;
  }
};

// What orders the rows of a word further: `bytes` of a string, from `position` on after the common ones, and its length; above
// them the rank of the word.
struct NextBytes {
  SortKeyDesc key;
  const unsigned *common;
  int position, bytes;

  __device__ uint64_t operator()(uint64_t rank, int64_t row) const {
    // Nulls are not among other rows of a word.
    uint64_t value = 0;
    if (key.column.valid(row)) {
      int64_t skipped = *common, length = string_row(key.column, row).length - skipped, most = position + bytes;
      value = bytes_from(key.column, row, skipped + position) >> (64 - 8 * bytes) << kLengthBits;
      value |= static_cast<uint64_t>(length <= most ? length : most + 1);
      if (key.descending) value = ~value & ((uint64_t{1} << (8 * bytes + kLengthBits)) - 1);
    } else if (key.descending) {
      value = kLengths;
    }
    return rank << (8 * bytes + kLengthBits) | value;
  }
};

// Lists the rows that share their words, and where they are. `counts`: sums of TieCount.
template <class Row>
__global__ void list_ties(const uint64_t *counts, const Row *rows, NextBytes next, PrefixedRow *ties, Row *places, int64_t n) {
  int64_t i = thread_index();
  if (i >= n) return;
  uint32_t at = static_cast<uint32_t>(counts[i]);
  uint64_t upto = counts[i + 1];
  if (at == static_cast<uint32_t>(upto)) return;
  int64_t row = static_cast<int64_t>(rows[i]);
  places[at] = static_cast<Row>(i);
  ties[at] = PrefixedRow{next((upto >> 32) - 1, row), static_cast<uint64_t>(row)};
}

template <class Row>
__global__ void place_ties(const PrefixedRow *ties, const Row *places, Row *rows, int64_t n) {
  int64_t i = thread_index();
  if (i < n) rows[places[i]] = static_cast<Row>(ties[i].row);
}

template <class Row>
__global__ void join_words(const uint64_t *words, const Row *rows, PrefixedRow *out, int64_t n) {
  int64_t i = thread_index();
  if (i < n) out[i] = PrefixedRow{words[i], static_cast<uint64_t>(rows[i])};
}

template <class Row>
__global__ void rows_of(const PrefixedRow *in, Row *rows, int64_t n) {
  int64_t i = thread_index();
  if (i < n) rows[i] = static_cast<Row>(in[i].row);
}

// Sorts all rows, which are in the order of their words.
template <class Row>
cudaError_t sort_all(const Alloc &alloc, const uint64_t *words, Row *rows, PrefixLess less, int64_t n, cudaStream_t stream) {
  unsigned blocks = blocks_for(n, kThreads);
  PrefixedRow *pairs = alloc.scratch<PrefixedRow>(n);
  if (pairs == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(join_words<Row>, blocks, kThreads, 0, stream, words, rows, pairs, n));
  CN_TRY(prim::merge_sort(alloc, pairs, n, less, stream));
  return launch(rows_of<Row>, blocks, kThreads, 0, stream, pairs, rows, n);
}

// Sorts those that share their words, by the next bytes of the string that the words end with, then by comparing rows.
template <class Row>
cudaError_t sort_ties(const Alloc &alloc, const uint64_t *words, Row *rows, NextBytes next, PrefixLess less, int64_t n,
                      cudaStream_t stream) {
  uint64_t *counts = alloc.scratch<uint64_t>(n + 1);
  if (counts == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(prim::exclusive_sum(alloc, prim::Computed<uint64_t, TieCount>{{words, n}, 0}, counts, n + 1, stream));
  uint64_t found = 0;
  CN_TRY(alloc.read(static_cast<const uint64_t *>(counts + n), &found, 1, stream));
  int64_t count = static_cast<int64_t>(found & UINT32_MAX);
  int rank_bits = 0;
  while (found >> 32 > uint64_t{1} << rank_bits) rank_bits++;
  next.bytes = (64 - kLengthBits - rank_bits) / 8;
  less.most_bytes = next.position + next.bytes;
  PrefixedRow *ties = alloc.scratch<PrefixedRow>(count);
  Row *places = alloc.scratch<Row>(count);
  if (ties == nullptr || places == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(list_ties<Row>, blocks_for(n, kThreads), kThreads, 0, stream, counts, rows, next, ties, places, n));
  CN_TRY(prim::merge_sort(alloc, ties, count, less, stream));
  return launch(place_ties<Row>, blocks_for(count, kThreads), kThreads, 0, stream, ties, places, rows, count);
}

// The fields of the first word up to the first string's, as many as one launch packs.
cudaError_t prefix_fields(const ArgsortArgs &args, Fields &fields, int &bits, cudaStream_t stream) {
  ArgsortArgs leading = args;
  leading.key_count = 1;
  while (args.keys[leading.key_count - 1].column.storage != STRING) leading.key_count++;
  std::vector<int> bits_of_part;
  CN_TRY(bits_of_parts(leading, bits_of_part, stream));
  std::vector<PackedWord> words = pack(leading, bits_of_part);
  fields.first = true;
  for (const Field &field : words[0].fields) {
    if (fields.count == SortPolicy::kFields) break;
    fields.of[fields.count] = field;
    fields.count++;
    bits += field.bits;
    if (field.key.column.storage == STRING && !field.nulls) break;
  }
  return cudaSuccess;
}

template <class Row>
cudaError_t string_argsort(const ArgsortArgs &args, Row *out, cudaStream_t stream) {
  int64_t n = args.rows;
  const Alloc &alloc = args.alloc;
  unsigned blocks = blocks_for(n, kThreads);
  SortKeyDesc *keys = alloc.scratch<SortKeyDesc>(args.key_count);
  // The bytes that strings have in common, and whether rows are out of order.
  unsigned *found = alloc.scratch<unsigned>(2);
  uint64_t *words = alloc.scratch<uint64_t>(2 * n);
  Row *rows = alloc.scratch<Row>(n);
  if (keys == nullptr || found == nullptr || words == nullptr || rows == nullptr) return cudaErrorMemoryAllocation;
  for (int32_t k = 0; k < args.key_count; k++) CN_TRY(launch(store_key, 1, 1, 0, stream, args.keys[k], keys + k));
  CN_TRY(cudaMemsetAsync(found, 0xff, sizeof(unsigned), stream));
  CN_TRY(cudaMemsetAsync(found + 1, 0, sizeof(unsigned), stream));
  Fields fields{};
  int bits = 0;
  CN_TRY(prefix_fields(args, fields, bits, stream));
  for (int f = 0; f < fields.count; f++) {
    const Field &field = fields.of[f];
    if (field.key.column.storage != STRING || field.nulls) continue;
    unsigned most = small_limits(alloc) ? 1 : SortPolicy::kBlocks;
    CN_TRY(launch(find_common_bytes, blocks < most ? blocks : most, kThreads, 0, stream, field.key.column, found, n));
  }
  CN_TRY(launch(pack_prefixes<Row>, blocks, kThreads, 0, stream, fields, found, rows, words, n));
  uint64_t *sorted = words + n;
  CN_TRY(prim::sort_pairs(alloc, words, sorted, rows, out, n, 0, bits, stream));
  RowLess<Row> less{keys, args.key_count};
  CN_TRY(launch(find_disorder<Row>, blocks, kThreads, 0, stream, sorted, out, less, found + 1, n));
  unsigned disorder = 0;
  CN_TRY(alloc.read(found + 1, &disorder, 1, stream));
  if (disorder == 0) return cudaSuccess;
  PrefixLess by_word{keys, args.key_count, -1, 0, 0};
  const Field &last = fields.of[fields.count - 1];
  // 32 bits have the counts of ties.
  if constexpr (sizeof(Row) == 4) {
    if (last.key.column.storage == STRING && !last.nulls) {
      while (args.keys[by_word.equal_keys++].column.storage != STRING) {}
      by_word.flipped = last.key.descending ? kLengths : 0;
      return sort_ties(alloc, sorted, out, NextBytes{last.key, found, last.bits / 8, 0}, by_word, n, stream);
    }
  }
  return sort_all(alloc, sorted, out, by_word, n, stream);
}

template <class Row>
cudaError_t argsort_rows(const ArgsortArgs &args, cudaStream_t stream) {
  Row *out = args.alloc.output<Row>(0, args.rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  for (int32_t k = 0; k < args.key_count; k++) {
    if (args.keys[k].column.storage == STRING) return string_argsort(args, out, stream);
  }
  return radix_argsort(args, out, stream);
}

}  // namespace

ENTRY(argsort)(const ArgsortArgs *args, cudaStream_t stream) {
  if (args->rows == 0) return cudaSuccess;
  return args->row_width == 4 ? argsort_rows<uint32_t>(*args, stream) : argsort_rows<uint64_t>(*args, stream);
}

}  // namespace CN_BUILD
