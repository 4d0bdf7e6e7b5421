// Quantiles of windows by a wavelet matrix: a level for each bit of the numbers of rows, from the highest one on, in which
// the rows are stably partitioned by the bits above. The value of a position among those of a range is found in a step a
// level: how many rows of the range have a zero there says which way the position goes. A null has a bit above all others,
// so that the rows that are not null are the zeros of the first level. A block whose windows lie in a tile of rows makes
// the matrix of the tile in shared memory; that of all rows is made only if a block needs it, which the host asks once.
// Where all windows lie in tiles, values can be given in place of their numbers: the block sorts them itself.
// Everything is exact: no result depends on the order of threads. Atomics set a flag only.
#include "rolling_quantile.abi.h"
#include "look_back.cuh"
#include "operand.cuh"
#include "value_words.cuh"
#include "windows.cuh"

namespace CN_BUILD {
namespace {

constexpr int kWarps = kThreads / 32;
// Rows of a thread of the kernels that make a level, which keeps their numbers.
template <class Number>
constexpr int kLevelItems = sizeof(Number) > 4 ? MatrixPolicy::kLevelItems / 2 : MatrixPolicy::kLevelItems;
template <class Number>
constexpr int kLevelRows = kThreads * kLevelItems<Number>;
// `Number`: the unsigned type of the numbers of rows.
template <class Number>
constexpr int kTileRows = sizeof(Number) > 4 ? MatrixPolicy::kTileRows / 2 : MatrixPolicy::kTileRows;
template <class Number>
constexpr int kTileWords = kTileRows<Number> / 32;
template <class Number>
constexpr int kMostLevels = 8 * static_cast<int>(sizeof(Number));

// The numbers of rows and what they have in common.
struct Numbered {
  ColumnDesc order;
  // Bits of the numbers, that of nulls included.
  int32_t bits;

  template <class Number>
  __device__ __forceinline__ Number at(int64_t row) const {
    if (!order.valid(row)) return Number{1} << (bits - 1);
    return static_cast<Number>(order.at<int64_t>(row));
  }
  __device__ __forceinline__ bool has_nulls() const { return order.validity != nullptr; }
};

__device__ __forceinline__ int zeros_below(uint32_t word, int64_t bit) {
  return __popc(~word & ((1u << (bit & 31)) - 1));
}

// The zeros of the words before this lane's, of the two words of each lane; `all` are those of the warp.
__device__ __forceinline__ int warp_zeros_before(int zeros, int *all) {
  int lane = static_cast<int>(threadIdx.x) % 32, upto = zeros;
  for (int step = 1; step < 32; step *= 2) {
    int other = __shfl_up_sync(0xffffffffu, upto, step);
    if (lane >= step) upto += other;
  }
  *all = __shfl_sync(0xffffffffu, upto, 31);
  return upto - zeros;
}

// The matrix of a tile. Bits past the last row are ones.
template <class Number>
struct TileMatrix {
  static constexpr int kWords = kTileWords<Number>;
  uint32_t bits[kMostLevels<Number>][kWords];
  // Before each word, and at the end all.
  uint16_t zeros[kMostLevels<Number>][kWords + 1];

  __device__ __forceinline__ int32_t zeros_before(int level, int32_t row) const {
    int word = row / 32;
    return zeros[level][word] + (row % 32 == 0 ? 0 : zeros_below(bits[level][word], row));
  }
  __device__ __forceinline__ int32_t all_zeros(int level) const { return zeros[level][kWords]; }
};

// The matrix of all rows, in global memory.
template <class Number>
struct MatrixWord {
  uint32_t bits;
  Number zeros_before;
};
template <class Number>
struct RowMatrix {
  // Of each level, those of its rows and a last one without bits.
  const MatrixWord<Number> *words;
  int64_t of_level;

