// Strings made of strings: one thread per row reads its string from shared memory and makes the bytes of the result, once
// to count and once to write them (written_strings.cuh). Long ones that are parts of their string and of a literal are
// written in words (composed_strings.cuh, replaced_strings.cuh); of a warp whose rows are ASCII no byte is looked at to count them. Case follows
// tables.rs; without its tables, which only other characters than ASCII need, a row with one is a fault. Strings of several
// columns are joined the same way, one column after another. No atomics but for the total size and the faults;
// deterministic.
#include "transform.abi.h"
#include "ascii.cuh"
#include "automaton.cuh"
#include "characters.cuh"
#include "composed_strings.cuh"
#include "replaced_strings.cuh"
#include "written_strings.cuh"

namespace CN_BUILD {
namespace {

// The numbers of Kind in cuda.rs.
enum Kind : int32_t {
  LOWER,
  UPPER,
  CAPITALIZE,
  TITLE,
  SWAP_CASE,
  STRIP,
  STRIP_CHARACTERS,
  PAD,
  ZFILL,
  REPEAT,
  REVERSE,
  REPLACE,
  SLICE_REPLACE,
  TRANSLATE,
  REMOVE_PREFIX,
  REMOVE_SUFFIX
};
enum Side : int32_t { LEFT, RIGHT, BOTH };

// The words of a record of tables.rs: properties and the lengths of three mappings, then the mappings.
enum Property : uint32_t { IN_WORD = 1, CASED = 2, IGNORABLE = 4, UPPERCASE = 8, LOWERCASE = 16 };
enum Mapping : int { TO_LOWER, TO_UPPER, TO_TITLE };

__device__ __forceinline__ bool is_ascii(StringRow text) {
  for (int64_t at = 0; at < text.length; at++) {
    if (text.bytes[at] >= 0x80) return false;
  }
  return true;
}

__device__ __forceinline__ bool is_lower_ascii(uint8_t byte) { return byte >= 'a' && byte <= 'z'; }
__device__ __forceinline__ bool is_upper_ascii(uint8_t byte) { return byte >= 'A' && byte <= 'Z'; }
__device__ __forceinline__ bool is_letter_ascii(uint8_t byte) { return is_lower_ascii(byte) || is_upper_ascii(byte); }
__device__ __forceinline__ uint8_t to_lower_ascii(uint8_t byte) { return is_upper_ascii(byte) ? byte + 32 : byte; }
__device__ __forceinline__ uint8_t to_upper_ascii(uint8_t byte) { return is_lower_ascii(byte) ? byte - 32 : byte; }

template <int32_t kKind>
__device__ __forceinline__ uint8_t case_of_ascii(uint8_t byte, bool is_first, bool follows_letter) {
  if (kKind == LOWER) return to_lower_ascii(byte);
  if (kKind == UPPER) return to_upper_ascii(byte);
  if (kKind == SWAP_CASE) return is_upper_ascii(byte) ? to_lower_ascii(byte) : to_upper_ascii(byte);
  bool is_capital = kKind == CAPITALIZE ? is_first : !follows_letter;
  return is_capital ? to_upper_ascii(byte) : to_lower_ascii(byte);
}

struct CaseTables {
  const uint32_t *words;

