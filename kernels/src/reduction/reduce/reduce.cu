// Reductions: a block merges a tile of rows, 16 bytes a load, then one block merges the tiles in their order. How many
// rows a tile has, and which thread merges which of them, depends on the number of rows alone. Reads every value and
// mask bit once, for several aggregations too. No atomics; the same bytes every run. Few rows take one launch.
#include "reduce.abi.h"
#include "accumulate.cuh"
#include "bits.cuh"
#include "limits.cuh"
#include "vectors.cuh"

namespace CN_BUILD {
namespace {

constexpr int kMostAggregations = ReducePolicy::kMostAggregations;
int64_t tile_rows(int64_t rows, bool small) {
  // A multiple of a word of bits; small ones are more than one block merges in a round.
  int64_t least = small ? 32 : ReducePolicy::kTileRows;
  int64_t even = (rows + ReducePolicy::kMostTiles - 1) / ReducePolicy::kMostTiles;
  int64_t tiles = (even + least - 1) / least;
  return (tiles > 1 ? tiles : 1) * least;
}

template <class T>
constexpr bool kIsBit = static_cast<T>(2) == static_cast<T>(1);

// Neighbouring rows of a thread: 16 bytes, or a word of bits.
template <class T>
constexpr int kLoadRows = kIsBit<T> ? 32 : 16 / static_cast<int>(sizeof(T));

// The run of `count` rows, at most kLoadRows, from row `first`. `aligned`: the values of `first` are at a multiple of
// 16 bytes.
template <class Op, class T>
__device__ __forceinline__ Run<Op> run_of_load(const ColumnDesc &input, int64_t first, int count, bool aligned) {
  constexpr int kRows = kLoadRows<T>;
  uint32_t valid = count == 32 ? ~0u : (1u << count) - 1;
  if (input.validity != nullptr) {
    valid = load_word(static_cast<const uint8_t *>(input.validity), input.offset + first, count,
                      input.offset + input.rows);
  }
  Run<Op> run = Run<Op>::start();
  run.count = __popc(valid);
  if constexpr (kIsBit<T>) {
    uint32_t bits = load_word(static_cast<const uint8_t *>(input.data), input.offset + first, count,
                              input.offset + input.rows);
    if constexpr (Op::kSum) {
      run.value = static_cast<typename Op::Value>(__popc(bits & valid));
    } else {
      if ((bits & valid) != 0) run.value = Op::merge(run.value, Op::of(true));
      if ((~bits & valid) != 0) run.value = Op::merge(run.value, Op::of(false));
    }
  } else if (aligned && count == kRows) {
    auto load = load_aligned<Vector<T, kRows>>(static_cast<const T *>(input.data) + input.offset + first);
#pragma unroll
    for (int k = 0; k < kRows; k++) {
      if ((valid >> k & 1) != 0) run.value = Op::merge(run.value, Op::of(load.values[k]));
    }
  } else {
#pragma unroll
    for (int k = 0; k < kRows; k++) {
      if (k < count && (valid >> k & 1) != 0) run.value = Op::merge(run.value, Op::of(input.at<T>(first + k)));
    }
  }
  return run;
}

// Where the result is stored.
struct Result {
  void *out;
  // Null: no mask.
  uint8_t *validity;
  uint32_t *overflow;
  int32_t to;
  int32_t aggregation;

  template <class Op, class T>
  __device__ __forceinline__ void store(const Run<Op> &run) const {
    store_run<Op, T>(out, to, 0, run, aggregation, overflow);
    if (validity != nullptr) *validity = run.count > 0;
  }
};

// The accumulators of all aggregations of values of `T`, which read them once.
template <class T>
struct Summary {
  struct Value {
    typename Sum<T>::Value sum;
    typename Min<T>::Value least;
    typename Max<T>::Value greatest;
  };
  static __device__ __forceinline__ Value start() { return {Sum<T>::start(), Min<T>::start(), Max<T>::start()}; }
  static __device__ __forceinline__ Value of(T value) { return {Sum<T>::of(value), Min<T>::of(value), Max<T>::of(value)}; }
  static __device__ __forceinline__ Value merge(const Value &a, const Value &b) {
    return {Sum<T>::merge(a.sum, b.sum), Min<T>::merge(a.least, b.least), Max<T>::merge(a.greatest, b.greatest)};
  }
};

// Where the results of a Summary are stored.
struct Results {
  Result of[kMostAggregations];
  int32_t count;

