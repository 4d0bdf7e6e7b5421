// The race checker's hooks; empty in other flavours.
#pragma once
#include "executor.h"

#ifdef CN_SIM_RACE
#include <unordered_map>
#endif

namespace cn_sim::sim {

#ifdef CN_SIM_RACE

// An access of a kernel thread to memory that is not its own stack.
struct Access {
  uintptr_t address;
  unsigned size;
  bool write, atomic;
  const void *pc;
};

// For every 4 bytes that the launch touched, stores the last write and the last two reading threads, and
// reports unordered accesses of different threads if one of them is a write. Ordered are:
//
//   accesses of one thread;
//   accesses of one block with a barrier between them;
//   accesses of one warp with a __syncwarp between them that names both lanes;
//   an access and all that follows an acquire (an atomic or fence) of the later thread, or of its block
//   before the block's last barrier.
//
// The last rule is generous: it does not check what was acquired, or from which thread, so some races are
// missed.
class RaceChecker {
 public:
  void check(Executor &e, const Access &access);
  void forget(const void *p, size_t bytes);
  uint64_t tick() { return ++time_; }

 private:
  struct Read {
    uint64_t time;
    const void *pc;
    uint32_t thread;
    uint8_t bytes;
    bool atomic;
  };
  struct Cell {
    uint64_t write_time;
    const void *write_pc;
    uint32_t write_thread;
    uint8_t write_bytes;
    bool write_atomic;
    Read reads[2];
  };
  static constexpr size_t cell_bytes = 4, page_bytes = 4096;
  struct Page {
    uint64_t launch = 0;
    Cell cells[page_bytes / cell_bytes];
  };

  Cell &cell(uintptr_t address, uint64_t launch);
  void check_cell(Executor &e, const Access &access, Cell &cell, uint8_t bytes, uint32_t thread);
  void report(Executor &e, const char *kind, const Access &access, uint32_t earlier, const void *earlier_pc);

  uint64_t time_ = 1;
  std::unordered_map<uintptr_t, std::unique_ptr<Page>> pages_;
  uintptr_t last_number_ = ~(uintptr_t)0;
  Page *last_page_ = nullptr;
};

std::unique_ptr<RaceChecker> new_race_checker();
void note_warp_sync(Executor &e, Block &block, unsigned warp, unsigned lanes);
void note_barrier(Executor &e, Block &block);
void note_grid_barrier(Executor &e);
// Called when a new object reuses the memory of an old one.
void forget_accesses(Executor &e, const void *p, size_t bytes);

#else

class RaceChecker {};
inline std::unique_ptr<RaceChecker> new_race_checker() { return nullptr; }
inline void note_warp_sync(Executor &, Block &, unsigned, unsigned) {}
inline void note_barrier(Executor &, Block &) {}
inline void note_grid_barrier(Executor &) {}
inline void forget_accesses(Executor &, const void *, size_t) {}

#endif

}  // namespace cn_sim::sim
