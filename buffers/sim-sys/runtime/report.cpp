// Reports of failed launches.
#include <cstdarg>
#include <map>

#include "executor.h"

namespace cn_sim::sim {
namespace {

std::string format(const char *format, va_list args) {
  char text[4096];
  vsnprintf(text, sizeof text, format, args);
  return text;
}

__attribute__((format(printf, 1, 2))) std::string text(const char *text, ...) {
  va_list args;
  va_start(args, text);
  std::string result = format(text, args);
  va_end(args);
  return result;
}

std::string describe(const Thread &thread) {
  switch (thread.state) {
    case State::Fresh: return "not begun";
    case State::Runnable: return "can run";
    case State::Returned: return "have returned";
    case State::AtBarrier: return text("wait at __syncthreads %s:%d", thread.file, thread.line);
    case State::AtGrid: return text("wait at grid sync %s:%d", thread.file, thread.line);
    case State::AtWarp:
      return text("wait at %s(mask 0x%08x) %s:%d (first: warp %u)", op_name(thread.op), thread.mask,
                  thread.file, thread.line, thread.warp);
  }
  return "?";
}

}  // namespace

void fail(const char *message, ...) {
  va_list args;
  va_start(args, message);
  std::string said = format(message, args);
  va_end(args);
  Executor *e = Executor::current;
  if (!e || !e->launched) {
    fprintf(stderr, "sim: outside a kernel: %s\n", said.c_str());
    abort();
  }
  e->in_runtime = 1;
  if (const Thread *t = e->running) {
    uint3 block = t->block->index;
    said += text(" [thread (%u,%u,%u) of block (%u,%u,%u)]", t->index.x, t->index.y, t->index.z, block.x,
                 block.y, block.z);
  }
  e->fail_launch(said);
}

void Executor::fail_launch(const std::string &said) {
  if (report.empty()) report = "sim: " + said;
  failed = true;
  if (fiber == &main) {
    fprintf(stderr, "%s\n", report.c_str());
    abort();
  }
  // The fiber is abandoned with all objects on its stack; run() resets every fiber.
  jump(*fiber, main, Leaving::ForEver);
  __builtin_unreachable();
}

// Threads are grouped by where they wait.
void Executor::report_deadlock() {
  report = "sim: deadlock: no thread can run.";
  for (unsigned s = 0; s < resident; s++) {
    const Block &block = *slots[s];
    if (!block.active) continue;
    std::map<std::string, unsigned> groups;
    for (unsigned i = 0; i < block_threads; i++) {
      groups[i < block.begun ? describe(block.threads[i]) : "not begun"]++;
    }
    report += text("\n  block (%u,%u,%u):", block.index.x, block.index.y, block.index.z);
    for (const auto &[where, count] : groups) report += text("\n    %u threads %s", count, where.c_str());
  }
  failed = true;
}

}  // namespace cn_sim::sim
