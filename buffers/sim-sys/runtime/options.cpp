#include "options.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace cn_sim::sim {
namespace {

// The number in COLUMNADE_SIM_<name>. Any other value ends the program, so that a misspelt option cannot make
// a test run check nothing.
long number(const char *name, long fallback) {
  std::string variable = std::string("COLUMNADE_SIM_") + name;
  const char *value = getenv(variable.c_str());
  if (!value || !*value) return fallback;
  char *end = nullptr;
  long result = strtol(value, &end, 10);
  if (*end || result < 0) {
    fprintf(stderr, "sim: %s=%s: expected a number\n", variable.c_str(), value);
    exit(2);
  }
  return result;
}

Options read() {
  Options o;
  o.seed = (uint64_t)number("SEED", 0);
  o.resident_blocks = (unsigned)number("RESIDENT", o.seed ? 3 : 1);
  if (o.resident_blocks == 0) o.resident_blocks = 1;
  o.shuffle_blocks = number("SHUFFLE_BLOCKS", 0) != 0;
  o.preempt_steps = (int)number("PREEMPT", o.seed ? 8 : 4096);
  o.lazy_streams = number("LAZY_STREAMS", 0) != 0;
  o.protect_memory = number("PROTECT", 0) != 0;
  o.lone_active_mask = number("LONE_ACTIVEMASK", 0) != 0;
  o.strict_exit = number("STRICT_EXIT", 0) != 0;
  o.check_order = number("CHECK_ORDER", 0) != 0;
  o.multiprocessors = (int)number("SMS", o.multiprocessors);
  o.hang_ticks = (int)number("HANG_TICKS", o.hang_ticks);
  o.stack_bytes = ((size_t)number("STACK", (long)o.stack_bytes) + 4095) & ~(size_t)4095;
  return o;
}

}  // namespace

const Options &options() {
  static const Options read_once = read();
  return read_once;
}

}  // namespace cn_sim::sim
