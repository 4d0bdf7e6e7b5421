/* Streams in and out. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "producer.h"

static void import(void) {
  struct ArrowArrayStream stream;
  ColumnadeTable* table = NULL;
  ColumnadeColumn* column = NULL;
  char* text = NULL;
  int64_t nulls = 0;
  produce_stream(4, -1, 10, &stream);
  OK(columnade_table_import_stream(&stream, NULL, &table));
  CHECK(stream.release == NULL);
  CHECK(rows_of(table) == 40);
  OK(columnade_table_schema(table, &text));
  TEXT(text, "n: int64\nt: utf8");
  OK(columnade_table_column(table, "n", &column));
  OK(columnade_column_null_count(column, &nulls));
  /* Array i has its nulls where (i + row) % 3 is 2. */
  CHECK(nulls == 3 + 3 + 4 + 3);
  columnade_column_destroy(column);
  columnade_table_destroy(table);
  CHECK(held() == 0);

  /* Without arrays there is the schema still. */
  produce_stream(0, -1, 10, &stream);
  OK(columnade_table_import_stream(&stream, NULL, &table));
  CHECK(rows_of(table) == 0);
  OK(columnade_table_schema(table, &text));
  TEXT(text, "n: int64\nt: utf8");
  columnade_table_destroy(table);
  CHECK(held() == 0);
}

/* The arrays as one column, of structs here; without arrays it has no rows. */
static void import_column(void) {
  struct ArrowArrayStream stream;
  ColumnadeColumn* column = NULL;
  char* text = NULL;
  int64_t rows = 0;
  int arrays;
  for (arrays = 4; arrays >= 0; arrays -= 4) {
    produce_stream(arrays, -1, 10, &stream);
    OK(columnade_column_import_stream(&stream, NULL, &column));
    CHECK(stream.release == NULL);
    OK(columnade_column_row_count(column, &rows));
    CHECK(rows == arrays * 10);
    OK(columnade_column_dtype(column, &text));
    HAS(text, "struct");
    columnade_string_free(text);
    columnade_column_destroy(column);
    CHECK(held() == 0);
  }
  produce_stream(4, 2, 10, &stream);
  FAILS(EIO, columnade_column_import_stream(&stream, NULL, &column));
  CHECK(stream.release == NULL && held() == 0);
}

static void producer_fails(void) {
  struct ArrowArrayStream stream;
  ColumnadeTable* table = NULL;
  produce_stream(4, 2, 10, &stream);
  FAILS(EIO, columnade_table_import_stream(&stream, NULL, &table));
  HAS(columnade_last_error(), "the tape is at its end");
  CHECK(stream.release == NULL && !table);
  CHECK(held() == 0);
  /* A stream that is gone. */
  FAILS(EINVAL, columnade_table_import_stream(&stream, NULL, &table));
}

static void export(void) {
  struct ArrowSchema schema;
  struct ArrowArray array, arrays[4];
  struct ArrowArrayStream stream;
  ColumnadeTable *table = NULL, *back = NULL, *parts[4];
  int at, count = 0;
  produce_table(0, 10, 1, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  OK(columnade_table_export_stream(table, 3, NULL, &stream));
  OK(stream.get_schema(&stream, &schema));
  for (;;) {
    OK(stream.get_next(&stream, &array));
    if (!array.release) break;
    CHECK(count < 4);
    if (count == 4) break;
    CHECK(array.length == (count == 3 ? 1 : 3));
    arrays[count++] = array;
  }
  CHECK(count == 4);
  /* After the last one there is still none. */
  OK(stream.get_next(&stream, &array));
  CHECK(array.release == NULL);
  stream.release(&stream);
  CHECK(stream.release == NULL);
  for (at = 0; at < count; at++) {
    OK(columnade_table_import(&schema, &arrays[at], NULL, &parts[at]));
  }
  schema.release(&schema);
  OK(columnade_table_concat((const ColumnadeTable* const*)parts, count, &back));
  CHECK(same(back, table));
  for (at = 0; at < count; at++) columnade_table_destroy(parts[at]);
  columnade_table_destroy(back);

  /* The whole as one array, and a stream that is released in its middle after its table is gone. */
  OK(columnade_table_export_stream(table, INT64_MAX, NULL, &stream));
  OK(columnade_table_import_stream(&stream, NULL, &back));
  CHECK(stream.release == NULL && same(back, table));
  columnade_table_destroy(back);
  OK(columnade_table_export_stream(table, 1, NULL, &stream));
  columnade_table_destroy(table);
  OK(stream.get_next(&stream, &array));
  CHECK(array.length == 1);
  stream.release(&stream);
  array.release(&array);
  CHECK(held() == 0);
}

/* Chunks of a column, which are arrays of its type. */
static void export_column(void) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  struct ArrowArrayStream stream;
  ColumnadeTable* table = NULL;
  ColumnadeColumn *column = NULL, *back = NULL;
  int count, equal = 0;
  char* name = NULL;
  produce_table(0, 10, 1, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  OK(columnade_table_column(table, "t", &column));
  columnade_table_destroy(table);
  OK(columnade_column_export_stream(column, 4, NULL, &stream));
  OK(stream.get_schema(&stream, &schema));
  CHECK(strcmp(schema.format, "u") == 0 && strcmp(schema.name, "t") == 0 && schema.n_children == 0);
  schema.release(&schema);
  for (count = 0; count < 4; count++) {
    OK(stream.get_next(&stream, &array));
    if (!array.release) break;
    CHECK(array.length == (count == 2 ? 2 : 4) && array.n_buffers == 3);
    array.release(&array);
  }
  CHECK(count == 3);
  stream.release(&stream);
  OK(columnade_column_export_stream(column, 3, NULL, &stream));
  OK(columnade_column_import_stream(&stream, NULL, &back));
  CHECK(stream.release == NULL);
  OK(columnade_column_equals(column, back, &equal, NULL));
  OK(columnade_column_name(back, &name));
  TEXT(name, "t");
  CHECK(equal == 1);
  columnade_column_destroy(back);
  /* Of no rows there is one array; no struct of the column is one of a table. */
  OK(columnade_column_slice(column, 3, 0, &back));
  OK(columnade_column_export_stream(back, 3, NULL, &stream));
  FAILS(EINVAL, columnade_table_import_stream(&stream, NULL, &table));
  OK(stream.get_next(&stream, &array));
  CHECK(array.release != NULL && array.length == 0);
  array.release(&array);
  OK(stream.get_next(&stream, &array));
  CHECK(array.release == NULL);
  stream.release(&stream);
  columnade_column_destroy(back);
  columnade_column_destroy(column);
  CHECK(held() == 0);
}

void test_streams(const char* device) {
  (void)device;
  import();
  import_column();
  producer_fails();
  export();
  export_column();
}