  __device__ __forceinline__ const uint32_t *record(uint32_t code) const {
    return words + words[words[code >> 8] + (code & 255)];
  }
  template <class Bytes>
  __device__ __forceinline__ void put(uint32_t code, const uint32_t *record, Mapping mapping, Bytes &out) const {
    uint32_t count = record[0] >> (8 + 2 * mapping) & 3;
    if (count == 0) put_character(code, out);
    for (uint32_t k = 0; k < count; k++) put_character(record[1 + 3 * mapping + k], out);
  }
  // Whether the first character that is not ignorable, from `at` on in one direction, is cased. Of words, only the
  // characters of the word count.
  __device__ __forceinline__ bool meets_cased(StringRow text, int64_t at, bool forward, bool of_word) const {
    while (forward ? at < text.length : at > 0) {
      int64_t start = forward ? at : character_before(text, at);
      Character character = character_at(text.bytes + start);
      uint32_t properties = record(character.code)[0];
      if (of_word && (properties & IN_WORD) == 0) return false;
      if ((properties & IGNORABLE) == 0) return (properties & CASED) != 0;
      at = forward ? at + character.size : start;
    }
    return false;
  }
  // In lower case, where the capital sigma depends on what stands around it.
  template <class Bytes>
  __device__ __forceinline__ void put_lower(StringRow text, int64_t at, Character character, const uint32_t *record,
                                            bool of_word, Bytes &out) const {
    if (character.code == 0x3a3) {
      bool is_final = meets_cased(text, at, false, of_word) && !meets_cased(text, at + 2, true, of_word);
      put_character(is_final ? 0x3c2 : 0x3c3, out);
    } else {
      put(character.code, record, TO_LOWER, out);
    }
  }
};

template <int32_t kKind, class Bytes>
__device__ __forceinline__ uint32_t change_case(StringRow text, bool is_known_ascii, const uint32_t *tables, Bytes &out) {
  if (is_known_ascii || is_ascii(text)) {
    if constexpr (Bytes::kChecks) {
      // Counted without looking at them.
      out.copy(text.bytes, text.length);
      return 0;
    }
    bool follows_letter = false;
    for (int64_t at = 0; at < text.length; at++) {
      uint8_t byte = text.bytes[at];
      out.put(case_of_ascii<kKind>(byte, at == 0, follows_letter));
      follows_letter = is_letter_ascii(byte);
    }
    return 0;
  }
  if (tables == nullptr) return FAULT_NEEDS_TABLES;
  CaseTables of{tables};
  bool in_word = false;
  for (int64_t at = 0; at < text.length;) {
    Character character = character_at(text.bytes + at);
    const uint32_t *record = of.record(character.code);
    bool is_of_word = (record[0] & IN_WORD) != 0;
    if (kKind == UPPER) {
      of.put(character.code, record, TO_UPPER, out);
    } else if (kKind == SWAP_CASE) {
      // Others, letters of title case among them, stay as they are.
      if ((record[0] & UPPERCASE) != 0) {
        of.put_lower(text, at, character, record, false, out);
      } else if ((record[0] & LOWERCASE) != 0) {
        of.put(character.code, record, TO_UPPER, out);
      } else {
        put_character(character.code, out);
      }
    } else if (kKind == CAPITALIZE ? at == 0 : kKind == TITLE && is_of_word && !in_word) {
      of.put(character.code, record, TO_TITLE, out);
    } else if (kKind == TITLE && !is_of_word) {
      put_character(character.code, out);
    } else {
      of.put_lower(text, at, character, record, kKind == TITLE, out);
    }
    in_word = is_of_word;
    at += character.size;
  }
  return 0;
}

struct Settings {
  int32_t side;
  // A width, a count, a limit or a first character; and a number of characters.
  int64_t first, length;
  const uint32_t *tables;
};

// Where the part of a string is that does not have the characters of `is_stripped` at its ends.
template <class IsStripped>
__device__ __forceinline__ StringRow stripped(StringRow text, int32_t side, IsStripped is_stripped) {
  int64_t start = 0, end = text.length;
  if (side != RIGHT) {
    while (start < end) {
      Character character = character_at(text.bytes + start);
      if (!is_stripped(character.code)) break;
      start += character.size;
    }
  }
  if (side != LEFT) {
    while (start < end) {
      int64_t before = character_before(text, end);
      if (!is_stripped(character_at(text.bytes + before).code)) break;
      end = before;
    }
  }
  return {text.bytes + start, end - start};
}

// `to` in place of `from`, from left to right; an empty `from` is before each character and at the end.
template <class Bytes>
__device__ __forceinline__ void replace(StringRow text, StringRow from, StringRow to, int64_t limit, Bytes &out) {
  int64_t copied = 0;
  if (from.length == 0) {
    for (int64_t at = 0; at <= text.length && limit > 0; at++) {
      if (at < text.length && !starts_character(text.bytes[at])) continue;
      out.copy(text.bytes + copied, at - copied);
      out.copy(to.bytes, to.length);
      copied = at;
      limit--;
    }
  } else {
    for (int64_t at = 0; at + from.length <= text.length && limit > 0;) {
      if (!is_at(text, at, from.bytes, from.length)) {
        at++;
        continue;
      }
      out.copy(text.bytes + copied, at - copied);
      out.copy(to.bytes, to.length);
      at += from.length;
      copied = at;
      limit--;
    }
  }
  out.copy(text.bytes + copied, text.length - copied);
}

// Pairs of a character and what stands in its place, none for all ones.
template <class Bytes>
__device__ __forceinline__ void translate(StringRow text, const uint32_t *pairs, int64_t count, Bytes &out) {
  for (int64_t at = 0; at < text.length;) {
    Character character = character_at(text.bytes + at);
    uint32_t to = character.code;
    for (int64_t k = 0; k < count; k++) {
      if (pairs[2 * k] == character.code) {
        to = pairs[2 * k + 1];
        break;
      }
    }
    if (to != 0xffffffffu) put_character(to, out);
    at += character.size;
  }
}

// What `strip_chars` strips.
__device__ __forceinline__ bool is_among(uint32_t code, StringRow characters) {
  const uint32_t *codes = reinterpret_cast<const uint32_t *>(characters.bytes);
  int64_t k = 0;
  while (k < characters.length / 4 && codes[k] != code) k++;
  return k < characters.length / 4;
}

// As Python's `center`, of `missing` characters.
__device__ __forceinline__ int64_t left_padding(const Settings &of, int64_t missing) {
  return of.side == LEFT ? missing : of.side == RIGHT ? 0 : missing / 2 + (missing & of.first & 1);
}

__device__ __forceinline__ bool has_sign(StringRow text) {
  return text.length > 0 && (text.bytes[0] == '+' || text.bytes[0] == '-');
}

// `literal` is what the kind needs: characters, a filling, pairs, or a part. `is_ascii`: true only of ASCII.
template <int32_t kKind, class Bytes>
__device__ __forceinline__ uint32_t transformed(StringRow text, bool is_ascii, const Settings &of, StringRow literal, Bytes &out) {
  if constexpr (kKind <= SWAP_CASE) {
    return change_case<kKind>(text, is_ascii, of.tables, out);
  } else if constexpr (kKind == STRIP || kKind == STRIP_CHARACTERS) {
    StringRow part = stripped(text, of.side, [&](uint32_t code) {
      return kKind == STRIP ? is_white_space(code) : is_among(code, literal);
    });
    out.copy(part.bytes, part.length);
  } else if constexpr (kKind == PAD) {
    int64_t missing = of.first - (is_ascii ? text.length : count_characters(text));
    if (missing < 0) missing = 0;
    int64_t left = left_padding(of, missing);
    out.repeat(literal.bytes, literal.length, left);
    out.copy(text.bytes, text.length);
    out.repeat(literal.bytes, literal.length, missing - left);
  } else if constexpr (kKind == ZFILL) {
    int64_t missing = of.first - (is_ascii ? text.length : count_characters(text));
    int64_t sign = has_sign(text) ? 1 : 0;
    out.copy(text.bytes, sign);
    out.repeat(literal.bytes, 1, missing > 0 ? missing : 0);
    out.copy(text.bytes + sign, text.length - sign);
  } else if constexpr (kKind == REPEAT) {
    out.repeat(text.bytes, text.length, of.first);
  } else if constexpr (kKind == REVERSE) {
    for (int64_t at = text.length; at > 0;) {
      int64_t start = character_before(text, at);
      out.copy(text.bytes + start, at - start);
      at = start;
    }
  } else if constexpr (kKind == SLICE_REPLACE) {
    StringRow part = part_of(text, of.first, of.length);
    int64_t start = part.bytes - text.bytes;
    out.copy(text.bytes, start);
    out.copy(literal.bytes, literal.length);
    out.copy(part.bytes + part.length, text.length - start - part.length);
  } else if constexpr (kKind == TRANSLATE) {
    translate(text, reinterpret_cast<const uint32_t *>(literal.bytes), literal.length / 8, out);
  } else if constexpr (kKind == REMOVE_PREFIX) {
    int64_t start = is_at(text, 0, literal.bytes, literal.length) ? literal.length : 0;
    out.copy(text.bytes + start, text.length - start);
  } else {
    int64_t end = text.length - literal.length;
    out.copy(text.bytes, end >= 0 && is_at(text, end, literal.bytes, literal.length) ? end : text.length);
  }
  return 0;
}

// Where parts of a row are: the string that they are of, and the bytes before what is inserted.
struct ComposedSource {
  const uint8_t *text;
  int64_t length, split;
};

struct ComposedShared {
  ComposedLiteral literal;
  // A filling, again and again.
  alignas(16) uint64_t filling[kLiteralWords];
};

// Strings whose bytes are those of the input but for the case of ASCII, with a literal somewhere. The sizes of the results
// say what was counted to find them.
struct ComposedTransform {
  ColumnDesc input;
  int32_t kind;
  Settings settings;
  Literal literal;

