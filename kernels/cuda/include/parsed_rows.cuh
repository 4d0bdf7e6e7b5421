// Values read from strings: one thread per row, which reads its string from shared memory and writes a value and a bit of
// the mask. One atomic a warp with an unreadable row; the least row is kept, so that the order does not matter.
#pragma once
#include "literals.cuh"
#include "operand.cuh"
#include "string_rows.cuh"

#include <type_traits>

namespace CN_BUILD {

// What a pass found: the row that cannot be read, shifted by kRowShift, with the byte that is wrong below it; all ones if
// there is none. And whether rows are left to a second pass.
struct ParseFound {
  unsigned long long failed;
  unsigned long long pending;
};
constexpr int kByteBits = ParsePolicy::kByteBits;
constexpr int64_t kMostByte = (int64_t{1} << kByteBits) - 1;

namespace parsed_detail {

// A reader has
//   Value                                  the type of a value; bool is stored as a bit
//   Literal literal                        constants, staged in shared memory
//   bool read(text, bytes, value, wrong)   reads a valid row; `bytes` are those of the literal, `wrong` is the position
//                                          of what is wrong
//   kIsBounded                             whether six blocks share a multiprocessor, so that ptxas bounds registers to 40
//   kResolves                              whether it leaves rows open: it sets `*pending` then, and a second pass calls
//   is_open(text), resolve(text, words)    for the values of those, with kResolveWords words of shared memory
template <class Reader>
__global__ void __launch_bounds__(kThreads, Reader::kIsBounded ? 6 : 1)
    parse_rows(ColumnDesc input, Reader reader, typename Reader::Value *out, uint32_t *validity, ParseFound *found) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  SHARED(literal, uint64_t[kLiteralWords]);
  const uint8_t *bytes = reader.literal.staged(&literal[0]);
  __syncthreads();
  int64_t row = thread_index();
  StringRow text = staged_row(input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
  bool is_valid = row < input.rows && input.valid(row);
  typename Reader::Value value{};
  int64_t wrong = 0;
  bool has_value = is_valid && reader.read(text, bytes, value, wrong);
  if (!has_value) value = {};
  if constexpr (std::is_same_v<typename Reader::Value, bool>) {
    store_bit(reinterpret_cast<uint32_t *>(out), row, input.rows, value);
  } else {
    if (row < input.rows) out[row] = value;
  }
  store_bit(validity, row, input.rows, has_value);
  uint32_t failing = __ballot_sync(0xffffffffu, is_valid && !has_value);
  if (failing != 0 && (failing & (0u - failing)) == 1u << (threadIdx.x % 32)) {
    unsigned long long here = static_cast<unsigned long long>(row) << kByteBits |
                              static_cast<unsigned long long>(wrong < kMostByte ? wrong : kMostByte);
    if (here < load_relaxed(&found->failed)) atomicMin(&found->failed, here);
  }
}

// The rows that a pass left open, one lane of a warp after the other.
template <class Reader>
__global__ void __launch_bounds__(kThreads)
    resolve_rows(ColumnDesc input, Reader reader, typename Reader::Value *out) {
  SHARED(stage, uint4[kThreads / 32 * kWarpStage / 16]);
  SHARED(words, uint32_t[kThreads / 32 * Reader::kResolveWords]);
  int64_t row = thread_index();
  int warp = static_cast<int>(threadIdx.x) / 32, lane = static_cast<int>(threadIdx.x) % 32;
  StringRow text = staged_row(input, row, &stage[warp * (kWarpStage / 16)]);
  bool is_open = row < input.rows && input.valid(row) && reader.is_open(text);
  for (uint32_t open = __ballot_sync(0xffffffffu, is_open); open != 0; open &= open - 1) {
    if ((open & (0u - open)) == 1u << lane) out[row] = reader.resolve(text, &words[warp * Reader::kResolveWords]);
    __syncwarp();
  }
}

}  // namespace parsed_detail

// The value of each row of `input` in output 0 and the mask in output 1; sets `failed` to the first row that cannot be
// read, with the byte, or to -1. One synchronisation.
template <class Reader>
cudaError_t parse_strings(const Alloc &alloc, const ColumnDesc &input, Reader reader, int64_t *failed,
                          cudaStream_t stream) {
  using Value = typename Reader::Value;
  constexpr bool kBits = std::is_same_v<Value, bool>;
  int64_t words = (input.rows + 31) / 32;
  Value *out = alloc.output<Value>(0, kBits ? 4 * words : input.rows);
  uint32_t *validity = alloc.output<uint32_t>(1, words);
  ParseFound *found = alloc.scratch<ParseFound>(1);
  if (out == nullptr || validity == nullptr || found == nullptr) return cudaErrorMemoryAllocation;
  *failed = -1;
  if (input.rows == 0) return cudaSuccess;
  unsigned blocks = blocks_for(input.rows, kThreads);
  CN_TRY(cudaMemsetAsync(&found->failed, 0xff, sizeof(found->failed), stream));
  CN_TRY(cudaMemsetAsync(&found->pending, 0, sizeof(found->pending), stream));
  if constexpr (Reader::kResolves) reader.pending = &found->pending;
  CN_TRY(launch(parsed_detail::parse_rows<Reader>, blocks, kThreads, 0, stream, input, reader, out, validity, found));
  int64_t result[2];
  CN_TRY(alloc.read(reinterpret_cast<const int64_t *>(found), result, 2, stream));
  *failed = result[0];
  if constexpr (Reader::kResolves) {
    if (result[1] != 0) {
      return launch(parsed_detail::resolve_rows<Reader>, blocks, kThreads, 0, stream, input, reader, out);
    }
  }
  return cudaSuccess;
}

}  // namespace CN_BUILD