  template <class Op, class T>
  __device__ __forceinline__ void store(const Run<Op> &run) const {
    for (int32_t k = 0; k < count; k++) {
      switch (of[k].aggregation) {
        case MIN: of[k].template store<Min<T>, T>({run.value.least, run.count}); break;
        case MAX: of[k].template store<Max<T>, T>({run.value.greatest, run.count}); break;
        case COUNT: *static_cast<int64_t *>(of[k].out) = run.count; break;
        default: of[k].template store<Sum<T>, T>({run.value.sum, run.count});
      }
    }
  }
};

// Without `tiles` the only tile is the result.
template <class Op, class T, class Sink>
__global__ void reduce_tiles(ColumnDesc input, int64_t rows_of_tile, Run<Op> *tiles, Sink sink) {
  constexpr int kRows = kLoadRows<T>;
  bool aligned =
      reinterpret_cast<uintptr_t>(static_cast<const T *>(input.data) + (kIsBit<T> ? 0 : input.offset)) % 16 == 0;
  int64_t first = static_cast<int64_t>(blockIdx.x) * rows_of_tile;
  int64_t end = first + rows_of_tile < input.rows ? first + rows_of_tile : input.rows;
  Run<Op> mine = Run<Op>::start();
  for (int64_t row = first + static_cast<int64_t>(threadIdx.x) * kRows; row < end; row += kBlock * kRows) {
    int count = end - row < kRows ? static_cast<int>(end - row) : kRows;
    mine = Run<Op>::merge(mine, run_of_load<Op, T>(input, row, count, aligned));
  }
  Run<Op> all = block_merge(mine);
  if (threadIdx.x != 0) return;
  if (tiles != nullptr) tiles[blockIdx.x] = all;
  else sink.template store<Op, T>(all);
}

template <class Op, class T, class Sink>
__global__ void reduce_runs(const Run<Op> *tiles, int64_t count, Sink sink) {
  Run<Op> mine = Run<Op>::start();
  for (int64_t tile = threadIdx.x; tile < count; tile += kBlock) mine = Run<Op>::merge(mine, tiles[tile]);
  Run<Op> all = block_merge(mine);
  if (threadIdx.x == 0) sink.template store<Op, T>(all);
}

template <class Op, class T, class Sink>
cudaError_t reduce_to(const Alloc &alloc, const ColumnDesc &input, const Sink &sink, cudaStream_t stream) {
  int64_t rows_of_tile = tile_rows(input.rows, small_limits(alloc));
  int64_t tiles = (input.rows + rows_of_tile - 1) / rows_of_tile;
  Run<Op> *runs = nullptr;
  if (tiles > 1) {
    runs = alloc.scratch<Run<Op>>(tiles);
    if (runs == nullptr) return cudaErrorMemoryAllocation;
  }
  // Without rows, one block stores the result of none.
  CN_TRY(launch(reduce_tiles<Op, T, Sink>, static_cast<unsigned>(tiles > 0 ? tiles : 1), kBlock, 0, stream, input,
                rows_of_tile, runs, sink));
  if (tiles <= 1) return cudaSuccess;
  return launch(reduce_runs<Op, T, Sink>, 1, kBlock, 0, stream, static_cast<const Run<Op> *>(runs), tiles, sink);
}

template <class Op, class T>
cudaError_t reduce_with(const ReduceArgs &args, void *out, uint8_t *validity, cudaStream_t stream) {
  Result result{out, validity, nullptr, args.to, args.aggregation};
  if constexpr (sizeof(typename Op::Value) == sizeof(Sum192)) {
    result.overflow = cleared_flag(args.alloc, 2, stream);
    if (result.overflow == nullptr) return cudaErrorMemoryAllocation;
  }
  return reduce_to<Op, T>(args.alloc, args.input, result, stream);
}

// Outputs of one aggregation of reduce_each: values and mask.
constexpr int32_t kResultSlots = 2;

}  // namespace

ENTRY(reduce_each)(const ReduceEachArgs *args, cudaStream_t stream) {
  Results results{};
  results.count = args->count;
  for (int32_t k = 0; k < args->count; k++) {
    int32_t slot = k * kResultSlots, to = args->to[k];
    uint8_t *out = args->alloc.output<uint8_t>(slot, storage_bits(to) / 8);
    uint8_t *validity = args->masked[k] ? args->alloc.output<uint8_t>(slot + 1, 1) : nullptr;
    if (out == nullptr || (args->masked[k] && validity == nullptr)) return cudaErrorMemoryAllocation;
    results.of[k] = {out, validity, nullptr, to, args->aggregations[k]};
  }
  return with_storage(args->input.storage, [&](auto type) -> cudaError_t {
    using T = typename decltype(type)::type;
    // The launcher asks for sums of these one by one, as they can overflow.
    if constexpr (sizeof(T) == 16) return cudaErrorInvalidValue;
    else return reduce_to<Summary<T>, T>(args->alloc, args->input, results, stream);
  });
}

ENTRY(reduce)(const ReduceArgs *args, cudaStream_t stream) {
  return with_any_storage(args->input.storage, [&](auto type) -> cudaError_t {
    using T = typename decltype(type)::type;
    uint8_t *out = args->alloc.output<uint8_t>(0, args->to == BIT ? 1 : storage_bits(args->to) / 8);
    uint8_t *validity = args->masked ? args->alloc.output<uint8_t>(1, 1) : nullptr;
    if (out == nullptr || (args->masked && validity == nullptr)) return cudaErrorMemoryAllocation;
    if constexpr (sizeof(T) == 16) {
      if (args->aggregation == SUM_LOW) return reduce_with<HalfSum<false>, T>(*args, out, validity, stream);
      if (args->aggregation == SUM_HIGH) return reduce_with<HalfSum<true>, T>(*args, out, validity, stream);
    }
    switch (args->aggregation) {
      case MIN: return reduce_with<Min<T>, T>(*args, out, validity, stream);
      case MAX: return reduce_with<Max<T>, T>(*args, out, validity, stream);
      default: return reduce_with<Sum<T>, T>(*args, out, validity, stream);
    }
  });
}

}  // namespace CN_BUILD
