// Lengths of strings, positions in them and matches of regular expressions (automaton.cuh): one thread per row, which reads
// the bytes of its string from shared memory. No atomics but for faults; deterministic.
#include "measure.abi.h"
#include "automaton.cuh"
#include "literals.cuh"
#include "operand.cuh"

namespace CN_BUILD {
namespace {

// The number of characters in the first `bytes` bytes: that of the bytes that begin one.
__device__ __forceinline__ int64_t characters(StringRow text, int64_t bytes) {
  int64_t count = 0;
  for (int64_t i = 0; i < bytes; i++) count += (text.bytes[i] & 0xc0) != 0x80;
  return count;
}

__device__ __forceinline__ bool is_at(StringRow text, int64_t at, const uint8_t *part, int64_t part_bytes) {
  int64_t same = 0;
  while (same < part_bytes && text.bytes[at + same] == part[same]) same++;
  return same == part_bytes;
}

__device__ __forceinline__ int64_t rfind(StringRow text, const uint8_t *part, int64_t part_bytes) {
  for (int64_t at = text.length - part_bytes; at >= 0; at--) {
    if (is_at(text, at, part, part_bytes)) return characters(text, at);
  }
  return -1;
}

__device__ __forceinline__ int64_t occurrences(StringRow text, const uint8_t *part, int64_t part_bytes) {
  if (part_bytes == 0) return characters(text, text.length) + 1;
  int64_t count = 0;
  for (int64_t at = 0; at + part_bytes <= text.length;) {
    bool found = is_at(text, at, part, part_bytes);
    count += found ? 1 : 0;
    at += found ? part_bytes : 1;
  }
  return count;
}

__device__ __forceinline__ int64_t find(StringRow text, const uint8_t *part, int64_t part_bytes) {
  for (int64_t at = 0; at + part_bytes <= text.length; at++) {
    if (is_at(text, at, part, part_bytes)) return characters(text, at);
  }
  return -1;
}

__global__ void measure_rows(ColumnDesc input, const __grid_constant__ Literal literal, int32_t kind, int64_t *out) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  SHARED(words, uint64_t[kLiteralWords]);
  const uint8_t *part = literal.staged(&words[0]);
  int64_t part_bytes = literal.bytes;
  __syncthreads();
  int64_t row = thread_index();
  if (kind == 1) {
    if (row < input.rows) out[row] = string_row(input, row).length;
    return;
  }
  StringRow text = staged_row(input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
  if (row >= input.rows) return;
  if (kind == 0) {
    out[row] = characters(text, text.length);
  } else if (kind == 2) {
    out[row] = find(text, part, part_bytes);
  } else if (kind == 3) {
    out[row] = rfind(text, part, part_bytes);
  } else {
    out[row] = occurrences(text, part, part_bytes);
  }
}

__global__ void __launch_bounds__(kThreads)
    count_rows(ColumnDesc input, AutomatonTable table, int64_t *out, uint32_t *faults) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  SHARED(words, uint16_t[kAutomatonWords]);
  stage_automaton(table, &words[0]);
  __syncthreads();
  Automaton automaton = staged_automaton(table, &words[0]);
  for_rows(input.rows, [&](int64_t row) {
    StringRow text = staged_row(input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
    if (row >= input.rows) return;
    int64_t count = 0;
    if (input.valid(row)) {
      Matches matches{text};
      int64_t from;
      if (!is_utf8(text)) atomicOr(faults, static_cast<uint32_t>(FAULT_NOT_UTF8));
      else while (matches.next(automaton, from)) count++;
    }
    out[row] = count;
  });
}

}  // namespace

ENTRY(count_matches)(const SearchArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int64_t *out = args->alloc.output<int64_t>(0, rows);
  int64_t *faults = args->alloc.scratch<int64_t>(1);
  if (out == nullptr || faults == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  CN_TRY(cudaMemsetAsync(faults, 0, sizeof(*faults), stream));
  CN_TRY(launch(count_rows, blocks_of_rows(rows), kThreads, 0, stream, args->input, args->automaton, out,
                reinterpret_cast<uint32_t *>(faults)));
  return args->alloc.read(faults, args->faults, 1, stream);
}

ENTRY(measure)(const MeasureArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  int64_t *out = args->alloc.output<int64_t>(0, rows);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(measure_rows, blocks_for(rows, kThreads), kThreads, 0, stream, args->input,
                Literal{args->part, args->part_far, args->part_bytes}, args->kind, out);
}

}  // namespace CN_BUILD
