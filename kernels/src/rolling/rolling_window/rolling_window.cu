// Aggregations of windows: a tree of partial results over the rows, level by level, and a thread a window that merges
// the nodes which cover it, from left to right. Nothing is subtracted. No atomics but for the flag of an overflow; the
// order of merges depends on the bounds alone.
#include "rolling_window.abi.h"
#include "accumulate.cuh"

namespace CN_BUILD {
namespace {

// The numbers of WindowAggregation::code in mod.rs.
enum WindowAggregation : int32_t { WINDOW_SUM, WINDOW_MIN, WINDOW_MAX, WINDOW_PRODUCT, WINDOW_MEAN, WINDOW_VARIANCE };

// The functions of an aggregation, as those of Monoid in monoid.rs.
template <class T>
struct WrappingSum {
  using Value = T;
  using Partial = T;
  static __device__ __forceinline__ Partial of(T value) { return value; }
  static __device__ __forceinline__ Partial merge(Partial a, Partial b, int64_t, int64_t) { return add(a, b); }
  static __device__ __forceinline__ bool finish(Partial partial, int64_t, uint32_t, T *result) {
    *result = partial;
    return true;
  }
  static __device__ __forceinline__ T of_none() { return T{0}; }
};
template <class T>
struct WrappingProduct : WrappingSum<T> {
  static __device__ __forceinline__ T merge(T a, T b, int64_t, int64_t) { return mul(a, b); }
  static __device__ __forceinline__ T of_none() { return T{1}; }
};
struct DecimalSum {
  using Value = int128;
  using Partial = Sum192;
  static __device__ __forceinline__ Partial of(int128 value) { return Sum192::of(value); }
  static __device__ __forceinline__ Partial merge(const Partial &a, const Partial &b, int64_t, int64_t) {
    return Sum192::add(a, b);
  }
  static __device__ __forceinline__ bool finish(const Partial &partial, int64_t, uint32_t, int128 *result) {
    *result = partial.value();
    return partial.fits();
  }
  static __device__ __forceinline__ int128 of_none() { return 0; }
};
// kDigits38 stands for every product of more digits; a zero makes up for it.
struct DecimalProduct {
  using Value = int128;
  using Partial = int128;
  static __device__ __forceinline__ bool fits(int128 value) { return value < kDigits38 && value > -kDigits38; }
  static __device__ __forceinline__ Partial of(int128 value) { return fits(value) ? value : kDigits38; }
  static __device__ __forceinline__ Partial merge(Partial a, Partial b, int64_t, int64_t) {
    if (a == 0 || b == 0) return 0;
    if (!fits(a) || !fits(b) || mul_overflows(a, b)) return kDigits38;
    return of(mul(a, b));
  }
  static __device__ __forceinline__ bool finish(Partial partial, int64_t, uint32_t, int128 *result) {
    *result = partial;
    return fits(partial);
  }
  static __device__ __forceinline__ int128 of_none() { return 1; }
};
template <class T, bool kLeastOf>
struct Extreme {
  using Value = T;
  using Partial = typename Key<T>::type;
  static __device__ __forceinline__ Partial of(T value) {
    return kLeastOf ? Key<T>::of(value) : Key<T>::greatest_of(value);
  }
  static __device__ __forceinline__ Partial merge(Partial a, Partial b, int64_t, int64_t) {
    return (b < a) == kLeastOf ? b : a;
  }
  static __device__ __forceinline__ bool finish(Partial partial, int64_t, uint32_t, T *result) {
    *result = Key<T>::value(partial);
    return true;
  }
  static __device__ __forceinline__ T of_none() { return T{0}; }
};
struct MeanOf : WrappingSum<double> {
  static __device__ __forceinline__ bool finish(double partial, int64_t count, uint32_t, double *result) {
    *result = partial / static_cast<double>(count);
    return true;
  }
};
struct Moments {
  double mean, squares;
};
struct VarianceOf {
  using Value = double;
  using Partial = Moments;
  static __device__ __forceinline__ Partial of(double value) { return {value, value * 0.0 * 0.0}; }
  static __device__ __forceinline__ Partial merge(const Partial &a, const Partial &b, int64_t left, int64_t right) {
    double before = static_cast<double>(left), after = static_cast<double>(right);
    double all = before + after, delta = b.mean - a.mean;
    return {a.mean + delta * (after / all), a.squares + b.squares + delta * delta * (before * after / all)};
  }
  static __device__ __forceinline__ bool finish(const Partial &partial, int64_t count, uint32_t ddof, double *result) {
    *result = partial.squares / (static_cast<double>(count) - static_cast<double>(ddof));
    return true;
  }
  static __device__ __forceinline__ double of_none() { return 0.0; }
};

// The partial result of `count` values; without values it is not read.
template <class Op>
struct Node {
  typename Op::Partial partial;
  int64_t count;

