// Pattern matching: one thread per row follows the codes of the pattern along its string, and returns to the
// last run after a mismatch; one word per warp by ballot. No atomics; deterministic.
#include "matches.abi.h"
#include "operand.cuh"
#include "strings.cuh"

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

// The same as match_codes() in pattern.rs.
__device__ __forceinline__ bool match_codes(const uint16_t *codes, int64_t count, StringRow text) {
  int64_t code = 0, at = 0, retry_code = -1, retry_at = 0;
  while (true) {
    int64_t matched = 0;
    if (code == count) {
      if (at == text.length) return true;
    } else if (codes[code] == kAnyRun) {
      retry_code = ++code;
      retry_at = at;
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
    retry_at += bytes;
    code = retry_code;
    at = retry_at;
  }
}

__global__ void match_rows(ColumnDesc input, const uint16_t *codes, int64_t count, uint32_t *out) {
  int64_t row = thread_index();
  store_bit(out, row, input.rows, row < input.rows && match_codes(codes, count, string_row(input, row)));
}

}  // namespace

ENTRY(matches)(const MatchesArgs *args, cudaStream_t stream) {
  int64_t rows = args->input.rows;
  uint32_t *out = args->alloc.output<uint32_t>(0, (rows + 31) / 32);
  if (out == nullptr) return cudaErrorMemoryAllocation;
  if (rows == 0) return cudaSuccess;
  return launch(match_rows, blocks_for(rows, kThreads), kThreads, 0, stream, args->input, args->codes, args->code_count,
                out);
}

}  // namespace CN_BUILD
