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
  options.empty_fields = 2;
  FAILS(EINVAL, columnade_read_csv(path_of("o.csv"), &options, &read));
  HAS(columnade_last_error(), "options.empty_fields is 2");
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

/* Empty strings and nulls, and text that is compressed whatever it is called. */
static void text_options(void) {
  ColumnadeCsvReadOptions options = COLUMNADE_CSV_READ_OPTIONS_INIT;
  ColumnadeCsvWriteOptions written = COLUMNADE_CSV_WRITE_OPTIONS_INIT;
  ColumnadeJsonReadOptions lines = COLUMNADE_JSON_READ_OPTIONS_INIT;
  ColumnadeJsonWriteOptions made = COLUMNADE_JSON_WRITE_OPTIONS_INIT;
  ColumnadeTable* table = NULL;
  ColumnadeTable* read = NULL;
  char* text = NULL;
  write_file(path_of("e.csv"), "n,t\n1,\"\"\n2,\n3,x\n");
  OK(columnade_read_csv(path_of("e.csv"), NULL, &table));
  CSV(table, "n,t\n1,\n2,NULL\n3,x\n");
  OK(columnade_table_write_csv(table, path_of("e.csv"), NULL));
  text = read_file(path_of("e.csv"));
  CHECK(strcmp(text, "n,t\n1,\"\"\n2,\n3,x\n") == 0);
  free(text);
  written.unquoted_empty = 1;
  OK(columnade_table_write_csv(table, path_of("e.csv"), &written));
  text = read_file(path_of("e.csv"));
  CHECK(strcmp(text, "n,t\n1,\n2,\n3,x\n") == 0);
  free(text);
  options.empty_fields = COLUMNADE_EMPTY_FIELDS_TEXT;
  OK(columnade_read_csv(path_of("e.csv"), &options, &read));
  CSV(read, "n,t\n1,\n2,\n3,x\n");
  columnade_table_destroy(read);
  options.empty_fields = COLUMNADE_EMPTY_FIELDS_NULL;
  written.unquoted_empty = 0;
  for (written.compression = 1; written.compression <= COLUMNADE_TEXT_ZSTD; written.compression++) {
    OK(columnade_table_write_csv(table, path_of("e.2026"), &written));
    options.compression = written.compression;
    OK(columnade_read_csv(path_of("e.2026"), &options, &read));
    CHECK(same(read, table));
    columnade_table_destroy(read);
    made.compression = written.compression;
    OK(columnade_table_write_json(table, path_of("e.2026"), &made));
    lines.compression = written.compression;
    OK(columnade_read_json(path_of("e.2026"), &lines, &read));
    CHECK(same(read, table));
    columnade_table_destroy(read);
  }
  FAILS(EINVAL, columnade_table_write_csv(table, path_of("e.2026"), &written));
  HAS(columnade_last_error(), "options.compression is 4");
  columnade_table_destroy(table);
}

/* The tables of a scan, which it destroys: the number of rows of each, and of all. */
static int64_t scanned(ColumnadeScan* scan, int64_t most) {
  int64_t rows = 0;
  ColumnadeTable* table = NULL;
  for (;;) {
    OK(columnade_scan_next(scan, &table));
    if (table == NULL) break;
    CHECK(rows_of(table) > 0 && rows_of(table) <= most);
    rows += rows_of(table);
    columnade_table_destroy(table);
  }
  OK(columnade_scan_next(scan, &table));
  CHECK(table == NULL);
  columnade_scan_destroy(scan);
  return rows;
}