  __device__ __forceinline__ int64_t zeros_before(int level, int64_t row) const {
    MatrixWord<Number> word = words[level * of_level + row / 32];
    return static_cast<int64_t>(word.zeros_before) + zeros_below(word.bits, row);
  }
  __device__ __forceinline__ int64_t all_zeros(int level) const {
    return static_cast<int64_t>(words[(level + 1) * of_level - 1].zeros_before);
  }
};

// A search for the number at `position` among those of the rows from `start` to `end`; nulls are after all others.
template <class Row>
struct Search {
  Row start, end, position;
  // The bits that are known.
  int64_t number;

  // To the zeros or the ones of a level. `first`, `last`: the zeros of the level before the start and before the end.
  __device__ __forceinline__ void go(bool to_ones, Row first, Row last, Row all_zeros) {
    if (to_ones) {
      position -= last - first;
      start = all_zeros + start - first;
      end = all_zeros + end - last;
    } else {
      start = first;
      end = last;
    }
    number = number * 2 + (to_ones ? 1 : 0);
  }
  // From the level `level` on.
  template <class Matrix>
  __device__ __forceinline__ int64_t found(const Matrix &matrix, int level, int levels) {
    for (; level < levels; level++) {
      Row first = static_cast<Row>(matrix.zeros_before(level, start)), last = static_cast<Row>(matrix.zeros_before(level, end));
      go(position >= last - first, first, last, static_cast<Row>(matrix.all_zeros(level)));
    }
    return number;
  }
};

// The number at a position, and if it is asked for that at the next one: both go the same way up to the level where one is
// the last of the zeros and the other one the first of the ones.
template <class Row, class Matrix>
__device__ __forceinline__ void numbers_at(const Matrix &matrix, int levels, Search<Row> search, bool has_next, int64_t *below,
                                           int64_t *above) {
  for (int level = 0; level < levels; level++) {
    Row first = static_cast<Row>(matrix.zeros_before(level, search.start));
    Row last = static_cast<Row>(matrix.zeros_before(level, search.end));
    Row all = static_cast<Row>(matrix.all_zeros(level));
    if (has_next && search.position + 1 == last - first) {
      Search<Row> next = search;
      next.position++;
      next.go(true, first, last, all);
      search.go(false, first, last, all);
      *below = search.found(matrix, level + 1, levels);
      *above = next.found(matrix, level + 1, levels);
      return;
    }
    search.go(search.position >= last - first, first, last, all);
  }
  *below = *above = search.number;
}

// Between which numbers of a window its quantile lies.
struct Quantile {
  int64_t below, above;
  // Among the sorted numbers of the window.
  double place;
  bool is_valid;
};

struct Quantiles {
  WindowBounds bounds;
  int64_t least;
  double q;
  int64_t *low, *high;
  double *place;
  uint32_t *valid;

  template <class Row, class Matrix>
  __device__ __forceinline__ Quantile find(const Matrix &matrix, int32_t bits, bool has_nulls, int64_t window, Row start,
                                           Row end) const {
    int64_t count = 0;
    if (start < end) {
      count = end - start;
      if (has_nulls) count = matrix.zeros_before(0, end) - matrix.zeros_before(0, start);
    }
    Quantile found{0, 0, 0.0, window < bounds.windows && count >= least};
    if (!found.is_valid) return found;
    found.place = static_cast<double>(count - 1) * q;
    double whole = floor(found.place);
    Row position = static_cast<Row>(whole);
    numbers_at<Row>(matrix, bits, {start, end, position, 0}, found.place > whole, &found.below, &found.above);
    return found;
  }

