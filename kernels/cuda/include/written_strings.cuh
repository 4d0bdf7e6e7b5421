// Building string columns whose bytes are computed: the rows are made twice, first to count their bytes and then to write
// them; long rows that are parts of others may be written in words instead. One synchronisation.
#pragma once
#include "assembled_bytes.cuh"
#include "characters.cuh"
#include "literals.cuh"
#include "strings.cuh"
#include <type_traits>

namespace CN_BUILD {

// The bytes of a row in the first pass.
struct CountedBytes {
  static constexpr bool kChecks = true;
  // No row has more; larger ones are a fault.
  static constexpr int64_t kMost = int64_t{1} << 40;
  int64_t bytes;

  __device__ __forceinline__ void put(uint8_t) { bytes++; }
  __device__ __forceinline__ void copy(const uint8_t *, int64_t count) { bytes += count; }
  __device__ __forceinline__ void repeat(const uint8_t *, int64_t count, int64_t times) {
    if (count > 0) bytes += times > kMost / count ? kMost + 1 : count * times;
  }
};

// Those of the second pass, in shared or global memory.
struct WrittenBytes {
  static constexpr bool kChecks = false;
  uint8_t *to;

  __device__ __forceinline__ void put(uint8_t byte) { *to++ = byte; }
  __device__ __forceinline__ void copy(const uint8_t *from, int64_t count) {
    for (int64_t k = 0; k < count; k++) to[k] = from[k];
    to += count;
  }
  __device__ __forceinline__ void repeat(const uint8_t *from, int64_t count, int64_t times) {
    for (int64_t k = 0; k < times && count > 0; k++) copy(from, count);
  }
};

namespace written_detail {

constexpr int kWarps = kThreads / 32;

// Four blocks a multiprocessor: for more, registers of some rows would be spilled.
template <class Rows>
__global__ void __launch_bounds__(kThreads, 4)
    count_bytes(Rows rows, SizedRows sized, uint32_t *faults) {
  SHARED(stage, uint4[kWarps * kWarpStage / 16]);
  SHARED(shared, typename Rows::Shared);
  SHARED(sum, unsigned long long);
  if (threadIdx.x == 0) sum = 0;
  rows.stage(shared);
  __syncthreads();
  int64_t row = thread_index();
  CountedBytes made{0};
  uint32_t fault = rows.make(row, &stage[threadIdx.x / 32 * (kWarpStage / 16)], shared, made);
  if (made.bytes > CountedBytes::kMost) fault |= FAULT_TOO_LARGE;
  unsigned long long length = fault == 0 ? static_cast<unsigned long long>(made.bytes) : 0;
  if (fault != 0) atomicOr(faults, fault);
  if (row <= rows.rows()) {
    sized.sizes[row] = length < strings_detail::kTooLong ? static_cast<uint32_t>(length) : strings_detail::kTooLong;
  }
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) length += __shfl_down_sync(0xffffffffu, length, lanes);
  if (threadIdx.x % 32 == 0) atomicAdd(&sum, length);
  __syncthreads();
  if (threadIdx.x == 0) {
    // The sums of 2^23 blocks do not wrap.
    bool is_large = sum > static_cast<unsigned long long>(CountedBytes::kMost);
    if (is_large) atomicOr(faults, static_cast<uint32_t>(FAULT_TOO_LARGE));
    sized.bytes.set(is_large ? 0 : sum);
  }
}

// The sizes of columns of 2^31 bytes of characters and more.
template <class Rows>
__global__ void __launch_bounds__(kThreads, 4) count_long_bytes(Rows rows, int64_t *sizes) {
  SHARED(stage, uint4[kWarps * kWarpStage / 16]);
  SHARED(shared, typename Rows::Shared);
  rows.stage(shared);
  __syncthreads();
  int64_t row = thread_index();
  CountedBytes made{0};
  rows.make(row, &stage[threadIdx.x / 32 * (kWarpStage / 16)], shared, made);
  if (row <= rows.rows()) sizes[row] = made.bytes;
}

// `Places`: SizedRows, or offsets of 64 bits.
template <class Rows, class Places>
__global__ void __launch_bounds__(kThreads) write_bytes(Rows rows, Places places, uint8_t *chars) {
  SHARED(stage, uint4[kWarps * kWarpStage / 16]);
  SHARED(assembled, uint4[kWarps * kMadeBytes / 16]);
  SHARED(shared, typename Rows::Shared);
  rows.stage(shared);
  __syncthreads();
  int warp = static_cast<int>(threadIdx.x) / 32;
  int64_t row = thread_index();
  AssembledBytes out(place_of(places, row, rows.rows()), chars, &assembled[warp * (kMadeBytes / 16)]);
  WrittenBytes made{out.at(out.start)};
  rows.make(row, &stage[warp * (kWarpStage / 16)], shared, made);
  out.write();
}

// The bytes of rows, and offsets in place of their sizes.
template <class Rows>
cudaError_t write_rows(const Rows &rows, const SizedRows &sized, uint8_t *chars, int64_t bytes, cudaStream_t stream) {
  unsigned blocks = sized.bytes.blocks;
  if constexpr (Rows::kComposed) {
    if (rows.is_composed(bytes)) {
      CN_TRY(launch(strings_detail::offsets_of_sizes, blocks, kThreads, 0, stream, sized, rows.rows()));
      return rows.write_composed(static_cast<const uint32_t *>(sized.offsets), chars, bytes, stream);
    }
  }
  return launch(write_bytes<Rows, SizedRows>, blocks, kThreads, 0, stream, rows, sized, chars);
}

// Rows that count something else in the first pass have `total` and `matches`.
template <class Rows, class = void>
struct CountsMatches : std::false_type {};
template <class Rows>
struct CountsMatches<Rows, std::void_t<decltype(std::declval<Rows &>().total)>> : std::true_type {};

// Those of rows at offsets.
template <class Rows>
cudaError_t write_rows(const Rows &rows, const int64_t *offsets, uint8_t *chars, int64_t bytes, cudaStream_t stream) {
  if constexpr (Rows::kComposed) {
    if (rows.is_composed(bytes)) return rows.write_composed(offsets, chars, bytes, stream);
  }
  return launch(write_bytes<Rows, const int64_t *>, blocks_for(rows.rows(), kThreads), kThreads, 0, stream, rows, offsets,
                chars);
}

}  // namespace written_detail

