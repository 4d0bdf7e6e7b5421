// Shared objects of a block: on the heap, one for each declaration, so that a sanitizer sees their bounds.
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "executor.h"
#include "race.h"

namespace cn_sim::sim {
namespace {

// Shared memory has arbitrary contents on a GPU; here the contents are always the same.
constexpr int garbage = 0xCB;

struct Sites {
  std::mutex mutex;
  std::vector<const SharedSite *> by_id{nullptr};
};
Sites &sites() {
  static Sites &made_once = *new Sites;
  return made_once;
}

// Assigns the site's number. Executors of several threads may do so at once.
size_t site_id(SharedSite &site) {
  int id = __atomic_load_n(&site.id, __ATOMIC_ACQUIRE);
  if (id) return (size_t)id;
  std::lock_guard<std::mutex> lock(sites().mutex);
  if (!site.id) {
    sites().by_id.push_back(&site);
    __atomic_store_n(&site.id, (int)sites().by_id.size() - 1, __ATOMIC_RELEASE);
  }
  return (size_t)site.id;
}

void *allocate(size_t align, size_t bytes) {
  void *p = nullptr;
  if (posix_memalign(&p, std::max<size_t>(align, sizeof(void *)), bytes)) abort();
  return p;
}

}  // namespace

const SharedSite &shared_site(size_t id) {
  std::lock_guard<std::mutex> lock(sites().mutex);
  return *sites().by_id[id];
}

void *shared_slot(SharedSite &site) {
  Executor &e = *Executor::current;
  RuntimeScope scope(e);
  Block &block = *e.running->block;
  size_t id = site_id(site);
  if (block.shared.size() <= id) block.shared.resize(id + 16);
  void *&object = block.shared[id];
  if (!object) {
    if (id < e.free_shared.size() && !e.free_shared[id].empty()) {
      object = e.free_shared[id].back();
      e.free_shared[id].pop_back();
    } else {
      object = allocate(std::max<size_t>(site.align, 16), site.size);
    }
    memset(object, garbage, site.size);
    forget_accesses(e, object, site.size);
  }
  return object;
}

void *dyn_smem() {
  Executor &e = *Executor::current;
  RuntimeScope scope(e);
  Block &block = *e.running->block;
  size_t bytes = e.config.dynamic_shared;
  if (!block.dynamic_shared && bytes) {
    block.dynamic_shared = allocate(128, bytes);
    memset(block.dynamic_shared, garbage, bytes);
    forget_accesses(e, block.dynamic_shared, bytes);
  }
  return block.dynamic_shared;
}

size_t dyn_smem_size() { return Executor::current->config.dynamic_shared; }

}  // namespace cn_sim::sim
