/* Arrays in and out. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "producer.h"

/* The columns of an exported table are what `produce_table` made with the same numbers. */
static void check_rows(const struct ArrowArray* array, int64_t first, int64_t length, int64_t offset) {
  const struct ArrowArray *numbers = array->children[0], *texts = array->children[1];
  const int64_t* values = (const int64_t*)numbers->buffers[1];
  const int32_t* ends = (const int32_t*)texts->buffers[1];
  const char* bytes = (const char*)texts->buffers[2];
  int64_t row, nulls = 0;
  CHECK(array->length == length && array->offset == 0 && array->null_count == 0);
  CHECK(array->n_children == 2 && array->n_buffers == 1 && !array->buffers[0]);
  CHECK(numbers->length == length && numbers->n_buffers == 2);
  CHECK(texts->length == length && texts->n_buffers == 3 && texts->null_count == 0 && !texts->buffers[0]);
  for (row = 0; row < length; row++) {
    int64_t at = numbers->offset + row, text = texts->offset + row;
    int valid = (offset + row) % 3 != 2;
    nulls += !valid;
    CHECK(bit(numbers->buffers[0], at) == valid);
    CHECK(!valid || values[at] == first + row);
    CHECK(ends[text + 1] - ends[text] == (offset + row) % 4);
    CHECK(memcmp(bytes + ends[text], "abc", (size_t)((offset + row) % 4)) == 0);
  }
  CHECK(numbers->null_count == nulls);
  CHECK((numbers->buffers[0] != NULL) == (nulls > 0));
}

/* In, out, and the values looked at, cut at every remainder of a byte and a word. */
static void there_and_back(void) {
  static const int64_t lengths[] = {0, 1, 7, 8, 31, 33, 64, 100};
  static const int64_t offsets[] = {0, 1, 5, 63};
  size_t l, o;
  for (l = 0; l < sizeof lengths / sizeof *lengths; l++) {
    for (o = 0; o < sizeof offsets / sizeof *offsets; o++) {
      int64_t length = lengths[l], offset = offsets[o];
      struct ArrowSchema schema;
      struct ArrowArray array;
      ColumnadeTable* table = NULL;
      produce_table(1000, length, offset, &schema, &array);
      OK(columnade_table_import(&schema, &array, NULL, &table));
      CHECK(array.release == NULL && schema.release != NULL);
      schema.release(&schema);
      OK(columnade_table_export(table, NULL, &schema, &array));
      columnade_table_destroy(table);
      CHECK(strcmp(schema.format, "+s") == 0 && schema.n_children == 2);
      CHECK(strcmp(schema.children[0]->name, "n") == 0 && strcmp(schema.children[0]->format, "l") == 0);
      CHECK(strcmp(schema.children[1]->name, "t") == 0 && strcmp(schema.children[1]->format, "u") == 0);
      check_rows(&array, 1000, length, offset);
      schema.release(&schema);
      array.release(&array);
      CHECK(schema.release == NULL && array.release == NULL);
      CHECK(held() == 0);
    }
  }
}

/* On the host the producer's memory is what the consumer sees, until both are done with it. */
static void memory_is_shared(void) {
  struct ArrowSchema schema;
  struct ArrowArray array, exported;
  ColumnadeColumn* column = NULL;
  ColumnadeImportOptions options = COLUMNADE_IMPORT_OPTIONS_INIT;
  const void* values;
  produce_numbers("n", 0, 1000, 0, 0, &schema, &array);
  values = array.buffers[1];
  options.copy = COLUMNADE_COPY_NEVER;
  options.validate = COLUMNADE_VALIDATE_FULL;
  OK(columnade_column_import(&schema, &array, &options, &column));
  schema.release(&schema);
  OK(columnade_column_export(column, NULL, &schema, &exported));
  CHECK(strcmp(schema.name, "n") == 0);
  CHECK(exported.buffers[1] == values);
  schema.release(&schema);
  columnade_column_destroy(column);
  CHECK(held() == 1);
  exported.release(&exported);
  CHECK(held() == 0);
}