static void scans(const ColumnadeTable* table) {
  static const char* const columns[] = {"n"};
  ColumnadeParquetReadOptions parquet_options = COLUMNADE_PARQUET_READ_OPTIONS_INIT;
  ColumnadeCsvReadOptions csv_options = COLUMNADE_CSV_READ_OPTIONS_INIT;
  ColumnadeReadOptions ipc_options = COLUMNADE_READ_OPTIONS_INIT;
  ColumnadeScan* scan = NULL;
  ColumnadeTable* read = NULL;
  ColumnadeExpr* filter = parsed("n > 2");
  int64_t skipped = -1;
  OK(columnade_table_write_parquet(table, path_of("s.parquet"), NULL));
  OK(columnade_table_write_csv(table, path_of("s.csv"), NULL));
  OK(columnade_table_write_json(table, path_of("s.jsonl"), NULL));
  OK(columnade_table_write_ipc(table, path_of("s.arrow"), NULL));
  OK(columnade_scan_parquet(path_of("s.parquet"), NULL, 2, &scan));
  CHECK(scanned(scan, 2) == 3);
  parquet_options.filter = filter;
  parquet_options.columns = columns;
  parquet_options.column_count = 1;
  OK(columnade_scan_parquet(path_of("s.parquet"), &parquet_options, 0, &scan));
  columnade_expr_destroy(filter);
  OK(columnade_scan_next(scan, &read));
  CSV(read, "n\n3\n");
  columnade_scan_destroy(scan);
  columnade_table_destroy(read);
  OK(columnade_scan_csv(path_of("s.csv"), NULL, 1, &scan));
  CHECK(scanned(scan, 1) == 3);
  OK(columnade_scan_json(path_of("s.jsonl"), NULL, 0, &scan));
  CHECK(scanned(scan, 3) == 3);
  ipc_options.memory_map = 1;
  OK(columnade_scan_ipc(path_of("s.arrow"), &ipc_options, 2, &scan));
  CHECK(scanned(scan, 2) == 3);

  write_file(path_of("skip.csv"), "n\n1\n2,3\n4\n");
  csv_options.bad_rows = COLUMNADE_BAD_ROWS_SKIP;
  OK(columnade_scan_csv(path_of("skip.csv"), &csv_options, 0, &scan));
  OK(columnade_scan_next(scan, &read));
  CSV(read, "n\n1\n4\n");
  columnade_table_destroy(read);
  OK(columnade_scan_next(scan, &read));
  OK(columnade_scan_skipped_rows(scan, &skipped));
  CHECK(read == NULL && skipped == 1);
  columnade_scan_destroy(scan);
  csv_options.skipped_rows = &skipped;
  FAILS(EINVAL, columnade_scan_csv(path_of("skip.csv"), &csv_options, 0, &scan));
  HAS(columnade_last_error(), "options.skipped_rows");
  csv_options.skipped_rows = NULL;
  csv_options.bad_rows = COLUMNADE_BAD_ROWS_ERROR;
  OK(columnade_scan_csv(path_of("skip.csv"), &csv_options, 0, &scan));
  FAILS(EINVAL, columnade_scan_next(scan, &read));
  HAS(columnade_last_error(), "line 3");
  OK(columnade_scan_next(scan, &read));
  CHECK(read == NULL);
  columnade_scan_destroy(scan);
  FAILS(EIO, columnade_scan_parquet(path_of("none.parquet"), NULL, 0, &scan));
  FAILS(EINVAL, columnade_scan_csv(path_of("s.csv"), NULL, -1, &scan));
  FAILS(EINVAL, columnade_scan_next(NULL, &read));
  columnade_scan_destroy(NULL);
}

/* Members that came later. */
static void layouts(const ColumnadeTable* table) {
  static const char* const columns[] = {"n"};
  ColumnadeParquetWriteOptions parquet_options = COLUMNADE_PARQUET_WRITE_OPTIONS_INIT;
  ColumnadeParquetReadOptions units = COLUMNADE_PARQUET_READ_OPTIONS_INIT;
  ColumnadeIpcWriteOptions ipc_options = COLUMNADE_IPC_WRITE_OPTIONS_INIT;
  ColumnadeReadOptions mapped = COLUMNADE_READ_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  char* text = NULL;
  parquet_options.bloom_filters = columns;
  parquet_options.bloom_filter_count = 1;
  parquet_options.plain_columns = columns;
  parquet_options.plain_column_count = 1;
  parquet_options.page_rows = 1;
  OK(columnade_table_write_parquet(table, path_of("l.parquet"), &parquet_options));
  OK(columnade_read_parquet(path_of("l.parquet"), NULL, &read));
  CHECK(same(read, table));
  columnade_table_destroy(read);
  parquet_options.page_rows = -1;
  FAILS(EINVAL, columnade_table_write_parquet(table, path_of("l.parquet"), &parquet_options));
  HAS(columnade_last_error(), "options.page_rows is -1");
  for (units.int96_unit = 0; units.int96_unit <= COLUMNADE_INT96_SECONDS; units.int96_unit++) {
    OK(columnade_read_parquet(path_of("l.parquet"), &units, &read));
    columnade_table_destroy(read);
  }
  FAILS(EINVAL, columnade_read_parquet(path_of("l.parquet"), &units, &read));
  HAS(columnade_last_error(), "options.int96_unit is 4");
  ipc_options.format = COLUMNADE_IPC_STREAM;
  OK(columnade_table_write_ipc(table, path_of("l.arrows"), &ipc_options));
  text = read_file(path_of("l.arrows"));
  CHECK(strncmp(text, "ARROW1", 6) != 0);
  free(text);
  OK(columnade_read_ipc(path_of("l.arrows"), NULL, &read));
  CHECK(same(read, table));
  columnade_table_destroy(read);
  ipc_options.format = COLUMNADE_IPC_FILE;
  OK(columnade_table_write_ipc(table, path_of("l.arrow"), &ipc_options));
  mapped.memory_map = 1;
  OK(columnade_read_ipc(path_of("l.arrow"), &mapped, &read));
  CHECK(same(read, table));
  columnade_table_destroy(read);
  mapped.memory_map = 2;
  FAILS(EINVAL, columnade_read_ipc(path_of("l.arrow"), &mapped, &read));
}

