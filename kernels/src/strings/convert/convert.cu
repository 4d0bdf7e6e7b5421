// Strings read as values, and values written as strings. Read: one thread per row (parsed_rows.cuh); each string is read
// once. Written: each value is written twice, first to count its bytes (written_strings.cuh). No atomics but for the total
// size, the first row without a value and a mark of rows for a second pass; deterministic.
#include "convert.abi.h"
#include "float_text.cuh"
#include "parsed_rows.cuh"
#include "time_text.cuh"

namespace CN_BUILD {
namespace {

// The numbers of Kind in cuda.rs.
enum Kind : int32_t { BOOL, INTEGER, DECIMAL, COUNT, FLOAT };

// A reader whose values depend on nothing but the text.
template <class T>
struct PlainReader {
  using Value = T;
  static constexpr bool kIsBounded = false;
  static constexpr bool kResolves = false;
  Literal literal;
};

struct BoolReader : PlainReader<bool> {

  __device__ __forceinline__ bool read(StringRow text, const uint8_t *, bool &value, int64_t &) const {
    uint64_t word = text.length == 4 || text.length == 5 ? lower_word(text) : 0;
    value = text.length == 4;
    return word == (value ? 0x65757274 : 0x65736c6166);
  }
};

// T: unsigned of the width of the values.
template <class T>
struct IntegerReader : PlainReader<T> {
  // The magnitudes of the greatest and of the least value.
  uint64_t most, least;

  __device__ __forceinline__ bool read(StringRow text, const uint8_t *, T &value, int64_t &) const {
    bool negative = take_sign(text);
    uint64_t magnitude;
    if (!read_unsigned(text, magnitude) || magnitude > (negative ? least : most)) return false;
    value = static_cast<T>(negative ? 0 - magnitude : magnitude);
    return true;
  }
};

template <class T>
struct DecimalReader : PlainReader<T> {
  int32_t scale;
  uint128 most;

  __device__ __forceinline__ bool read(StringRow text, const uint8_t *, T &value, int64_t &) const {
    int128 units;
    if (!read_decimal(text, scale, most, units)) return false;
    value = static_cast<T>(units);
    return true;
  }
};

template <class T>
struct CountReader : PlainReader<T> {
  TimeKind kind;
  TimeScale scale;

  __device__ __forceinline__ bool read(StringRow text, const uint8_t *, T &value, int64_t &) const {
    int64_t count;
    if (!read_count(text, kind, scale, count)) return false;
    value = static_cast<T>(count);
    return true;
  }
};

template <class F>
struct FloatReader {
  using Value = typename FloatFormat<F>::Bits;
  static constexpr bool kIsBounded = false;
  static constexpr bool kResolves = true;
  static constexpr int kResolveWords = 2 * BigInteger::kWords;
  Literal literal;
  Powers powers;
  unsigned long long *pending;

  static __device__ __forceinline__ Value signed_bits(Value magnitude, bool negative) {
    return magnitude | static_cast<Value>(negative ? Value{1} << (8 * sizeof(Value) - 1) : 0);
  }
  __device__ __forceinline__ bool read(StringRow text, const uint8_t *, Value &value, int64_t &) const {
    ScannedFloat scanned;
    if (!scan_float(text, scanned)) return false;
    if (scanned.special != 0) {
      constexpr Value kQuiet = Value{1} << (FloatFormat<F>::kMantissa - 1);
      value = signed_bits(FloatBounds<F>::kInfinite | (scanned.special == 2 ? kQuiet : 0), scanned.is_negative);
      return true;
    }
    FloatBounds<F> bounds(scanned, powers);
    value = signed_bits(bounds.low, scanned.is_negative);
    if (bounds.low != bounds.high && load_relaxed(pending) == 0) atomicOr(pending, 1ull);
    return true;
  }
  __device__ __forceinline__ bool is_open(StringRow text) const {
    ScannedFloat scanned;
    if (!scan_float(text, scanned) || scanned.special != 0) return false;
    FloatBounds<F> bounds(scanned, powers);
    return bounds.low != bounds.high;
  }
  __device__ __forceinline__ Value resolve(StringRow text, uint32_t *words) const {
    ScannedFloat scanned;
    scan_float(text, scanned);
    FloatBounds<F> bounds(scanned, powers);
    return signed_bits(nearest_float<F>(scanned, bounds.low, words), scanned.is_negative);
  }
};

// Values that are written by a Writer alone: `put(input, row, out)` of a valid row.
template <class Writer>
struct PlainRows {
  ColumnDesc input;
  Writer writer;