  using Source = ComposedSource;
  using Shared = ComposedShared;

  __device__ __forceinline__ void stage(Shared &shared) const {
    shared.literal.stage(literal);
    int k = static_cast<int>(threadIdx.x);
    if ((kind == PAD || kind == ZFILL) && k < 8 * kLiteralWords) {
      // A character has four bytes at most.
      uint8_t byte = static_cast<uint8_t>(literal.words[0] >> (8 * (k % static_cast<int>(literal.bytes))));
      reinterpret_cast<uint8_t *>(&shared.filling[0])[k] = byte;
    }
  }
  __device__ __forceinline__ Source source(int64_t row, int64_t size, const Shared &shared) const {
    StringRow text = string_row(input, row);
    StringRow part{shared.literal.bytes_of(literal), literal.bytes};
    switch (kind) {
      case STRIP:
      case STRIP_CHARACTERS:
        if (settings.side != RIGHT) {
          bool is_plain = kind == STRIP;
          text = stripped(text, LEFT, [&](uint32_t code) { return is_plain ? is_white_space(code) : is_among(code, part); });
        }
        return {text.bytes, size, 0};
      case PAD: return {text.bytes, text.length, left_padding(settings, (size - text.length) / part.length) * part.length};
      case ZFILL: return {text.bytes, text.length, has_sign(text) ? 1 : 0};
      case SLICE_REPLACE:
        return {text.bytes, text.length, part_of(text, settings.first, settings.length).bytes - text.bytes};
      case REMOVE_PREFIX: return {text.bytes + (text.length - size), size, 0};
      default: return {text.bytes, text.length, 0};
    }
  }
  __device__ __forceinline__ Span at(const Source &of, int64_t, int64_t at, int64_t size, const Shared &shared) const {
    CharRange range = char_range(input);
    // Before what is inserted, of it and after it.
    int64_t inserted = size - of.length;
    switch (kind) {
      case PAD:
      case ZFILL: {
        const uint8_t *filling = reinterpret_cast<const uint8_t *>(&shared.filling[0]);
        CharRange of_filling{filling, filling + 8 * kLiteralWords};
        // Both fillings are whole characters.
        auto in_filling = [&](int64_t bytes) { return filling + (literal.bytes == 1 ? 0 : bytes % literal.bytes); };
        if (kind == ZFILL) {
          if (at < of.split) return {of.text + at, of.split - at, range};
          if (at < of.split + inserted) return {filling, of.split + inserted - at, of_filling};
          return {of.text + (at - inserted), size - at, range};
        }
        if (at < of.split) return {in_filling(at), of.split - at, of_filling};
        at -= of.split;
        if (at < of.length) return {of.text + at, of.length - at, range};
        return {in_filling(at - of.length), size - of.split - at, of_filling};
      }
      case SLICE_REPLACE: {
        if (at < of.split) return {of.text + at, of.split - at, range};
        int64_t in_part = at - of.split;
        if (in_part < literal.bytes) return shared.literal.span(literal, in_part);
        return {of.text + (at - inserted), size - at, range};
      }
      case REPEAT: {
        int64_t in_text = at < of.length ? at : at % of.length;
        return {of.text + in_text, of.length - in_text, range};
      }
      default: return {of.text + at, size - at, range};
    }
  }
  __device__ __forceinline__ Chunk mapped(Chunk chunk, const Source &of, int64_t at) const {
    if (kind > SWAP_CASE) return chunk;
    uint64_t upper[2] = {letters_from(chunk.low, 'A'), letters_from(chunk.high, 'A')};
    uint64_t lower[2] = {letters_from(chunk.low, 'a'), letters_from(chunk.high, 'a')};
    uint64_t words[2] = {chunk.low, chunk.high};
    // Whether the byte before is a letter, in its place.
    uint64_t letter = kind == TITLE && at > 0 && is_letter_ascii(of.text[at - 1]) ? 0x20 : 0;
    for (int k = 0; k < 2; k++) {
      if (kind == LOWER) words[k] ^= upper[k];
      if (kind == UPPER) words[k] ^= lower[k];
      if (kind == SWAP_CASE) words[k] ^= upper[k] | lower[k];
      if (kind == CAPITALIZE) {
        uint64_t capital = k == 0 && at == 0 ? 0x20 : 0;
        words[k] ^= (upper[k] & ~capital) | (lower[k] & capital);
      }
      if (kind == TITLE) {
        uint64_t letters = upper[k] | lower[k];
        uint64_t follows = letters << 8 | letter;
        letter = letters >> 56;
        words[k] ^= (upper[k] & follows) | (lower[k] & ~follows);
      }
    }
    return {words[0], words[1]};
  }
};

struct TwoLiteralsShared {
  LiteralShared literal, other;
};

template <int32_t kKind>
struct Transformed {
  ColumnDesc input;
  Settings settings;
  Literal literal;