  // Every thread of the block must call this.
  template <class Row, class Matrix>
  __device__ __forceinline__ void write(const Matrix &matrix, const Numbered &rows, int64_t window, Row start,
                                        Row end) const {
    Quantile found = find(matrix, rows.bits, rows.has_nulls(), window, start, end);
    if (window < bounds.windows) {
      low[window] = found.below;
      high[window] = found.above;
      place[window] = found.place;
    }
    store_bit(valid, window, bounds.windows, found.is_valid);
  }
};

// The matrix of `count` numbers of `bits` bits, which are in numbers[0]. Every thread of the block must call this.
template <class Number>
__device__ __forceinline__ void build_matrix(TileMatrix<Number> &matrix, Number (*numbers)[kTileRows<Number>], int32_t bits,
                                             int32_t count) {
  using Matrix = TileMatrix<Number>;
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  for (int32_t level = 0; level < bits; level++) {
    const Number *from = numbers[level & 1];
    Number *to = numbers[(level + 1) & 1];
    int bit = bits - 1 - level;
    __syncthreads();
    for (int word = warp; word < Matrix::kWords; word += kWarps) {
      int32_t row = 32 * word + lane;
      uint32_t ones = __ballot_sync(0xffffffffu, row >= count || (from[row] >> bit & 1) != 0);
      if (lane == 0) matrix.bits[level][word] = ones;
    }
    __syncthreads();
    if (warp == 0) {
      constexpr int kOfLane = Matrix::kWords / 32;
      int zeros = 0, all;
      for (int k = 0; k < kOfLane; k++) zeros += __popc(~matrix.bits[level][kOfLane * lane + k]);
      int before = warp_zeros_before(zeros, &all);
      for (int k = 0; k < kOfLane; k++) {
        matrix.zeros[level][kOfLane * lane + k] = static_cast<uint16_t>(before);
        before += __popc(~matrix.bits[level][kOfLane * lane + k]);
      }
      if (lane == 0) matrix.zeros[level][Matrix::kWords] = static_cast<uint16_t>(all);
    }
    __syncthreads();
    for (int32_t row = static_cast<int32_t>(threadIdx.x); row < count; row += kThreads) {
      Number number = from[row];
      int32_t zeros = matrix.zeros_before(level, row);
      to[(number >> bit & 1) == 0 ? zeros : matrix.all_zeros(level) + row - zeros] = number;
    }
  }
  __syncthreads();
}

// Windows of blocks that fit a tile of `tile` rows; others are noted in `far`.
template <class Number>
__global__ void quantiles_of_tile(Numbered rows, Quantiles quantiles, int32_t tile, uint32_t *far) {
  SHARED(matrix, TileMatrix<Number>);
  SHARED(numbers, Number[2][kTileRows<Number>]);
  int64_t window = thread_index(), start, end, first, last;
  quantiles.bounds.of(window, &start, &end);
  span_of_block(start, end, &first, &last);
  if (first > last) first = last = 0;
  bool is_far = last - first > tile;
  note_far(far, is_far);
  if (is_far) return;
  int32_t count = static_cast<int32_t>(last - first);
  for (int32_t row = static_cast<int32_t>(threadIdx.x); row < count; row += kThreads) {
    numbers[0][row] = rows.at<Number>(first + row);
  }
  build_matrix<Number>(matrix, numbers, rows.bits, count);
  if (start >= end) start = end = first;
  quantiles.write(matrix, rows, window, static_cast<int32_t>(start - first), static_cast<int32_t>(end - first));
}

// Numbers of the rows of a tile.
using Place = uint16_t;
constexpr int kMostRows = kTileRows<Place>;

// The values of a tile and their rows; nulls have the greatest rows.
struct TileValues {
  Word keys[kMostRows];
  Place rows[kMostRows];
};
constexpr Place kNull = 0x8000;

// A word whose order is that of the values: NaNs are the greatest and equal, and zeros are equal.
__device__ __forceinline__ Word value_key(const ColumnDesc &values, int64_t row) {
  Word key = ordered_word(values, row, ~Word{0});
  bool is_float = values.storage == F32 || values.storage == F64;
  return is_float && key == kSign - 1 ? kSign : key;
}

// Sorts the `count` values, equal ones by row (bitonic). Every thread of the block must call this.
__device__ __forceinline__ void sort_tile(TileValues &tile, int32_t count) {
  int32_t slots = 2;
  while (slots < count) slots *= 2;
  for (int32_t slot = count + static_cast<int32_t>(threadIdx.x); slot < slots; slot += kThreads) {
    tile.keys[slot] = ~Word{0};
    tile.rows[slot] = 0xffff;
  }
  for (int32_t size = 2; size <= slots; size *= 2) {
    for (int32_t apart = size / 2; apart > 0; apart /= 2) {
      __syncthreads();
      for (int32_t pair = static_cast<int32_t>(threadIdx.x); pair < slots / 2; pair += kThreads) {
        int32_t low = (pair & ~(apart - 1)) * 2 + (pair & (apart - 1)), high = low + apart;
        Word a = tile.keys[low], b = tile.keys[high];
        Place row_a = tile.rows[low], row_b = tile.rows[high];
        bool descends = a > b || (a == b && row_a > row_b);
        if (descends != ((low & size) == 0)) continue;
        tile.keys[low] = b;
        tile.keys[high] = a;
        tile.rows[low] = row_b;
        tile.rows[high] = row_a;
      }
    }
  }
  __syncthreads();
}

// The rows that quantiles lie between, and the share of the way from the first to the second.
template <class Row>
struct QuantileRows {
  Row *low, *high;
  double *share;
  int32_t interpolation;