// Builds the column of `rows.rows()` rows that
//   uint32_t rows.make(row, stage, shared, bytes)
// makes, in the outputs of build_strings. Every lane of a warp calls it, also those past the last row; `stage` is the
// warp's shared memory for staged_row, `shared` what rows.stage(shared) has prepared before a barrier, and `bytes` is
// CountedBytes or WrittenBytes. It returns a RowFault, or 0. Sets `bytes` to the total size, or `faults` to what is wrong.
// Where Rows::kComposed is true, rows.is_composed(bytes) says whether rows.write_composed(offsets, chars, bytes, stream)
// writes rows of so many bytes instead. Where rows have a member `total`, the first pass adds to the word behind it, and
// `matches` becomes the sum.
template <class Rows>
cudaError_t write_strings(const Alloc &alloc, Rows rows, int64_t *bytes, int64_t *faults, cudaStream_t stream) {
  using namespace written_detail;
  int64_t count = rows.rows();
  SizedRows sized{};
  // After the total what is wrong, and what else is counted.
  bool is_given = sized.create(alloc, alloc.output<uint32_t>(kOffsetsSlot, count + 1), true, count, 2);
  if (!is_given) return cudaErrorMemoryAllocation;
  unsigned blocks = sized.bytes.blocks;
  int64_t *found = sized.bytes.total() + 1;
  CN_TRY(cudaMemsetAsync(found, 0, 2 * sizeof(*found), stream));
  if constexpr (CountsMatches<Rows>::value) rows.total = reinterpret_cast<unsigned long long *>(found + 1);
  CN_TRY(launch(count_bytes<Rows>, blocks, kThreads, 0, stream, rows, sized, reinterpret_cast<uint32_t *>(found)));
  CN_TRY(sized.bytes.add_up(alloc, stream));
  int64_t result[3];
  CN_TRY(alloc.read(static_cast<const int64_t *>(sized.bytes.total()), result, 3, stream));
  *bytes = result[0];
  *faults = result[1];
  if constexpr (CountsMatches<Rows>::value) rows.matches = result[2];
  if (*faults != 0 || *bytes == 0) return cudaSuccess;
  uint8_t *chars = alloc.output<uint8_t>(kCharsSlot, *bytes);
  if (chars == nullptr) return cudaErrorMemoryAllocation;
  if (*bytes <= INT32_MAX && !small_limits(alloc)) {
    return write_rows(rows, sized, chars, *bytes, stream);
  }
  int64_t *wide = alloc.output<int64_t>(kOffsetsSlot, count + 1);
  if (wide == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(launch(count_long_bytes<Rows>, blocks, kThreads, 0, stream, rows, wide));
  CN_TRY(prim::exclusive_sum(alloc, wide, wide, count + 1, stream));
  return write_rows(rows, static_cast<const int64_t *>(wide), chars, *bytes, stream);
}

}  // namespace CN_BUILD