  using Shared = NothingShared;
  static constexpr bool kComposed = false;

  __device__ __forceinline__ void stage(Shared &) const {}
  __host__ __device__ int64_t rows() const { return input.rows; }
  template <class Bytes>
  __device__ __forceinline__ uint32_t make(int64_t row, uint4 *, const Shared &, Bytes &out) const {
    if (row < input.rows && input.valid(row)) writer.put(input, row, out);
    return 0;
  }
};

// Integers of every width, and booleans.
struct IntegerWriter {
  static __device__ __forceinline__ int64_t signed_value(const ColumnDesc &input, int64_t row) {
    switch (input.storage) {
      case I8: return input.at<int8_t>(row);
      case I16: return input.at<int16_t>(row);
      case I32: return input.at<int32_t>(row);
      default: return input.at<int64_t>(row);
    }
  }
  static __device__ __forceinline__ uint64_t unsigned_value(const ColumnDesc &input, int64_t row) {
    switch (input.storage) {
      case U8: return input.at<uint8_t>(row);
      case U16: return input.at<uint16_t>(row);
      case U32: return input.at<uint32_t>(row);
      default: return input.at<uint64_t>(row);
    }
  }
  template <class Bytes>
  __device__ __forceinline__ void put(const ColumnDesc &input, int64_t row, Bytes &out) const {
    if (input.storage == BIT) {
      put_word(input.bit(row) ? 0x65757274 : 0x65736c6166, out);
    } else if (input.storage >= U8) {
      put_number(unsigned_value(input, row), out);
    } else {
      int64_t value = signed_value(input, row);
      if (value < 0) out.put('-');
      put_number(value < 0 ? 0 - static_cast<uint64_t>(value) : static_cast<uint64_t>(value), out);
    }
  }
};

struct DecimalWriter {
  int32_t scale;

  template <class Bytes>
  __device__ __forceinline__ void put(const ColumnDesc &input, int64_t row, Bytes &out) const {
    int128 value = input.storage == I32   ? static_cast<int128>(input.at<int32_t>(row))
                   : input.storage == I64 ? static_cast<int128>(input.at<int64_t>(row))
                                          : input.at<int128>(row);
    put_decimal(value, scale, out);
  }
};

template <class F>
struct FloatWriter {
  Powers powers;

  template <class Bytes>
  __device__ __forceinline__ void put(const ColumnDesc &input, int64_t row, Bytes &out) const {
    put_float<F>(input.at<typename FloatFormat<F>::Bits>(row), powers, out);
  }
};

// Dates, times and durations. Instants of a time zone are shown in local time, with the offset; without offsets, and where
// the local time does not fit, in UTC with `zone` after it.
struct CountRows {
  ColumnDesc input;
  ColumnDesc offsets;
  TimeKind kind;
  TimeScale scale;
  bool shows_z;
  Literal zone;

  using Shared = LiteralShared;
  static constexpr bool kComposed = false;