/* Encodings, rows that lack fields, and names that a header has twice. */
static void odd_csv(void) {
  ColumnadeCsvReadOptions options = COLUMNADE_CSV_READ_OPTIONS_INIT;
  ColumnadeTable* read = NULL;
  write_file(path_of("odd.csv"), "t,t,n\ncaf\xe9,1\nx,2,3\n");
  FAILS(EINVAL, columnade_read_csv(path_of("odd.csv"), &options, &read));
  HAS(columnade_last_error(), "the name \"t\" twice");
  options.duplicate_names = COLUMNADE_DUPLICATE_NAMES_POINT;
  FAILS(EINVAL, columnade_read_csv(path_of("odd.csv"), &options, &read));
  HAS(columnade_last_error(), "line 2: 2 fields where 3 are expected");
  options.short_rows = COLUMNADE_SHORT_ROWS_PAD;
  FAILS(EINVAL, columnade_read_csv(path_of("odd.csv"), &options, &read));
  HAS(columnade_last_error(), "field 1 is not UTF-8");
  options.encoding_errors = COLUMNADE_ENCODING_ERRORS_IGNORE;
  OK(columnade_read_csv(path_of("odd.csv"), &options, &read));
  CSV(read, "t,t.1,n\ncaf,1,NULL\nx,2,3\n");
  columnade_table_destroy(read);
  options.duplicate_names = COLUMNADE_DUPLICATE_NAMES_DUPLICATED;
  options.encoding = "latin1";
  OK(columnade_read_csv(path_of("odd.csv"), &options, &read));
  CSV(read, "t,t_duplicated_0,n\ncaf\xc3\xa9,1,NULL\nx,2,3\n");
  columnade_table_destroy(read);
  options.encoding = "utf-9";
  FAILS(EINVAL, columnade_read_csv(path_of("odd.csv"), &options, &read));
  HAS(columnade_last_error(), "there is no encoding \"utf-9\"");
  options.encoding = NULL;
  options.encoding_errors = 3;
  FAILS(EINVAL, columnade_read_csv(path_of("odd.csv"), &options, &read));
  HAS(columnade_last_error(), "options.encoding_errors is 3");
  options.encoding_errors = 0;
  options.reserved = 1;
  FAILS(EINVAL, columnade_read_csv(path_of("odd.csv"), &options, &read));
  HAS(columnade_last_error(), "options.reserved");
}

/* The last call of a read, and how many there were. */
typedef struct Told {
  int64_t calls, done, bytes;
} Told;

static void tell(void* context, int64_t done, int64_t bytes) {
  Told* told = (Told*)context;
  told->calls++;
  told->done = done;
  told->bytes = bytes;
}

