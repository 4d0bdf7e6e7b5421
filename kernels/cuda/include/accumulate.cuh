// Accumulators of reductions and scans, and how a block merges one per thread. The merge order depends only
// on the number of rows, so that sums of floats are the same bits in every run.
#pragma once
#include "aggregation.cuh"
#include "arithmetic.cuh"
#include "sum192.cuh"

namespace CN_BUILD {

// Threads of a block in these kernels.
constexpr int kBlock = kThreads;

// Calls f with the C++ type of a storage type; bits are bool.
template <class F>
cudaError_t with_any_storage(int32_t storage, F f) {
  if (storage == BIT) return f(Type<bool>{});
  return with_storage(storage, f);
}

template <class T>
__device__ __forceinline__ T value_at(const ColumnDesc &column, int64_t row) {
  // Only for bool are 1 and 2 equal.
  if constexpr (static_cast<T>(2) == static_cast<T>(1)) return column.bit(row);
  else return column.at<T>(row);
}

// The integer that orders like a value: -0.0 is less than 0.0. NaN is one value, greater than all numbers in keys for
// minima (`of`) and less in keys for maxima (`greatest_of`), so that an extreme is NaN only of NaNs.
template <class T>
struct Key {
  using type = T;
  static constexpr T least = kLeast<T>, greatest = kGreatest<T>;
  static __device__ __forceinline__ T of(T value) { return value; }
  static __device__ __forceinline__ T greatest_of(T value) { return value; }
  static __device__ __forceinline__ T value(T key) { return key; }
};
template <>
struct Key<bool> {
  using type = uint8_t;
  static constexpr uint8_t least = 0, greatest = 1;
  static __device__ __forceinline__ uint8_t of(bool value) { return value; }
  static __device__ __forceinline__ uint8_t greatest_of(bool value) { return value; }
  static __device__ __forceinline__ uint8_t value(uint8_t key) { return key; }
};
template <>
struct Key<float> {
  using type = int32_t;
  static constexpr int32_t least = INT32_MIN, greatest = INT32_MAX;
  static __device__ __forceinline__ int32_t of(float value) {
    int32_t bits = __float_as_int(value);
    return value != value ? 0x7fc00000 : bits ^ ((bits >> 31) & INT32_MAX);
  }
  static __device__ __forceinline__ int32_t greatest_of(float value) { return value != value ? least : of(value); }
  static __device__ __forceinline__ float value(int32_t key) {
    return key == least ? __int_as_float(0x7fc00000) : __int_as_float(key ^ ((key >> 31) & INT32_MAX));
  }
};
template <>
struct Key<double> {
  using type = int64_t;
  static constexpr int64_t least = INT64_MIN, greatest = INT64_MAX;
  static __device__ __forceinline__ int64_t of(double value) {
    int64_t bits = __double_as_longlong(value);
    return value != value ? 0x7ff8000000000000 : bits ^ ((bits >> 63) & INT64_MAX);
  }
  static __device__ __forceinline__ int64_t greatest_of(double value) { return value != value ? least : of(value); }
  static __device__ __forceinline__ double value(int64_t key) {
    return __longlong_as_double(key == least ? 0x7ff8000000000000 : key ^ ((key >> 63) & INT64_MAX));
  }
};

// The functions of an accumulator: `start` for no rows, `of` for one row, `merge` for neighbouring runs of
// rows.
template <class T>
struct IntegerSum {
  static constexpr bool kSum = true;
  using Value = int128;
  static __device__ __forceinline__ Value start() { return 0; }
  static __device__ __forceinline__ Value of(T value) { return static_cast<Value>(value); }
  static __device__ __forceinline__ Value merge(Value a, Value b) { return add(a, b); }
};
// The sum of 128-bit integers; see Sum192.
struct ExactSum {
  static constexpr bool kSum = true;
  using Value = Sum192;
  static __device__ __forceinline__ Value start() { return {0, 0, 0}; }
  static __device__ __forceinline__ Value of(int128 value) { return Sum192::of(value); }
  static __device__ __forceinline__ Value merge(const Value &a, const Value &b) { return Sum192::add(a, b); }
};
// The sum of one half of each 128-bit integer.
template <bool kHigh>
struct HalfSum {
  static constexpr bool kSum = true;
  using Value = int128;
  static __device__ __forceinline__ Value start() { return 0; }
  static __device__ __forceinline__ Value of(int128 value) {
    return kHigh ? value >> 64 : static_cast<int128>(static_cast<uint64_t>(value));
  }
  static __device__ __forceinline__ Value merge(Value a, Value b) { return add(a, b); }
};
template <class T>
struct FloatSum {
  static constexpr bool kSum = true;
  using Value = double;
  static __device__ __forceinline__ Value start() { return 0.0; }
  static __device__ __forceinline__ Value of(T value) { return static_cast<double>(value); }
  static __device__ __forceinline__ Value merge(Value a, Value b) { return a + b; }
};
template <class T>
struct SumOf {
  using type = IntegerSum<T>;
};
template <>
struct SumOf<int128> {
  using type = ExactSum;
};
template <>
struct SumOf<float> {
  using type = FloatSum<float>;
};
template <>
struct SumOf<double> {
  using type = FloatSum<double>;
};
template <class T>
using Sum = typename SumOf<T>::type;
template <class T>
struct Min {
  static constexpr bool kSum = false;
  using Value = typename Key<T>::type;
  static __device__ __forceinline__ Value start() { return Key<T>::greatest; }
  static __device__ __forceinline__ Value of(T value) { return Key<T>::of(value); }
  static __device__ __forceinline__ Value merge(Value a, Value b) { return b < a ? b : a; }
};
template <class T>
struct Max {
  static constexpr bool kSum = false;
  using Value = typename Key<T>::type;
  static __device__ __forceinline__ Value start() { return Key<T>::least; }
  static __device__ __forceinline__ Value of(T value) { return Key<T>::greatest_of(value); }
  static __device__ __forceinline__ Value merge(Value a, Value b) { return a < b ? b : a; }
};

// A run of rows: its accumulator and its number of valid rows.
template <class Op>
struct Run {
  typename Op::Value value;
  int64_t count;

