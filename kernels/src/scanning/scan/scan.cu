// Scans. Sums of integers of up to 64 bits in 64 bits: one pass with CUB's look-back, whose result does not depend on
// the order. The others: a block merges a tile of fixed size, waits for what stands before it (look_back.cuh), and writes
// its rows: every value is read once. Tiles pass through shared memory, so that global accesses are of neighbouring rows.
// One atomic a tile, for its number; the same bytes every run, of floats too.
#include "scan.abi.h"
#include "accumulate.cuh"
#include "bits.cuh"
#include "look_back.cuh"
#include "primitives.cuh"

#include <type_traits>

namespace CN_BUILD {
namespace {

// The discriminants of ScanRange in mod.rs.
enum ScanRange : int32_t { INCLUSIVE, EXCLUSIVE };

// Of a tile.
constexpr int kTileRows = kBlock * ScanRowsPolicy::kThreadRows;

// Rows of a tile in shared memory, with a gap after those of a thread, so that threads use different banks.
__device__ __forceinline__ int slot_of(int row) { return row + row / ScanRowsPolicy::kThreadRows; }
constexpr int kSlots = kTileRows + kTileRows / ScanRowsPolicy::kThreadRows;

// Shared memory of a tile: of its inputs, then of its results.
template <size_t kWidth>
struct alignas(16) TileMemory {
  unsigned char bytes[kSlots * kWidth];
};

// Where segments of rows begin.
struct Starts {
  const uint8_t *bits;
  int64_t offset;
};

// Marks the count of a run in which a segment begins; counts of rows are below it.
constexpr int64_t kBegins = int64_t{1} << 62;

// A run of rows from its last start on.
template <class Op>
struct Segment {
  Run<Op> run;

  static __device__ __forceinline__ Segment start() { return {Run<Op>::start()}; }
  static __device__ __forceinline__ Segment merge(const Segment &a, const Segment &b) {
    if ((b.run.count & kBegins) != 0) return b;
    return {Run<Op>::merge(a.run, b.run)};
  }
};

// The eight rows of a thread.
template <class T>
struct ThreadRows {
  T values[ScanRowsPolicy::kThreadRows];
  // A bit each, none past the last row.
  uint32_t valid;
  uint32_t starts;
  int count;

