/* Files: what is written is read again, and what is refused. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static const char WRITTEN[] =
    "n,t,x,day\n"
    "1,a,0.5,2024-02-29\n"
    ",\xc3\xa9t\xc3\xa9,-1.25,1969-12-31\n"
    "3,,1e300,\n";

static void parquet(const ColumnadeTable* table) {
  static const char* const columns[] = {"x", "n"};
  static const char* const dictionary[] = {"t"};
  ColumnadeParquetWriteOptions options = COLUMNADE_PARQUET_WRITE_OPTIONS_INIT;
  ColumnadeParquetReadOptions chosen = COLUMNADE_PARQUET_READ_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  ColumnadeExpr* filter = parsed("n > 2");
  const char* others[1];
  char second[128];
  char* text = NULL;
  for (options.compression = 0; options.compression <= COLUMNADE_PARQUET_BROTLI; options.compression++) {
    options.row_group_rows = options.compression;
    OK(columnade_table_write_parquet(table, path_of("t.parquet"), &options));
    OK(columnade_read_parquet(path_of("t.parquet"), NULL, &read));
    CHECK(same(read, table));
    columnade_table_destroy(read);
  }
  FAILS(EINVAL, columnade_table_write_parquet(table, path_of("t.parquet"), &options));
  HAS(columnade_last_error(), "options.compression is 6");
  strcpy(second, path_of("second.parquet"));
  OK(columnade_table_write_parquet(table, second, NULL));
  others[0] = second;
  chosen.paths = others;
  chosen.path_count = 1;
  chosen.columns = columns;
  chosen.column_count = 2;
  OK(columnade_read_parquet(path_of("t.parquet"), &chosen, &read));
  CHECK(rows_of(read) == 6);
  OK(columnade_table_schema(read, &text));
  TEXT(text, "x: float64\nn: int64");
  columnade_table_destroy(read);
  chosen.path_count = 0;
  chosen.columns = NULL;
  chosen.column_count = 0;
  chosen.dictionary = dictionary;
  chosen.dictionary_count = 1;
  chosen.filter = filter;
  OK(columnade_read_parquet(path_of("t.parquet"), &chosen, &read));
  OK(columnade_table_schema(read, &text));
  HAS(text, "t: dictionary");
  columnade_string_free(text);
  CSV(read, "n,t,x,day\n3,NULL,1e300,NULL\n");
  columnade_table_destroy(read);
  write_file(path_of("broken.parquet"), "PAR1 is not all of it PAR1");
  FAILS(EIO, columnade_read_parquet(path_of("broken.parquet"), NULL, &read));
  HAS(columnade_last_error(), "broken.parquet");
  FAILS(EIO, columnade_read_parquet(path_of("none.parquet"), NULL, &read));
  HAS(columnade_last_error(), "none.parquet");
  columnade_expr_destroy(filter);
}

static void datasets(const ColumnadeTable* table) {
  static const char* const by[] = {"t"};
  static const char* const missing[] = {"u"};
  ColumnadeParquetReadOptions options = COLUMNADE_PARQUET_READ_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  static int made = 0;
  char name[32], folder[128];
  snprintf(name, sizeof name, "dataset-%d", made++);
  strcpy(folder, path_of(name));
  OK(columnade_table_write_dataset(table, folder, by, 1, NULL));
  OK(columnade_read_parquet(folder, NULL, &read));
  /* In the order of the folders, whose names begin with t=%, t=_ and t=a. */
  CSV(read, "n,x,day,t\nNULL,-1.25,1969-12-31,\xc3\xa9t\xc3\xa9\n3,1e300,NULL,NULL\n1,0.5,2024-02-29,a\n");
  columnade_table_destroy(read);
  options.row_offset = 1;
  OK(columnade_read_parquet(folder, &options, &read));
  CSV(read, "n,x,day,t\n3,1e300,NULL,NULL\n1,0.5,2024-02-29,a\n");
  columnade_table_destroy(read);
  options.row_count = 1;
  OK(columnade_read_parquet(folder, &options, &read));
  CSV(read, "n,x,day,t\n3,1e300,NULL,NULL\n");
  columnade_table_destroy(read);
  options.row_offset = 0;
  OK(columnade_read_parquet(folder, &options, &read));
  CSV(read, "n,x,day,t\nNULL,-1.25,1969-12-31,\xc3\xa9t\xc3\xa9\n");
  columnade_table_destroy(read);
  options.partitions = COLUMNADE_PARTITIONS_NONE;
  FAILS(EIO, columnade_read_parquet(folder, &options, &read));
  HAS(columnade_last_error(), "the folder holds no .parquet file");
  options.partitions = COLUMNADE_PARTITIONS_HIVE;
  options.row_count = -1;
  FAILS(EINVAL, columnade_read_parquet(folder, &options, &read));
  HAS(columnade_last_error(), "options.row_count is -1");
  /* The folder is not empty. */
  CHECK(columnade_table_write_dataset(table, folder, by, 1, NULL) != 0);
  HAS(columnade_last_error(), name);
  FAILS(ENOENT, columnade_table_write_dataset(table, path_of("other"), missing, 1, NULL));
}

