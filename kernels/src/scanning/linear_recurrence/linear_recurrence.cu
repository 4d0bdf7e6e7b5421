// A scan of affine maps: a block composes those of a tile of fixed size, waits for what stands before it (look_back.cuh),
// and applies its maps row by row: the inputs are read once. Maps of the first rows of ranges forget what was before, so
// that an infinite value or NaN stays in its range. The order of operations depends on the number of rows alone: the same
// bytes in every run. One atomic a tile, for its number.
#include "linear_recurrence.abi.h"
#include "look_back.cuh"

namespace CN_BUILD {
namespace {

// Of a tile.
constexpr int kRows = kBlock * RecurrencePolicy::kThreadRows;

// The least positive number.
constexpr double kLeastFloat = 4.9406564584124654e-324;

// value = scale * before + shift; or shift alone, whatever was before.
struct Map {
  double scale, shift;
  // A word, so that shared memory has no gaps.
  int64_t forgets;

  static __device__ __forceinline__ Map start() { return {1.0, 0.0, 0}; }
  // First `a`, then `b`.
  static __device__ __forceinline__ Map merge(const Map &a, const Map &b) {
    if (b.forgets != 0) return b;
    if (a.forgets != 0) return {0.0, b.scale * a.shift + b.shift, 1};
    return {product(a.scale, b.scale), b.scale * a.shift + b.shift, 0};
  }
  // Not 0 because it is too small: an infinite value before the rows stays infinite.
  static __device__ __forceinline__ double product(double a, double b) {
    double both = a * b;
    return both == 0.0 && a != 0.0 && b != 0.0 ? copysign(kLeastFloat, both) : both;
  }
};

struct Recurrence {
  ColumnDesc scale, shift, starts;
};

// The rows of a tile, with a gap after those of a thread, so that threads use different banks.
__device__ __forceinline__ int slot_of(int row) { return row + row / RecurrencePolicy::kThreadRows; }
constexpr int kSlots = kRows + kRows / RecurrencePolicy::kThreadRows;

struct Tile {
  double scale[kSlots], shift[kSlots];
  uint8_t forgets[kSlots];
};

// Loads the rows from `first` on. Every thread must call this.
__device__ __forceinline__ void load_tile(const Recurrence &of, int64_t first, Tile *tile) {
  for (int at = static_cast<int>(threadIdx.x); at < kRows; at += kBlock) {
    int64_t row = first + at;
    if (row >= of.scale.rows) break;
    tile->scale[slot_of(at)] = of.scale.at<double>(row);
    tile->shift[slot_of(at)] = of.shift.at<double>(row);
    tile->forgets[slot_of(at)] = row <= of.starts.at<int64_t>(row) ? 1 : 0;
  }
  __syncthreads();
}

__device__ __forceinline__ int rows_of_thread(int64_t first, int64_t rows) {
  int64_t left = rows - first - static_cast<int64_t>(threadIdx.x) * RecurrencePolicy::kThreadRows;
  return left >= RecurrencePolicy::kThreadRows ? RecurrencePolicy::kThreadRows : left > 0 ? static_cast<int>(left) : 0;
}

// The maps of this thread's rows, composed.
__device__ __forceinline__ Map map_of_thread(const Tile &tile, int count) {
  Map all = Map::start();
  for (int k = 0; k < count; k++) {
    int slot = slot_of(static_cast<int>(threadIdx.x) * RecurrencePolicy::kThreadRows + k);
    all = Map::merge(all, {tile.scale[slot], tile.shift[slot], tile.forgets[slot]});
  }
  return all;
}

__global__ void __launch_bounds__(kBlock) apply_maps(Recurrence of, LookBack<Map> tiles, double *out) {
  SHARED(tile, Tile);
  SHARED(maps, Map[kBlock]);
  int64_t number = tiles.take(), first = number * kRows, rows = of.scale.rows;
  load_tile(of, first, &tile);
  int count = rows_of_thread(first, rows);
  Map all;
  Map in_tile = block_before_in(&maps[0], map_of_thread(tile, count), &all);
  Map before = Map::merge(tiles.before(number, all, &maps[0]), in_tile);
  // The value before the first row of all is 0.
  double value = before.forgets != 0 ? before.shift : before.scale * 0.0 + before.shift;
  for (int k = 0; k < count; k++) {
    int slot = slot_of(static_cast<int>(threadIdx.x) * RecurrencePolicy::kThreadRows + k);
    value = tile.forgets[slot] != 0 ? tile.shift[slot] : tile.scale[slot] * value + tile.shift[slot];
    tile.shift[slot] = value;
  }
  __syncthreads();
  for (int at = static_cast<int>(threadIdx.x); at < kRows && at < rows - first; at += kBlock) {
    out[first + at] = tile.shift[slot_of(at)];
  }
}

}  // namespace

ENTRY(linear_recurrence)(const LinearRecurrenceArgs *args, cudaStream_t stream) {
  int64_t rows = args->scale.rows;
  double *out = args->alloc.output<double>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  int64_t count = (rows + kRows - 1) / kRows;
  LookBack<Map> tiles{};
  CN_TRY(tiles.create(args->alloc, count, stream));
  Recurrence of{args->scale, args->shift, args->starts};
  return launch(apply_maps, static_cast<unsigned>(count), kBlock, 0, stream, of, tiles, out);
}

}  // namespace CN_BUILD
