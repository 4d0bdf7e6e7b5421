// Hashes of the rows of one column: one thread per row, which reads its value, or its string from shared memory, and the hash
// of the columns before. Deterministic.
#include "hash_rows.abi.h"
#include "rows.cuh"

namespace CN_BUILD {
namespace {

// The bytes of a value, eight at a time, in the place of WordReader.
struct ValueWords {
  uint64_t low, high;

  __device__ __forceinline__ uint64_t next() {
    uint64_t word = low;
    low = high;
    return word;
  }
};

__device__ __forceinline__ uint32_t rotate32(uint32_t x, int by) { return (x << by) | (x >> (32 - by)); }
__device__ __forceinline__ uint64_t rotate64(uint64_t x, int by) { return (x << by) | (x >> (64 - by)); }

// MurmurHash3_x86_32.
__device__ __forceinline__ uint32_t scramble(uint32_t word) { return rotate32(word * 0xcc9e2d51u, 15) * 0x1b873593u; }

template <class Words>
__device__ __forceinline__ uint32_t hash_of(Words words, int64_t length, uint32_t hash) {
  auto add = [&](uint64_t word) { hash = rotate32(hash ^ scramble(static_cast<uint32_t>(word)), 13) * 5 + 0xe6546b64u; };
  int64_t left = length;
  for (; left >= 8; left -= 8) {
    uint64_t word = words.next();
    add(word);
    add(word >> 32);
  }
  if (left > 0) {
    uint64_t word = words.next();
    if (left >= 4) {
      add(word);
      word >>= 32;
    }
    // Zeros without bytes, which change nothing.
    hash ^= scramble(static_cast<uint32_t>(word));
  }
  hash ^= static_cast<uint32_t>(length);
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

template <class Words>
__device__ __forceinline__ uint64_t hash_of(Words words, int64_t length, uint64_t seed) {
  int64_t left = length;
  uint64_t hash = seed + kPrime5;
  if (left >= 32) {
    uint64_t a = seed + kPrime1 + kPrime2, b = seed + kPrime2, c = seed, d = seed - kPrime1;
    for (; left >= 32; left -= 32) {
      a = round64(a, words.next());
      b = round64(b, words.next());
      c = round64(c, words.next());
      d = round64(d, words.next());
    }
    hash = rotate64(a, 1) + rotate64(b, 7) + rotate64(c, 12) + rotate64(d, 18);
    hash = merge(merge(merge(merge(hash, a), b), c), d);
  }
  hash += static_cast<uint64_t>(length);
  for (; left >= 8; left -= 8) hash = rotate64(hash ^ round64(0, words.next()), 27) * kPrime1 + kPrime4;
  if (left > 0) {
    uint64_t word = words.next();
    if (left >= 4) {
      hash = rotate64(hash ^ ((word & 0xffffffffu) * kPrime1), 23) * kPrime2 + kPrime3;
      word >>= 32;
      left -= 4;
    }
    for (; left > 0; left--, word >>= 8) hash = rotate64(hash ^ ((word & 0xff) * kPrime5), 11) * kPrime1;
  }
  hash = (hash ^ (hash >> 33)) * kPrime2;
  hash = (hash ^ (hash >> 29)) * kPrime3;
  return hash ^ (hash >> 32);
}

// A value of fixed width. Zeros of floats are equal, and so are their NaNs.
__device__ __forceinline__ ValueWords value_words(const ColumnDesc &column, int64_t row) {
  if (column.storage == I128) {
    const uint64_t *halves = static_cast<const uint64_t *>(column.data) + 2 * (column.offset + row);
    return {halves[0], halves[1]};
  }
  return {key_word(column, row), 0};
}

template <class Hash>
__global__ void hash_values(ColumnDesc input, int64_t width, const Hash *seeds, Hash seed, Hash *out) {
  int64_t row = thread_index();
  if (row >= input.rows) return;
  Hash hash = seeds == nullptr ? seed : seeds[row];
  if (input.valid(row)) hash = hash_of(value_words(input, row), width, hash);
  out[row] = hash;
}

template <class Hash>
__global__ void __launch_bounds__(kThreads) hash_strings(ColumnDesc input, const Hash *seeds, Hash seed, Hash *out) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  int64_t row = thread_index();
  uint4 *of_warp = &stage[threadIdx.x / 32 * (kWarpStage / 16)];
  const uint8_t *source;
  StringRow text = staged_row(input, row, of_warp, source);
  if (row >= input.rows) return;
  const uint8_t *staged = reinterpret_cast<const uint8_t *>(of_warp);
  CharRange range = text.bytes == source ? char_range(input) : CharRange{staged, staged + kWarpStage};
  Hash hash = seeds == nullptr ? seed : seeds[row];
  if (input.valid(row)) hash = hash_of(WordReader(text, range), text.length, hash);
  out[row] = hash;
}

template <class Hash>
cudaError_t hash_with(const HashRowsArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  Hash *out = args->alloc.output<Hash>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  unsigned blocks = blocks_for(rows, kThreads);
  const Hash *seeds = static_cast<const Hash *>(args->seeds);
  Hash seed = static_cast<Hash>(args->seed);
  if (args->input.storage == STRING) {
    return launch(hash_strings<Hash>, blocks, kThreads, 0, stream, args->input, seeds, seed, out);
  }
  int64_t width = (storage_bits(args->input.storage) + 7) / 8;
  return launch(hash_values<Hash>, blocks, kThreads, 0, stream, args->input, width, seeds, seed, out);
}

}  // namespace

ENTRY(hash_rows)(const HashRowsArgs *args, cudaStream_t stream) {
  return args->function == 0 ? hash_with<uint32_t>(args, stream) : hash_with<uint64_t>(args, stream);
}

}  // namespace CN_BUILD