static void release_elsewhere(void* array) {
  ((struct ArrowArray*)array)->release((struct ArrowArray*)array);
}

/* Trees are taken apart: a child is moved out, its parent released first, and it is released on another thread. */
static void children_move(void) {
  struct ArrowSchema schema, name;
  struct ArrowArray array, child;
  ColumnadeTable* table = NULL;
  ColumnadeColumn* column = NULL;
  int64_t nulls = 0;
  produce_table(0, 50, 1, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  OK(columnade_table_export(table, NULL, &schema, &array));
  columnade_table_destroy(table);

  child = *array.children[0];
  array.children[0]->release = NULL;
  name = *schema.children[0];
  schema.children[0]->release = NULL;
  schema.release(&schema);
  array.release(&array);
  CHECK(((const int64_t*)child.buffers[1])[child.offset + 49] == 49);

  OK(columnade_column_import(&name, &child, NULL, &column));
  name.release(&name);
  OK(columnade_column_null_count(column, &nulls));
  CHECK(nulls == 17);
  OK(columnade_column_export(column, NULL, &schema, &array));
  columnade_column_destroy(column);
  schema.release(&schema);
  on_another_thread(release_elsewhere, &array);
  CHECK(array.release == NULL);
  CHECK(held() == 0);
}

/* Rows that are null as a whole are null in every column. */
static void nulls_of_structs(void) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeTable* table = NULL;
  ColumnadeColumn* column = NULL;
  unsigned char* valid = (unsigned char*)malloc(1);
  ColumnadeImportOptions options = COLUMNADE_IMPORT_OPTIONS_INIT;
  int64_t nulls = 0;
  produce_table(0, 6, 1, &schema, &array);
  if (!valid) abort();
  *valid = 0xf7;
  array.buffers[0] = valid;
  array.null_count = 1;
  options.copy = COLUMNADE_COPY_NEVER;
  FAILS(EINVAL, columnade_table_import(&schema, &array, &options, &table));
  HAS(columnade_last_error(), "sharing is not possible");
  options.copy = COLUMNADE_COPY_ALWAYS;
  OK(columnade_table_import(&schema, &array, &options, &table));
  schema.release(&schema);
  CHECK(held() == 0);
  OK(columnade_table_column(table, "t", &column));
  OK(columnade_column_null_count(column, &nulls));
  CHECK(nulls == 1);
  columnade_column_destroy(column);
  columnade_table_destroy(table);
}

/* Widths that the consumer asks for, of text and of decimals. */
static void layouts(void) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeColumn* column = NULL;
  ColumnadeTable* table = NULL;
  ColumnadeExportOptions options = COLUMNADE_EXPORT_OPTIONS_INIT;
  const int64_t* ends;
  int64_t row;

  produce_table(0, 6, 1, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  options.offsets = COLUMNADE_OFFSETS_64;
  OK(columnade_table_export(table, &options, &schema, &array));
  CHECK(strcmp(schema.children[1]->format, "U") == 0);
  ends = (const int64_t*)array.children[1]->buffers[1] + array.children[1]->offset;
  for (row = 0; row < 6; row++) CHECK(ends[row + 1] - ends[row] == (1 + row) % 4);
  columnade_table_destroy(table);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  options.offsets = COLUMNADE_OFFSETS_32;
  OK(columnade_table_export(table, &options, &schema, &array));
  CHECK(strcmp(schema.children[1]->format, "u") == 0);
  check_rows(&array, 0, 6, 1);
  schema.release(&schema);
  array.release(&array);
  columnade_table_destroy(table);

  produce_numbers("d", -3, 10, 1, 1, &schema, &array);
  schema.format = "d:9,2,64";
  OK(columnade_column_import(&schema, &array, NULL, &column));
  schema.release(&schema);
  OK(columnade_column_export(column, NULL, &schema, &array));
  CHECK(strcmp(schema.format, "d:9,2,64") == 0);
  schema.release(&schema);
  array.release(&array);
  options.decimals = COLUMNADE_DECIMALS_128;
  OK(columnade_column_export(column, &options, &schema, &array));
  CHECK(strcmp(schema.format, "d:9,2") == 0 && array.null_count == 3);
  for (row = 0; row < 10; row++) {
    const int64_t* words = (const int64_t*)array.buffers[1] + 2 * (array.offset + row);
    if (row % 3 != 2) CHECK(words[0] == row - 3 && words[1] == (row < 3 ? -1 : 0));
  }
  schema.release(&schema);
  array.release(&array);
  columnade_column_destroy(column);
  CHECK(held() == 0);
}