static void csv(const ColumnadeTable* table) {
  static const char* const names[] = {"a", "b", "c"};
  static const char* const kept[] = {"c", "a"};
  static const char* const typed[] = {"a"};
  static const char* const dtypes[] = {"int16"};
  static const char* const wrong[] = {"int17"};
  static const char* const nulls[] = {"-"};
  ColumnadeCsvReadOptions options = COLUMNADE_CSV_READ_OPTIONS_INIT;
  ColumnadeCsvWriteOptions written = COLUMNADE_CSV_WRITE_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  int64_t skipped = -1;
  char* text;
  written.delimiter = ';';
  written.header = COLUMNADE_HEADER_NO;
  OK(columnade_table_write_csv(table, path_of("t.csv"), &written));
  text = read_file(path_of("t.csv"));
  HAS(text, "1;a;0.5;2024-02-29\n");
  free(text);
  written.reserved[1] = 1;
  FAILS(EINVAL, columnade_table_write_csv(table, path_of("t.csv"), &written));

  write_file(path_of("o.csv"), "a comment\n1;'x;y';-\n2;'it\\'s';4\nthree;z;5\n");
  options.names = names;
  options.name_count = 3;
  options.columns = kept;
  options.column_count = 2;
  options.dtype_columns = typed;
  options.dtypes = dtypes;
  options.dtype_count = 1;
  options.null_values = nulls;
  options.null_value_count = 1;
  options.skip_rows = 1;
  options.header = COLUMNADE_HEADER_NO;
  options.delimiter = ';';
  options.quote = '\'';
  options.escape = '\\';
  FAILS(EINVAL, columnade_read_csv(path_of("o.csv"), &options, &read));
  HAS(columnade_last_error(), "o.csv");
  HAS(columnade_last_error(), "line 4");
  HAS(columnade_last_error(), "\"a\"");
  options.bad_rows = COLUMNADE_BAD_ROWS_SKIP;
  options.skipped_rows = &skipped;
  OK(columnade_read_csv(path_of("o.csv"), &options, &read));
  CHECK(skipped == 1);
  OK(columnade_table_schema(read, &text));
  TEXT(text, "c: int64\na: int16");
  CSV(read, "c,a\nNULL,1\n4,2\n");
  columnade_table_destroy(read);
  options.limit = 1;
  OK(columnade_read_csv(path_of("o.csv"), &options, &read));
  CHECK(rows_of(read) == 1);
  columnade_table_destroy(read);
  options.dtypes = wrong;
  FAILS(EINVAL, columnade_read_csv(path_of("o.csv"), &options, &read));
  HAS(columnade_last_error(), "int17");
  options.dtypes = NULL;
  FAILS(EINVAL, columnade_read_csv(path_of("o.csv"), &options, &read));
  HAS(columnade_last_error(), "options.dtypes is null");
  options.dtypes = dtypes;
  options.limit = -1;
  FAILS(EINVAL, columnade_read_csv(path_of("o.csv"), &options, &read));
  HAS(columnade_last_error(), "options.limit is -1");
  options.limit = 0;
  options.reserved = 1;
  FAILS(EINVAL, columnade_read_csv(path_of("o.csv"), &options, &read));
  FAILS(EINVAL, columnade_read_csv(NULL, NULL, &read));
}

