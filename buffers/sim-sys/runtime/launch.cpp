// Checking a launch configuration, and running a grid from its first block to its last.
#include <map>
#include <mutex>

#include "errors.h"
#include "executor.h"
#include "race.h"

namespace cn_sim::sim {
namespace {

// Limits of compute capability 9.0.
constexpr unsigned max_block_threads = 1024, max_processor_threads = 2048, max_processor_blocks = 32;
constexpr size_t default_dynamic_shared = 48 << 10, max_dynamic_shared = 227 << 10;
// Shared memory per block that the system reserves.
constexpr size_t reserved_shared = 1 << 10;

struct DynamicSharedLimits {
  std::mutex mutex;
  std::map<const void *, int> of_kernel;
};
DynamicSharedLimits &limits() {
  static DynamicSharedLimits &made_once = *new DynamicSharedLimits;
  return made_once;
}

size_t dynamic_shared_limit(const void *kernel) {
  std::lock_guard<std::mutex> lock(limits().mutex);
  auto found = limits().of_kernel.find(kernel);
  if (found == limits().of_kernel.end()) return default_dynamic_shared;
  return std::max((size_t)found->second, default_dynamic_shared);
}

uint64_t volume(dim3 extent) { return (uint64_t)extent.x * extent.y * extent.z; }

cudaError_t check(const LaunchConfig &config, const void *kernel) {
  uint64_t threads = volume(config.block), blocks = volume(config.grid);
  dim3 grid = config.grid;
  bool grid_fits = blocks && grid.x <= 0x7fffffffu && grid.y <= 65535 && grid.z <= 65535;
  if (!threads || threads > max_block_threads || config.block.z > 64 || !grid_fits) {
    return cudaErrorInvalidConfiguration;
  }
  if (config.dynamic_shared > dynamic_shared_limit(kernel)) return cudaErrorInvalidValue;
  if (config.cooperative) {
    auto resident =
        (uint64_t)options().multiprocessors * (uint64_t)occupancy((int)threads, config.dynamic_shared);
    if (blocks > resident) return cudaErrorCooperativeLaunchTooLarge;
  }
  return cudaSuccess;
}

// Deletes the executor when its thread ends; the stacks return to the pool.
struct Reaper {
  Executor *executor = nullptr;
  ~Reaper() { delete executor; }
};

}  // namespace

cudaError_t set_max_dynamic_shared(const void *kernel, int bytes) {
  if (bytes < 0 || (size_t)bytes > max_dynamic_shared) return fail_call(cudaErrorInvalidValue);
  std::lock_guard<std::mutex> lock(limits().mutex);
  limits().of_kernel[kernel] = bytes;
  return cudaSuccess;
}

int occupancy(int block, size_t dynamic_shared) {
  int by_threads = (int)max_processor_threads / ((block + 31) / 32 * 32);
  int by_shared =
      dynamic_shared ? (int)(max_dynamic_shared / (dynamic_shared + reserved_shared)) : max_processor_blocks;
  return std::min({by_threads, by_shared, (int)max_processor_blocks});
}

cudaError_t submit(const LaunchConfig &config, const void *kernel, Operation run) {
  count_call();
  count(Counted::launch);
  if (cudaError_t error = check(config, kernel)) return fail_call(error);
  return on_stream(config.stream, std::move(run));
}

cudaError_t run_grid(const LaunchConfig &config, Kernel kernel) {
  return Executor::of_this_thread().run(config, kernel);
}

Executor &Executor::of_this_thread() {
  static thread_local Reaper reaper;
  if (!current) current = reaper.executor = new Executor;
  return *current;
}

Executor::Executor() : races(new_race_checker()) { adopt_thread_stack(main); }

Executor::~Executor() {
  current = nullptr;
  for (Fiber *each : fibers) give_fiber(each);
  for (auto &objects : free_shared) {
    for (void *object : objects) free(object);
  }
  if (has_timer) delete_timer();
}

// Prepares the executor for the first thread of the grid.
void Executor::prepare(const LaunchConfig &new_config, Kernel new_kernel) {
  config = new_config;
  kernel = new_kernel;
  failed = raced = false;
  report.clear();
  launch_number++;
  yields = at_grid_barrier = 0;
  ready = ring_head = 0;
  spinning.clear();
  running = nullptr;
  starting = nullptr;
  fiber = &main;
  random = asked.seed != 0;
  random_state = asked.seed * 0x9E3779B97F4A7C15ull + 0x1234567;

  block_threads = (unsigned)volume(config.block);
  block_warps = (block_threads + 31) / 32;
  grid_blocks = volume(config.grid);
  next_block = finished_blocks = 0;
  // Every block of a cooperative grid is resident, because each may wait for any other.
  resident =
      (unsigned)std::min<uint64_t>(config.cooperative ? grid_blocks : asked.resident_blocks, grid_blocks);
  if (block_threads > slots_threads) {
    slots.clear();
    slots_threads = block_threads;
  }
  while (slots.size() < resident) {
    auto block = std::make_unique<Block>();
    block->threads.reset(new Thread[slots_threads]());
    block->warps.reset(new Warp[(slots_threads + 31) / 32]());
    slots.push_back(std::move(block));
  }
  size_t ring_size = 64;
  while (ring_size < (size_t)resident * block_threads + 64) ring_size *= 2;
  if (ring.size() < ring_size) ring.resize(ring_size);

  block_order.clear();
  if (asked.shuffle_blocks) {
    block_order.resize(grid_blocks);
    for (size_t i = 0; i < grid_blocks; i++) block_order[i] = (unsigned)i;
    for (size_t i = grid_blocks - 1; i > 0; i--)
      std::swap(block_order[i], block_order[random_number() % (i + 1)]);
  }
  blockDim = config.block;
  gridDim = config.grid;
  for (unsigned s = 0; s < resident; s++) begin_block(*slots[s]);
}

// Abandons running threads: their stacks are reset, their blocks ended.
void Executor::abandon() {
  idle.clear();
  for (Fiber *each : fibers) {
    reset_fiber(*each, worker_main);
    idle.push_back(each);
  }
  for (unsigned s = 0; s < resident; s++) {
    if (slots[s]->active) end_block(*slots[s]);
  }
}

cudaError_t Executor::run(const LaunchConfig &new_config, Kernel new_kernel) {
  if (launched) {
    fprintf(stderr, "sim: a kernel was launched from inside a kernel\n");
    abort();
  }
  in_runtime = 1;
  prepare(new_config, new_kernel);
  start_watchdog();
  while (!failed) {
    if (Thread *thread = pop_ready()) {
      resume(*thread, main);
    } else if (startable()) {
      Fiber &worker = idle_fiber();
      running = nullptr;
      jump(main, worker);
    } else if (Thread *spinner = pop_spinning()) {
      resume(*spinner, main);
    } else if (finished_blocks == grid_blocks) {
      break;
    } else if (!release_active_masks()) {
      report_deadlock();
    }
    in_runtime = 1;
  }
  stop_watchdog();
  running = nullptr;
  if (failed) abandon();
  in_runtime = 0;
  if (!failed && !raced) return cudaSuccess;
  fprintf(stderr, "%s\n", report.c_str());
  return fail_call(cudaErrorLaunchFailure, report);
}

}  // namespace cn_sim::sim
