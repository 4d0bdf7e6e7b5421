// Parts of strings: one thread per row walks over the characters of its string; the parts are copied by
// build_strings (strings.cuh). Reads each string once up to the end of its part, and the part once more. No atomics; deterministic.
#include "slice.abi.h"
#include "strings.cuh"

namespace CN_BUILD {
namespace {

__device__ __forceinline__ bool starts_character(uint8_t byte) { return (byte & 0xc0) != 0x80; }

// The position of the byte after `count` characters from `at` on; the end if there are fewer.
__device__ __forceinline__ int64_t after(StringRow text, int64_t at, int64_t count) {
  if (count >= text.length - at) return text.length;
  for (; at < text.length; at++) {
    if (starts_character(text.bytes[at]) && count-- == 0) return at;
  }
  return text.length;
}

// The same as bytes_of() in host.rs.
struct SlicedStrings {
  ColumnDesc input;
  int64_t first;
  int64_t length;

  __device__ StringRow operator()(int64_t row) const {
    StringRow text = string_row(input, row);
    int64_t taken = length;
    int64_t start = 0;
    if (first >= 0) {
      start = after(text, 0, first);
    } else {
      int64_t characters = 0;
      for (int64_t at = 0; at < text.length; at++) characters += starts_character(text.bytes[at]) ? 1 : 0;
      // `first` may be the smallest integer: characters + first does not overflow.
      int64_t position = characters + first;
      if (position < 0 && taken >= 0) taken = position < -taken ? 0 : taken + position;
      start = after(text, 0, position < 0 ? 0 : position);
    }
    int64_t end = taken < 0 ? text.length : after(text, start, taken);
    return {text.bytes + start, end - start};
  }
  __device__ CharRange range(const uint8_t *) const { return char_range(input); }
};

}  // namespace

ENTRY(slice)(const SliceArgs *args, cudaStream_t stream) {
  SlicedStrings rows{args->input, args->first, args->length};
  return build_strings(args->alloc, rows, args->input.rows, args->string_bytes, stream);
}

}  // namespace CN_BUILD
