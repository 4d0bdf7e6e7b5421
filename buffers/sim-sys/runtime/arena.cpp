// Device memory that the host cannot access: one mapping, protected while no operation of a stream runs.
//
// An operation on any thread unprotects the whole mapping, so a host access is detected only if no operation
// runs on another thread: run such tests with one thread.
#include <sys/mman.h>
#include <unistd.h>

#include <csignal>
#include <map>
#include <mutex>

#include "memory.h"
#include "options.h"

namespace cn_sim::sim {
namespace {

// Reserves address space only; pages are committed on first touch.
constexpr size_t arena_bytes = (size_t)64 << 30;
constexpr size_t granule = 256;

struct sigaction previous_segv, previous_bus;

struct Arena {
  std::mutex mutex;
  char *base = nullptr;
  std::map<size_t, size_t> free;  // offset to bytes, neighbours joined
  unsigned users = 0;             // operations under way
};
Arena &arena() {
  static Arena &made_once = *new Arena;
  return made_once;
}

bool in_arena(const void *p) { return p >= arena().base && p < arena().base + arena_bytes; }

// Prints the cause, then lets the fault happen again under the previous handler.
void on_fault(int number, siginfo_t *info, void *) {
  if (in_arena(info->si_addr)) {
    char text[200];
    int length = snprintf(text, sizeof text,
                          "sim: the host touched device memory at %p outside a kernel, copy or fill "
                          "(COLUMNADE_SIM_PROTECT=1)\n",
                          info->si_addr);
    if (write(STDERR_FILENO, text, (size_t)length) < 0) _exit(1);
  }
  sigaction(number, number == SIGBUS ? &previous_bus : &previous_segv, nullptr);
}

// Creates the mapping on first use. The caller holds the mutex.
bool open_arena(Arena &a) {
  if (a.base) return true;
  void *mapping = mmap(nullptr, arena_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) return false;
  a.base = (char *)mapping;
  a.free[0] = arena_bytes;
  if (a.users) mprotect(a.base, arena_bytes, PROT_READ | PROT_WRITE);
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
  return true;
}

size_t rounded(size_t bytes) { return (bytes + granule - 1) / granule * granule; }

}  // namespace

DeviceAccess::DeviceAccess() {
  if (!options().protect_memory) return;
  Arena &a = arena();
  std::lock_guard<std::mutex> lock(a.mutex);
  if (a.users++ == 0 && a.base) mprotect(a.base, arena_bytes, PROT_READ | PROT_WRITE);
}

DeviceAccess::~DeviceAccess() {
  if (!options().protect_memory) return;
  Arena &a = arena();
  std::lock_guard<std::mutex> lock(a.mutex);
  if (--a.users == 0 && a.base) mprotect(a.base, arena_bytes, PROT_NONE);
}

// First fit.
void *arena_allocate(size_t bytes) {
  Arena &a = arena();
  std::lock_guard<std::mutex> lock(a.mutex);
  if (bytes > arena_bytes || !open_arena(a)) return nullptr;
  size_t wanted = rounded(bytes);
  for (auto range = a.free.begin(); range != a.free.end(); ++range) {
    auto [offset, length] = *range;
    if (length < wanted) continue;
    a.free.erase(range);
    if (length > wanted) a.free[offset + wanted] = length - wanted;
    return a.base + offset;
  }
  return nullptr;
}

void arena_release(void *p, size_t bytes) {
  Arena &a = arena();
  std::lock_guard<std::mutex> lock(a.mutex);
  auto offset = (size_t)((char *)p - a.base);
  size_t length = rounded(bytes);
  auto after = a.free.lower_bound(offset);
  if (after != a.free.end() && after->first == offset + length) {
    length += after->second;
    after = a.free.erase(after);
  }
  if (after != a.free.begin()) {
    auto before = std::prev(after);
    if (before->first + before->second == offset) {
      before->second += length;
      return;
    }
  }
  a.free[offset] = length;
}

}  // namespace cn_sim::sim