  using Shared = LiteralShared;

  // The case of other characters than ASCII is computed.
  static constexpr bool kComposed = kKind != REVERSE && kKind != TRANSLATE;
  bool is_composed(int64_t bytes) const {
    return (kKind > SWAP_CASE || settings.tables == nullptr) && are_long(bytes, input.rows);
  }
  template <class Offset>
  cudaError_t write_composed(const Offset *offsets, uint8_t *chars, int64_t bytes, cudaStream_t stream) const {
    ComposedTransform composed{input, kKind, settings, literal};
    return CN_BUILD::write_composed(composed, offsets, chars, bytes, input.rows, stream);
  }

  __device__ __forceinline__ void stage(Shared &shared) const { literal.staged(&shared.words[0]); }
  __host__ __device__ int64_t rows() const { return input.rows; }
  template <class Bytes>
  __device__ __forceinline__ uint32_t make(int64_t row, uint4 *staged, const Shared &shared, Bytes &out) const {
    const uint8_t *source;
    StringRow text = staged_row(input, row, staged, source);
    // The second pass reads longer rows once.
    bool is_ascii = (Bytes::kChecks || text.bytes != source) && are_ascii(text, source, char_range(input));
    if (row >= input.rows || !input.valid(row)) return 0;
    if (Bytes::kChecks && !is_ascii && !is_utf8(text)) return FAULT_NOT_UTF8;
    return transformed<kKind>(text, is_ascii, settings, {literal.in(&shared.words[0]), literal.bytes}, out);
  }
};

template <int32_t kKind>
cudaError_t transform_by(const TransformArgs &args, cudaStream_t stream) {
  Transformed<kKind> rows{args.input,
                          {args.side, args.first, args.length, args.tables},
                          {args.literal, args.literal_far, args.literal_bytes}};
  return write_strings(args.alloc, rows, args.string_bytes, args.faults, stream);
}

// The strings of a column with `to` in place of `from`.
struct Replaced {
  ColumnDesc input;
  int64_t limit;
  Literal from, to;
  // Of long strings, whose matches are listed: where those of each row are counted, and all of them; otherwise null.
  int64_t *counts;
  unsigned long long *total;
  int64_t matches;
  const Alloc *alloc;

