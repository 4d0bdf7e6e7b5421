// Hashes of the rows of one column: one thread per row, which reads its value, or the bytes of its string, and the hash of the
// columns before. Deterministic.
#include "hash_rows.abi.h"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

// The bytes of a row, as they are in memory.
struct Bytes {
  const uint8_t *data;
  int64_t length;

  // So many bytes from `at` on, the first one lowest.
  __device__ __forceinline__ uint64_t word(int64_t at, int count) const {
    uint64_t result = 0;
    for (int i = 0; i < count; i++) result |= static_cast<uint64_t>(data[at + i]) << (8 * i);
    return result;
  }
};

__device__ __forceinline__ uint32_t rotate32(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }
__device__ __forceinline__ uint64_t rotate64(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

// MurmurHash3_x86_32.
__device__ __forceinline__ uint32_t scramble(uint32_t word) { return rotate32(word * 0xcc9e2d51u, 15) * 0x1b873593u; }

__device__ __forceinline__ uint32_t hash_of(Bytes bytes, uint32_t hash) {
  int64_t at = 0;
  for (; at + 4 <= bytes.length; at += 4) {
    hash = rotate32(hash ^ scramble(static_cast<uint32_t>(bytes.word(at, 4))), 13) * 5 + 0xe6546b64u;
  }
  if (at < bytes.length) hash ^= scramble(static_cast<uint32_t>(bytes.word(at, static_cast<int>(bytes.length - at))));
  hash ^= static_cast<uint32_t>(bytes.length);
  hash = (hash ^ (hash >> 16)) * 0x85ebca6bu;
  hash = (hash ^ (hash >> 13)) * 0xc2b2ae35u;
  return hash ^ (hash >> 16);
}

// XXH64.
constexpr uint64_t kPrime1 = 0x9e3779b185ebca87u;
constexpr uint64_t kPrime2 = 0xc2b2ae3d27d4eb4fu;
constexpr uint64_t kPrime3 = 0x165667b19e3779f9u;
constexpr uint64_t kPrime4 = 0x85ebca77c2b2ae63u;
constexpr uint64_t kPrime5 = 0x27d4eb2f165667c5u;

__device__ __forceinline__ uint64_t round64(uint64_t lane, uint64_t word) {
  return rotate64(lane + word * kPrime2, 31) * kPrime1;
}
__device__ __forceinline__ uint64_t merge(uint64_t hash, uint64_t lane) {
  return (hash ^ round64(0, lane)) * kPrime1 + kPrime4;
}

__device__ __forceinline__ uint64_t hash_of(Bytes bytes, uint64_t seed) {
  int64_t at = 0;
  uint64_t hash = seed + kPrime5;
  if (bytes.length >= 32) {
    uint64_t a = seed + kPrime1 + kPrime2, b = seed + kPrime2, c = seed, d = seed - kPrime1;
    for (; at + 32 <= bytes.length; at += 32) {
      a = round64(a, bytes.word(at, 8));
      b = round64(b, bytes.word(at + 8, 8));
      c = round64(c, bytes.word(at + 16, 8));
      d = round64(d, bytes.word(at + 24, 8));
    }
    hash = rotate64(a, 1) + rotate64(b, 7) + rotate64(c, 12) + rotate64(d, 18);
    hash = merge(merge(merge(merge(hash, a), b), c), d);
  }
  hash += static_cast<uint64_t>(bytes.length);
  for (; at + 8 <= bytes.length; at += 8) hash = rotate64(hash ^ round64(0, bytes.word(at, 8)), 27) * kPrime1 + kPrime4;
  for (; at + 4 <= bytes.length; at += 4) hash = rotate64(hash ^ (bytes.word(at, 4) * kPrime1), 23) * kPrime2 + kPrime3;
  for (; at < bytes.length; at++) hash = rotate64(hash ^ (bytes.word(at, 1) * kPrime5), 11) * kPrime1;
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

template <class Hash>
__global__ void hash_column(ColumnDesc input, int width, const Hash *seeds, Hash seed, Hash *out) {
  int64_t row = thread_index();
  if (row >= input.rows) return;
  Hash hash = seeds == nullptr ? seed : seeds[row];
  if (input.valid(row)) {
    if (input.storage == STRING) {
      StringRow text = string_row(input, row);
      hash = hash_of(Bytes{text.bytes, text.length}, hash);
    } else if (input.storage == BIT) {
      uint8_t bit = input.bit(row) ? 1 : 0;
      hash = hash_of(Bytes{&bit, 1}, hash);
    } else if (input.storage == F32) {
      // Zeros are equal, and so are NaNs.
      float value = input.at<float>(row) + 0.0f;
      uint32_t bits = 0x7fc00000u;
      if (value == value) memcpy(&bits, &value, sizeof(bits));
      hash = hash_of(Bytes{reinterpret_cast<const uint8_t *>(&bits), 4}, hash);
    } else if (input.storage == F64) {
      double value = input.at<double>(row) + 0.0;
      uint64_t bits = 0x7ff8000000000000u;
      if (value == value) memcpy(&bits, &value, sizeof(bits));
      hash = hash_of(Bytes{reinterpret_cast<const uint8_t *>(&bits), 8}, hash);
    } else {
      hash = hash_of(Bytes{static_cast<const uint8_t *>(input.data) + (input.offset + row) * width, width}, hash);
    }
  }
  out[row] = hash;
}

template <class Hash>
cudaError_t hash_with(const HashRowsArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  Hash *out = args->alloc.output<Hash>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  int width = storage_bits(args->input.storage) / 8;
  return launch(hash_column<Hash>, blocks_for(rows, kThreads), kThreads, 0, stream, args->input, width,
                static_cast<const Hash *>(args->seeds), static_cast<Hash>(args->seed), out);
}

}  // namespace

ENTRY(hash_rows)(const HashRowsArgs *args, cudaStream_t stream) {
  return args->function == 0 ? hash_with<uint32_t>(args, stream) : hash_with<uint64_t>(args, stream);
}

}  // namespace CN_BUILD