static void progress(const ColumnadeTable* table) {
  ColumnadeParquetReadOptions parquet_options = COLUMNADE_PARQUET_READ_OPTIONS_INIT;
  ColumnadeCsvReadOptions csv_options = COLUMNADE_CSV_READ_OPTIONS_INIT;
  ColumnadeJsonReadOptions json_options = COLUMNADE_JSON_READ_OPTIONS_INIT;
  ColumnadeReadOptions ipc_options = COLUMNADE_READ_OPTIONS_INIT;
  ColumnadeScan* scan = NULL;
  ColumnadeTable* read = NULL;
  Told told[5] = {{0, 0, 0}};
  size_t at = 0;
  parquet_options.progress = csv_options.progress = json_options.progress = ipc_options.progress = tell;
  parquet_options.progress_context = &told[0];
  csv_options.progress_context = &told[1];
  json_options.progress_context = &told[2];
  ipc_options.progress_context = &told[3];
  OK(columnade_table_write_parquet(table, path_of("p.parquet"), NULL));
  OK(columnade_read_parquet(path_of("p.parquet"), &parquet_options, &read));
  columnade_table_destroy(read);
  OK(columnade_table_write_csv(table, path_of("p.csv"), NULL));
  OK(columnade_read_csv(path_of("p.csv"), &csv_options, &read));
  columnade_table_destroy(read);
  OK(columnade_table_write_json(table, path_of("p.jsonl"), NULL));
  OK(columnade_read_json(path_of("p.jsonl"), &json_options, &read));
  columnade_table_destroy(read);
  OK(columnade_table_write_ipc(table, path_of("p.arrow"), NULL));
  OK(columnade_read_ipc(path_of("p.arrow"), &ipc_options, &read));
  columnade_table_destroy(read);
  csv_options.progress_context = &told[4];
  OK(columnade_scan_csv(path_of("p.csv"), &csv_options, 0, &scan));
  CHECK(scanned(scan, 3) == 3);
  for (at = 0; at < 5; at++) {
    CHECK(told[at].calls > 0 && told[at].bytes > 0 && told[at].done == told[at].bytes);
  }
}

/* Two tables in one file, which is not there before it is finished, nor if it never is. */
static void writers(const ColumnadeTable* table) {
  static const char* const names[] = {"w.parquet", "w.csv", "w.jsonl", "w.arrow"};
  ColumnadeParquetWriteOptions options = COLUMNADE_PARQUET_WRITE_OPTIONS_INIT;
  ColumnadeTable* other = table_of_csv("n\n1\n");
  ColumnadeTable* read = NULL;
  ColumnadeWriter* writer = NULL;
  FILE* file = NULL;
  int format = 0, is_finished = 0;
  for (format = 0; format < 4; format++) {
    const char* path = path_of(names[format]);
    remove(path);
    for (is_finished = 0; is_finished < 2; is_finished++) {
      if (format == 0) OK(columnade_writer_open_parquet(path, NULL, &writer));
      if (format == 1) OK(columnade_writer_open_csv(path, NULL, &writer));
      if (format == 2) OK(columnade_writer_open_json(path, NULL, &writer));
      if (format == 3) OK(columnade_writer_open_ipc(path, NULL, &writer));
      OK(columnade_writer_append(writer, table));
      CHECK(columnade_writer_append(writer, other) != 0);
      HAS(columnade_last_error(), names[format]);
      OK(columnade_writer_append(writer, table));
      file = fopen(path, "rb");
      CHECK(file == NULL);
      if (is_finished) {
        OK(columnade_writer_finish(writer));
        FAILS(EINVAL, columnade_writer_finish(writer));
        HAS(columnade_last_error(), "writer is finished");
        FAILS(EINVAL, columnade_writer_append(writer, table));
      }
      columnade_writer_destroy(writer);
      file = fopen(path, "rb");
      CHECK((file != NULL) == is_finished);
      if (file != NULL) fclose(file);
    }
    if (format == 0) OK(columnade_read_parquet(path, NULL, &read));
    if (format == 1) OK(columnade_read_csv(path, NULL, &read));
    if (format == 2) OK(columnade_read_json(path, NULL, &read));
    if (format == 3) OK(columnade_read_ipc(path, NULL, &read));
    CHECK(rows_of(read) == 6);
    columnade_table_destroy(read);
  }
  options.compression = 6;
  FAILS(EINVAL, columnade_writer_open_parquet(path_of("w.parquet"), &options, &writer));
  FAILS(EIO, columnade_writer_open_csv(path_of("nowhere/w.csv"), NULL, &writer));
  FAILS(EINVAL, columnade_writer_append(NULL, table));
  columnade_writer_destroy(NULL);
  columnade_table_destroy(other);
}

void test_files(void) {
  ColumnadeTable* table = table_of_csv(WRITTEN);
  parquet(table);
  datasets(table);
  csv(table);
  json(table);
  json_documents(table);
  ipc(table);
  text_options();
  scans(table);
  layouts(table);
  odd_csv();
  progress(table);
  writers(table);
  columnade_table_destroy(table);
}
