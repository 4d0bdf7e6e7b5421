/* Checks that go on after a failure and are counted. */
#ifndef CHECK_H
#define CHECK_H

#include <stdint.h>

#include "columnade.h"

/* Failed checks so far. */
extern int failures;

void check(int holds, const char* what, const char* file, int line);
void check_code(int code, int expected, const char* call, const char* file, int line);
void check_text(const char* text, const char* part, const char* file, int line);
void check_taken(char* text, const char* expected, const char* file, int line);

/* The condition holds. */
#define CHECK(condition) check((condition) != 0, #condition, __FILE__, __LINE__)
/* The call returns 0. */
#define OK(call) check_code((call), 0, #call, __FILE__, __LINE__)
/* The call returns this code. */
#define FAILS(expected, call) check_code((call), (expected), #call, __FILE__, __LINE__)
/* The text has this part. */
#define HAS(text, part) check_text((text), (part), __FILE__, __LINE__)
/* The text that a function gave is this one, and is released. */
#define TEXT(text, expected) check_taken((text), (expected), __FILE__, __LINE__)

/* Bit `at` of a bitmap; all are set where there is none. */
int bit(const void* bitmap, int64_t at);

/* Runs `work` on a thread of its own, to its end. */
void on_another_thread(void (*work)(void*), void* argument);

/* The rows of a table. */
int64_t rows_of(const ColumnadeTable* table);

/* Whether two tables are equal; prints where they are not. */
int same(const ColumnadeTable* left, const ColumnadeTable* right);

/* A table of CSV text. */
ColumnadeTable* table_of_csv(const char* text);

/* The table written as CSV, with NULL for nulls, is this text. */
void check_csv(const ColumnadeTable* table, const char* expected, const char* file, int line);
#define CSV(table, expected) check_csv((table), (expected), __FILE__, __LINE__)

/* The expression of a text. */
ColumnadeExpr* parsed(const char* text);

/* A path in a folder of this process, which `remove_files` removes; the text is valid until the next call. */
const char* path_of(const char* name);
void remove_files(void);

/* Writes a file, and reads one to a string that the caller frees. */
void write_file(const char* path, const char* text);
char* read_file(const char* path);

/* The suites. */
void test_tables(const char* device);
void test_errors(void);
void test_arrow(const char* device);
void test_streams(const char* device);
void test_devices(const char* device);
void test_dlpack(const char* device);
void test_forks(const char* device);
void test_expressions(void);
void test_frames(const char* device);
void test_files(void);

#endif
