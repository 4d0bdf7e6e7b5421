// Collectives of a warp.
//
// A lane that reaches a collective waits. When all lanes of its mask that have not returned wait too, they
// must agree on the operation and the mask; then the results are computed and the lanes continue.
#include "executor.h"
#include "race.h"

namespace cn_sim::sim {
namespace {

// The result of a shuffle that reads a lane outside the mask: undefined on a GPU, recognisable here.
constexpr uint64_t undefined_value = 0xBAADF00DBAADF00Dull;

uint64_t reduce(WarpOp op, const Thread *warp, unsigned lanes) {
  bool first = true;
  uint32_t result = 0;
  for (unsigned lane : Lanes{lanes}) {
    auto value = (uint32_t)warp[lane].value;
    if (first) {
      result = value;
      first = false;
      continue;
    }
    switch (op) {
      case WarpOp::Add: result += value; break;
      case WarpOp::MinUnsigned: result = std::min(result, value); break;
      case WarpOp::MaxUnsigned: result = std::max(result, value); break;
      case WarpOp::MinSigned: result = (uint32_t)std::min((int32_t)result, (int32_t)value); break;
      case WarpOp::MaxSigned: result = (uint32_t)std::max((int32_t)result, (int32_t)value); break;
      case WarpOp::And: result &= value; break;
      case WarpOp::Or: result |= value; break;
      case WarpOp::Xor: result ^= value; break;
      default: break;
    }
  }
  return result;
}

// The lane whose value `thread` gets in a shuffle.
unsigned source_lane(const Thread &thread) {
  int width = thread.width, lane = (int)thread.lane, argument = thread.argument;
  int segment = lane & ~(width - 1);
  int source = lane;
  switch (thread.op) {
    case WarpOp::Shuffle: return (unsigned)(segment | (argument & (width - 1)));
    case WarpOp::ShuffleUp: source = lane - argument; break;
    case WarpOp::ShuffleDown: source = lane + argument; break;
    default: source = lane ^ argument; break;
  }
  // Xor may reach back into a lower segment; up and down keep their own value at the segment's ends.
  bool inside =
      argument >= 0 && source < segment + width && (thread.op == WarpOp::ShuffleXor || source >= segment);
  return (unsigned)(inside ? source : lane);
}

unsigned lanes_equal_to(uint64_t value, const Thread *warp, unsigned lanes) {
  unsigned equal = 0;
  for (unsigned lane : Lanes{lanes}) equal |= (unsigned)(warp[lane].value == value) << lane;
  return equal;
}

void require_agreement(const Block &block, unsigned warp, const Thread &a, const Thread &b) {
  if (a.op == b.op && a.mask == b.mask && a.width == b.width) return;
  fail(
      "warp collective mismatch in block (%u,%u,%u) warp %u: lane %u at %s(mask 0x%08x) %s:%d, "
      "lane %u at %s(mask 0x%08x) %s:%d",
      block.index.x, block.index.y, block.index.z, warp, a.lane, op_name(a.op), a.mask, a.file, a.line,
      b.lane, op_name(b.op), b.mask, b.file, b.line);
}

}  // namespace

void Executor::complete_collective(Block &block, unsigned warp, unsigned lanes, Thread *caller) {
  Thread *threads = &block.threads[warp * 32];
  const Thread &first = threads[(unsigned)__builtin_ctz(lanes)];
  unsigned ballot = 0;
  for (unsigned lane : Lanes{lanes}) {
    require_agreement(block, warp, first, threads[lane]);
    ballot |= (unsigned)(threads[lane].value != 0) << lane;
  }
  for (unsigned lane : Lanes{lanes}) {
    Thread &thread = threads[lane];
    switch (first.op) {
      case WarpOp::Sync: break;
      case WarpOp::Shuffle:
      case WarpOp::ShuffleUp:
      case WarpOp::ShuffleDown:
      case WarpOp::ShuffleXor: {
        unsigned source = source_lane(thread);
        thread.result = lanes >> source & 1 ? threads[source].value : undefined_value;
        break;
      }
      case WarpOp::Ballot: thread.result = ballot; break;
      case WarpOp::Any: thread.result = ballot != 0; break;
      case WarpOp::All: thread.result = ballot == lanes; break;
      case WarpOp::MatchAny: thread.result = lanes_equal_to(thread.value, threads, lanes); break;
      case WarpOp::MatchAll:
        thread.result = lanes_equal_to(first.value, threads, lanes) == lanes ? lanes : 0;
        break;
      case WarpOp::ActiveMask: thread.result = lanes; break;
      default: thread.result = &thread == &first ? reduce(first.op, threads, lanes) : first.result; break;
    }
  }
  block.warps[warp].waiting &= ~lanes;
  progress();
  if (first.op == WarpOp::Sync) note_warp_sync(*this, block, warp, lanes);
  for (unsigned lane : Lanes{lanes}) {
    Thread &thread = threads[lane];
    if (&thread == caller) {
      thread.state = State::Runnable;
    } else {
      make_ready(thread);
    }
  }
}

// A lane returned: collectives that waited only for it are complete.
void Executor::recheck_warp(Block &block, unsigned index) {
  Warp &warp = block.warps[index];
  bool completed = true;
  while (completed) {
    completed = false;
    for (unsigned lane : Lanes{warp.waiting}) {
      const Thread &thread = block.threads[index * 32 + lane];
      if (thread.op == WarpOp::ActiveMask) continue;
      unsigned lanes = thread.mask & ~warp.returned;
      if ((warp.waiting & lanes) != lanes) continue;
      complete_collective(block, index, lanes, nullptr);
      completed = true;
      break;
    }
  }
}

// If nothing else can run, lanes of a warp that wait for __activemask at one source location form a group.
bool Executor::release_active_masks() {
  bool any = false;
  for (unsigned s = 0; s < resident; s++) {
    Block &block = *slots[s];
    if (!block.active) continue;
    for (unsigned w = 0; w < block_warps; w++) {
      Thread *threads = &block.threads[w * 32];
      for (unsigned lane : Lanes{block.warps[w].waiting}) {
        const Thread &thread = threads[lane];
        auto waits = [](const Thread &t) { return t.op == WarpOp::ActiveMask && t.state == State::AtWarp; };
        if (!waits(thread)) continue;
        unsigned group = 0;
        for (unsigned other : Lanes{block.warps[w].waiting}) {
          const Thread &t = threads[other];
          if (waits(t) && t.line == thread.line && t.file == thread.file) group |= 1u << other;
        }
        for (unsigned member : Lanes{group}) threads[member].mask = group;
        complete_collective(block, w, group, nullptr);
        any = true;
      }
    }
  }
  return any;
}

uint64_t warp_op(WarpOp op, unsigned mask, uint64_t value, int argument, int width, const char *file,
                 int line) {
  Executor &e = *Executor::current;
  RuntimeScope scope(e);
  Thread &self = *e.running;
  Block &block = *self.block;
  Warp &warp = block.warps[self.warp];
  unsigned bit = 1u << self.lane;
  if (op == WarpOp::ActiveMask) {
    if (e.asked.lone_active_mask) return bit;
    mask = bit;
  } else if (!(mask & bit)) {
    fail("%s at %s:%d: the calling lane %u is not in its mask 0x%08x", op_name(op), file, line, self.lane,
         mask);
  }
  if (width <= 0 || width > 32 || (width & (width - 1))) {
    fail("%s at %s:%d: width %d is not a power of two up to 32", op_name(op), file, line, width);
  }
  self.op = op;
  self.mask = mask;
  self.value = value;
  self.argument = argument;
  self.width = width;
  self.file = file;
  self.line = line;
  self.state = State::AtWarp;
  warp.waiting |= bit;

  unsigned lanes = mask & ~warp.returned;
  if (op != WarpOp::ActiveMask && (warp.waiting & lanes) == lanes) {
    e.complete_collective(block, self.warp, lanes, &self);
    if (e.random) {
      e.push_ready(self);
      e.deschedule();
    }
    return self.result;
  }
  // Two lanes whose masks name each other must be at the same collective: report a mismatch now, not later as
  // a deadlock. Comparing with one lane suffices, because waiting lanes agree among themselves.
  if (unsigned others = warp.waiting & lanes & ~bit) {
    const Thread &other = block.threads[self.warp * 32 + (unsigned)__builtin_ctz(others)];
    if ((other.mask & bit) && other.op != WarpOp::ActiveMask)
      require_agreement(block, self.warp, other, self);
  }
  e.deschedule();
  return self.result;
}

unsigned lane_id() { return Executor::current->running->lane; }

const char *op_name(WarpOp op) {
  switch (op) {
    case WarpOp::Sync: return "__syncwarp";
    case WarpOp::Shuffle: return "__shfl_sync";
    case WarpOp::ShuffleUp: return "__shfl_up_sync";
    case WarpOp::ShuffleDown: return "__shfl_down_sync";
    case WarpOp::ShuffleXor: return "__shfl_xor_sync";
    case WarpOp::Ballot: return "__ballot_sync";
    case WarpOp::Any: return "__any_sync";
    case WarpOp::All: return "__all_sync";
    case WarpOp::MatchAny: return "__match_any_sync";
    case WarpOp::MatchAll: return "__match_all_sync";
    case WarpOp::Add: return "__reduce_add_sync";
    case WarpOp::MinUnsigned:
    case WarpOp::MinSigned: return "__reduce_min_sync";
    case WarpOp::MaxUnsigned:
    case WarpOp::MaxSigned: return "__reduce_max_sync";
    case WarpOp::And: return "__reduce_and_sync";
    case WarpOp::Or: return "__reduce_or_sync";
    case WarpOp::Xor: return "__reduce_xor_sync";
    case WarpOp::ActiveMask: return "__activemask";
  }
  return "?";
}

}  // namespace cn_sim::sim
