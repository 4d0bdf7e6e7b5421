// Casts: one thread per row, instantiated by the target type; the source type is one uniform branch. Bits are
// written one word per warp. If checked, a valid row that does not fit sets a bit of its own and one word (atomic
// or, so the order does not matter).
#include "cast.abi.h"
#include "arithmetic.cuh"
#include "overflow.cuh"

namespace CN_BUILD {
namespace {

constexpr double power_of_two(int exponent) { return exponent == 0 ? 1.0 : 2.0 * power_of_two(exponent - 1); }

// A float fits in an integer type if it is in [kBelow, kAbove).
template <class D>
constexpr double kAbove = power_of_two(8 * static_cast<int>(sizeof(D)) - (kSigned<D> ? 1 : 0));
template <class D>
constexpr double kBelow = kSigned<D> ? -kAbove<D> : 0.0;

template <class D>
__device__ __forceinline__ bool fits(double whole) {
  return whole >= kBelow<D> && whole < kAbove<D>;
}

// Converts a whole number in range.
template <class D>
__device__ __forceinline__ D exact(double whole) {
  if constexpr (sizeof(D) < 16) {
    return static_cast<D>(whole);
  } else {
    double size = fabs(whole);
    uint64_t high = static_cast<uint64_t>(size * 0x1p-64);
    uint64_t low = static_cast<uint64_t>(size - static_cast<double>(high) * 0x1p64);
    D value = static_cast<D>(static_cast<uint128>(high) << 64 | low);
    return whole < 0.0 ? negative(value) : value;
  }
}

template <class D>
struct Cast {
  D value;
  bool fits;
};

template <class D, class S>
__device__ __forceinline__ Cast<D> cast_one(S from) {
  if constexpr (kFloat<D> && sizeof(S) == 16) {
    return {to_float<D>(from), true};
  } else if constexpr (kFloat<D>) {
    return {static_cast<D>(from), true};
  } else if constexpr (kFloat<S>) {
    double whole = trunc(static_cast<double>(from));
    if (fits<D>(whole)) return {exact<D>(whole), true};
    return {whole != whole ? D{0} : whole < 0.0 ? kLeast<D> : kGreatest<D>, false};
  } else {
    D value = static_cast<D>(from);
    return {value, static_cast<S>(value) == from && (value < D{0}) == (from < S{0})};
  }
}

// Calls f with the value of a row in its own type.
template <class F>
__device__ __forceinline__ auto visit(const ColumnDesc &input, int64_t row, F f) {
  switch (input.storage) {
    case BIT: return f(static_cast<uint8_t>(input.bit(row)));
    case I8: return f(input.at<int8_t>(row));
    case I16: return f(input.at<int16_t>(row));
    case I32: return f(input.at<int32_t>(row));
    case I64: return f(input.at<int64_t>(row));
    case I128: return f(input.at<int128>(row));
    case U8: return f(input.at<uint8_t>(row));
    case U16: return f(input.at<uint16_t>(row));
    case U32: return f(input.at<uint32_t>(row));
    case U64: return f(input.at<uint64_t>(row));
    case F32: return f(input.at<float>(row));
    default: return f(input.at<double>(row));
  }
}

template <class D>
__global__ void cast_values(ColumnDesc input, D *out) {
  int64_t row = thread_index();
  if (row < input.rows) out[row] = visit(input, row, [](auto from) { return cast_one<D>(from); }).value;
}

template <class D>
__global__ void cast_checked(ColumnDesc input, D *out, Overflow overflow) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < input.rows) {
    Cast<D> cast = visit(input, row, [](auto from) { return cast_one<D>(from); });
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
    if (args->checked && cleared_flag(args->alloc, 1, stream) == nullptr) return cudaErrorMemoryAllocation;
    uint32_t *out = args->alloc.output<uint32_t>(0, (rows + 31) / 32);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    if (rows == 0) return cudaSuccess;
    return launch(cast_to_bits, blocks, kThreads, 0, stream, args->input, out);
  }
  return with_storage(args->to, [&](auto type) -> cudaError_t {
    using D = typename decltype(type)::type;
    D *out = args->alloc.output<D>(0, rows);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    if (!args->checked) {
      if (rows == 0) return cudaSuccess;
      return launch(cast_values<D>, blocks, kThreads, 0, stream, args->input, out);
    }
    Overflow overflow(args->alloc, rows, stream);
    if (!overflow.allocated()) return cudaErrorMemoryAllocation;
    if (rows == 0) return cudaSuccess;
    return launch(cast_checked<D>, blocks, kThreads, 0, stream, args->input, out, overflow);
  });
}

}  // namespace CN_BUILD