  using Shared = TwoLiteralsShared;

  static constexpr bool kComposed = true;
  bool is_composed(int64_t) const { return counts != nullptr; }
  template <class Offset>
  cudaError_t write_composed(const Offset *offsets, uint8_t *chars, int64_t bytes, cudaStream_t stream) const {
    return write_replaced(*alloc, input, from, to, counts, matches, offsets, chars, bytes, stream);
  }

  __device__ __forceinline__ void stage(Shared &shared) const {
    from.staged(&shared.literal.words[0]);
    to.staged(&shared.other.words[0]);
  }
  __host__ __device__ int64_t rows() const { return input.rows; }
  template <class Bytes>
  __device__ __forceinline__ uint32_t make(int64_t row, uint4 *staged, const Shared &shared, Bytes &out) const {
    const uint8_t *source;
    StringRow text = staged_row(input, row, staged, source);
    bool is_ascii = Bytes::kChecks && are_ascii(text, source, char_range(input));
    bool is_made = row < input.rows && input.valid(row);
    StringRow from_row{from.in(&shared.literal.words[0]), from.bytes};
    StringRow to_row{to.in(&shared.other.words[0]), to.bytes};
    int64_t found = 0;
    if constexpr (Bytes::kChecks) {
      if (counts != nullptr) {
        LiteralMatches in_text{{source, text.length}, char_range(input), from_row, 0};
        while (is_made && found < limit && in_text.next() >= 0) found++;
        if (row <= input.rows) counts[row] = found;
        unsigned long long sum = static_cast<unsigned long long>(found);
        for (unsigned lanes = 16; lanes > 0; lanes /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lanes);
        if (threadIdx.x % 32 == 0 && sum > 0) atomicAdd(total, sum);
      }
    }
    if (!is_made) return 0;
    if (Bytes::kChecks && !is_ascii && !is_utf8(text)) return FAULT_NOT_UTF8;
    if (Bytes::kChecks && counts != nullptr) {
      out.copy(text.bytes, text.length - found * from.bytes);
      out.repeat(to_row.bytes, to_row.length, found);
    } else {
      replace(text, from_row, to_row, limit, out);
    }
    return 0;
  }
};

struct ReplacedMatchesShared {
  MatchShared tables;
  TwoLiteralsShared literals;
};

// The strings of a column with `literal` in place of the matches of a regular expression. `places` are positions in it, in
// order, at which the match is inserted.
struct ReplacedMatches {
  ColumnDesc input;
  MatchTables tables;
  int64_t limit;
  Literal literal, places;

