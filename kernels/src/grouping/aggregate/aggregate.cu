// Aggregation by group. Integers, counts and extremes of up to 64 bits: one pass of integer atomics, into shared
// memory while groups are few, in copies so that rows of one group do not queue at one address; sums of up to 128 bits
// are two words with carry, and three of 128-bit integers, which cannot overflow. Floats, 128-bit extremes and texts:
// rows sorted stably by group, a warp a chunk of a group's rows, or a thread where groups are small, chunks merged in
// order. No float atomics; deterministic.
#include "aggregate.abi.h"
#include "aggregation.cuh"
#include "arithmetic.cuh"
#include "rows.cuh"
#include "value_words.cuh"
#include "sum192.cuh"

namespace CN_BUILD {
namespace {

constexpr int64_t kChunk = AggregatePolicy::kChunk;

// Operations on accumulators. `kFill`: the byte that empty ones consist of. `load`: what a row adds. `merge`: by atomics.
// `fold`: of a thread that has the accumulator to itself; `stride`: from one of its words to the next.
struct CountOrSum {
  static constexpr int kWords = 1;
  static constexpr int kFill = 0;
  static constexpr int kItems = AggregatePolicy::kItems;
  static __device__ void merge(Word *acc, int, const Word *part) { atomicAdd(acc, part[0]); }
  static __device__ void fold(Word *acc, int, const Word *part) { acc[0] += part[0]; }
};

struct Count : CountOrSum {
  static __device__ void load(const ColumnDesc &, int64_t, Word *part) { part[0] = 1; }
};

struct Sum : CountOrSum {
  static __device__ void load(const ColumnDesc &values, int64_t row, Word *part) { part[0] = low_word(values, row); }
};

struct WideSum {
  static constexpr int kWords = 2;
  static constexpr int kFill = 0;
  static constexpr int kItems = AggregatePolicy::kItems;
  static __device__ void load(const ColumnDesc &values, int64_t row, Word *part) {
    part[0] = low_word(values, row);
    part[1] = high_word(values, row);
  }
  static __device__ void merge(Word *acc, int stride, const Word *part) {
    Word before = atomicAdd(acc, part[0]);
    Word high = part[1] + (before + part[0] < before);
    if (high != 0) atomicAdd(acc + stride, high);
  }
  static __device__ void fold(Word *acc, int stride, const Word *part) {
    Word low = acc[0] + part[0];
    acc[stride] += part[1] + (low < part[0]);
    acc[0] = low;
  }
};

struct ExactSum {
  static constexpr int kWords = 3;
  static constexpr int kFill = 0;
  static constexpr int kItems = AggregatePolicy::kItems;
  static __device__ void load(const ColumnDesc &values, int64_t row, Word *part) {
    part[0] = low_word(values, row);
    part[1] = high_word(values, row);
    part[2] = (part[1] & kSign) != 0 ? ~Word{0} : 0;
  }
  static __device__ void merge(Word *acc, int stride, const Word *part) {
    Word before = atomicAdd(acc, part[0]);
    Word carry = before + part[0] < before;
    Word mid = part[1] + carry;
    // The carry out of the sum with the carry, and out of the sum with what was there.
    Word high = part[2] + (mid < carry);
    before = atomicAdd(acc + stride, mid);
    high += before + mid < before;
    if (high != 0) atomicAdd(acc + 2 * stride, high);
  }
  static __device__ void fold(Word *acc, int stride, const Word *part) {
    Sum192 sum = Sum192::add({acc[0], acc[stride], acc[2 * stride]}, {part[0], part[1], part[2]});
    acc[0] = sum.low;
    acc[stride] = sum.mid;
    acc[2 * stride] = sum.high;
  }
};

// The sum of one half of each 128-bit integer, the high one with its sign.
template <bool kHigh>
struct HalfSum : WideSum {
  static __device__ void load(const ColumnDesc &values, int64_t row, Word *part) {
    part[0] = kHigh ? high_word(values, row) : low_word(values, row);
    part[1] = kHigh && (part[0] & kSign) != 0 ? ~Word{0} : 0;
  }
};

struct Smallest {
  static constexpr int kWords = 1;
  static constexpr int kFill = 0xff;
  static constexpr int kItems = AggregatePolicy::kExtremeItems;
  static __device__ void load(const ColumnDesc &values, int64_t row, Word *part) {
    part[0] = ordered_word(values, row, ~Word{0});
  }
  static __device__ void merge(Word *acc, int, const Word *part) { atomicMin(acc, part[0]); }
  static __device__ void fold(Word *acc, int, const Word *part) {
    if (part[0] < acc[0]) acc[0] = part[0];
  }
};

struct Largest {
  static constexpr int kWords = 1;
  static constexpr int kFill = 0;
  static constexpr int kItems = AggregatePolicy::kExtremeItems;
  static __device__ void load(const ColumnDesc &values, int64_t row, Word *part) { part[0] = ordered_word(values, row, 0); }
  static __device__ void merge(Word *acc, int, const Word *part) { atomicMax(acc, part[0]); }
  static __device__ void fold(Word *acc, int, const Word *part) {
    if (part[0] > acc[0]) acc[0] = part[0];
  }
};

// The accumulators of a block in shared memory, in `copies`: that of a thread is its number modulo these. Rows of few
// groups would queue at few addresses, for atomics of 64 bits there are loops. A thread with a copy of its own needs none.
template <class Op>
struct BlockAccs {
  Word *words;
  int copies;