  static __device__ __forceinline__ Node merge(const Node &a, const Node &b) {
    if (a.count == 0) return b;
    if (b.count == 0) return a;
    return {Op::merge(a.partial, b.partial, a.count, b.count), a.count + b.count};
  }
  static __device__ __forceinline__ Node of_row(const ColumnDesc &values, int64_t row) {
    using T = typename Op::Value;
    return {Op::of(values.at<T>(row)), values.valid(row) ? 1 : 0};
  }
};

// The first level above the rows: pairs of rows.
template <class Op>
__global__ void pairs_of_rows(ColumnDesc values, Node<Op> *nodes, int64_t count) {
  int64_t node = thread_index();
  if (node >= count) return;
  Node<Op> both = Node<Op>::of_row(values, 2 * node);
  if (2 * node + 1 < values.rows) both = Node<Op>::merge(both, Node<Op>::of_row(values, 2 * node + 1));
  nodes[node] = both;
}

// The next level: pairs of nodes.
template <class Op>
__global__ void pairs_of_nodes(const Node<Op> *below, int64_t below_count, Node<Op> *nodes, int64_t count) {
  int64_t node = thread_index();
  if (node >= count) return;
  Node<Op> both = below[2 * node];
  if (2 * node + 1 < below_count) both = Node<Op>::merge(both, below[2 * node + 1]);
  nodes[node] = both;
}

template <class Op>
__device__ Node<Op> node_at(const ColumnDesc &values, const Node<Op> *level, int64_t node) {
  return level == nullptr ? Node<Op>::of_row(values, node) : level[node];
}

__device__ __forceinline__ int64_t cut(int64_t bound, int64_t rows) {
  return bound < 0 ? 0 : bound > rows ? rows : bound;
}

template <class Op>
__global__ void merge_windows(ColumnDesc values, ColumnDesc starts, ColumnDesc ends, const Node<Op> *nodes,
                              int64_t min_values, uint32_t ddof, typename Op::Value *out, uint32_t *valid,
                              uint32_t *overflow) {
  int64_t window = thread_index();
  bool is_valid = false;
  if (window < starts.rows) {
    int64_t start = cut(starts.at<int64_t>(window), values.rows), end = cut(ends.at<int64_t>(window), values.rows);
    Node<Op> left{}, right{};
    const Node<Op> *level = nullptr;
    int64_t level_nodes = values.rows;
    // Nodes that stick out at either end are merged, then the bounds go to the level above.
    while (start < end) {
      if ((start & 1) != 0) left = Node<Op>::merge(left, node_at<Op>(values, level, start++));
      if ((end & 1) != 0) right = Node<Op>::merge(node_at<Op>(values, level, --end), right);
      start >>= 1;
      end >>= 1;
      level = level == nullptr ? nodes : level + level_nodes;
      level_nodes = (level_nodes + 1) / 2;
    }
    Node<Op> all = Node<Op>::merge(left, right);
    is_valid = all.count >= min_values;
    typename Op::Value result = Op::of_none();
    if (all.count > 0 && is_valid && !Op::finish(all.partial, all.count, ddof, &result)) atomicOr(overflow, 1u);
    out[window] = result;
  }
  store_bit(valid, window, starts.rows, is_valid);
}

template <class Op>
cudaError_t windows_of(const RollingWindowArgs &args, cudaStream_t stream) {
  using T = typename Op::Value;
  int64_t rows = args.values.rows, windows = args.starts.rows;
  T *out = args.alloc.output<T>(0, windows);
  uint32_t *valid = args.alloc.output<uint32_t>(1, (windows + 31) / 32);
  if (out == nullptr || valid == nullptr) return cudaErrorMemoryAllocation;
  uint32_t *overflow = nullptr;
  if constexpr (sizeof(T) == 16) {
    overflow = cleared_flag(args.alloc, 2, stream);
    if (overflow == nullptr) return cudaErrorMemoryAllocation;
  }
  if (windows == 0) return cudaSuccess;
  int64_t all = 0;
  for (int64_t count = rows; count > 1; count = (count + 1) / 2) all += (count + 1) / 2;
  Node<Op> *nodes = args.alloc.scratch<Node<Op>>(all);
  if (nodes == nullptr) return cudaErrorMemoryAllocation;
  Node<Op> *below = nullptr, *level = nodes;
  for (int64_t count = rows; count > 1;) {
    int64_t above = (count + 1) / 2;
    unsigned blocks = blocks_for(above, kThreads);
    if (below == nullptr) {
      CN_TRY(launch(pairs_of_rows<Op>, blocks, kThreads, 0, stream, args.values, level, above));
    } else {
      CN_TRY(launch(pairs_of_nodes<Op>, blocks, kThreads, 0, stream, static_cast<const Node<Op> *>(below), count, level,
                    above));
    }
    below = level;
    level += above;
    count = above;
  }
  int64_t min_values = args.min_values;
  if (args.aggregation == WINDOW_VARIANCE && min_values <= args.ddof) min_values = static_cast<int64_t>(args.ddof) + 1;
  return launch(merge_windows<Op>, blocks_for(windows, kThreads), kThreads, 0, stream, args.values, args.starts,
                args.ends, static_cast<const Node<Op> *>(nodes), min_values, args.ddof, out, valid, overflow);
}

template <class T>
cudaError_t of_storage(const RollingWindowArgs &args, cudaStream_t stream) {
  switch (args.aggregation) {
    case WINDOW_SUM:
      if constexpr (sizeof(T) == 16) return windows_of<DecimalSum>(args, stream);
      else return windows_of<WrappingSum<T>>(args, stream);
    case WINDOW_PRODUCT:
      if constexpr (sizeof(T) == 16) return windows_of<DecimalProduct>(args, stream);
      else return windows_of<WrappingProduct<T>>(args, stream);
    case WINDOW_MIN: return windows_of<Extreme<T, true>>(args, stream);
    case WINDOW_MAX: return windows_of<Extreme<T, false>>(args, stream);
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace

ENTRY(rolling_window)(const RollingWindowArgs *args, cudaStream_t stream) {
  switch (args->values.storage) {
    case I64: return of_storage<int64_t>(*args, stream);
    case U64: return of_storage<uint64_t>(*args, stream);
    case I128: return of_storage<int128>(*args, stream);
    default: break;
  }
  if (args->aggregation == WINDOW_MEAN) return windows_of<MeanOf>(*args, stream);
  if (args->aggregation == WINDOW_VARIANCE) return windows_of<VarianceOf>(*args, stream);
  return of_storage<double>(*args, stream);
}

}  // namespace CN_BUILD