  template <class Op>
  __device__ __forceinline__ Segment<Op> of_row(int k) const {
    Segment<Op> segment = Segment<Op>::start();
    if ((valid >> k & 1) != 0) segment.run = {Op::of(values[k]), 1};
    if ((starts >> k & 1) != 0) segment.run.count |= kBegins;
    return segment;
  }
  template <class Op>
  __device__ __forceinline__ Segment<Op> merged() const {
    Segment<Op> all = Segment<Op>::start();
#pragma unroll
    for (int k = 0; k < ScanRowsPolicy::kThreadRows; k++) {
      if (k < count) all = Segment<Op>::merge(all, of_row<Op>(k));
    }
    return all;
  }
};

template <class T>
constexpr bool kIsBit = static_cast<T>(2) == static_cast<T>(1);

// Loads the rows from `first` on, those of the tile of this block, through `tile`, which has kSlots values. Every thread must
// call this.
template <class T>
__device__ __forceinline__ ThreadRows<T> load_rows(const ColumnDesc &input, const Starts &starts, int64_t first, T *tile) {
  constexpr int kRows = ScanRowsPolicy::kThreadRows;
  int64_t left = input.rows - first;
  if constexpr (!kIsBit<T>) {
    for (int row = static_cast<int>(threadIdx.x); row < kTileRows && row < left; row += kBlock) {
      tile[slot_of(row)] = input.at<T>(first + row);
    }
    __syncthreads();
  }
  ThreadRows<T> mine{};
  int start = static_cast<int>(threadIdx.x) * kRows;
  int64_t count = left - start;
  mine.count = count >= kRows ? kRows : count > 0 ? static_cast<int>(count) : 0;
  if (mine.count > 0) {
    auto bits = [&](const void *mask, int64_t offset) {
      return load_bits(static_cast<const uint8_t *>(mask), offset + first + start, mine.count);
    };
    mine.valid = input.validity == nullptr ? (1u << mine.count) - 1 : bits(input.validity, input.offset);
    if (starts.bits != nullptr) mine.starts = bits(starts.bits, starts.offset);
    uint32_t values = 0;
    if constexpr (kIsBit<T>) values = bits(input.data, input.offset);
#pragma unroll
    for (int k = 0; k < kRows; k++) {
      if constexpr (kIsBit<T>) mine.values[k] = (values >> k & 1) != 0;
      else if (k < mine.count) mine.values[k] = tile[slot_of(start + k)];
    }
  }
  return mine;
}

// The eight rows of a thread are one byte of `started`, and one of the values of a bit column. `Out`: what has the width
// of a result.
// Four blocks to a multiprocessor, but of 128-bit extremes and of 192-bit sums, whose registers would spill.
template <class Op, class T, class Out>
__global__ void __launch_bounds__(kBlock, sizeof(typename Op::Value) > (Op::kSum ? 16 : 8) ? 1 : 4)
    scan_rows(ColumnDesc input, Starts starts, LookBack<Segment<Op>> tiles, int32_t range, int32_t aggregation, int32_t to,
              Out *out, uint8_t *started, uint32_t *overflow) {
  SHARED(memory, TileMemory<(sizeof(T) > sizeof(Out) ? sizeof(T) : sizeof(Out))>);
  int64_t tile = tiles.take(), first = tile * kTileRows;
  ThreadRows<T> mine = load_rows<T>(input, starts, first, reinterpret_cast<T *>(memory.bytes));
  Out *results = reinterpret_cast<Out *>(memory.bytes);
  SHARED(runs, Segment<Op>[kBlock]);
  Segment<Op> all;
  // Every thread has read its rows when this returns.
  Segment<Op> before = block_before_in(&runs[0], mine.template merged<Op>(), &all);
  Segment<Op> before_tile = tiles.before(tile, all, &runs[0]);
  int start = static_cast<int>(threadIdx.x) * ScanRowsPolicy::kThreadRows;
  if (mine.count > 0) {
    Segment<Op> run = Segment<Op>::merge(before_tile, before);
    uint8_t bits = 0, seen = 0;
#pragma unroll
    for (int k = 0; k < ScanRowsPolicy::kThreadRows; k++) {
      if (k >= mine.count) break;
      if ((mine.starts >> k & 1) != 0) run = Segment<Op>::start();
      Segment<Op> next = Segment<Op>::merge(run, mine.template of_row<Op>(k));
      Run<Op> shown = range == INCLUSIVE ? next.run : run.run;
      shown.count &= ~kBegins;
      // Only the extremes of bits are bits.
      if constexpr (!Op::kSum && kIsBit<T>) bits |= static_cast<uint8_t>((shown.value != 0 ? 1 : 0) << k);
      else store_run<Op, T>(results, to, slot_of(start + k), shown, aggregation, (mine.valid >> k & 1) != 0 ? overflow : nullptr);
      seen |= static_cast<uint8_t>((shown.count > 0 ? 1 : 0) << k);
      run = next;
    }
    if (to == BIT) reinterpret_cast<uint8_t *>(out)[(first + start) / 8] = bits;
    if (started != nullptr) started[(first + start) / 8] = seen;
  }
  if (to == BIT) return;
  __syncthreads();
  for (int row = static_cast<int>(threadIdx.x); row < kTileRows && row < input.rows - first; row += kBlock) {
    out[first + row] = results[slot_of(row)];
  }
}

template <class Op, class T, class Out>
cudaError_t scan_into(const ScanArgs &args, void *out, uint8_t *started, cudaStream_t stream) {
  int64_t count = (args.input.rows + kTileRows - 1) / kTileRows;
  LookBack<Segment<Op>> tiles{};
  CN_TRY(tiles.create(args.alloc, count, stream));
  uint32_t *overflow = nullptr;
  if constexpr (sizeof(typename Op::Value) == sizeof(Sum192)) {
    overflow = cleared_flag(args.alloc, 2, stream);
    if (overflow == nullptr) return cudaErrorMemoryAllocation;
  }
  Starts starts = {static_cast<const uint8_t *>(args.starts), args.starts_offset};
  return launch(scan_rows<Op, T, Out>, static_cast<unsigned>(count), kBlock, 0, stream, args.input, starts, tiles,
                args.range, args.aggregation, args.to, static_cast<Out *>(out), started, overflow);
}

template <class Op, class T>
cudaError_t scan_with(const ScanArgs &args, void *out, uint8_t *started, cudaStream_t stream) {
  if constexpr (!Op::kSum) {
    return scan_into<Op, T, T>(args, out, started, stream);
  } else {
    if constexpr (kFloat<T> && !kIsBit<T>) {
      if (args.to == F32) return scan_into<Op, T, uint32_t>(args, out, started, stream);
    } else {
      if (args.to == I128) return scan_into<Op, T, ulonglong2>(args, out, started, stream);
    }
    return scan_into<Op, T, uint64_t>(args, out, started, stream);
  }
}

// The integers of a column of up to 64 bits as integers of 64 bits, 0 for nulls.
struct IntegerOfRow {
  ColumnDesc input;

