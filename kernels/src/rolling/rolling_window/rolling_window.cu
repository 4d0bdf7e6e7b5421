// Aggregations of windows: a tree of partial results over the rows, and a thread a window that merges the nodes which
// cover it, from left to right. A block whose windows lie in a tile of rows builds the tree of the tile in shared memory
// and reads each row once; the tree of all rows, level by level, is built only if a block needs it, which the host asks
// once. Both trees have the
// same nodes: the order of merges depends on the bounds alone. Nothing is subtracted. Atomics set flags only.
#include "rolling_window.abi.h"
#include "accumulate.cuh"
#include "limits.cuh"
#include "windows.cuh"

namespace CN_BUILD {
namespace {

// The numbers of WindowAggregation::code in mod.rs.
enum WindowAggregation : int32_t {
  WINDOW_SUM,
  WINDOW_MIN,
  WINDOW_MAX,
  WINDOW_PRODUCT,
  WINDOW_MEAN,
  WINDOW_VARIANCE,
  WINDOW_SKEWNESS,
  WINDOW_KURTOSIS
};

// The functions of an aggregation, as those of Monoid in monoid.rs.
template <class T>
struct WrappingSum {
  using Value = T;
  using Partial = T;
  static __device__ __forceinline__ Partial of(T value) { return value; }
  static __device__ __forceinline__ Partial merge(Partial a, Partial b, int64_t, int64_t) { return add(a, b); }
  static __device__ __forceinline__ bool has_result(Partial) { return true; }
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
  static __device__ __forceinline__ bool has_result(const Partial &) { return true; }
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
  static __device__ __forceinline__ bool has_result(Partial) { return true; }
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
  static __device__ __forceinline__ bool has_result(Partial) { return true; }
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
  static __device__ __forceinline__ bool has_result(const Partial &) { return true; }
  static __device__ __forceinline__ bool finish(const Partial &partial, int64_t count, uint32_t ddof, double *result) {
    *result = partial.squares / (static_cast<double>(count) - static_cast<double>(ddof));
    return true;
  }
  static __device__ __forceinline__ double of_none() { return 0.0; }
};

// Sums of powers of deviations from the mean; of the fourth powers only for a kurtosis.
struct ThreePowers {
  double mean, second, third;
};
struct FourPowers {
  double mean, second, third, fourth;
};
struct SkewnessOf {
  using Value = double;
  using Partial = ThreePowers;
  static __device__ __forceinline__ Partial of(double value) {
    double none = value * 0.0 * 0.0;
    return {value, none, none};
  }
  static __device__ __forceinline__ Partial merge(const Partial &a, const Partial &b, int64_t left, int64_t right) {
    // One division, whose registers are few.
    double share = 1.0 / (static_cast<double>(left) + static_cast<double>(right));
    double before = static_cast<double>(left) * share, after = static_cast<double>(right) * share;
    double delta = b.mean - a.mean;
    double spread = delta * delta * (static_cast<double>(left) * after);
    double second = before * b.second - after * a.second;
    return {a.mean + delta * after, a.second + b.second + spread,
            a.third + b.third + spread * delta * (before - after) + 3.0 * delta * second};
  }
  static __device__ __forceinline__ bool has_result(const Partial &partial) { return partial.second != 0.0; }
  static __device__ __forceinline__ bool finish(const Partial &partial, int64_t count, uint32_t, double *result) {
    double n = static_cast<double>(count);
    *result = n * sqrt(n - 1.0) / (n - 2.0) * (partial.third / partial.second / sqrt(partial.second));
    return true;
  }
  static __device__ __forceinline__ double of_none() { return 0.0; }
};
struct KurtosisOf {
  using Value = double;
  using Partial = FourPowers;
  static __device__ __forceinline__ Partial of(double value) {
    double none = value * 0.0 * 0.0;
    return {value, none, none, none};
  }
  static __device__ __forceinline__ Partial merge(const Partial &a, const Partial &b, int64_t left, int64_t right) {
    // One division, whose registers are few.
    double share = 1.0 / (static_cast<double>(left) + static_cast<double>(right));
    double before = static_cast<double>(left) * share, after = static_cast<double>(right) * share;
    double delta = b.mean - a.mean, square = delta * delta;
    double spread = square * (static_cast<double>(left) * after);
    double second = before * b.second - after * a.second;
    double seconds = before * before * b.second + after * after * a.second;
    double fourth = a.fourth + b.fourth + spread * square * (before * before - before * after + after * after) +
                    6.0 * square * seconds + 4.0 * delta * (before * b.third - after * a.third);
    return {a.mean + delta * after, a.second + b.second + spread,
            a.third + b.third + spread * delta * (before - after) + 3.0 * delta * second, fourth};
  }
  static __device__ __forceinline__ bool has_result(const Partial &partial) { return partial.second != 0.0; }
  static __device__ __forceinline__ bool finish(const Partial &partial, int64_t count, uint32_t, double *result) {
    double n = static_cast<double>(count);
    double shape = partial.fourth / partial.second / partial.second;
    *result = (n - 1.0) / ((n - 2.0) * (n - 3.0)) * (n * (n + 1.0) * shape - 3.0 * (n - 1.0));
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

constexpr int power_of_two_below(int n) { return n < 2 ? 1 : 2 * power_of_two_below(n / 2); }
template <class Op>
constexpr int kTileRows = power_of_two_below(RollingPolicy::kTileBytes / static_cast<int>(sizeof(Node<Op>)));
template <>
constexpr int kTileRows<KurtosisOf> = RollingPolicy::kKurtosisTileRows;

// What the windows of a call have in common.
template <class Op>
struct WindowsOf {
  ColumnDesc values;
  WindowBounds bounds;
  int64_t min_values;
  uint32_t ddof;
  typename Op::Value *out;
  uint32_t *valid, *overflow;

  __device__ __forceinline__ void write(int64_t window, const Node<Op> &all) const {
    bool is_valid = window < bounds.windows && all.count >= min_values;
    if (all.count > 0) is_valid = is_valid && Op::has_result(all.partial);
    if (window < bounds.windows) {
      typename Op::Value result = Op::of_none();
      if (all.count > 0 && is_valid && !Op::finish(all.partial, all.count, ddof, &result)) atomicOr(overflow, 1u);
      out[window] = result;
    }
    store_bit(valid, window, bounds.windows, is_valid);
  }
};

// Windows of blocks that fit a tile of `tile` rows, a power of two; others are noted in `far`: a word that says whether
// there are any, then one a block.
template <class Op>
__global__ void merge_windows_of_tile(WindowsOf<Op> windows, int32_t tile, uint32_t *far) {
  SHARED(nodes, Node<Op>[2 * kTileRows<Op>]);
  int64_t window = thread_index(), start, end, first, last;
  windows.bounds.of(window, &start, &end);
  span_of_block(start, end, &first, &last);
  if (first > last) first = last = 0;
  // From a multiple of half a tile on, so that the tile has the nodes of its rows whole.
  int64_t tile_start = first / (tile / 2) * (tile / 2);
  bool is_far = last - tile_start > tile;
  note_far(far, is_far);
  if (is_far) return;
  // Rows from here on have short numbers that are even where those from 0 on are, at every level.
  int64_t origin = first / (2 * tile) * (2 * tile);
  int32_t base = static_cast<int32_t>(tile_start - origin);
  int32_t low = static_cast<int32_t>(first - origin), high = static_cast<int32_t>(last - origin);
  for (int32_t row = low + static_cast<int32_t>(threadIdx.x); row < high; row += kThreads) {
    nodes[row - base] = Node<Op>::of_row(windows.values, origin + row);
  }
  // Level by level, those nodes whose rows were all read.
  int32_t below = 0;
  for (int32_t level = 1, count = tile; count > 1; level++, count /= 2) {
    __syncthreads();
    low = (low + 1) / 2;
    high = high / 2;
    int32_t mine = below + count;
    for (int32_t node = low + static_cast<int32_t>(threadIdx.x); node < high; node += kThreads) {
      const Node<Op> *pair = &nodes[below + 2 * node - (base >> (level - 1))];
      nodes[mine + node - (base >> level)] = Node<Op>::merge(pair[0], pair[1]);
    }
    below = mine;
  }
  __syncthreads();
  Node<Op> left{}, right{};
  if (start < end) {
    int32_t from = static_cast<int32_t>(start - origin), to = static_cast<int32_t>(end - origin);
    int32_t level_nodes = 0;
    for (int32_t level = 0, count = tile; from < to; level++, count /= 2) {
      const Node<Op> *here = &nodes[0] + (level_nodes - (base >> level));
      if ((from & 1) != 0) left = Node<Op>::merge(left, here[from++]);
      if ((to & 1) != 0) right = Node<Op>::merge(here[--to], right);
      from >>= 1;
      to >>= 1;
      level_nodes += count;
    }
  }
  windows.write(window, Node<Op>::merge(left, right));
}

// The first level above the rows: pairs of rows.
template <class Op>
__global__ void __launch_bounds__(kThreads, 6) pairs_of_rows(ColumnDesc values, Node<Op> *nodes, int64_t count) {
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

// Whether what the ends of a window have so far is kept in shared memory: with that of a kurtosis, four blocks would not have
// enough registers.
template <class Op>
constexpr bool kEndsAreShared = false;
template <>
constexpr bool kEndsAreShared<KurtosisOf> = true;

// The windows of the other blocks.
template <class Op>
__global__ void __launch_bounds__(kThreads, 4)
    merge_far_windows(WindowsOf<Op> windows, const uint32_t *far, const Node<Op> *nodes) {
  SHARED(shared, Node<Op>[kEndsAreShared<Op> ? 2 * kThreads : 1]);
  if (far[1 + blockIdx.x] == 0) return;
  int64_t window = thread_index(), start, end;
  windows.bounds.of(window, &start, &end);
  Node<Op> own_left{}, own_right{};
  Node<Op> &left = kEndsAreShared<Op> ? shared[threadIdx.x] : own_left;
  Node<Op> &right = kEndsAreShared<Op> ? shared[kThreads + threadIdx.x] : own_right;
  if constexpr (kEndsAreShared<Op>) left = right = own_left;
  const Node<Op> *level = nullptr;
  int64_t level_nodes = windows.values.rows;
  // Nodes that stick out at either end are merged, then the bounds go to the level above.
  while (start < end) {
    if ((start & 1) != 0) left = Node<Op>::merge(left, node_at<Op>(windows.values, level, start++));
    if ((end & 1) != 0) right = Node<Op>::merge(node_at<Op>(windows.values, level, --end), right);
    start >>= 1;
    end >>= 1;
    level = level == nullptr ? nodes : level + level_nodes;
    level_nodes = (level_nodes + 1) / 2;
  }
  windows.write(window, Node<Op>::merge(left, right));
}

// The tree of all rows, and the windows that need it.
template <class Op>
cudaError_t far_windows(const Alloc &alloc, const WindowsOf<Op> &windows, const uint32_t *far, cudaStream_t stream) {
  int64_t rows = windows.values.rows, all = 0;
  for (int64_t count = rows; count > 1; count = (count + 1) / 2) all += (count + 1) / 2;
  Node<Op> *nodes = alloc.scratch<Node<Op>>(all);
  if (nodes == nullptr) return cudaErrorMemoryAllocation;
  Node<Op> *below = nullptr, *level = nodes;
  for (int64_t count = rows; count > 1;) {
    int64_t above = (count + 1) / 2;
    unsigned blocks = blocks_for(above, kThreads);
    if (below == nullptr) {
      CN_TRY(launch(pairs_of_rows<Op>, blocks, kThreads, 0, stream, windows.values, level, above));
    } else {
      CN_TRY(launch(pairs_of_nodes<Op>, blocks, kThreads, 0, stream, static_cast<const Node<Op> *>(below), count, level,
                    above));
    }
    below = level;
    level += above;
    count = above;
  }
  return launch(merge_far_windows<Op>, blocks_for(windows.bounds.windows, kThreads), kThreads, 0, stream, windows, far,
                static_cast<const Node<Op> *>(nodes));
}

template <class Op>
cudaError_t windows_of(const RollingWindowArgs &args, cudaStream_t stream) {
  using T = typename Op::Value;
  WindowBounds bounds = WindowBounds::of_desc(args.bounds, args.values.rows);
  WindowsOf<Op> windows{args.values, bounds, args.min_values, args.ddof, nullptr, nullptr, nullptr};
  int64_t count = bounds.windows;
  windows.out = args.alloc.output<T>(0, count);
  windows.valid = args.alloc.output<uint32_t>(1, (count + 31) / 32);
  if (windows.out == nullptr || windows.valid == nullptr) return cudaErrorMemoryAllocation;
  if constexpr (sizeof(T) == 16) {
    windows.overflow = cleared_flag(args.alloc, 2, stream);
    if (windows.overflow == nullptr) return cudaErrorMemoryAllocation;
  }
  if (count == 0) return cudaSuccess;
  unsigned blocks = blocks_for(count, kThreads);
  uint32_t *far = args.alloc.scratch<uint32_t>(1 + static_cast<int64_t>(blocks));
  if (far == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(far, 0, sizeof(*far), stream));
  int32_t tile = small_limits(args.alloc) ? RollingPolicy::kSmallTileRows : kTileRows<Op>;
  CN_TRY(launch(merge_windows_of_tile<Op>, blocks, kThreads, 0, stream, windows, tile, far));
  // If all rows are those of one tile, no block is far.
  if (args.values.rows <= tile) return cudaSuccess;
  // Not to launch a kernel a level in vain.
  uint32_t is_any_far = 0;
  CN_TRY(args.alloc.read(static_cast<const uint32_t *>(far), &is_any_far, 1, stream));
  return is_any_far == 0 ? cudaSuccess : far_windows<Op>(args.alloc, windows, far, stream);
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
  if (args->aggregation == WINDOW_SKEWNESS) return windows_of<SkewnessOf>(*args, stream);
  if (args->aggregation == WINDOW_KURTOSIS) return windows_of<KurtosisOf>(*args, stream);
  return of_storage<double>(*args, stream);
}

}  // namespace CN_BUILD