  static __device__ __forceinline__ Run start() { return {Op::start(), 0}; }
  static __device__ __forceinline__ Run merge(const Run &a, const Run &b) {
    return {Op::merge(a.value, b.value), a.count + b.count};
  }
};

template <class Op, class T>
__device__ __forceinline__ Run<Op> run_of_row(const ColumnDesc &input, int64_t row) {
  if (!input.valid(row)) return Run<Op>::start();
  return {Op::of(value_at<T>(input, row)), 1};
}

// Stores the result of a run as row `row` of storage `to`; a bit takes a byte. An exact sum of more than 38 digits sets
// `overflow`, which other sums do not read.
template <class Op, class T>
__device__ __forceinline__ void store_run(void *out, int32_t to, int64_t row, const Run<Op> &run, int32_t aggregation,
                                          uint32_t *overflow) {
  if constexpr (!Op::kSum) {
    static_cast<T *>(out)[row] = Key<T>::value(run.value);
  } else if constexpr (sizeof(run.value) == sizeof(Sum192)) {
    if (overflow != nullptr && !run.value.fits()) atomicOr(overflow, 1u);
    int128 sum = run.value.value();
    if (aggregation == MEAN) static_cast<double *>(out)[row] = to_float<double>(sum) / static_cast<double>(run.count);
    else static_cast<int128 *>(out)[row] = sum;
  } else if (aggregation == MEAN) {
    double sum;
    if constexpr (sizeof(run.value) == 16) sum = to_float<double>(run.value);
    else sum = run.value;
    static_cast<double *>(out)[row] = sum / static_cast<double>(run.count);
  } else if constexpr (sizeof(run.value) == 16) {
    if (to == I128) static_cast<int128 *>(out)[row] = run.value;
    else static_cast<uint64_t *>(out)[row] = static_cast<uint64_t>(run.value);
  } else {
    if (to == F32) static_cast<float *>(out)[row] = static_cast<float>(run.value);
    else static_cast<double *>(out)[row] = run.value;
  }
}

// The merged run of all threads, by a tree reduction. Every thread of the block must call this; thread 0 gets
// the result.
template <class Op>
__device__ Run<Op> block_merge(Run<Op> mine) {
  SHARED(runs, Run<Op>[kBlock]);
  int thread = static_cast<int>(threadIdx.x);
  runs[thread] = mine;
  __syncthreads();
  for (int step = kBlock / 2; step > 0; step /= 2) {
    if (thread < step) runs[thread] = Run<Op>::merge(runs[thread], runs[thread + step]);
    __syncthreads();
  }
  Run<Op> all = runs[0];
  __syncthreads();
  return all;
}

// The merged run of the threads before this one, and that of all threads. Every thread of the block must call
// this. `runs`: kBlock values in shared memory.
template <class R>
__device__ R block_before_in(R *runs, R mine, R *all) {
  int thread = static_cast<int>(threadIdx.x);
  runs[thread] = mine;
  __syncthreads();
  for (int step = 1; step < kBlock; step *= 2) {
    R merged = thread >= step ? R::merge(runs[thread - step], runs[thread]) : runs[thread];
    __syncthreads();
    runs[thread] = merged;
    __syncthreads();
  }
  *all = runs[kBlock - 1];
  R before = thread > 0 ? runs[thread - 1] : R::start();
  __syncthreads();
  return before;
}

template <class R>
__device__ R block_before(R mine, R *all) {
  SHARED(runs, R[kBlock]);
  return block_before_in(&runs[0], mine, all);
}

}  // namespace CN_BUILD