static void json(const ColumnadeTable* table) {
  static const char* const dtyped[] = {"n"};
  static const char* const dtypes[] = {"float32"};
  ColumnadeJsonReadOptions options = COLUMNADE_JSON_READ_OPTIONS_INIT;
  ColumnadeJsonWriteOptions written = COLUMNADE_JSON_WRITE_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  int64_t skipped = -1;
  char* text = NULL;
  written.skip_nulls = 1;
  OK(columnade_table_write_json(table, path_of("t.jsonl"), &written));
  text = read_file(path_of("t.jsonl"));
  HAS(text, "{\"n\":1,\"t\":\"a\",\"x\":0.5");
  free(text);
  options.dtype_columns = dtyped;
  options.dtypes = dtypes;
  options.dtype_count = 1;
  OK(columnade_read_json(path_of("t.jsonl"), &options, &read));
  OK(columnade_table_schema(read, &text));
  HAS(text, "n: float32\nt: utf8\nx: float64");
  columnade_string_free(text);
  CHECK(rows_of(read) == 3);
  columnade_table_destroy(read);
  write_file(path_of("bad.jsonl"), "{\"n\": 1}\n{\"n\": }\n");
  FAILS(EINVAL, columnade_read_json(path_of("bad.jsonl"), NULL, &read));
  HAS(columnade_last_error(), "line 2");
  options.bad_rows = COLUMNADE_BAD_ROWS_SKIP;
  options.skipped_rows = &skipped;
  OK(columnade_read_json(path_of("bad.jsonl"), &options, &read));
  CHECK(rows_of(read) == 1 && skipped == 1);
  columnade_table_destroy(read);
  OK(columnade_read_json(path_of("t.jsonl"), &options, &read));
  CHECK(rows_of(read) == 3 && skipped == 0);
  columnade_table_destroy(read);
}

static void json_documents(const ColumnadeTable* table) {
  static const int32_t layouts[] = {COLUMNADE_JSON_RECORDS, COLUMNADE_JSON_INDEX, COLUMNADE_JSON_COLUMNS,
                                    COLUMNADE_JSON_SPLIT};
  ColumnadeJsonReadOptions options = COLUMNADE_JSON_READ_OPTIONS_INIT;
  ColumnadeJsonWriteOptions written = COLUMNADE_JSON_WRITE_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  char* text = NULL;
  size_t at = 0;
  for (at = 0; at < sizeof(layouts) / sizeof(layouts[0]); at++) {
    written.layout = layouts[at];
    OK(columnade_table_write_json(table, path_of("d.json"), &written));
    options.layout = layouts[at] == COLUMNADE_JSON_RECORDS ? COLUMNADE_JSON_AUTO : layouts[at];
    OK(columnade_read_json(path_of("d.json"), &options, &read));
    OK(columnade_table_schema(read, &text));
    HAS(text, "n: int64\nt: utf8\nx: float64");
    columnade_string_free(text);
    CHECK(rows_of(read) == 3);
    columnade_table_destroy(read);
  }
  write_file(path_of("bad.json"), "[{\"n\": 1},\n {\"n\": }]\n");
  FAILS(EINVAL, columnade_read_json(path_of("bad.json"), NULL, &read));
  HAS(columnade_last_error(), "row 2 of the document, line 2");
  options.layout = 6;
  FAILS(EINVAL, columnade_read_json(path_of("d.json"), &options, &read));
}

static void ipc(const ColumnadeTable* table) {
  static const char* const columns[] = {"day"};
  ColumnadeReadOptions options = COLUMNADE_READ_OPTIONS_INIT;
  ColumnadeIpcWriteOptions written = COLUMNADE_IPC_WRITE_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  for (written.compression = 0; written.compression <= COLUMNADE_IPC_ZSTD; written.compression++) {
    written.batch_rows = written.compression;
    OK(columnade_table_write_ipc(table, path_of("t.arrow"), &written));
    OK(columnade_read_ipc(path_of("t.arrow"), NULL, &read));
    CHECK(same(read, table));
    columnade_table_destroy(read);
  }
  FAILS(EINVAL, columnade_table_write_ipc(table, path_of("t.arrow"), &written));
  options.columns = columns;
  options.column_count = 1;
  OK(columnade_read_ipc(path_of("t.arrow"), &options, &read));
  CSV(read, "day\n2024-02-29\n1969-12-31\nNULL\n");
  columnade_table_destroy(read);
  FAILS(EIO, columnade_table_write_ipc(table, path_of("nowhere/t.arrow"), NULL));
  HAS(columnade_last_error(), "nowhere");
}

void test_files(void) {
  ColumnadeTable* table = table_of_csv(WRITTEN);
  parquet(table);
  datasets(table);
  csv(table);
  json(table);
  json_documents(table);
  ipc(table);
  columnade_table_destroy(table);
}
