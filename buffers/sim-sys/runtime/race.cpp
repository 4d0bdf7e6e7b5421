#ifdef CN_SIM_RACE
#include "race.h"

#include <dlfcn.h>

#include <cstring>

namespace cn_sim::sim {
namespace {

// The source location, for a report only: it runs addr2line.
std::string source_of(const void *pc) {
  Dl_info object;
  if (!pc || !dladdr(pc, &object)) return "?";
  char command[600], line[512] = "?";
  auto offset = (unsigned long)((const char *)pc - 1 - (const char *)object.dli_fbase);
  snprintf(command, sizeof command, "addr2line -i -e '%s' 0x%lx 2>/dev/null | head -1", object.dli_fname,
           offset);
  if (FILE *pipe = popen(command, "r")) {
    if (!fgets(line, sizeof line, pipe)) strcpy(line, "?");
    pclose(pipe);
  }
  line[strcspn(line, "\n")] = 0;
  return line;
}

// The name of the shared object at an address, or "global".
std::string space_of(const Executor &e, uintptr_t address) {
  auto holds = [address](const void *p, size_t bytes) {
    return p && address >= (uintptr_t)p && address < (uintptr_t)p + bytes;
  };
  for (const auto &block : e.slots) {
    if (holds(block->dynamic_shared, e.config.dynamic_shared)) return "dynamic shared";
    for (size_t id = 1; id < block->shared.size(); id++) {
      if (!block->shared[id]) continue;
      const SharedSite &site = shared_site(id);
      if (holds(block->shared[id], site.size)) return std::string("shared ") + site.name;
    }
  }
  return "global";
}

// Whether the access of thread `earlier` of the grid at `time` is ordered before the current access of
// `thread`.
bool ordered(const Executor &e, const Thread &thread, uint32_t earlier, uint64_t time) {
  if (time < thread.acquired) return true;
  const Block &block = *thread.block;
  if (time < block.barrier_acquired) return true;
  if (earlier / e.block_threads != block.rank) return false;
  if (time < block.barrier_time) return true;
  uint32_t rank = earlier % e.block_threads;
  if (rank / 32 != thread.warp) return false;
  const Warp &warp = block.warps[thread.warp];
  return time < warp.all_synced || (warp.pair_synced && time < warp.pair_synced[thread.lane][rank % 32]);
}

}  // namespace

std::unique_ptr<RaceChecker> new_race_checker() { return std::make_unique<RaceChecker>(); }

RaceChecker::Cell &RaceChecker::cell(uintptr_t address, uint64_t launch) {
  uintptr_t number = address / page_bytes;
  if (number != last_number_) {
    auto &page = pages_[number];
    if (!page) page.reset(new Page());
    last_page_ = page.get();
    last_number_ = number;
  }
  if (last_page_->launch != launch) {
    memset(last_page_->cells, 0, sizeof last_page_->cells);
    last_page_->launch = launch;
  }
  return last_page_->cells[address % page_bytes / cell_bytes];
}

void RaceChecker::check_cell(Executor &e, const Access &access, Cell &cell, uint8_t bytes, uint32_t thread) {
  auto conflicts = [&](uint64_t time, uint32_t other, uint8_t other_bytes, bool other_atomic) {
    return time && (other_bytes & bytes) && other != thread && !(other_atomic && access.atomic) &&
           !ordered(e, *e.running, other, time);
  };
  if (conflicts(cell.write_time, cell.write_thread, cell.write_bytes, cell.write_atomic)) {
    const char *kind = access.write ? "write after write" : "read after write";
    report(e, kind, access, cell.write_thread, cell.write_pc);
  }
  if (access.write) {
    for (const Read &read : cell.reads) {
      if (conflicts(read.time, read.thread, read.bytes, read.atomic)) {
        report(e, "write after read", access, read.thread, read.pc);
      }
    }
    cell.write_time = time_;
    cell.write_thread = thread;
    cell.write_bytes = bytes;
    cell.write_atomic = access.atomic;
    cell.write_pc = access.pc;
  } else {
    if (cell.reads[0].time && cell.reads[0].thread != thread) cell.reads[1] = cell.reads[0];
    cell.reads[0] = Read{time_, access.pc, thread, bytes, access.atomic};
  }
}

void RaceChecker::check(Executor &e, const Access &access) {
  uint32_t thread = e.running->block->rank * e.block_threads + e.running->rank;
  time_++;
  uintptr_t end = access.address + access.size;
  for (uintptr_t at = access.address / cell_bytes * cell_bytes; at < end; at += cell_bytes) {
    auto from = (unsigned)(access.address > at ? access.address - at : 0);
    auto to = (unsigned)(end < at + cell_bytes ? end - at : cell_bytes);
    auto bytes = (uint8_t)(((1u << to) - 1) & ~((1u << from) - 1));
    check_cell(e, access, cell(at, e.launch_number), bytes, thread);
  }
}

void RaceChecker::forget(const void *p, size_t bytes) {
  uintptr_t begin = (uintptr_t)p / cell_bytes * cell_bytes, end = (uintptr_t)p + bytes;
  for (uintptr_t at = begin; at < end; at += cell_bytes) {
    auto page = pages_.find(at / page_bytes);
    if (page != pages_.end()) page->second->cells[at % page_bytes / cell_bytes] = Cell{};
  }
}

// The first race of a launch is its report; the kernel continues, so that its other faults show too.
void RaceChecker::report(Executor &e, const char *kind, const Access &access, uint32_t earlier,
                         const void *earlier_pc) {
  if (e.raced) return;
  e.raced = true;
  if (!e.report.empty()) return;
  std::string before = source_of(earlier_pc), now = source_of(access.pc), space = space_of(e, access.address);
  char text[2048];
  snprintf(
      text, sizeof text,
      "sim: race (%s) on %p [%s]: thread %u of block %u at %s, then thread %u of block %u at %s, unordered",
      kind, (void *)access.address, space.c_str(), earlier % e.block_threads, earlier / e.block_threads,
      before.c_str(), e.running->rank, e.running->block->rank, now.c_str());
  e.report = text;
}

// Only __syncwarp orders memory; shuffles and votes do not.
void note_warp_sync(Executor &e, Block &block, unsigned index, unsigned lanes) {
  Warp &warp = block.warps[index];
  uint64_t now = e.races->tick();
  if ((lanes | warp.returned) == 0xffffffffu) {
    warp.all_synced = now;
    return;
  }
  if (!warp.pair_synced) warp.pair_synced.reset(new uint64_t[32][32]());
  for (unsigned a : Lanes{lanes}) {
    for (unsigned b : Lanes{lanes}) warp.pair_synced[a][b] = now;
  }
}

void note_barrier(Executor &e, Block &block) {
  block.barrier_time = e.races->tick();
  for (unsigned i = 0; i < block.begun; i++) {
    block.barrier_acquired = std::max(block.barrier_acquired, block.threads[i].acquired);
  }
}

void note_grid_barrier(Executor &e) {
  uint64_t now = e.races->tick();
  for (auto &block : e.slots) block->barrier_time = block->barrier_acquired = now;
}

void forget_accesses(Executor &e, const void *p, size_t bytes) { e.races->forget(p, bytes); }

void preempt(const char *file, int line) {
  if (--preempt_budget < 0) preempt_slow(file, line);
}

void fence() {
  Executor *e = Executor::current;
  if (!e || !e->running) return;
  e->running->fenced = true;
  e->running->acquired = e->races->tick();
}

}  // namespace cn_sim::sim
#endif
