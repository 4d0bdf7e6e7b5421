// Exponentially weighted means: a scan of weighted means. A block merges the rows of a tile of fixed size, waits for what
// stands before it (look_back.cuh), and goes on from there row by row: the inputs are read once. The first rows of ranges
// forget what was before. The order of operations depends on the number of rows alone: the same bytes in every run. One
// atomic a tile, for its number.
#include "exponential_mean.abi.h"
#include "look_back.cuh"
#include "operand.cuh"

namespace CN_BUILD {
namespace {

// Of a tile.
constexpr int kRows = kBlock * MeanPolicy::kThreadRows;

// The least positive number.
constexpr double kLeastFloat = 4.9406564584124654e-324;

// Some rows, one after the other.
struct Part {
  double mean;
  // The weight of the values, of which the newest has 1; 0 without values.
  double weight;
  // What the weights of values before are multiplied by: up to the last value here, and after it.
  double decay, after;
  int64_t values;
  // Whether what comes before does not count.
  int64_t forgets;

  static __device__ __forceinline__ Part start() { return {0.0, 0.0, 1.0, 1.0, 0, 0}; }
  static __device__ __forceinline__ Part merge(const Part &a, const Part &b) {
    if (b.forgets != 0) return b;
    if (b.values == 0) return {a.mean, a.weight, a.decay, product(a.after, b.after), a.values, a.forgets};
    double decay = product(a.after, b.decay);
    double earlier = decay * a.weight, weight = earlier + b.weight;
    double mean = a.values == 0 ? b.mean : a.mean * (earlier / weight) + b.mean * (b.weight / weight);
    return {mean, weight, product(a.decay, decay), b.after, a.values + b.values, a.forgets};
  }
  // Not 0 because it is too small: an infinite mean stays infinite.
  static __device__ __forceinline__ double product(double a, double b) {
    double both = a * b;
    return both == 0.0 && a != 0.0 && b != 0.0 ? kLeastFloat : both;
  }
};

struct Means {
  ColumnDesc values, starts;
  double decay;
  // What rows without a value multiply weights by.
  double without;
  int64_t least;

  __device__ __forceinline__ bool in_range(int64_t row) const { return starts.data == nullptr || starts.valid(row); }
  __device__ __forceinline__ bool forgets(int64_t row) const {
    return starts.data == nullptr ? row == 0 : !starts.valid(row) || row <= starts.at<int64_t>(row);
  }
};

enum Flag : uint8_t { VALUE = 1, FORGETS = 2, IN_RANGE = 4 };

// The rows of a tile, with a gap after those of a thread, so that threads use different banks.
__device__ __forceinline__ int slot_of(int row) { return row + row / MeanPolicy::kThreadRows; }
constexpr int kSlots = kRows + kRows / MeanPolicy::kThreadRows;

struct Tile {
  double values[kSlots];
  uint8_t flags[kSlots];

  __device__ __forceinline__ Part part(int slot, const Means &of) const {
    uint8_t flag = flags[slot];
    int64_t forgets = (flag & FORGETS) != 0;
    if ((flag & VALUE) != 0) return {values[slot], 1.0, of.decay, 1.0, 1, forgets};
    return {0.0, 0.0, 1.0, of.without, 0, forgets};
  }
};

// Loads the rows from `first` on. Every thread must call this.
__device__ __forceinline__ void load_tile(const Means &of, int64_t first, Tile *tile) {
  for (int at = static_cast<int>(threadIdx.x); at < kRows; at += kBlock) {
    int64_t row = first + at;
    if (row >= of.values.rows) break;
    double value = of.values.at<double>(row);
    bool is_value = of.values.valid(row) && value == value;
    tile->values[slot_of(at)] = value;
    tile->flags[slot_of(at)] = static_cast<uint8_t>((is_value ? VALUE : 0) | (of.forgets(row) ? FORGETS : 0) |
                                                    (of.in_range(row) ? IN_RANGE : 0));
  }
  __syncthreads();
}

__device__ __forceinline__ int rows_of_thread(int64_t first, int64_t rows) {
  int64_t left = rows - first - static_cast<int64_t>(threadIdx.x) * MeanPolicy::kThreadRows;
  return left >= MeanPolicy::kThreadRows ? MeanPolicy::kThreadRows : left > 0 ? static_cast<int>(left) : 0;
}

__device__ __forceinline__ Part part_of_thread(const Tile &tile, const Means &of, int count) {
  Part all = Part::start();
  for (int k = 0; k < count; k++) {
    all = Part::merge(all, tile.part(slot_of(static_cast<int>(threadIdx.x) * MeanPolicy::kThreadRows + k), of));
  }
  return all;
}

__global__ void __launch_bounds__(kBlock)
    write_means(const __grid_constant__ Means of, LookBack<Part> tiles, double *out, uint32_t *valid) {
  SHARED(tile, Tile);
  SHARED(parts, Part[kBlock]);
  int64_t number = tiles.take(), first = number * kRows, rows = of.values.rows;
  load_tile(of, first, &tile);
  int count = rows_of_thread(first, rows);
  Part all;
  Part before = block_before_in(&parts[0], part_of_thread(tile, of, count), &all);
  Part now = Part::merge(tiles.before(number, all, &parts[0]), before);
  for (int k = 0; k < count; k++) {
    int slot = slot_of(static_cast<int>(threadIdx.x) * MeanPolicy::kThreadRows + k);
    now = Part::merge(now, tile.part(slot, of));
    tile.values[slot] = now.mean;
    tile.flags[slot] = now.values >= of.least && (tile.flags[slot] & IN_RANGE) != 0 ? 1 : 0;
  }
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < kRows; at += kBlock) {
    bool is_row = first + at < rows;
    if (is_row) out[first + at] = tile.values[slot_of(at)];
    store_bit(valid, first + at, rows, is_row && tile.flags[slot_of(at)] != 0);
  }
}

}  // namespace

ENTRY(exponential_mean)(const ExponentialMeanArgs *args, cudaStream_t stream) {
  int64_t rows = args->values.rows;
  double *out = args->alloc.output<double>(0, rows);
  uint32_t *valid = args->alloc.output<uint32_t>(1, (rows + 31) / 32);
  if (out == nullptr || valid == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  int64_t count = (rows + kRows - 1) / kRows;
  LookBack<Part> tiles{};
  CN_TRY(tiles.create(args->alloc, count, stream));
  Means of{args->values, args->starts, args->decay, args->ignores_nulls != 0 ? 1.0 : args->decay, args->least};
  return launch(write_means, static_cast<unsigned>(count), kBlock, 0, stream, of, tiles, out, valid);
}

}  // namespace CN_BUILD
