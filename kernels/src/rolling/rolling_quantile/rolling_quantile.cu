// Quantiles of windows by a wavelet matrix: a level for each bit of the numbers of rows, from the highest one on, in which
// the rows are stably partitioned by the bits above. The value of a position among those of a range is found in a step a
// level: how many rows of the range have a zero there says which way the position goes. A null has a bit above all others,
// so that the rows that are not null are the zeros of the first level. A block whose windows lie in a tile of rows makes
// the matrix of the tile in shared memory; that of all rows is made only if a block needs it, which the host asks once.
// Where all windows lie in tiles, values can be given in place of their numbers: the block sorts them itself.
// Everything is exact: no result depends on the order of threads. Atomics set a flag only.
#include "rolling_quantile.abi.h"
#include "operand.cuh"
#include "primitives.cuh"
#include "value_words.cuh"
#include "windows.cuh"

namespace CN_BUILD {
namespace {

// Rows of a block that counts those of a level: a word of bits a thread.
constexpr int kBlockRows = 32 * kThreads;
constexpr int kWarps = kThreads / 32;
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

// The number at `position` among those of the rows from `start` to `end`; nulls are after all others.
template <class Row, class Matrix>
__device__ __forceinline__ int64_t number_at(const Matrix &matrix, int levels, Row start, Row end, Row position) {
  int64_t number = 0;
  for (int level = 0; level < levels; level++) {
    Row first = static_cast<Row>(matrix.zeros_before(level, start));
    Row last = static_cast<Row>(matrix.zeros_before(level, end));
    bool is_one = position >= last - first;
    if (is_one) {
      position -= last - first;
      Row zeros = static_cast<Row>(matrix.all_zeros(level));
      start = zeros + start - first;
      end = zeros + end - last;
    } else {
      start = first;
      end = last;
    }
    number = number * 2 + (is_one ? 1 : 0);
  }
  return number;
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
    found.below = number_at<Row>(matrix, bits, start, end, position);
    found.above = found.place > whole ? number_at<Row>(matrix, bits, start, end, position + 1) : found.below;
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

// The first level: the numbers of the rows, in their order.
template <class Number>
__global__ void numbers_of_rows(Numbered rows, Number *numbers) {
  int64_t row = thread_index();
  if (row < rows.order.rows) numbers[row] = rows.at<Number>(row);
}

// The bits of a level and the zeros before each word in those of the block, and of each block.
template <class Number>
__global__ void count_level(const Number *numbers, int64_t rows, int32_t bit, MatrixWord<Number> *level,
                            Number *of_blocks) {
  SHARED(ones, uint32_t[kThreads]);
  SHARED(of_warps, int[kWarps]);
  int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  int64_t first = static_cast<int64_t>(blockIdx.x) * kBlockRows;
  for (int word = warp; word < kThreads; word += kWarps) {
    int64_t row = first + 32 * word + lane;
    uint32_t all = __ballot_sync(0xffffffffu, row >= rows || (numbers[row] >> bit & 1) != 0);
    if (lane == 0) ones[word] = all;
  }
  __syncthreads();
  int all;
  int before = warp_zeros_before(__popc(~ones[threadIdx.x]), &all);
  if (lane == 0) of_warps[warp] = all;
  __syncthreads();
  int of_block = 0;
  for (int w = 0; w < kWarps; w++) {
    if (w < warp) before += of_warps[w];
    of_block += of_warps[w];
  }
  int64_t word = first / 32 + threadIdx.x;
  if (word * 32 < rows) level[word] = {ones[threadIdx.x], static_cast<Number>(before)};
  if (threadIdx.x == 0) {
    of_blocks[blockIdx.x] = static_cast<Number>(of_block);
    if (blockIdx.x + 1 == gridDim.x) of_blocks[gridDim.x] = 0;
  }
}

// Counts the zeros of a level from its first row on, and moves the numbers to where the next level has them; to nowhere
// after the last.
template <class Number>
__global__ void place_level(const Number *numbers, int64_t rows, int32_t bit, const Number *before_blocks,
                            MatrixWord<Number> *level, Number *next) {
  int64_t row = thread_index();
  // A warp has one word.
  MatrixWord<Number> word{};
  if (row < rows) word = level[row / 32];
  __syncwarp();
  int64_t blocks = (rows + kBlockRows - 1) / kBlockRows;
  if (row < rows) {
    word.zeros_before += before_blocks[row / kBlockRows];
    if (row % 32 == 0) level[row / 32].zeros_before = word.zeros_before;
    int64_t all = static_cast<int64_t>(before_blocks[blocks]);
    if (row == 0) level[(rows + 31) / 32] = {0xffffffffu, static_cast<Number>(all)};
    if (next != nullptr) {
      Number number = numbers[row];
      int64_t zeros = static_cast<int64_t>(word.zeros_before) + zeros_below(word.bits, row);
      next[(number >> bit & 1) == 0 ? zeros : all + row - zeros] = number;
    }
  }
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
  unsigned counting = blocks_for(rows, kBlockRows), blocks = blocks_for(rows, kThreads);
  MatrixWord<Number> *words = alloc.scratch<MatrixWord<Number>>(of_level * numbered.bits);
  Number *numbers = alloc.scratch<Number>(rows), *next = alloc.scratch<Number>(rows);
  Number *of_blocks = alloc.scratch<Number>(1 + static_cast<int64_t>(counting));
  if (words == nullptr || numbers == nullptr || next == nullptr || of_blocks == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  CN_TRY(launch(numbers_of_rows<Number>, blocks, kThreads, 0, stream, numbered, numbers));
  for (int32_t bit = numbered.bits - 1; bit >= 0; bit--) {
    MatrixWord<Number> *level = words + (numbered.bits - 1 - bit) * of_level;
    CN_TRY(launch(count_level<Number>, counting, kThreads, 0, stream, static_cast<const Number *>(numbers), rows, bit,
                  level, of_blocks));
    CN_TRY(prim::exclusive_sum(alloc, of_blocks, of_blocks, 1 + static_cast<int64_t>(counting), stream));
    CN_TRY(launch(place_level<Number>, blocks, kThreads, 0, stream, static_cast<const Number *>(numbers), rows, bit,
                  static_cast<const Number *>(of_blocks), level, bit > 0 ? next : nullptr));
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
  // Not to launch three kernels a level in vain.
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
