/* Children that a process forks after it has worked on several threads, as Python's multiprocessing does. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"
#include "producer.h"

/* So many rows are worked on by all threads. */
#define ROWS 200000

static ColumnadeTable* table_of(int64_t rows) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeTable* table = NULL;
  produce_table(0, rows, 0, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  return table;
}

/* Two of a table in one, compared with the same made again. */
static void work(const ColumnadeTable* table) {
  const ColumnadeTable* both[2];
  ColumnadeTable *one = NULL, *other = NULL;
  both[0] = both[1] = table;
  OK(columnade_table_concat(both, 2, &one));
  OK(columnade_table_concat(both, 2, &other));
  CHECK(rows_of(one) == 2 * ROWS);
  CHECK(same(one, other));
  columnade_table_destroy(one);
  columnade_table_destroy(other);
}

static void in_child(const char* device, ColumnadeTable* table, int depth) {
  pid_t child;
  int status = -1;
  fflush(NULL);
  child = fork();
  if (child < 0) {
    check(0, "the process forks", __FILE__, __LINE__);
    return;
  }
  if (child == 0) {
    failures = 0;
    /* A call that hangs ends the child by a signal. */
    alarm(30);
    if (strncmp(device, "cuda", 4) == 0) {
      ColumnadeTable* all = NULL;
      const ColumnadeTable* one[2];
      one[0] = one[1] = table;
      FAILS(ENODEV, columnade_table_concat(one, 2, &all));
      HAS(columnade_last_error(), "forked");
      OK(columnade_set_default_device("host"));
      table = table_of(ROWS);
    }
    work(table);
    if (depth > 0) in_child(device, table, depth - 1);
    work(table);
    columnade_table_destroy(table);
    table = table_of(ROWS);
    work(table);
    columnade_table_destroy(table);
    /* Without an exit: a checker of leaks would miss the stacks of the parent's threads, which hold memory. */
    execl("/bin/sh", "sh", "-c", failures == 0 ? "exit 0" : "exit 1", (char*)NULL);
    _exit(2);
  }
  CHECK(waitpid(child, &status, 0) == child);
  CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

void test_forks(const char* device) {
  ColumnadeTable* table = table_of(ROWS);
  work(table);
  in_child(device, table, 1);
  in_child(device, table, 0);
  work(table);
  columnade_table_destroy(table);
}
