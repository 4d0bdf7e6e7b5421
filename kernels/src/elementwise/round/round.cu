// Rounding, halves to even: one thread per row; reads and writes every value once. The same steps as on the host, each of
// them correctly rounded. An integer that overflows sets a bit of its own and one word.
#include "round.abi.h"
#include "overflow.cuh"
#include "sum192.cuh"
#include "arithmetic.cuh"

namespace CN_BUILD {
namespace {

__device__ __forceinline__ double round_float(double value, double factor, bool up) {
  if (up) {
    double scaled = value * factor;
    // From 2^52 on every float is an integer; otherwise also a NaN or an infinity.
    return fabs(scaled) < 0x1p52 ? rint(scaled) / factor : value;
  }
  // A NaN or an infinity.
  if (!(fabs(value) <= 0x1.fffffffffffffp1023)) return value;
  if (factor > 0x1.fffffffffffffp1023) return copysign(0.0, value);
  return rint(value / factor) * factor;
}

template <class T>
__global__ void round_floats(ColumnDesc input, double factor, bool up, T *out) {
  int64_t row = thread_index();
  if (row < input.rows) out[row] = static_cast<T>(round_float(input.at<T>(row), factor, up));
}

template <class T>
__global__ void round_integers(ColumnDesc input, int128 unit, T *out, Overflow overflow) {
  int64_t row = thread_index();
  bool bad = false;
  if (row < input.rows) {
    int128 value = input.at<T>(row);
    int128 rounded = 0;
    if (unit == 1) {
      rounded = value;
    } else if (unit != 0) {
      int128 quotient = value / unit, rest = magnitude(value % unit), left = unit - rest;
      if (rest > left || (rest == left && quotient % 2 != 0)) quotient += value < 0 ? -1 : 1;
      bad = mul_overflows(quotient, unit);
      rounded = mul(quotient, unit);
      bad = bad || rounded >= kDigits38 || rounded <= -kDigits38 || static_cast<int128>(static_cast<T>(rounded)) != rounded;
      bad = bad && input.valid(row);
    }
    out[row] = static_cast<T>(rounded);
  }
  overflow.store(row, input.rows, bad);
}

}  // namespace

ENTRY(round)(const RoundArgs *args, cudaStream_t stream) {
  return with_storage(args->input.storage, [&](auto type) -> cudaError_t {
    using T = typename decltype(type)::type;
    int64_t rows = args->input.rows;
    T *out = args->alloc.output<T>(0, rows);
    if (out == nullptr) return cudaErrorMemoryAllocation;
    unsigned blocks = blocks_for(rows, kThreads);
    if constexpr (kFloat<T>) {
      double factor;
      memcpy(&factor, &args->factor, sizeof(factor));
      if (rows == 0) return cudaSuccess;
      return launch(round_floats<T>, blocks, kThreads, 0, stream, args->input, factor, args->up != 0, out);
    } else {
      Overflow overflow(args->alloc, rows, stream);
      if (!overflow.allocated()) return cudaErrorMemoryAllocation;
      if (rows == 0) return cudaSuccess;
      return launch(round_integers<T>, blocks, kThreads, 0, stream, args->input, from_halves(args->unit), out, overflow);
    }
  });
}

}  // namespace CN_BUILD