  using Shared = ReplacedMatchesShared;
  static constexpr bool kComposed = false;

  __device__ __forceinline__ void stage(Shared &shared) const {
    tables.stage(shared.tables);
    literal.staged(&shared.literals.literal.words[0]);
    places.staged(&shared.literals.other.words[0]);
  }
  __host__ __device__ int64_t rows() const { return input.rows; }
  template <class Bytes>
  __device__ __forceinline__ uint32_t make(int64_t row, uint4 *staged, const Shared &shared, Bytes &out) const {
    const uint8_t *source;
    StringRow text = staged_row(input, row, staged, source);
    bool is_ascii = Bytes::kChecks && are_ascii(text, source, char_range(input));
    if (row >= input.rows || !input.valid(row)) return 0;
    if (Bytes::kChecks && !is_ascii && !is_utf8(text)) return FAULT_NOT_UTF8;
    Automaton ends_of = tables.ends_in(shared.tables), starts_of = tables.starts_in(shared.tables);
    const uint8_t *to = literal.in(&shared.literals.literal.words[0]);
    const uint8_t *positions = places.in(&shared.literals.other.words[0]);
    Matches matches{text};
    int64_t copied = 0, from;
    for (int64_t left = limit; left > 0 && matches.next(ends_of, from); left--) {
      int64_t end = matches.last_end, start = starts_of.match_start(text, from, end);
      out.copy(text.bytes + copied, start - copied);
      if constexpr (Bytes::kChecks) {
        // The first pass only counts.
        out.copy(to, literal.bytes + places.bytes / 4 * (end - start));
      } else {
        int64_t put = 0;
        for (int64_t k = 0; 4 * k < places.bytes; k++) {
          int64_t position = reinterpret_cast<const uint32_t *>(positions)[k];
          out.copy(to + put, position - put);
          out.copy(text.bytes + start, end - start);
          put = position;
        }
        out.copy(to + put, literal.bytes - put);
      }
      copied = end;
    }
    out.copy(text.bytes + copied, text.length - copied);
    return 0;
  }
};

// Of strings of many bytes in which places have 32 bits, matches are listed.
cudaError_t replace_strings(const TransformArgs &args, cudaStream_t stream) {
  const ColumnDesc &input = args.input;
  Replaced rows{input,
                args.first,
                {args.literal, args.literal_far, args.literal_bytes},
                {args.other, args.other_far, args.other_bytes},
                nullptr,
                nullptr,
                0,
                &args.alloc};
  if (rows.from.bytes > 0 && input.rows > 0 && input.data_bytes <= UINT32_MAX && are_long(input.data_bytes, input.rows)) {
    rows.counts = args.alloc.scratch<int64_t>(input.rows + 1);
    if (rows.counts == nullptr) return cudaErrorMemoryAllocation;
  }
  return write_strings(args.alloc, rows, args.string_bytes, args.faults, stream);
}

constexpr int kMostColumns = JoinPolicy::kMostColumns;

// The strings of a row of several columns, with the literal between them.
struct JoinedRows {
  ColumnDesc columns[kMostColumns];
  int64_t row_count;
  int32_t count;
  int32_t propagates;
  Literal separator;

