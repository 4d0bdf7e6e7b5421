// Pattern matching: one thread per row follows the codes of the pattern along its string, and returns to the
// last run after a mismatch; one word per warp by ballot. The codes are in shared memory, and the strings too unless
// the pattern is anchored at the start, which reads few bytes of each. No atomics; deterministic.
#include "matches.abi.h"
#include "literals.cuh"
#include "operand.cuh"
#include "string_rows.cuh"

namespace CN_BUILD {
namespace {

// The codes of pattern.rs; smaller codes are bytes.
constexpr uint16_t kAnyCharacter = 256;
constexpr uint16_t kAnyRun = 257;

// Bytes of the character that starts at `at`; 0 at the end.
__device__ __forceinline__ int64_t character_bytes(StringRow text, int64_t at) {
  if (at >= text.length) return 0;
  int64_t end = at + 1;
  while (end < text.length && (text.bytes[end] & 0xc0) == 0x80) end++;
  return end - at;
}

// Where what follows a run can start, from `at` on: at its first byte, which begins a character, if the next code is a
// byte. The end if that byte does not come.
__device__ __forceinline__ int64_t next_start(const uint16_t *codes, int64_t count, int64_t code, StringRow text,
                                              int64_t at) {
  if (code == count || codes[code] >= kAnyCharacter) return at;
  uint8_t first = static_cast<uint8_t>(codes[code]);
  while (at < text.length && text.bytes[at] != first) at++;
  return at;
}

// The same as match_codes() in pattern.rs.
__device__ __forceinline__ bool match_codes(const uint16_t *codes, int64_t count, StringRow text) {
  int64_t code = 0, at = 0, retry_code = -1, retry_at = 0;
  while (true) {
    int64_t matched = 0;
    if (code == count) {
      if (at == text.length) return true;
    } else if (codes[code] == kAnyRun) {
      retry_code = ++code;
      retry_at = at = next_start(codes, count, code, text, at);
      continue;
    } else if (codes[code] == kAnyCharacter) {
      matched = character_bytes(text, at);
    } else {
      matched = at < text.length && text.bytes[at] == codes[code] ? 1 : 0;
    }
    if (matched > 0) {
      code++;
      at += matched;
      continue;
    }
    // A run at the end of the pattern matches the rest.
    if (retry_code == count) return true;
    int64_t bytes = retry_code < 0 ? 0 : character_bytes(text, retry_at);
    if (bytes == 0) return false;
    code = retry_code;
    retry_at = at = next_start(codes, count, code, text, retry_at + bytes);
  }
}

constexpr int kSharedCodes = MatchesPolicy::kSharedCodes;

template <bool kStaged>
__global__ void match_rows(ColumnDesc input, const __grid_constant__ Literal pattern, uint32_t *out) {
  SHARED(shared_words, uint64_t[kSharedCodes / 4]);
  SHARED(stage, uint4[kStaged ? kThreads / 32 * kWarpStage / 16 : 1]);
  const uint16_t *codes = reinterpret_cast<const uint16_t *>(pattern.staged(&shared_words[0]));
  int64_t count = pattern.bytes / 2;
  if (pattern.far != nullptr && count <= kSharedCodes) {
    uint16_t *shared_codes = reinterpret_cast<uint16_t *>(&shared_words[0]);
    for (int64_t k = threadIdx.x; k < count; k += blockDim.x) shared_codes[k] = codes[k];
    codes = shared_codes;
  }
  __syncthreads();
  int64_t row = thread_index();
  StringRow text{nullptr, 0};
  if constexpr (kStaged) text = staged_row(input, row, &stage[threadIdx.x / 32 * (kWarpStage / 16)]);
  else if (row < input.rows) text = string_row(input, row);
  store_bit(out, row, input.rows, row < input.rows && match_codes(codes, count, text));
}

}  // namespace

ENTRY(matches)(const MatchesArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  uint32_t *out = args->alloc.output<uint32_t>(0, (rows + 31) / 32);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(args->anchored ? match_rows<false> : match_rows<true>, blocks_for(rows, kThreads), kThreads, 0, stream,
                args->input, Literal{args->codes, args->codes_far, args->code_bytes}, out);
}

}  // namespace CN_BUILD