  __device__ uint64_t operator()(int64_t row) const {
    if (!input.valid(row)) return 0;
    switch (input.storage) {
      case BIT: return input.bit(row);
      case I8: return static_cast<uint64_t>(static_cast<int64_t>(input.at<int8_t>(row)));
      case I16: return static_cast<uint64_t>(static_cast<int64_t>(input.at<int16_t>(row)));
      case I32: return static_cast<uint64_t>(static_cast<int64_t>(input.at<int32_t>(row)));
      case U8: return input.at<uint8_t>(row);
      case U16: return input.at<uint16_t>(row);
      case U32: return input.at<uint32_t>(row);
      default: return input.at<uint64_t>(row);
    }
  }
};

// Sums modulo 2^64 do not depend on their order.
cudaError_t sum_by_look_back(const ScanArgs &args, uint64_t *out, cudaStream_t stream) {
  prim::Computed<uint64_t, IntegerOfRow> values{{args.input}, 0};
  if (args.range == INCLUSIVE) return prim::inclusive_sum(args.alloc, values, out, args.input.rows, stream);
  return prim::exclusive_sum(args.alloc, values, out, args.input.rows, stream);
}

bool is_sum_of_integers(const ScanArgs &args) {
  bool is_integer = args.input.storage <= U64 && args.input.storage != I128;
  return is_integer && args.starts == nullptr && args.aggregation == SUM && (args.to == I64 || args.to == U64);
}

}  // namespace

ENTRY(scan)(const ScanArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int64_t bytes = (rows * storage_bits(args->to) + 7) / 8;
  uint8_t *out = args->alloc.output<uint8_t>(0, bytes);
  uint8_t *started = args->started ? args->alloc.output<uint8_t>(1, (rows + 7) / 8) : nullptr;
  if (out == nullptr || (args->started && started == nullptr)) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  if (is_sum_of_integers(*args) && started == nullptr) return sum_by_look_back(*args, reinterpret_cast<uint64_t *>(out), stream);
  return with_any_storage(args->input.storage, [&](auto type) -> cudaError_t {
    using T = typename decltype(type)::type;
    if constexpr (sizeof(T) == 16) {
      if (args->aggregation == SUM_LOW) return scan_with<HalfSum<false>, T>(*args, out, started, stream);
      if (args->aggregation == SUM_HIGH) return scan_with<HalfSum<true>, T>(*args, out, started, stream);
    }
    switch (args->aggregation) {
      case MIN: return scan_with<Min<T>, T>(*args, out, started, stream);
      case MAX: return scan_with<Max<T>, T>(*args, out, started, stream);
      default: return scan_with<Sum<T>, T>(*args, out, started, stream);
    }
  });
}

}  // namespace CN_BUILD
