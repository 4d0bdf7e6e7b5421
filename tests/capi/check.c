#include "check.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int failures = 0;

void check(int holds, const char* what, const char* file, int line) {
  if (holds) return;
  failures++;
  fprintf(stderr, "%s:%d: %s does not hold (last error: %s)\n", file, line, what, columnade_last_error());
}

void check_code(int code, int expected, const char* call, const char* file, int line) {
  if (code == expected) return;
  failures++;
  fprintf(stderr, "%s:%d: %s returned %d, not %d: %s\n", file, line, call, code, expected, columnade_last_error());
}

void check_text(const char* text, const char* part, const char* file, int line) {
  if (text && strstr(text, part)) return;
  failures++;
  fprintf(stderr, "%s:%d: no \"%s\" in \"%s\"\n", file, line, part, text ? text : "(null)");
}

void check_taken(char* text, const char* expected, const char* file, int line) {
  if (!text || strcmp(text, expected) != 0) {
    failures++;
    fprintf(stderr, "%s:%d: \"%s\" is not \"%s\"\n", file, line, text ? text : "(null)", expected);
  }
  columnade_string_free(text);
}

int bit(const void* bitmap, int64_t at) {
  const unsigned char* bytes = (const unsigned char*)bitmap;
  return !bytes || (bytes[at / 8] >> (at % 8) & 1);
}

struct job {
  void (*work)(void*);
  void* argument;
};

static void* run(void* job) {
  ((struct job*)job)->work(((struct job*)job)->argument);
  return NULL;
}

void on_another_thread(void (*work)(void*), void* argument) {
  struct job job;
  pthread_t thread;
  job.work = work;
  job.argument = argument;
  if (pthread_create(&thread, NULL, run, &job) != 0 || pthread_join(thread, NULL) != 0) abort();
}

int64_t rows_of(const ColumnadeTable* table) {
  int64_t rows = -1;
  OK(columnade_table_row_count(table, &rows));
  return rows;
}

int same(const ColumnadeTable* left, const ColumnadeTable* right) {
  int equal = 0;
  char* difference = NULL;
  OK(columnade_table_equals(left, right, &equal, &difference));
  if (difference) fprintf(stderr, "%s\n", difference);
  CHECK((difference == NULL) == equal);
  columnade_string_free(difference);
  return equal;
}

void write_file(const char* path, const char* text) {
  FILE* file = fopen(path, "wb");
  if (!file || fputs(text, file) < 0 || fclose(file) != 0) {
    perror(path);
    abort();
  }
}

char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  char* text = (char*)calloc(1, 1 << 16);
  if (!file || !text || fread(text, 1, (1 << 16) - 1, file) == 0) {
    perror(path);
    abort();
  }
  fclose(file);
  return text;
}

static char folder[] = "/tmp/columnade-capi-XXXXXX";

const char* path_of(const char* name) {
  static char path[128];
  static int made = 0;
  if (!made && !mkdtemp(folder)) abort();
  made = 1;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

void remove_files(void) {
  char command[64];
  snprintf(command, sizeof command, "rm -rf %s", path_of(""));
  if (system(command) != 0) abort();
}

ColumnadeTable* table_of_csv(const char* text) {
  ColumnadeTable* table = NULL;
  write_file(path_of("table.csv"), text);
  OK(columnade_read_csv(path_of("table.csv"), NULL, &table));
  return table;
}

void check_csv(const ColumnadeTable* table, const char* expected, const char* file, int line) {
  ColumnadeCsvWriteOptions options = COLUMNADE_CSV_WRITE_OPTIONS_INIT;
  char* text;
  options.null_value = "NULL";
  options.unquoted_empty = 1;
  check_code(columnade_table_write_csv(table, path_of("written.csv"), &options), 0, "write_csv", file, line);
  text = read_file(path_of("written.csv"));
  if (strcmp(text, expected) != 0) {
    failures++;
    fprintf(stderr, "%s:%d: \"%s\" is not \"%s\"\n", file, line, text, expected);
  }
  free(text);
}

ColumnadeExpr* parsed(const char* text) {
  ColumnadeExpr* expr = NULL;
  OK(columnade_expr_parse(text, &expr));
  return expr;
}

/* Every suite on every device that the library was built with, or on those that are named. */
int main(int count, char** names) {
  int64_t devices = 0, at;
  test_errors();
  test_expressions();
  OK(columnade_device_count(&devices));
  for (at = 0; at < devices; at++) {
    char* device = NULL;
    OK(columnade_device_name(at, &device));
    if (!device || (count > 1 && strcmp(names[1], device) != 0)) {
      columnade_string_free(device);
      continue;
    }
    OK(columnade_set_default_device(device));
    test_tables(device);
    test_arrow(device);
    test_streams(device);
    test_devices(device);
    test_dlpack(device);
    test_forks(device);
    test_frames(device);
    test_files();
    printf("%s: %d failures\n", device, failures);
    columnade_string_free(device);
  }
  remove_files();
  return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