  // `rows`: of the sorted values of the tile that begins at row `first`.
  __device__ __forceinline__ void write(int64_t window, const Quantile &found, const Place *rows, int64_t first) const {
    double whole = floor(found.place), fraction = found.place - whole, of_way = 0.0;
    int64_t below = found.below, above = found.above;
    switch (interpolation) {
      case LOWER: above = below; break;
      case HIGHER: below = above; break;
      case NEAREST: {
        bool is_odd = fmod(whole, 2.0) != 0.0;
        bool is_up = fraction > 0.5 || (fraction == 0.5 && is_odd);
        below = above = is_up ? above : below;
        break;
      }
      case MIDPOINT: of_way = fraction > 0.0 ? 0.5 : 0.0; break;
      default: of_way = fraction;
    }
    low[window] = found.is_valid ? static_cast<Row>(first + rows[below]) : static_cast<Row>(-1);
    high[window] = found.is_valid ? static_cast<Row>(first + rows[above]) : static_cast<Row>(-1);
    share[window] = of_way;
  }

  // The numbers of Interpolation in mod.rs.
  enum : int32_t { LINEAR, LOWER, HIGHER, NEAREST, MIDPOINT };
};

// As quantiles_of_tile, of values, which the block sorts.
template <class Row>
__global__ void __launch_bounds__(kThreads)
    quantile_rows_of_tile(ColumnDesc values, Quantiles quantiles, QuantileRows<Row> out, int32_t tile, uint32_t *far) {
  SHARED(sorted, TileValues);
  SHARED(matrix, TileMatrix<Place>);
  SHARED(numbers, Place[2][kMostRows]);
  int64_t window = thread_index(), start, end, first, last;
  quantiles.bounds.of(window, &start, &end);
  span_of_block(start, end, &first, &last);
  if (first > last) first = last = 0;
  bool is_far = last - first > tile;
  note_far(far, is_far);
  if (is_far) return;
  int32_t count = static_cast<int32_t>(last - first);
  bool has_nulls = values.validity != nullptr;
  for (int32_t row = static_cast<int32_t>(threadIdx.x); row < count; row += kThreads) {
    bool is_null = has_nulls && !values.valid(first + row);
    sorted.keys[row] = is_null ? ~Word{0} : value_key(values, first + row);
    sorted.rows[row] = static_cast<Place>(row | (is_null ? kNull : 0));
  }
  sort_tile(sorted, count);
  int32_t bits = 0;
  while (count > 1 && (count - 1) >> bits != 0) bits++;
  if (has_nulls) bits++;
  for (int32_t place = static_cast<int32_t>(threadIdx.x); place < count; place += kThreads) {
    Place row = sorted.rows[place];
    bool is_null = (row & kNull) != 0;
    numbers[0][row & (kNull - 1)] = static_cast<Place>(is_null ? 1 << (bits - 1) : place);
  }
  build_matrix<Place>(matrix, numbers, bits, count);
  if (start >= end) start = end = first;
  Quantile found = quantiles.find(matrix, bits, has_nulls, window, static_cast<int32_t>(start - first),
                                  static_cast<int32_t>(end - first));
  if (window < quantiles.bounds.windows) out.write(window, found, sorted.rows, first);
}

// The numbers of the rows in their order, and of all of them how many have each bit.
template <class Number>
__global__ void __launch_bounds__(kThreads) numbers_of_rows(Numbered rows, Number *numbers, unsigned long long *ones) {
  SHARED(of_block, unsigned[64]);
  int lane = static_cast<int>(threadIdx.x) % 32;
  if (threadIdx.x < 64) of_block[threadIdx.x] = 0;
  __syncthreads();
  // Those of bit `lane` and of bit 32 + `lane`.
  unsigned low = 0, high = 0;
  int64_t base = static_cast<int64_t>(blockIdx.x) * kLevelRows<Number> + threadIdx.x;
  for (int k = 0; k < kLevelItems<Number>; k++) {
    int64_t row = base + k * kThreads;
    bool exists = row < rows.order.rows;
    Number number = exists ? rows.at<Number>(row) : Number{0};
    if (exists) numbers[row] = number;
    for (int bit = 0; bit < rows.bits; bit++) {
      unsigned with_bit = static_cast<unsigned>(__popc(__ballot_sync(0xffffffffu, (number >> bit & 1) != 0)));
      if (bit == lane) low += with_bit;
      if (bit == 32 + lane) high += with_bit;
    }
  }
  atomicAdd(&of_block[lane], low);
  if (rows.bits > 32) atomicAdd(&of_block[32 + lane], high);
  __syncthreads();
  if (static_cast<int>(threadIdx.x) < rows.bits) {
    atomicAdd(&ones[threadIdx.x], static_cast<unsigned long long>(of_block[threadIdx.x]));
  }
}

// The zeros of tiles.
struct ZeroCount {
  unsigned long long rows;

