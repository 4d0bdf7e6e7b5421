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

// Four blocks a multiprocessor: for more, registers would be spilled.
template <class Rows>
__global__ void __launch_bounds__(kThreads, 4)
    count_parts(Rows rows, SizedRows parts, SizedRows sized, uint32_t *faults) {
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
      atomicOr(faults, static_cast<uint32_t>(FAULT_NOT_UTF8));
    }
  }
  if (row <= count) {
    parts.sizes[row] = static_cast<uint32_t>(found);
    sized.sizes[row] = static_cast<uint32_t>(bytes);
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
  if (threadIdx.x == 0) {
    parts.bytes.set(sums[0]);
    sized.bytes.set(sums[1]);
  }
}

// `Places`: SizedRows, or offsets of 64 bits. Writes where each part ends.
template <class Rows, class Places, class Offset>
__global__ void __launch_bounds__(kThreads)
    write_parts(Rows rows, Places parts, Places sized, Offset *offsets, uint8_t *chars) {
  SHARED(stage, uint4[kWarps * kWarpStage / 16]);
  SHARED(assembled, uint4[kWarps * kMadeBytes / 16]);
  SHARED(shared, typename Rows::Shared);
  rows.stage(shared);
  __syncthreads();
  int warp = static_cast<int>(threadIdx.x) / 32;
  int64_t row = thread_index(), count = rows.input.rows;
  RowPlace of_parts = place_of(parts, row, count);
  AssembledBytes out(place_of(sized, row, count), chars, &assembled[warp * (kMadeBytes / 16)]);
  StringRow text = staged_row(rows.input, row, &stage[warp * (kWarpStage / 16)]);
  if (row < count && rows.input.valid(row)) {
    auto cursor = rows.cursor(text, shared);
    // Of fields from the end the last one is first.
    bool backward = rows.is_backward();
    int64_t at = backward ? out.end : out.start;
    int64_t number = backward ? of_parts.end : of_parts.start;
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

template <class Offset, class Rows, class Places>
cudaError_t write_all(const Alloc &alloc, Rows rows, Places parts, Places sized, const SplitCounts &counts,
                      cudaStream_t stream) {
  Offset *offsets = alloc.output<Offset>(kOffsetsSlot, counts.parts + 1);
  uint8_t *chars = alloc.output<uint8_t>(kCharsSlot, counts.bytes);
  if (offsets == nullptr || chars == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemsetAsync(offsets, 0, sizeof(Offset), stream));
  if (counts.parts == 0) return cudaSuccess;
  return launch(write_parts<Rows, Places, Offset>, blocks_for(rows.input.rows + 1, kThreads), kThreads, 0, stream, rows,
                parts, sized, offsets, chars);
}

}  // namespace split_detail

// Builds the lists of the parts that
//   bool rows.cursor(text, shared).next(part)
// finds in each row of `rows.input`; rows.stage(shared) prepares shared memory, before a barrier. Null rows have no parts.
template <class Rows>
cudaError_t split_strings(const Alloc &alloc, Rows rows, SplitCounts *counts, cudaStream_t stream) {
  using namespace split_detail;
  int64_t count = rows.input.rows;
  SizedRows parts{}, sized{};
  // After the bytes what is wrong.
  if (!parts.create(alloc, alloc.output<uint32_t>(kRowsSlot, count + 1), true, count, 0) ||
      !sized.create(alloc, alloc.scratch<uint32_t>(count + 1), false, count, 1)) {
    return cudaErrorMemoryAllocation;
  }
  int64_t *faults = sized.bytes.total() + 1;
  CN_TRY(cudaMemsetAsync(faults, 0, sizeof(*faults), stream));
  CN_TRY(launch(count_parts<Rows>, parts.bytes.blocks, kThreads, 0, stream, rows, parts, sized,
                reinterpret_cast<uint32_t *>(faults)));
  CN_TRY(parts.bytes.add_up(alloc, stream));
  CN_TRY(sized.bytes.add_up(alloc, stream));
  int64_t found[2];
  CN_TRY(alloc.read_two(static_cast<const int64_t *>(sized.bytes.total()), found, 2,
                        static_cast<const int64_t *>(parts.bytes.total()), &counts->parts, stream));
  counts->bytes = found[0];
  counts->faults = found[1];
  if (counts->faults != 0) return cudaSuccess;
  counts->is_wide = counts->parts > INT32_MAX || counts->bytes > INT32_MAX || small_limits(alloc);
  if (counts->is_wide == 0) {
    return write_all<uint32_t>(alloc, rows, parts, sized, *counts, stream);
  }
  uint32_t *narrow = alloc.scratch<uint32_t>(count + 1);
  int64_t *wide_sizes = alloc.scratch<int64_t>(count + 1);
  if (narrow == nullptr || wide_sizes == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(cudaMemcpyAsync(narrow, parts.sizes, static_cast<size_t>(count + 1) * sizeof(*narrow), cudaMemcpyDeviceToDevice,
                         stream));
  int64_t *wide_parts = alloc.output<int64_t>(kRowsSlot, count + 1);
  if (wide_parts == nullptr) return cudaErrorMemoryAllocation;
  CN_TRY(strings_detail::widened(alloc, narrow, wide_parts, count, stream));
  CN_TRY(strings_detail::widened(alloc, static_cast<const uint32_t *>(sized.sizes), wide_sizes, count, stream));
  return write_all<int64_t>(alloc, rows, static_cast<const int64_t *>(wide_parts),
                            static_cast<const int64_t *>(wide_sizes), *counts, stream);
}

}  // namespace CN_BUILD