  using Shared = ComposedLiteral;

  static constexpr bool kComposed = true;
  // Each word of a row looks for its column.
  bool is_composed(int64_t bytes) const { return count <= JoinPolicy::kComposedColumns && are_long(bytes, row_count); }
  template <class Offset>
  cudaError_t write_composed(const Offset *offsets, uint8_t *chars, int64_t bytes, cudaStream_t stream) const {
    return CN_BUILD::write_composed(*this, offsets, chars, bytes, row_count, stream);
  }
  struct Source {};
  __device__ __forceinline__ Source source(int64_t, int64_t, const Shared &) const { return {}; }
  __device__ __forceinline__ Span at(Source, int64_t row, int64_t at, int64_t size, const Shared &shared) const {
    bool is_first = true;
    for (int32_t c = 0; c < count; c++) {
      // Rows with a null are empty if it propagates.
      if (propagates == 0 && !columns[c].valid(row)) continue;
      if (!is_first) {
        if (at < separator.bytes) return shared.span(separator, at);
        at -= separator.bytes;
      }
      is_first = false;
      StringRow text = string_row(columns[c], row);
      if (at < text.length) return {text.bytes + at, text.length - at, char_range(columns[c])};
      at -= text.length;
    }
    return {nullptr, size, {nullptr, nullptr}};
  }
  __device__ __forceinline__ Chunk mapped(Chunk chunk, Source, int64_t) const { return chunk; }