static void releases_nothing(struct ArrowArray* array) { array->release = NULL; }

/* Offsets beyond 32 bits, of bytes that nothing here reads. */
static void offsets_that_do_not_fit(void) {
  struct ArrowSchema schema, exported_schema;
  struct ArrowArray array, exported;
  struct ArrowArrayStream stream;
  ColumnadeColumn* column = NULL;
  ColumnadeTable* table = NULL;
  ColumnadeExportOptions options = COLUMNADE_EXPORT_OPTIONS_INIT;
  const int64_t offsets[] = {0, (int64_t)1 << 33};
  const void* buffers[3];

  produce_texts("t", 1, 0, &schema, &exported);
  exported.release(&exported);
  schema.format = "U";
  memset(&array, 0, sizeof array);
  buffers[0] = NULL;
  buffers[1] = offsets;
  buffers[2] = offsets;
  array.length = 1;
  array.n_buffers = 3;
  array.buffers = buffers;
  array.release = releases_nothing;
  OK(columnade_column_import(&schema, &array, NULL, &column));
  schema.release(&schema);
  memset(&exported, 0, sizeof exported);
  options.offsets = COLUMNADE_OFFSETS_32;
  FAILS(EOVERFLOW, columnade_column_export(column, &options, &exported_schema, &exported));
  HAS(columnade_last_error(), "offsets: a value does not fit int32");
  OK(columnade_table_from_columns((const ColumnadeColumn* const*)&column, 1, &table));
  FAILS(EOVERFLOW, columnade_table_export(table, &options, &exported_schema, &exported));
  HAS(columnade_last_error(), "\"t\"");
  CHECK(exported.release == NULL);
  OK(columnade_table_export_stream(table, 1, &options, &stream));
  CHECK(stream.get_next(&stream, &exported) == EOVERFLOW);
  HAS(stream.get_last_error(&stream), "offsets: a value does not fit int32");
  CHECK(exported.release == NULL);
  stream.release(&stream);
  options.offsets = COLUMNADE_OFFSETS_AS_STORED;
  OK(columnade_column_export(column, &options, &exported_schema, &exported));
  CHECK(exported.buffers[1] == offsets);
  exported_schema.release(&exported_schema);
  exported.release(&exported);
  columnade_table_destroy(table);
  columnade_column_destroy(column);
  CHECK(held() == 0);
}

/* Call sites, which statistics of level 2 count, are lines of programs: there are none in C, and those of the library say nothing.
 * On the host and with that level, see `suites_pass`. */
static void reports_name_no_line(void) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  struct ArrowArrayStream stream;
  ColumnadeTable* table = NULL;
  char* text = NULL;

  produce_table(1000, 100, 0, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  OK(columnade_table_export(table, NULL, &schema, &array));
  schema.release(&schema);
  array.release(&array);
  OK(columnade_table_export_stream(table, 10, NULL, &stream));
  OK(stream.get_next(&stream, &array));
  OK(columnade_memory_report(&text));
  CHECK(!strstr(text, ".rs:"));
  columnade_string_free(text);
  array.release(&array);
  stream.release(&stream);
  columnade_table_destroy(table);
  CHECK(held() == 0);
}

void test_arrow(const char* device) {
  there_and_back();
  reports_name_no_line();
  if (strcmp(device, "host") == 0) {
    memory_is_shared();
    layouts();
    offsets_that_do_not_fit();
  }
  children_move();
  nulls_of_structs();
}
