// Regular expressions as tables of states, of strings in valid UTF-8. The same tables as in
// kernels/src/strings/regex/automaton.rs, and the searches of the crate regex-automata.
#pragma once
#include "characters.cuh"
#include "column.cuh"
#include "table.abi.h"

namespace CN_BUILD {

constexpr int kAutomatonWords = AutomatonPolicy::kSharedWords;

// What a table begins with: the start states by the byte before the string and without one, the classes of the bytes and
// of the end, and then the next states by state and class.
constexpr int kNoByte = 256;
constexpr int kClassesAt = 257;
constexpr int kEndClass = 256;
constexpr int kStatesAt = 2 * 257;
// Set in a next state that is reached by the byte after a match.
constexpr uint32_t kMatched = 0x8000;

struct Automaton {
  const uint16_t *words;
  int stride;

  __device__ __forceinline__ uint32_t start(const StringRow &text, int64_t before) const {
    return words[before >= 0 && before < text.length ? text.bytes[before] : kNoByte];
  }
  __device__ __forceinline__ uint32_t next(uint32_t state, uint32_t byte) const {
    return words[kStatesAt + static_cast<int>(state & (kMatched - 1)) * stride + words[kClassesAt + byte]];
  }
  // The end of the leftmost match from `at` on, or -1; of an empty one also within a character. Where only the existence
  // of a match is asked for, the end of the first that is not within a character.
  __device__ __forceinline__ int64_t match_end_from(StringRow text, int64_t at, bool only_existence) const {
    uint32_t state = start(text, at - 1);
    int64_t end = -1;
    for (; at < text.length; at++) {
      uint32_t byte = text.bytes[at];
      state = next(state, byte);
      if ((state & kMatched) != 0) {
        end = at;
        if (only_existence && starts_character(static_cast<uint8_t>(byte))) return end;
      }
      // The state without a way to a match.
      if ((state & (kMatched - 1)) == 0) return end;
    }
    return (next(state, kEndClass) & kMatched) != 0 ? text.length : end;
  }
  // An empty match within a character is none: the search goes on after the byte where it began.
  __device__ __forceinline__ int64_t match_end(StringRow text, int64_t at, bool only_existence) const {
    while (true) {
      int64_t end = match_end_from(text, at, only_existence);
      if (end < 0 || end == text.length || starts_character(text.bytes[end])) return end;
      at++;
    }
  }
  __device__ __forceinline__ bool is_match(StringRow text) const { return match_end(text, 0, true) >= 0; }
  // Where the match that ends at `end` and begins at `from` or later begins; of the automaton of reversed strings.
  __device__ __forceinline__ int64_t match_start(StringRow text, int64_t from, int64_t end) const {
    uint32_t state = start(text, end);
    int64_t found = end;
    for (int64_t at = end; at > from; at--) {
      state = next(state, text.bytes[at - 1]);
      if ((state & kMatched) != 0) found = at;
      if ((state & (kMatched - 1)) == 0) return found;
    }
    state = next(state, from > 0 ? text.bytes[from - 1] : kEndClass);
    return (state & kMatched) != 0 ? from : found;
  }
};

// The ends of the matches of a string from left to right, without overlaps.
struct Matches {
  StringRow text;
  // Where the last match ended, and where the next search begins.
  int64_t last_end = -1, at = 0;

  // Whether there is one more, which begins at `at` or later and ends at `last_end` then.
  __device__ __forceinline__ bool next(const Automaton &automaton, int64_t &from) {
    from = at;
    if (at > text.length) return false;
    int64_t end = automaton.match_end(text, at, false);
    if (end >= 0 && end == last_end) {
      // An empty match where the last one ended is none.
      from = at + 1;
      end = from > text.length ? -1 : automaton.match_end(text, from, false);
    }
    if (end < 0) {
      at = text.length + 1;
      return false;
    }
    at = last_end = end;
    return true;
  }
};

// Copies an automaton to `shared` if it has at most `space` words. Every thread of the block must call this, and
// __syncthreads after it.
__device__ __forceinline__ void stage_automaton(const AutomatonTable &table, uint16_t *shared,
                                                int64_t space = kAutomatonWords) {
  if (table.count > space) return;
  for (int k = static_cast<int>(threadIdx.x); k < table.count; k += static_cast<int>(blockDim.x)) {
    shared[k] = table.words[k];
  }
}

// The automaton after that.
__device__ __forceinline__ Automaton staged_automaton(const AutomatonTable &table, const uint16_t *shared,
                                                      int64_t space = kAutomatonWords) {
  return {table.count > space ? table.words : shared, table.stride};
}

struct MatchShared {
  uint16_t words[kAutomatonWords];
};

// The automata that find where matches end, and where they begin.
struct MatchTables {
  AutomatonTable ends, starts;

  // The words before those of `starts`.
  __device__ __forceinline__ int64_t used() const { return ends.count > kAutomatonWords ? 0 : ends.count; }
  // Copies those that are small. Every thread of the block must call this, and __syncthreads after it.
  __device__ __forceinline__ void stage(MatchShared &shared) const {
    stage_automaton(ends, &shared.words[0]);
    stage_automaton(starts, &shared.words[0] + used(), kAutomatonWords - used());
  }
  __device__ __forceinline__ Automaton ends_in(const MatchShared &shared) const {
    return staged_automaton(ends, &shared.words[0]);
  }
  __device__ __forceinline__ Automaton starts_in(const MatchShared &shared) const {
    return staged_automaton(starts, &shared.words[0] + used(), kAutomatonWords - used());
  }
};

// The blocks of a launch whose threads each take several rows.
inline unsigned blocks_of_rows(int64_t rows) {
  unsigned blocks = blocks_for(rows, kThreads);
  return blocks < AutomatonPolicy::kBlocks ? blocks : AutomatonPolicy::kBlocks;
}

// Calls `run` with each row of this thread. All lanes of a warp have neighbouring rows, which may be past the end.
template <class Run>
__device__ __forceinline__ void for_rows(int64_t rows, Run run) {
  for (int64_t first = static_cast<int64_t>(blockIdx.x) * kThreads; first < rows;
       first += static_cast<int64_t>(gridDim.x) * kThreads) {
    run(first + threadIdx.x);
    // The next rows are staged in the same memory.
    __syncwarp();
  }
}

}  // namespace CN_BUILD
