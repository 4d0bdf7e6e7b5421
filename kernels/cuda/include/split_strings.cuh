// Building lists of parts of strings: a pass that counts the parts of each row and their bytes, and one that writes them.
// One synchronisation.
#pragma once
#include "assembled_bytes.cuh"
#include "characters.cuh"
#include "primitives.cuh"
#include "strings.cuh"

namespace CN_BUILD {

// What split_strings writes for the launcher.
struct SplitCounts {
  int64_t parts, bytes, faults, is_wide;
};

// Slots of the outputs: those of a string column, of the parts, and the offsets of the rows in them.
constexpr int32_t kRowsSlot = kColumnSlots;

namespace split_detail {

constexpr int kWarps = kThreads / 32;

// `totals`: parts, bytes, faults. Four blocks a multiprocessor: for more, registers would be spilled.
template <class Rows>
__global__ void __launch_bounds__(kThreads, 4)
    count_parts(Rows rows, uint32_t *parts, uint32_t *sizes, unsigned long long *totals) {
  SHARED(stage, uint4[kWarps * kWarpStage / 16]);
  SHARED(shared, typename Rows::Shared);
  SHARED(sums, unsigned long long[2]);
  if (threadIdx.x < 2) sums[threadIdx.x] = 0;
  rows.stage(shared);
  __syncthreads();
  int64_t row = thread_index(), count = rows.input.rows;
  StringRow text = staged_row(rows.input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
  unsigned long long found = 0, bytes = 0;
  if (row < count && rows.input.valid(row)) {
    if (text.length <= kMostRowBytes && is_utf8(text)) {
      auto cursor = rows.cursor(text, shared);
      Part part;
      while (cursor.next(part)) {
        found++;
        bytes += static_cast<unsigned long long>(part.end - part.start);
      }
    } else {
      atomicOr(reinterpret_cast<uint32_t *>(totals + 2), static_cast<uint32_t>(FAULT_NOT_UTF8));
    }
  }
  if (row <= count) {
    parts[row] = static_cast<uint32_t>(found);
    sizes[row] = static_cast<uint32_t>(bytes);
  }
  for (unsigned lanes = 16; lanes > 0; lanes /= 2) {
    found += __shfl_down_sync(0xffffffffu, found, lanes);
    bytes += __shfl_down_sync(0xffffffffu, bytes, lanes);
  }
  if (threadIdx.x % 32 == 0) {
    atomicAdd(&sums[0], found);
    atomicAdd(&sums[1], bytes);
  }
  __syncthreads();
  if (threadIdx.x < 2 && sums[threadIdx.x] != 0) atomicAdd(totals + threadIdx.x, sums[threadIdx.x]);
}

// The parts of row i are at first_parts[i], and their bytes at first_bytes[i]. Writes where each part ends.
template <class Rows, class Offset>
__global__ void __launch_bounds__(kThreads)
    write_parts(Rows rows, const Offset *first_parts, const Offset *first_bytes, Offset *offsets, uint8_t *chars) {
  SHARED(stage, uint4[kWarps * kWarpStage / 16]);
  SHARED(assembled, uint4[kWarps * kMadeBytes / 16]);
  SHARED(shared, typename Rows::Shared);
  rows.stage(shared);
  __syncthreads();
  int warp = static_cast<int>(threadIdx.x) / 32;
  int64_t row = thread_index(), count = rows.input.rows;
  AssembledBytes out(first_bytes, row, count, chars, &assembled[warp * (kMadeBytes / 16)]);
  StringRow text = staged_row(rows.input, row, &stage[warp * (kWarpStage / 16)]);
  if (row < count && rows.input.valid(row)) {
    auto cursor = rows.cursor(text, shared);
    // Of fields from the end the last one is first.
    bool backward = rows.is_backward();
    int64_t at = backward ? out.end : out.start;
    int64_t number = static_cast<int64_t>(first_parts[backward ? row + 1 : row]);
    Part part;
    while (cursor.next(part)) {
      int64_t bytes = part.end - part.start;
      offsets[backward ? number : number + 1] = static_cast<Offset>(backward ? at : at + bytes);
      if (backward) at -= bytes;
      uint8_t *to = out.at(at);
      for (int64_t k = 0; k < bytes; k++) to[k] = text.bytes[part.start + k];
      if (!backward) at += bytes;
      number += backward ? -1 : 1;
    }
  }
  out.write();
}

template <class Rows, class Offset>
cudaError_t write_all(const Alloc &alloc, Rows rows, const Offset *first_parts, const Offset *first_bytes,
                      const SplitCounts &counts, cudaStream_t stream) {
  Offset *offsets = alloc.output<Offset>(kOffsetsSlot, counts.parts + 1);
  uint8_t *chars = alloc.output<uint8_t>(kCharsSlot, counts.bytes);
  if (offsets == nullptr || chars == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(offsets, 0, sizeof(Offset), stream));
  if (counts.parts == 0) return cudaSuccess;
  return launch(write_parts<Rows, Offset>, blocks_for(rows.input.rows, kThreads), kThreads, 0, stream, rows, first_parts,
                first_bytes, offsets, chars);
}

}  // namespace split_detail

// Builds the lists of the parts that
//   bool rows.cursor(text, shared).next(part)
// finds in each row of `rows.input`; rows.stage(shared) prepares shared memory, before a barrier. Null rows have no parts.
template <class Rows>
cudaError_t split_strings(const Alloc &alloc, Rows rows, SplitCounts *counts, cudaStream_t stream) {
  using namespace split_detail;
  int64_t count = rows.input.rows;
  int64_t *totals = alloc.scratch<int64_t>(3);
  uint32_t *sizes = alloc.scratch<uint32_t>(count + 1);
  uint32_t *parts = alloc.output<uint32_t>(kRowsSlot, count + 1);
  if (totals == nullptr || sizes == nullptr || parts == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(totals, 0, 3 * sizeof(*totals), stream));
  CN_TRY(launch(count_parts<Rows>, blocks_for(count + 1, kThreads), kThreads, 0, stream, rows, parts, sizes,
                reinterpret_cast<unsigned long long *>(totals)));
  CN_TRY(prim::exclusive_sum(alloc, parts, parts, count + 1, stream));
  CN_TRY(prim::exclusive_sum(alloc, sizes, sizes, count + 1, stream));
  CN_TRY(alloc.read(totals, &counts->parts, 3, stream));
  if (counts->faults != 0) return cudaSuccess;
  counts->is_wide = counts->parts > INT32_MAX || counts->bytes > INT32_MAX || small_limits(alloc);
  if (counts->is_wide == 0) {
    return write_all(alloc, rows, static_cast<const uint32_t *>(parts), static_cast<const uint32_t *>(sizes), *counts,
                     stream);
  }
  uint32_t *narrow = alloc.scratch<uint32_t>(count + 1);
  int64_t *wide_sizes = alloc.scratch<int64_t>(count + 1);
  if (narrow == nullptr || wide_sizes == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemcpyAsync(narrow, parts, static_cast<size_t>(count + 1) * sizeof(*parts), cudaMemcpyDeviceToDevice, stream));
  int64_t *wide_parts = alloc.output<int64_t>(kRowsSlot, count + 1);
  if (wide_parts == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(strings_detail::widened(alloc, narrow, wide_parts, count, stream));
  CN_TRY(strings_detail::widened(alloc, sizes, wide_sizes, count, stream));
  return write_all(alloc, rows, static_cast<const int64_t *>(wide_parts), static_cast<const int64_t *>(wide_sizes),
                   *counts, stream);
}

}  // namespace CN_BUILD
