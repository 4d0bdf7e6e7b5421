// Lists of parts of strings: one thread per row finds the parts of its string in shared memory, once to count and once to
// write them (split_strings.cuh). No atomics but for the totals and the faults; deterministic.
#include "split.abi.h"
#include "automaton.cuh"
#include "fields.cuh"
#include "literals.cuh"
#include "split_strings.cuh"

namespace CN_BUILD {
namespace {

// Between occurrences of a separator.
struct SeparatedRows {
  ColumnDesc input;
  FieldRules rules;
  Literal literal;

  using Shared = LiteralShared;
  __device__ __forceinline__ void stage(Shared &shared) const { literal.staged(&shared.words[0]); }
  __device__ __forceinline__ bool is_backward() const { return rules.from_end != 0; }
  __device__ __forceinline__ Fields cursor(StringRow text, const Shared &shared) const {
    return Fields(text, rules, {literal.in(&shared.words[0]), literal.bytes});
  }
};

// The matches of a regular expression, or what is between them.
struct MatchedParts {
  Automaton ends, starts;
  Matches matches;
  bool between;
  // Matches that may still be used, and where the last one ended; below zero after the last part.
  int64_t left, at;

  __device__ __forceinline__ bool next(Part &part) {
    int64_t from;
    if (left > 0 && matches.next(ends, from)) {
      left--;
      int64_t end = matches.last_end, start = starts.match_start(matches.text, from, end);
      part = between ? Part{at, start} : Part{start, end};
      at = end;
      return true;
    }
    if (!between || at < 0) return false;
    part = {at, matches.text.length};
    at = -1;
    left = 0;
    return true;
  }
};

struct MatchedRows {
  ColumnDesc input;
  MatchTables tables;
  int64_t limit;
  int32_t between;

  using Shared = MatchShared;
  __device__ __forceinline__ void stage(Shared &shared) const { tables.stage(shared); }
  __device__ __forceinline__ bool is_backward() const { return false; }
  __device__ __forceinline__ MatchedParts cursor(StringRow text, const Shared &shared) const {
    return {tables.ends_in(shared), tables.starts_in(shared), Matches{text}, between != 0, limit, 0};
  }
};

}  // namespace

ENTRY(split)(const SplitArgs *args, cudaStream_t stream) {
  SeparatedRows rows{args->input,
                     {args->separator, args->from_end, args->limit},
                     {args->literal, args->literal_far, args->literal_bytes}};
  return split_strings(args->alloc, rows, reinterpret_cast<SplitCounts *>(args->counts), stream);
}

ENTRY(split_regex)(const SplitRegexArgs *args, cudaStream_t stream) {
  MatchedRows rows{args->input,
                   {args->ends, args->starts},
                   args->limit,
                   args->between};
  return split_strings(args->alloc, rows, reinterpret_cast<SplitCounts *>(args->counts), stream);
}

}  // namespace CN_BUILD