  __device__ __forceinline__ void stage(Shared &shared) const { zone.staged(&shared.words[0]); }
  __host__ __device__ int64_t rows() const { return input.rows; }
  template <class Bytes>
  __device__ __forceinline__ uint32_t make(int64_t row, uint4 *, const Shared &shared, Bytes &out) const {
    if (row >= input.rows || !input.valid(row)) return 0;
    int64_t value = input.storage == I32 ? input.at<int32_t>(row) : input.at<int64_t>(row);
    if (kind == DATE) {
      put_date(value, out);
    } else if (kind == DURATION || kind == CLOCK) {
      put_duration(value, scale, out);
    } else if (kind == TIME) {
      put_time(value, scale, out);
    } else {
      int64_t offset = offsets.data == nullptr ? 0 : offsets.at<int64_t>(row);
      int64_t local = static_cast<int64_t>(static_cast<uint64_t>(value) + static_cast<uint64_t>(offset * scale.per_second));
      bool fits = offsets.data != nullptr && (offset >= 0 ? local >= value : local < value);
      put_time(fits ? local : value, scale, out);
      if (fits) put_offset(offset, shows_z, out);
      else out.copy(zone.in(&shared.words[0]), zone.bytes);
    }
    return 0;
  }
};

Powers powers_of(const uint64_t *words) {
  Powers powers;
  memcpy(&powers, words, sizeof(powers));
  return powers;
}

template <class Reader>
cudaError_t parse(const ParseTextArgs &args, const Reader &reader, cudaStream_t stream) {
  return parse_strings(args.alloc, args.input, reader, args.failed, stream);
}

template <class Writer>
cudaError_t format(const FormatTextArgs &args, const Writer &writer, cudaStream_t stream) {
  return write_strings(args.alloc, PlainRows<Writer>{args.input, writer}, args.string_bytes, args.faults, stream);
}

}  // namespace

ENTRY(parse_text)(const ParseTextArgs *args, cudaStream_t stream) {
  uint64_t most = args->most[0], least = args->least;
  uint128 most_units = static_cast<uint128>(args->most[1]) << 64 | most;
  TimeKind kind = static_cast<TimeKind>(args->time_kind);
  TimeScale scale{args->per_second, args->digits};
  switch (args->kind) {
    case BOOL: return parse(*args, BoolReader{}, stream);
    case INTEGER:
      switch (args->width) {
        case 1: return parse(*args, IntegerReader<uint8_t>{{}, most, least}, stream);
        case 2: return parse(*args, IntegerReader<uint16_t>{{}, most, least}, stream);
        case 4: return parse(*args, IntegerReader<uint32_t>{{}, most, least}, stream);
        default: return parse(*args, IntegerReader<uint64_t>{{}, most, least}, stream);
      }
    case DECIMAL:
      switch (args->width) {
        case 4: return parse(*args, DecimalReader<int32_t>{{}, args->scale, most_units}, stream);
        case 8: return parse(*args, DecimalReader<int64_t>{{}, args->scale, most_units}, stream);
        default: return parse(*args, DecimalReader<int128>{{}, args->scale, most_units}, stream);
      }
    case COUNT:
      if (args->width == 4) return parse(*args, CountReader<int32_t>{{}, kind, scale}, stream);
      return parse(*args, CountReader<int64_t>{{}, kind, scale}, stream);
    case FLOAT:
      if (args->width == 4) return parse(*args, FloatReader<float>{Literal{}, powers_of(args->powers), nullptr}, stream);
      return parse(*args, FloatReader<double>{Literal{}, powers_of(args->powers), nullptr}, stream);
    default: return cudaErrorInvalidValue;
  }
}

ENTRY(format_text)(const FormatTextArgs *args, cudaStream_t stream) {
  switch (args->kind) {
    case BOOL:
    case INTEGER: return format(*args, IntegerWriter{}, stream);
    case DECIMAL: return format(*args, DecimalWriter{args->scale}, stream);
    case COUNT: {
      TimeScale scale{args->per_second, args->digits};
      CountRows rows{args->input, args->offsets, static_cast<TimeKind>(args->time_kind), scale, args->shows_z != 0,
                     {args->zone, args->zone_far, args->zone_bytes}};
      return write_strings(args->alloc, rows, args->string_bytes, args->faults, stream);
    }
    case FLOAT:
      if (args->input.storage == F32) return format(*args, FloatWriter<float>{powers_of(args->powers)}, stream);
      return format(*args, FloatWriter<double>{powers_of(args->powers)}, stream);
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace CN_BUILD