  __device__ __forceinline__ Word *at(int64_t group, int copy) const { return words + group * Op::kWords * copies + copy; }

  __device__ __forceinline__ void clear(int64_t groups) const {
    for (int64_t k = threadIdx.x; k < groups * Op::kWords * copies; k += blockDim.x) {
      words[k] = Op::kFill == 0 ? 0 : ~Word{0};
    }
    __syncthreads();
  }

  // Folds the copies, and merges the first into global memory.
  __device__ __forceinline__ void merge_into(Word *accs, int64_t groups) const {
    Word part[Op::kWords];
    for (int half = copies / 2; half > 0; half /= 2) {
      __syncthreads();
      for (int64_t k = threadIdx.x; k < groups * half; k += blockDim.x) {
        Word *acc = at(k / half, static_cast<int>(k % half));
        for (int w = 0; w < Op::kWords; w++) part[w] = acc[w * copies + half];
        Op::fold(acc, copies, part);
      }
    }
    __syncthreads();
    for (int64_t k = threadIdx.x; k < groups; k += blockDim.x) {
      for (int w = 0; w < Op::kWords; w++) part[w] = at(k, 0)[w * copies];
      Op::merge(accs + k * Op::kWords, 1, part);
    }
  }
};

// Of few groups with `kShared`.
template <class Op, bool kShared>
__global__ void accumulate(const uint32_t *ids, ColumnDesc values, int32_t skip_nulls, Word *accs, int64_t groups,
                           int32_t copies, int64_t rows) {
  DYN_SHARED(block_accs, Word);
  BlockAccs<Op> block{block_accs, copies};
  if (kShared) block.clear(groups);
  constexpr int kItems = Op::kItems;
  bool is_own = copies == static_cast<int>(blockDim.x);
  int copy = static_cast<int>(threadIdx.x) & (copies - 1);
  int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
  for (int64_t first = thread_index(); first < rows; first += kItems * step) {
    uint32_t id[kItems];
    Word part[kItems][Op::kWords];
#pragma unroll
    for (int k = 0; k < kItems; k++) {
      int64_t row = first + k * step;
      id[k] = row < rows ? ids[row] : UINT32_MAX;
      if (id[k] != UINT32_MAX && skip_nulls && !values.valid(row)) id[k] = UINT32_MAX;
    }
#pragma unroll
    for (int k = 0; k < kItems; k++) {
      if (id[k] != UINT32_MAX) Op::load(values, first + k * step, part[k]);
    }
#pragma unroll
    for (int k = 0; k < kItems; k++) {
      if (id[k] == UINT32_MAX) continue;
      if (!kShared) Op::merge(accs + static_cast<int64_t>(id[k]) * Op::kWords, 1, part[k]);
      else if (is_own) Op::fold(block.at(id[k], copy), copies, part[k]);
      else Op::merge(block.at(id[k], copy), copies, part[k]);
    }
  }
  if (kShared) block.merge_into(accs, groups);
}

// Fills `accs`, Op::kWords a group.
template <class Op>
cudaError_t run(const AggregateArgs &args, bool skip_nulls, Word *accs, cudaStream_t stream) {
  int64_t words = args.groups * Op::kWords;
  if (words == 0) return cudaSuccess;
  CN_TRY(cudaMemsetAsync(accs, Op::kFill, static_cast<size_t>(words) * sizeof(Word), stream));
  if (args.rows == 0) return cudaSuccess;
  const uint32_t *ids = static_cast<const uint32_t *>(args.ids);
  unsigned blocks = blocks_for(args.rows, kThreads * Op::kItems);
  if (words > AggregatePolicy::kSharedWords) {
    return launch(accumulate<Op, false>, blocks, kThreads, 0, stream, ids, args.values, skip_nulls, accs, args.groups, 1,
                  args.rows);
  }
  unsigned most = blocks_for(args.rows, words * AggregatePolicy::kWordRows);
  if (blocks > most) blocks = most;
  unsigned resident = 0;
  CN_TRY(resident_blocks(&resident));
  if (blocks > resident) blocks = resident;
  int32_t copies = kThreads;
  while (copies > 1 && copies * words > AggregatePolicy::kCopiedWords) copies /= 2;
  return launch(accumulate<Op, true>, blocks, kThreads, static_cast<size_t>(copies * words) * sizeof(Word), stream, ids,
                args.values, skip_nulls, accs, args.groups, copies, args.rows);
}

__global__ void store_means(const Word *sums, const Word *counts, double *out, int64_t groups) {
  int64_t group = thread_index();
  if (group >= groups) return;
  unsigned __int128 bits = static_cast<unsigned __int128>(sums[2 * group + 1]) << 64 | sums[2 * group];
  // Sums of fewer than 2^63 numbers of 64 bits, with a sign or without, are numbers of 128 bits with one.
  out[group] = to_float<double>(static_cast<int128>(bits)) / static_cast<double>(counts[group]);
}

// The exact sums, or means of them; sets a word if one has more than 38 digits.
__global__ void store_exact(const Word *sums, const Word *counts, int128 *out, double *means, uint32_t *overflow,
                            int64_t groups) {
  int64_t group = thread_index();
  if (group >= groups) return;
  Sum192 sum{sums[3 * group], sums[3 * group + 1], sums[3 * group + 2]};
  if (!sum.fits()) atomicOr(overflow, 1u);
  if (means != nullptr) means[group] = to_float<double>(sum.value()) / static_cast<double>(counts[group]);
  else out[group] = sum.value();
}

__global__ void store_extremes(const Word *accs, int32_t storage, void *out, int64_t groups) {
  int64_t group = thread_index();
  if (group >= groups) return;
  store_ordered(accs[group], storage, out, group);
}

// One thread a byte of eight groups: whether words are above zero.
__global__ void store_bits(const Word *words, uint8_t *out, int64_t groups) {
  int64_t byte = thread_index();
  if (byte >= (groups + 7) / 8) return;
  uint8_t packed = 0;
  for (int k = 0; k < 8 && byte * 8 + k < groups; k++) packed |= static_cast<uint8_t>((words[byte * 8 + k] != 0) << k);
  out[byte] = packed;
}

cudaError_t bits_out(const AggregateArgs &args, const Word *words, int32_t slot, cudaStream_t stream) {
  int64_t bytes = (args.groups + 7) / 8;
  uint8_t *out = args.alloc.output<uint8_t>(slot, bytes);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (bytes == 0) return cudaSuccess;
  return launch(store_bits, blocks_for(bytes, kThreads), kThreads, 0, stream, words, out, args.groups);
}

// Folds over the sorted rows of a group. Accumulators are merged in row order.
template <class T>
__device__ __forceinline__ T shuffle_down(T value, unsigned lanes) {
  static_assert(sizeof(T) % 4 == 0, "moved by words");
  uint32_t words[sizeof(T) / 4];
  memcpy(words, &value, sizeof(T));
  for (uint32_t &word : words) word = __shfl_down_sync(0xffffffffu, word, lanes);
  memcpy(&value, words, sizeof(T));
  return value;
}

struct FloatSum {
  struct Acc {
    double sum;
    int64_t count;
  };
  static __device__ Acc empty() { return {0, 0}; }
  static __device__ void take(Acc &acc, const ColumnDesc &values, int64_t row) {
    acc.sum += values.storage == F32 ? values.at<float>(row) : values.at<double>(row);
    acc.count++;
  }
  static __device__ void merge(Acc &acc, const Acc &later, const ColumnDesc &) {
    acc.sum += later.sum;
    acc.count += later.count;
  }
  static __device__ void store(const Acc &acc, int32_t aggregation, int32_t result, void *out, int64_t group) {
    double value = aggregation == MEAN ? acc.sum / static_cast<double>(acc.count) : acc.sum;
    if (result == F32) {
      static_cast<float *>(out)[group] = static_cast<float>(value);
    } else {
      static_cast<double *>(out)[group] = value;
    }
  }
};

template <bool kSmallest>
struct WideExtreme {
  struct Acc {
    Word low;
    int64_t high;
    int64_t count;
  };
  static __device__ Acc empty() { return {0, 0, 0}; }
  static __device__ void take(Acc &acc, const ColumnDesc &values, int64_t row) {
    merge(acc, {low_word(values, row), static_cast<int64_t>(high_word(values, row)), 1}, values);
  }
  static __device__ void merge(Acc &acc, const Acc &later, const ColumnDesc &) {
    bool less = later.high != acc.high ? later.high < acc.high : later.low < acc.low;
    bool same = later.high == acc.high && later.low == acc.low;
    if (later.count != 0 && (acc.count == 0 || (!same && less == kSmallest))) acc = later;
  }
  static __device__ void store(const Acc &acc, int32_t, int32_t, void *out, int64_t group) {
    static_cast<Word *>(out)[2 * group] = acc.low;
    static_cast<Word *>(out)[2 * group + 1] = static_cast<Word>(acc.high);
  }
};

// The row of the text, -1 without one.
template <bool kSmallest>
struct StringExtreme {
  struct Acc {
    int64_t row;
  };
  static __device__ Acc empty() { return {-1}; }
  static __device__ void take(Acc &acc, const ColumnDesc &values, int64_t row) { merge(acc, {row}, values); }
  static __device__ void merge(Acc &acc, const Acc &later, const ColumnDesc &values) {
    if (later.row < 0) return;
    if (acc.row >= 0) {
      int order = compare_string(string_row(values, later.row), char_range(values), string_row(values, acc.row),
                                 char_range(values));
      if (kSmallest ? order > 0 : order < 0) return;
      // Of equal texts the first: lanes take turns, so that `later` may be the earlier row.
      if (order == 0 && later.row > acc.row) return;
    }
    acc = later;
  }
  static __device__ void store(const Acc &acc, int32_t, int32_t, void *out, int64_t group) {
    static_cast<int64_t *>(out)[group] = acc.row;
  }
};

// How many chunks a group has; one number more than there are groups, so that the scan ends with the total.
__global__ void count_chunks(const int64_t *starts, int64_t *chunks, int64_t groups) {
  int64_t group = thread_index();
  if (group > groups) return;
  chunks[group] = group < groups ? (starts[group + 1] - starts[group] + kChunk - 1) / kChunk : 0;
}

// The last position in starts[0 .. count) with a value of at most `key`.
__device__ __forceinline__ int64_t last_at_most(const int64_t *starts, int64_t count, int64_t key) {
  int64_t low = 0;
  int64_t high = count;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    if (starts[middle] <= key) {
      low = middle;
    } else {
      high = middle;
    }
  }
  return low;
}

// `kLanes` threads a chunk: 32 or 1.
template <class Fold, class Row, int kLanes>
__global__ void fold_chunks(ColumnDesc values, const Row *order, const int64_t *starts, const int64_t *chunks,
                            int64_t groups, typename Fold::Acc *partials) {
  int64_t chunk = thread_index() / kLanes;
  int lane = static_cast<int>(threadIdx.x % kLanes);
  // With more than one lane whole warps leave.
  if (chunk >= chunks[groups]) return;
  int64_t group = last_at_most(chunks, groups, chunk);
  int64_t first = starts[group] + (chunk - chunks[group]) * kChunk;
  int64_t end = first + kChunk < starts[group + 1] ? first + kChunk : starts[group + 1];
  typename Fold::Acc acc = Fold::empty();
  for (int64_t i = first + lane; i < end; i += kLanes) {
    int64_t row = static_cast<int64_t>(order[i]);
    if (values.valid(row)) Fold::take(acc, values, row);
  }
  for (unsigned lanes = kLanes / 2; lanes > 0; lanes /= 2) Fold::merge(acc, shuffle_down(acc, lanes), values);
  if (lane == 0) partials[chunk] = acc;
}

template <class Fold>
__global__ void merge_chunks(ColumnDesc values, const int64_t *chunks, const typename Fold::Acc *partials,
                             int32_t aggregation, int32_t result, void *out, int64_t groups) {
  int64_t group = thread_index();
  if (group >= groups) return;
  typename Fold::Acc acc = Fold::empty();
  for (int64_t chunk = chunks[group]; chunk < chunks[group + 1]; chunk++) Fold::merge(acc, partials[chunk], values);
  Fold::store(acc, aggregation, result, out, group);
}

template <class Fold, class Row>
cudaError_t fold_rows(const AggregateArgs &args, void *out, cudaStream_t stream) {
  const int64_t *starts = static_cast<const int64_t *>(args.starts);
  int64_t most_chunks = args.rows / kChunk + args.groups;
  int64_t *chunks = args.alloc.scratch<int64_t>(args.groups + 1);
  auto *partials = args.alloc.scratch<typename Fold::Acc>(most_chunks);
  if (chunks == nullptr || partials == nullptr) return cudaErrorMemoryAllocation;
  if (args.groups == 0) return cudaSuccess;
  CN_TRY(launch(count_chunks, blocks_for(args.groups + 1, kThreads), kThreads, 0, stream, starts, chunks, args.groups));
  CN_TRY(prim::exclusive_sum(args.alloc, chunks, chunks, args.groups + 1, stream));
  bool narrow = args.rows <= args.groups * AggregatePolicy::kNarrowRows;
  CN_TRY(launch(narrow ? fold_chunks<Fold, Row, 1> : fold_chunks<Fold, Row, 32>,
                blocks_for(most_chunks * (narrow ? 1 : 32), kThreads), kThreads, 0, stream, args.values,
                static_cast<const Row *>(args.order), starts, static_cast<const int64_t *>(chunks), args.groups,
                partials));
  return launch(merge_chunks<Fold>, blocks_for(args.groups, kThreads), kThreads, 0, stream, args.values,
                static_cast<const int64_t *>(chunks), static_cast<const typename Fold::Acc *>(partials),
                args.aggregation, args.result, out, args.groups);
}

template <class Row>
cudaError_t fold_sorted(const AggregateArgs &args, void *out, cudaStream_t stream) {
  bool smallest = args.aggregation == MIN;
  switch (args.values.storage) {
    case STRING:
      return smallest ? fold_rows<StringExtreme<true>, Row>(args, out, stream)
                      : fold_rows<StringExtreme<false>, Row>(args, out, stream);
    case I128:
      return smallest ? fold_rows<WideExtreme<true>, Row>(args, out, stream)
                      : fold_rows<WideExtreme<false>, Row>(args, out, stream);
    default: return fold_rows<FloatSum, Row>(args, out, stream);
  }
}

cudaError_t extremes(const AggregateArgs &args, cudaStream_t stream) {
  Word *accs = args.alloc.scratch<Word>(args.groups);
  if (accs == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(args.aggregation == MIN ? run<Smallest>(args, true, accs, stream) : run<Largest>(args, true, accs, stream));
  if (args.result == BIT) return bits_out(args, accs, 0, stream);
  uint8_t *out = args.alloc.output<uint8_t>(0, args.groups * result_width(args.result));
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args.groups == 0) return cudaSuccess;
  return launch(store_extremes, blocks_for(args.groups, kThreads), kThreads, 0, stream, static_cast<const Word *>(accs),
                args.result, static_cast<void *>(out), args.groups);
}

// Sums of 128-bit integers, divided by the counts if there are some.
cudaError_t exact_sums(const AggregateArgs &args, const Word *counts, cudaStream_t stream) {
  Word *sums = args.alloc.scratch<Word>(args.groups * 3);
  uint8_t *out = args.alloc.output<uint8_t>(0, args.groups * result_width(args.result));
  uint32_t *overflow = cleared_flag(args.alloc, 2, stream);
  if (sums == nullptr || out == nullptr || overflow == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(run<ExactSum>(args, true, sums, stream));
  if (args.groups == 0) return cudaSuccess;
  bool mean = args.aggregation == MEAN;
  return launch(store_exact, blocks_for(args.groups, kThreads), kThreads, 0, stream, static_cast<const Word *>(sums),
                counts, mean ? nullptr : reinterpret_cast<int128 *>(out),
                mean ? reinterpret_cast<double *>(out) : nullptr, overflow, args.groups);
}

cudaError_t means(const AggregateArgs &args, const Word *counts, cudaStream_t stream) {
  Word *sums = args.alloc.scratch<Word>(args.groups * 2);
  double *out = args.alloc.output<double>(0, args.groups);
  if (sums == nullptr || out == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(run<WideSum>(args, true, sums, stream));
  if (args.groups == 0) return cudaSuccess;
  return launch(store_means, blocks_for(args.groups, kThreads), kThreads, 0, stream, static_cast<const Word *>(sums),
                counts, out, args.groups);
}

cudaError_t aggregate_values(const AggregateArgs &args, const Word *counts, cudaStream_t stream) {
  bool extreme = args.aggregation == MIN || args.aggregation == MAX;
  if (args.order_width == 0 && extreme) return extremes(args, stream);
  bool sum = args.aggregation == SUM || args.aggregation == SUM_WIDE || args.aggregation == MEAN;
  if (args.values.storage == I128 && sum) return exact_sums(args, counts, stream);
  if (args.order_width == 0 && args.aggregation == MEAN) return means(args, counts, stream);
  uint8_t *out = args.alloc.output<uint8_t>(0, args.groups * result_width(args.result));
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (args.order_width == 4) return fold_sorted<unsigned>(args, out, stream);
  if (args.order_width == 8) return fold_sorted<unsigned long long>(args, out, stream);
  Word *words = reinterpret_cast<Word *>(out);
  switch (args.aggregation) {
    case COUNT: return run<Count>(args, true, words, stream);
    case SIZE: return run<Count>(args, false, words, stream);
    case SUM_LOW: return run<HalfSum<false>>(args, true, words, stream);
    case SUM_HIGH: return run<HalfSum<true>>(args, true, words, stream);
    default: return args.result == I128 ? run<WideSum>(args, true, words, stream) : run<Sum>(args, true, words, stream);
  }
}

// Sorts rows by group; rows in no group go last.
template <class Row>
__global__ void group_rows(const uint32_t *ids, uint32_t *keys, Row *numbers, int64_t groups, int64_t rows) {
  int64_t row = thread_index();
  if (row >= rows) return;
  keys[row] = ids[row] < groups ? ids[row] : static_cast<uint32_t>(groups);
  numbers[row] = static_cast<Row>(row);
}

// Where the rows of a group begin: the first key not below it.
__global__ void find_starts(const uint32_t *keys, int64_t *starts, int64_t groups, int64_t rows) {
  int64_t group = thread_index();
  if (group > groups) return;
  int64_t low = 0;
  int64_t high = rows;
  while (low < high) {
    int64_t middle = low + (high - low) / 2;
    if (keys[middle] < group) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  starts[group] = low;
}

template <class Row>
cudaError_t order_rows(const GroupOrderArgs &args, cudaStream_t stream) {
  uint32_t *keys = args.alloc.scratch<uint32_t>(args.rows);
  uint32_t *sorted = args.alloc.scratch<uint32_t>(args.rows);
  Row *numbers = args.alloc.scratch<Row>(args.rows);
  Row *order = args.alloc.output<Row>(0, args.rows);
  int64_t *starts = args.alloc.output<int64_t>(1, args.groups + 1);
  if (keys == nullptr || sorted == nullptr || numbers == nullptr || order == nullptr || starts == nullptr) {
    return cudaErrorMemoryAllocation;
  }
  if (args.rows > 0) {
    CN_TRY(launch(group_rows<Row>, blocks_for(args.rows, kThreads), kThreads, 0, stream,
                  static_cast<const uint32_t *>(args.ids), keys, numbers, args.groups, args.rows));
    int bits = 1;
    while (bits < 32 && (int64_t{1} << bits) <= args.groups) bits++;
    CN_TRY(prim::sort_pairs(args.alloc, static_cast<const uint32_t *>(keys), sorted,
                            static_cast<const Row *>(numbers), order, args.rows, 0, bits, stream));
  }
  return launch(find_starts, blocks_for(args.groups + 1, kThreads), kThreads, 0, stream,
                static_cast<const uint32_t *>(sorted), starts, args.groups, args.rows);
}

}  // namespace

ENTRY(group_order)(const GroupOrderArgs *args, cudaStream_t stream) {
  return args->order_width == 4 ? order_rows<unsigned>(*args, stream) : order_rows<unsigned long long>(*args, stream);
}

ENTRY(aggregate)(const AggregateArgs *args, cudaStream_t stream) {
  Word *counts = nullptr;
  if (args->masked || (args->aggregation == MEAN && args->order_width == 0)) {
    counts = args->alloc.scratch<Word>(args->groups);
    if (counts == nullptr) return cudaErrorMemoryAllocation;
    CN_TRY(run<Count>(*args, true, counts, stream));
  }
  CN_TRY(aggregate_values(*args, counts, stream));
  return args->masked ? bits_out(*args, counts, 1, stream) : cudaSuccess;
}

}  // namespace CN_BUILD
