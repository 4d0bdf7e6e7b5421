// Reductions: a block merges a tile of fixed size, then one block merges the tiles in their order. Reads every value
// and mask bit once. No atomics; the same bytes every run.
#include "reduce.abi.h"
#include "accumulate.cuh"

namespace CN_BUILD {
namespace {

constexpr int64_t kTileRows = 8192;

template <class Op, class T>
__global__ void reduce_tiles(ColumnDesc input, Run<Op> *tiles) {
  int64_t first = static_cast<int64_t>(blockIdx.x) * kTileRows;
  int64_t end = first + kTileRows < input.rows ? first + kTileRows : input.rows;
  Run<Op> mine = Run<Op>::start();
  for (int64_t row = first + threadIdx.x; row < end; row += kBlock) {
    mine = Run<Op>::merge(mine, run_of_row<Op, T>(input, row));
  }
  Run<Op> all = block_merge(mine);
  if (threadIdx.x == 0) tiles[blockIdx.x] = all;
}

template <class Op, class T>
__global__ void reduce_runs(const Run<Op> *tiles, int64_t count, int32_t aggregation, int32_t to, void *out,
                            uint8_t *validity, uint32_t *overflow) {
  Run<Op> mine = Run<Op>::start();
  for (int64_t tile = threadIdx.x; tile < count; tile += kBlock) mine = Run<Op>::merge(mine, tiles[tile]);
  Run<Op> all = block_merge(mine);
  if (threadIdx.x != 0) return;
  store_run<Op, T>(out, to, 0, all, aggregation, overflow);
  if (validity != nullptr) *validity = all.count > 0;
}

template <class Op, class T>
cudaError_t reduce_with(const ReduceArgs &args, void *out, uint8_t *validity, cudaStream_t stream) {
  int64_t tiles = (args.input.rows + kTileRows - 1) / kTileRows;
  Run<Op> *runs = args.alloc.scratch<Run<Op>>(tiles);
  if (runs == nullptr) return cudaErrorMemoryAllocation;
  uint32_t *overflow = nullptr;
  if constexpr (sizeof(typename Op::Value) == sizeof(Sum192)) {
    overflow = cleared_flag(args.alloc, 2, stream);
    if (overflow == nullptr) return cudaErrorMemoryAllocation;
  }
  if (tiles > 0) {
    CN_TRY(launch(reduce_tiles<Op, T>, static_cast<unsigned>(tiles), kBlock, 0, stream, args.input, runs));
  }
  return launch(reduce_runs<Op, T>, 1, kBlock, 0, stream, runs, tiles, args.aggregation, args.to, out, validity,
                overflow);
}

}  // namespace

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
