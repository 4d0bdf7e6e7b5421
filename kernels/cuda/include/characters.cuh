// Characters of UTF-8.
#pragma once
#include "string_rows.cuh"

namespace CN_BUILD {

// What is wrong with rows of strings; the bits of kernels/src/strings/fault.rs.
enum RowFault : uint32_t { FAULT_NOT_UTF8 = 1, FAULT_TOO_LARGE = 2, FAULT_NEEDS_TABLES = 4, FAULT_NOT_A_DATE = 8 };

// Parts are found in rows of at most so many bytes, so that 32 bits have the sizes of each.
constexpr int64_t kMostRowBytes = 0xffffffff;

// Bytes of a string.
struct Part {
  int64_t start, end;
};

__device__ __forceinline__ bool starts_character(uint8_t byte) { return (byte & 0xc0) != 0x80; }

__device__ __forceinline__ int64_t count_characters(StringRow text) {
  int64_t count = 0;
  for (int64_t at = 0; at < text.length; at++) count += starts_character(text.bytes[at]) ? 1 : 0;
  return count;
}

// The position of the byte after `count` characters from `at` on; the end if there are fewer.
__device__ __forceinline__ int64_t after_characters(StringRow text, int64_t at, int64_t count) {
  if (count >= text.length - at) return text.length;
  for (; at < text.length; at++) {
    if (starts_character(text.bytes[at]) && count-- == 0) return at;
  }
  return text.length;
}

// The characters `first .. first + length` of a string; a negative `first` counts from the end, a negative `length` is
// all. The same as bytes_of() in slice/host.rs.
__device__ __forceinline__ StringRow part_of(StringRow text, int64_t first, int64_t length) {
  int64_t start = 0;
  if (first >= 0) {
    start = after_characters(text, 0, first);
  } else {
    // `first` may be the smallest integer: the sum does not overflow.
    int64_t position = count_characters(text) + first;
    if (position < 0 && length >= 0) length = position < -length ? 0 : length + position;
    start = after_characters(text, 0, position < 0 ? 0 : position);
  }
  int64_t end = length < 0 ? text.length : after_characters(text, start, length);
  return {text.bytes + start, end - start};
}

// The character at `bytes` of valid UTF-8, and its size.
struct Character {
  uint32_t code;
  int size;
};

__device__ __forceinline__ Character character_at(const uint8_t *bytes) {
  uint32_t first = bytes[0];
  if (first < 0x80) return {first, 1};
  if (first < 0xe0) return {(first & 0x1f) << 6 | (bytes[1] & 0x3fu), 2};
  if (first < 0xf0) return {(first & 0x0f) << 12 | (bytes[1] & 0x3fu) << 6 | (bytes[2] & 0x3fu), 3};
  return {(first & 0x07) << 18 | (bytes[1] & 0x3fu) << 12 | (bytes[2] & 0x3fu) << 6 | (bytes[3] & 0x3fu), 4};
}

// The start of the character that ends before `at`, which is above zero.
__device__ __forceinline__ int64_t character_before(StringRow text, int64_t at) {
  do at--;
  while (at > 0 && !starts_character(text.bytes[at]));
  return at;
}

template <class Bytes>
__device__ __forceinline__ void put_character(uint32_t code, Bytes &out) {
  if (code < 0x80) {
    out.put(static_cast<uint8_t>(code));
    return;
  }
  if (code < 0x800) {
    out.put(static_cast<uint8_t>(0xc0 | code >> 6));
  } else {
    if (code < 0x10000) {
      out.put(static_cast<uint8_t>(0xe0 | code >> 12));
    } else {
      out.put(static_cast<uint8_t>(0xf0 | code >> 18));
      out.put(static_cast<uint8_t>(0x80 | (code >> 12 & 0x3f)));
    }
    out.put(static_cast<uint8_t>(0x80 | (code >> 6 & 0x3f)));
  }
  out.put(static_cast<uint8_t>(0x80 | (code & 0x3f)));
}

// Whether the bytes are well-formed: no overlong forms, no surrogates, nothing above U+10FFFF.
__device__ __forceinline__ bool is_utf8(StringRow text) {
  for (int64_t at = 0; at < text.length;) {
    uint32_t first = text.bytes[at];
    if (first < 0x80) {
      at++;
      continue;
    }
    if (first < 0xc2 || first > 0xf4) return false;
    int more = first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (at + more >= text.length) return false;
    for (int k = 1; k <= more; k++) {
      if (starts_character(text.bytes[at + k])) return false;
    }
    uint32_t code = character_at(text.bytes + at).code;
    if (more == 2 && (code < 0x800 || (code >= 0xd800 && code < 0xe000))) return false;
    if (more == 3 && (code < 0x10000 || code > 0x10ffff)) return false;
    at += more + 1;
  }
  return true;
}

// The property White_Space.
__device__ __forceinline__ bool is_white_space(uint32_t code) {
  if (code < 0x80) return code == ' ' || (code >= 9 && code <= 13);
  return code == 0x85 || code == 0xa0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200a) || code == 0x2028 ||
         code == 0x2029 || code == 0x202f || code == 0x205f || code == 0x3000;
}

}  // namespace CN_BUILD
