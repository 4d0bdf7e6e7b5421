// Scans: a block merges a tile of fixed size, one block finds what stands before each tile, and a block a tile writes
// its rows. Reads every value twice. No atomics and no waiting between blocks; the same bytes every run, which a
// single-pass scan with look-back does not give for floats.
#include "scan.abi.h"
#include "accumulate.cuh"

namespace CN_BUILD {
namespace {

// The discriminants of ScanRange in mod.rs.
enum ScanRange : int32_t { INCLUSIVE, EXCLUSIVE };

// Neighbouring rows of a thread: one byte of bits.
constexpr int kThreadRows = 8;
constexpr int64_t kTileRows = kBlock * kThreadRows;

// Where segments of rows begin.
struct Starts {
  const uint8_t *bits;
  int64_t offset;

  __device__ __forceinline__ bool at(int64_t row) const { return bits != nullptr && get_bit(bits, offset + row); }
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
  template <class T>
  static __device__ __forceinline__ Segment of_row(const ColumnDesc &input, const Starts &starts, int64_t row) {
    Segment segment = {run_of_row<Op, T>(input, row)};
    if (starts.at(row)) segment.run.count |= kBegins;
    return segment;
  }
};

template <class Op, class T>
__device__ __forceinline__ Segment<Op> run_of_thread(const ColumnDesc &input, const Starts &starts, int64_t first) {
  Segment<Op> mine = Segment<Op>::start();
  for (int64_t row = first; row < first + kThreadRows && row < input.rows; row++) {
    mine = Segment<Op>::merge(mine, Segment<Op>::template of_row<T>(input, starts, row));
  }
  return mine;
}

template <class Op, class T>
__global__ void scan_tiles(ColumnDesc input, Starts starts, Segment<Op> *tiles) {
  Segment<Op> all;
  block_before(run_of_thread<Op, T>(input, starts, thread_index() * kThreadRows), &all);
  if (threadIdx.x == 0) tiles[blockIdx.x] = all;
}

// Replaces every tile by what stands before it.
template <class Op>
__global__ void scan_before(Segment<Op> *tiles, int64_t count) {
  Segment<Op> carry = Segment<Op>::start();
  for (int64_t first = 0; first < count; first += kBlock) {
    int64_t tile = first + threadIdx.x;
    Segment<Op> all;
    Segment<Op> before = block_before(tile < count ? tiles[tile] : Segment<Op>::start(), &all);
    if (tile < count) tiles[tile] = Segment<Op>::merge(carry, before);
    carry = Segment<Op>::merge(carry, all);
  }
}

// The eight rows of a thread are one byte of `started`, and one of the values of a bit column.
template <class Op, class T>
__global__ void scan_rows(ColumnDesc input, Starts starts, const Segment<Op> *before_tiles, int32_t range,
                          int32_t aggregation, int32_t to, void *out, uint8_t *started, uint32_t *overflow) {
  int64_t first = thread_index() * kThreadRows;
  Segment<Op> all;
  Segment<Op> before = block_before(run_of_thread<Op, T>(input, starts, first), &all);
  if (first >= input.rows) return;
  Segment<Op> run = Segment<Op>::merge(before_tiles[blockIdx.x], before);
  uint8_t bits = 0, seen = 0;
  for (int k = 0; k < kThreadRows && first + k < input.rows; k++) {
    if (starts.at(first + k)) run = Segment<Op>::start();
    Segment<Op> next = Segment<Op>::merge(run, Segment<Op>::template of_row<T>(input, starts, first + k));
    Run<Op> shown = range == INCLUSIVE ? next.run : run.run;
    shown.count &= ~kBegins;
    // Only the extremes of bits are bits.
    if constexpr (!Op::kSum && static_cast<T>(2) == static_cast<T>(1)) bits |= static_cast<uint8_t>((shown.value != 0 ? 1 : 0) << k);
    else store_run<Op, T>(out, to, first + k, shown, aggregation, input.valid(first + k) ? overflow : nullptr);
    seen |= static_cast<uint8_t>((shown.count > 0 ? 1 : 0) << k);
    run = next;
  }
  if (to == BIT) static_cast<uint8_t *>(out)[first / 8] = bits;
  if (started != nullptr) started[first / 8] = seen;
}

template <class Op, class T>
cudaError_t scan_with(const ScanArgs &args, void *out, uint8_t *started, cudaStream_t stream) {
  int64_t tiles = (args.input.rows + kTileRows - 1) / kTileRows;
  Segment<Op> *runs = args.alloc.scratch<Segment<Op>>(tiles);
  if (runs == nullptr) return cudaErrorMemoryAllocation;
  uint32_t *overflow = nullptr;
  if constexpr (sizeof(typename Op::Value) == sizeof(Sum192)) {
    overflow = cleared_flag(args.alloc, 2, stream);
    if (overflow == nullptr) return cudaErrorMemoryAllocation;
  }
  unsigned blocks = static_cast<unsigned>(tiles);
  Starts starts = {static_cast<const uint8_t *>(args.starts), args.starts_offset};
  CN_TRY(launch(scan_tiles<Op, T>, blocks, kBlock, 0, stream, args.input, starts, runs));
  CN_TRY(launch(scan_before<Op>, 1, kBlock, 0, stream, runs, tiles));
  return launch(scan_rows<Op, T>, blocks, kBlock, 0, stream, args.input, starts, runs, args.range,
                args.aggregation, args.to, out, started, overflow);
}

}  // namespace

ENTRY(scan)(const ScanArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int64_t bytes = (rows * storage_bits(args->to) + 7) / 8;
  uint8_t *out = args->alloc.output<uint8_t>(0, bytes);
  uint8_t *started = args->started ? args->alloc.output<uint8_t>(1, (rows + 7) / 8) : nullptr;
  if (out == nullptr || (args->started && started == nullptr)) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
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
