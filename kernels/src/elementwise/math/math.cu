// Functions of floats: one thread per row, which reads and writes every value once. One kernel per function, so that the
// registers of one do not limit another; 32-bit floats are computed in 64 bits. The last bits may differ from the host's.
#include "math.abi.h"
#include "arithmetic.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of MathOp in mod.rs.
enum MathOp : int32_t {
  EXP, EXPM1, LOG, LOG1P, LOG2, LOG10, CBRT, SIN, COS, TAN, ASIN, ACOS, ATAN, SINH, COSH, TANH, ASINH, ACOSH, ATANH,
  POW, ATAN2
};

template <int32_t Op>
__device__ __forceinline__ double function_of(double a, double b) {
  if constexpr (Op == EXP) return exp(a);
  if constexpr (Op == EXPM1) return expm1(a);
  if constexpr (Op == LOG) return log(a);
  if constexpr (Op == LOG1P) return log1p(a);
  if constexpr (Op == LOG2) return log2(a);
  if constexpr (Op == LOG10) return log10(a);
  if constexpr (Op == CBRT) return cbrt(a);
  if constexpr (Op == SIN) return sin(a);
  if constexpr (Op == COS) return cos(a);
  if constexpr (Op == TAN) return tan(a);
  if constexpr (Op == ASIN) return asin(a);
  if constexpr (Op == ACOS) return acos(a);
  if constexpr (Op == ATAN) return atan(a);
  if constexpr (Op == SINH) return sinh(a);
  if constexpr (Op == COSH) return cosh(a);
  if constexpr (Op == TANH) return tanh(a);
  if constexpr (Op == ASINH) return asinh(a);
  if constexpr (Op == ACOSH) return acosh(a);
  if constexpr (Op == ATANH) return atanh(a);
  if constexpr (Op == POW) return pow(a, b);
  if constexpr (Op == ATAN2) return atan2(a, b);
}

// Floats of either width as 64-bit floats, or one value for every row.
struct Floats {
  const void *values;
  int64_t offset;
  double value;
  bool narrow;

  Floats(const ColumnDesc &column, const uint64_t (&bytes)[2], bool narrow)
      : values(column.data), offset(column.offset), narrow(narrow) {
    float single;
    memcpy(&single, bytes, sizeof(single));
    memcpy(&value, bytes, sizeof(value));
    if (narrow) value = single;
  }
  __device__ __forceinline__ double at(int64_t row) const {
    if (values == nullptr) return value;
    if (narrow) return static_cast<const float *>(values)[offset + row];
    return static_cast<const double *>(values)[offset + row];
  }
};

template <int32_t Op>
__global__ void math_values(Floats lhs, Floats rhs, void *out, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  double right = Op == POW || Op == ATAN2 ? rhs.at(row) : 0.0;
  double result = function_of<Op>(lhs.at(row), right);
  if (lhs.narrow) {
    static_cast<float *>(out)[row] = static_cast<float>(result);
  } else {
    static_cast<double *>(out)[row] = result;
  }
}

// Calls `run` with the function as a constant.
template <class Run, int32_t Op = EXP>
cudaError_t with_function(int32_t op, const Run &run) {
  if (op == Op) return run(std::integral_constant<int32_t, Op>{});
  if constexpr (Op < ATAN2) return with_function<Run, Op + 1>(op, run);
  return cudaErrorInvalidValue;
}

}  // namespace

ENTRY(math)(const MathArgs *args, cudaStream_t stream) {
  int64_t rows = args->rows;
  bool narrow = args->lhs.storage == F32;
  void *out = narrow ? static_cast<void *>(args->alloc.output<float>(0, rows))
                     : static_cast<void *>(args->alloc.output<double>(0, rows));
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  Floats lhs(args->lhs, args->lhs_value, narrow), rhs(args->rhs, args->rhs_value, narrow);
  return with_function(args->op, [&](auto function) {
    return launch(math_values<decltype(function)::value>, blocks_for(rows, kThreads), kThreads, 0, stream, lhs, rhs, out,
                  rows);
  });
}

}  // namespace CN_BUILD