  __device__ __forceinline__ void stage(Shared &shared) const { shared.stage(separator); }
  __host__ __device__ int64_t rows() const { return row_count; }
  template <class Bytes>
  __device__ __forceinline__ uint32_t make(int64_t row, uint4 *staged, const Shared &shared, Bytes &out) const {
    bool is_made = row < row_count, is_first = true;
    for (int32_t c = 0; c < count && propagates != 0 && is_made; c++) is_made = columns[c].valid(row);
    for (int32_t c = 0; c < count; c++) {
      StringRow text{nullptr, 0};
      // Only the second pass reads the strings. Every lane takes part in that, also where nothing is made.
      if constexpr (!Bytes::kChecks) text = staged_row(columns[c], row, staged);
      else if (is_made) text = string_row(columns[c], row);
      if (is_made && columns[c].valid(row)) {
        if (!is_first) out.copy(separator.in(&shared.words[0]), separator.bytes);
        is_first = false;
        out.copy(text.bytes, text.length);
      }
      // The next column is staged in the same memory.
      if constexpr (!Bytes::kChecks) __syncwarp();
    }
    return 0;
  }
};

}  // namespace

ENTRY(join_strings)(const JoinArgs *args, cudaStream_t stream) {
  if (args->count > kMostColumns) return cudaErrorInvalidValue;
  JoinedRows rows{};
  for (int64_t c = 0; c < args->count; c++) rows.columns[c] = args->columns[c];
  rows.row_count = args->rows;
  rows.count = static_cast<int32_t>(args->count);
  rows.propagates = args->propagates;
  rows.separator = {args->separator, args->separator_far, args->separator_bytes};
  return write_strings(args->alloc, rows, args->string_bytes, args->faults, stream);
}

ENTRY(replace_regex)(const ReplaceRegexArgs *args, cudaStream_t stream) {
  ReplacedMatches rows{args->input,
                       {args->ends, args->starts},
                       args->limit,
                       {args->literal, args->literal_far, args->literal_bytes},
                       {args->positions, args->positions_far, args->positions_bytes}};
  return write_strings(args->alloc, rows, args->string_bytes, args->faults, stream);
}

ENTRY(transform)(const TransformArgs *args, cudaStream_t stream) {
  switch (args->kind) {
    case LOWER: return transform_by<LOWER>(*args, stream);
    case UPPER: return transform_by<UPPER>(*args, stream);
    case CAPITALIZE: return transform_by<CAPITALIZE>(*args, stream);
    case TITLE: return transform_by<TITLE>(*args, stream);
    case SWAP_CASE: return transform_by<SWAP_CASE>(*args, stream);
    case STRIP: return transform_by<STRIP>(*args, stream);
    case STRIP_CHARACTERS: return transform_by<STRIP_CHARACTERS>(*args, stream);
    case PAD: return transform_by<PAD>(*args, stream);
    case ZFILL: return transform_by<ZFILL>(*args, stream);
    case REPEAT: return transform_by<REPEAT>(*args, stream);
    case REVERSE: return transform_by<REVERSE>(*args, stream);
    case REPLACE: return replace_strings(*args, stream);
    case SLICE_REPLACE: return transform_by<SLICE_REPLACE>(*args, stream);
    case TRANSLATE: return transform_by<TRANSLATE>(*args, stream);
    case REMOVE_PREFIX: return transform_by<REMOVE_PREFIX>(*args, stream);
    case REMOVE_SUFFIX: return transform_by<REMOVE_SUFFIX>(*args, stream);
    default: return cudaErrorInvalidValue;
  }
}

}  // namespace CN_BUILD