  static __device__ __forceinline__ ZeroCount start() { return {0}; }
  static __device__ __forceinline__ ZeroCount merge(ZeroCount a, ZeroCount b) { return {a.rows + b.rows}; }
};

// A level: the bits of its rows and the zeros before each word, and the numbers where the next level has them; nowhere after
// the last. `ones`: the rows that have the bit.
template <class Number>
__global__ void __launch_bounds__(kThreads)
    make_level(const Number *numbers, int64_t rows, int32_t bit, const unsigned long long *ones, LookBack<ZeroCount> before,
               MatrixWord<Number> *level, Number *next) {
  constexpr int kItems = kLevelItems<Number>;
  static_assert(kItems <= 32, "a lane a word");
  SHARED(counts, ZeroCount[kBlock]);
  SHARED(of_warps, unsigned[kWarps]);
  int64_t tile = before.take();
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int64_t base = tile * kLevelRows<Number> + 32 * kItems * warp;
  Number of_row[kItems];
  uint32_t words[kItems];
  unsigned zeros_of_warp = 0;
#pragma unroll
  for (int k = 0; k < kItems; k++) {
    int64_t row = base + 32 * k + lane;
    of_row[k] = row < rows ? numbers[row] : Number{0};
  }
#pragma unroll
  for (int k = 0; k < kItems; k++) {
    int64_t row = base + 32 * k + lane;
    words[k] = __ballot_sync(0xffffffffu, row >= rows || (of_row[k] >> bit & 1) != 0);
    zeros_of_warp += static_cast<unsigned>(__popc(~words[k]));
  }
  if (lane == 0) of_warps[warp] = zeros_of_warp;
  __syncthreads();
  unsigned before_warp = 0, of_tile = 0;
  for (int w = 0; w < kWarps; w++) {
    if (w < warp) before_warp += of_warps[w];
    of_tile += of_warps[w];
  }
  int64_t all = rows - static_cast<int64_t>(*ones);
  int64_t zeros = static_cast<int64_t>(before.before(tile, ZeroCount{of_tile}, counts).rows) + before_warp;
  MatrixWord<Number> of_lane{};
#pragma unroll
  for (int k = 0; k < kItems; k++) {
    if (lane == k) of_lane = {words[k], static_cast<Number>(zeros)};
    int64_t row = base + 32 * k + lane;
    if (next != nullptr && row < rows) {
      int64_t to_zeros = zeros + zeros_below(words[k], lane);
      next[(of_row[k] >> bit & 1) == 0 ? to_zeros : all + row - to_zeros] = of_row[k];
    }
    zeros += __popc(~words[k]);
  }
  if (lane < kItems && base + 32 * lane < rows) level[base / 32 + lane] = of_lane;
  if (tile == 0 && threadIdx.x == 0) level[(rows + 31) / 32] = {0xffffffffu, static_cast<Number>(all)};
}

// The windows of the other blocks.
template <class Number>
__global__ void quantiles_of_rows(Numbered rows, Quantiles quantiles, RowMatrix<Number> matrix, const uint32_t *far) {
  if (far[1 + blockIdx.x] == 0) return;
  int64_t window = thread_index(), start, end;
  quantiles.bounds.of(window, &start, &end);
  quantiles.write(matrix, rows, window, start, end);
}

template <class Number>
cudaError_t far_windows(const Alloc &alloc, const Numbered &numbered, const Quantiles &quantiles, const uint32_t *far,
                        cudaStream_t stream) {
  int64_t rows = numbered.order.rows, of_level = (rows + 31) / 32 + 1;
  unsigned tiles = blocks_for(rows, kLevelRows<Number>);
  MatrixWord<Number> *words = alloc.scratch<MatrixWord<Number>>(of_level * numbered.bits);
  Number *numbers = alloc.scratch<Number>(rows), *next = alloc.scratch<Number>(rows);
  unsigned long long *ones = alloc.scratch<unsigned long long>(numbered.bits);
  if (words == nullptr || numbers == nullptr || next == nullptr || ones == nullptr) return cudaErrorMemoryAllocation;
  LookBack<ZeroCount> before{};
  CN_TRY(before.create(alloc, tiles, stream, numbered.bits));
  CN_TRY(cudaMemsetAsync(ones, 0, static_cast<size_t>(numbered.bits) * sizeof(*ones), stream));
  CN_TRY(launch(numbers_of_rows<Number>, tiles, kThreads, 0, stream, numbered, numbers, ones));
  for (int32_t bit = numbered.bits - 1; bit >= 0; bit--) {
    int32_t level = numbered.bits - 1 - bit;
    CN_TRY(launch(make_level<Number>, tiles, kThreads, 0, stream, static_cast<const Number *>(numbers), rows, bit,
                  static_cast<const unsigned long long *>(ones + bit), before.of_scan(level), words + level * of_level,
                  bit > 0 ? next : nullptr));
    std::swap(numbers, next);
  }
  RowMatrix<Number> matrix{words, of_level};
  return launch(quantiles_of_rows<Number>, blocks_for(quantiles.bounds.windows, kThreads), kThreads, 0, stream,
                numbered, quantiles, matrix, far);
}

template <class Number>
cudaError_t quantiles_of(const Alloc &alloc, const Numbered &numbered, const Quantiles &quantiles,
                         cudaStream_t stream) {
  unsigned blocks = blocks_for(quantiles.bounds.windows, kThreads);
  uint32_t *far = alloc.scratch<uint32_t>(1 + static_cast<int64_t>(blocks));
  if (far == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(far, 0, sizeof(*far), stream));
  int32_t tile = small_limits(alloc) ? MatrixPolicy::kSmallTileRows : kTileRows<Number>;
  CN_TRY(launch(quantiles_of_tile<Number>, blocks, kThreads, 0, stream, numbered, quantiles, tile, far));
  // If all rows are those of one tile, no block is far.
  if (numbered.order.rows <= tile) return cudaSuccess;
  // Not to launch a kernel a level in vain.
  uint32_t is_any_far = 0;
  CN_TRY(alloc.read(static_cast<const uint32_t *>(far), &is_any_far, 1, stream));
  return is_any_far == 0 ? cudaSuccess : far_windows<Number>(alloc, numbered, quantiles, far, stream);
}

template <class Row>
cudaError_t quantile_rows(const RollingQuantileRowsArgs &args, const Quantiles &quantiles, cudaStream_t stream) {
  int64_t count = quantiles.bounds.windows;
  QuantileRows<Row> out{};
  out.low = args.alloc.output<Row>(0, count);
  out.high = args.alloc.output<Row>(1, count);
  out.share = args.alloc.output<double>(2, count);
  out.interpolation = args.interpolation;
  if (out.low == nullptr || out.high == nullptr || out.share == nullptr) return cudaErrorMemoryAllocation;
  if (count == 0) return cudaSuccess;
  unsigned blocks = blocks_for(count, kThreads);
  uint32_t *far = args.alloc.scratch<uint32_t>(1 + static_cast<int64_t>(blocks));
  if (far == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(far, 0, sizeof(*far), stream));
  int32_t tile = small_limits(args.alloc) ? MatrixPolicy::kSmallTileRows : kMostRows;
  CN_TRY(launch(quantile_rows_of_tile<Row>, blocks, kThreads, 0, stream, args.values, quantiles, out, tile, far));
  if (args.values.rows <= tile) return cudaSuccess;
  uint32_t is_any_far = 0;
  CN_TRY(args.alloc.read(static_cast<const uint32_t *>(far), &is_any_far, 1, stream));
  *args.is_far = static_cast<int32_t>(is_any_far);
  return cudaSuccess;
}

}  // namespace

ENTRY(rolling_quantile_rows)(const RollingQuantileRowsArgs *args, cudaStream_t stream) {
  WindowBounds bounds = WindowBounds::of_desc(args->bounds, args->values.rows);
  Quantiles quantiles{bounds, args->least, args->q, nullptr, nullptr, nullptr, nullptr};
  return args->width == 4 ? quantile_rows<uint32_t>(*args, quantiles, stream)
                          : quantile_rows<uint64_t>(*args, quantiles, stream);
}

ENTRY(rolling_quantile)(const RollingQuantileArgs *args, cudaStream_t stream) {
  int64_t rows = args->order.rows, count = args->bounds.windows;
  WindowBounds bounds = WindowBounds::of_desc(args->bounds, rows);
  Quantiles quantiles{bounds, args->least, args->q, nullptr, nullptr, nullptr, nullptr};
  quantiles.low = args->alloc.output<int64_t>(0, count);
  quantiles.high = args->alloc.output<int64_t>(1, count);
  quantiles.place = args->alloc.output<double>(2, count);
  quantiles.valid = args->alloc.output<uint32_t>(3, (count + 31) / 32);
  bool is_given = quantiles.low != nullptr && quantiles.high != nullptr && quantiles.place != nullptr;
  if (!is_given || quantiles.valid == nullptr) return cudaErrorMemoryAllocation;
  if (count == 0) return cudaSuccess;
  int32_t bits = 0;
  while (rows > 1 && (rows - 1) >> bits != 0) bits++;
  if (args->order.validity != nullptr) bits++;
  Numbered numbered{args->order, bits};
  if (bits <= 32 && !small_limits(args->alloc)) return quantiles_of<uint32_t>(args->alloc, numbered, quantiles, stream);
  return quantiles_of<uint64_t>(args->alloc, numbered, quantiles, stream);
}

}  // namespace CN_BUILD
