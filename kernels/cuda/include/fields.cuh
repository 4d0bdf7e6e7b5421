// Parts of strings between separators, one after the other. The same as fields() in kernels/src/strings/split/host.rs.
#pragma once
#include "characters.cuh"

namespace CN_BUILD {

// The numbers of Separator in kernels/src/strings/split/cuda.rs.
enum Separator : int32_t { SEPARATOR_LITERAL, SEPARATOR_EMPTY, SEPARATOR_WHITE_SPACE };

struct FieldRules {
  int32_t separator;
  int32_t from_end;
  // Separators that are used at most.
  int64_t limit;
};

__device__ __forceinline__ bool is_part_at(StringRow text, int64_t at, StringRow part) {
  if (at < 0 || part.length > text.length - at) return false;
  int64_t same = 0;
  while (same < part.length && text.bytes[at + same] == part.bytes[same]) same++;
  return same == part.length;
}

// The first occurrence of what is not empty, from `at` on, or the last one that ends at `at` or before; -1 if there is
// none.
__device__ __forceinline__ int64_t find_part(StringRow text, int64_t at, StringRow part, bool from_end) {
  int64_t step = from_end ? -1 : 1;
  if (from_end) at -= part.length;
  for (; at >= 0 && at + part.length <= text.length; at += step) {
    if (is_part_at(text, at, part)) return at;
  }
  return -1;
}

// The fields of a string: from the last to the first if separators are searched for from the end.
struct Fields {
  StringRow text, literal;
  int32_t separator;
  bool from_end;
  // Separators that may still be used.
  int64_t left;
  // The begin of what is left of the string, or its end; below zero after the last field.
  int64_t at;

  __device__ __forceinline__ Fields(StringRow text, const FieldRules &rules, StringRow literal)
      : text(text),
        literal(literal),
        separator(rules.separator),
        from_end(rules.from_end != 0),
        left(rules.limit),
        at(rules.from_end != 0 ? text.length : 0) {}

  __device__ __forceinline__ bool next(Part &field) {
    if (at < 0) return false;
    if (separator == SEPARATOR_WHITE_SPACE) return next_word(field);
    // Where the separator before or after the field begins, and its bytes.
    int64_t found = -1, bytes = 0;
    if (left > 0) {
      if (separator == SEPARATOR_LITERAL) {
        found = find_part(text, at, literal, from_end);
        bytes = literal.length;
      } else if (from_end) {
        found = at > 0 ? character_before(text, at) : 0;
        if (found == 0) found = -1;
      } else if (at < text.length) {
        found = after_characters(text, at, 1);
        if (found == text.length) found = -1;
      }
    }
    field = from_end ? Part{found < 0 ? 0 : found + bytes, at} : Part{at, found < 0 ? text.length : found};
    at = found < 0 ? -1 : from_end ? found : found + bytes;
    left--;
    return true;
  }

  // Moves `at` over characters that are white space, or that are not.
  __device__ __forceinline__ void skip(bool white_space) {
    while (from_end ? at > 0 : at < text.length) {
      int64_t start = from_end ? character_before(text, at) : at;
      Character character = character_at(text.bytes + start);
      if (is_white_space(character.code) != white_space) return;
      at = from_end ? start : at + character.size;
    }
  }
  // What is left at the limit keeps its white space at the other end.
  __device__ __forceinline__ bool next_word(Part &field) {
    skip(true);
    int64_t first = at;
    if (from_end ? at == 0 : at == text.length) {
      at = -1;
      return false;
    }
    if (left > 0) skip(false);
    else at = from_end ? 0 : text.length;
    field = from_end ? Part{at, first} : Part{first, at};
    left--;
    return true;
  }
};

}  // namespace CN_BUILD
