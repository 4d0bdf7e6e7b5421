// Sets of integers as bits over their range. Building: one thread per key, one atomic OR each, which commutes:
// deterministic. Look-up: one thread per row reads its value and one word of the set; one word per warp by ballot.
#include "key_set.abi.h"
#include "operand.cuh"

namespace CN_BUILD {
namespace {

template <class T>
__global__ void set_bits(ColumnDesc keys, int64_t first, uint32_t *bits) {
  int64_t row = thread_index();
  if (row >= keys.rows || !keys.valid(row)) return;
  uint64_t at = static_cast<uint64_t>(static_cast<int64_t>(keys.at<T>(row))) - static_cast<uint64_t>(first);
  atomicOr(&bits[at >> 5], 1u << (at & 31));
}

template <class T>
__global__ void look_up(ColumnDesc values, const uint32_t *bits, int64_t first, uint64_t len, uint32_t *out) {
  int64_t row = thread_index();
  bool found = false;
  if (row < values.rows) {
    uint64_t at = static_cast<uint64_t>(static_cast<int64_t>(values.at<T>(row))) - static_cast<uint64_t>(first);
    found = at < len && (bits[at >> 5] >> (at & 31) & 1) != 0;
  }
  store_bit(out, row, values.rows, found);
}

// Calls f with the C++ type of integers that fit in an int64_t.
template <class F>
cudaError_t with_key(int32_t storage, F f) {
  switch (storage) {
    case I8: return f(Type<int8_t>{});
    case I16: return f(Type<int16_t>{});
    case I32: return f(Type<int32_t>{});
    case I64: return f(Type<int64_t>{});
    case U8: return f(Type<uint8_t>{});
    case U16: return f(Type<uint16_t>{});
    case U32: return f(Type<uint32_t>{});
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace

ENTRY(key_set)(const KeySetArgs *args, cudaStream_t stream) {
  uint32_t *bits = args->alloc.output<uint32_t>(0, args->words * 2);
  if (bits == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(bits, 0, static_cast<size_t>(args->words) * 8, stream));
  int64_t rows = args->keys.rows;
  if (rows == 0) return cudaSuccess;
  return with_key(args->keys.storage, [&](auto type) {
    using T = typename decltype(type)::type;
    return launch(set_bits<T>, blocks_for(rows, kThreads), kThreads, 0, stream, args->keys, args->first, bits);
  });
}

ENTRY(key_set_contains)(const KeySetContainsArgs *args, cudaStream_t stream) {
  int64_t rows = args->values.rows;
  uint32_t *out = args->alloc.output<uint32_t>(0, (rows + 31) / 32);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return with_key(args->values.storage, [&](auto type) {
    using T = typename decltype(type)::type;
    return launch(look_up<T>, blocks_for(rows, kThreads), kThreads, 0, stream, args->values,
                  static_cast<const uint32_t *>(args->bits), args->first, static_cast<uint64_t>(args->len), out);
  });
}

}  // namespace CN_BUILD
