/* Arrays and streams where tables are. No value is looked at: the memory may be a device's. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "producer.h"

static ColumnadeTable* table_of(int64_t rows, int64_t offset) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeTable* table = NULL;
  produce_table(0, rows, offset, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  return table;
}

/* What the interface calls the device. */
static void check_device(const char* device, const struct ArrowDeviceArray* array) {
  if (strcmp(device, "host") == 0) {
    CHECK(array->device_type == ARROW_DEVICE_CPU && array->device_id == -1 && !array->sync_event);
  } else if (strcmp(device, "sim") == 0) {
    CHECK(array->device_type == ARROW_DEVICE_EXT_DEV && array->device_id == 0);
  } else {
    CHECK(array->device_type == ARROW_DEVICE_CUDA && array->device_id >= 0);
  }
  CHECK(!array->reserved[0] && !array->reserved[1] && !array->reserved[2]);
}

static void release_elsewhere(void* array) {
  struct ArrowDeviceArray* exported = (struct ArrowDeviceArray*)array;
  exported->array.release(&exported->array);
}

static void arrays(const char* device) {
  ColumnadeTable *table = table_of(100, 5), *back = NULL;
  ColumnadeColumn *column = NULL, *read = NULL;
  ColumnadeExportOptions options = COLUMNADE_EXPORT_OPTIONS_INIT;
  struct ArrowSchema schema;
  struct ArrowDeviceArray array, made;
  int on_host = strcmp(device, "host") == 0, before, equal = 0;
  char* name = NULL;

  OK(columnade_table_export_device(table, NULL, &schema, &array));
  check_device(device, &array);
  CHECK((array.sync_event != NULL) == !on_host);
  CHECK(array.array.length == 100 && array.array.n_children == 2);
  before = held();
  produce_device_array(&array, &made);
  CHECK(held() == before + 1);
  OK(columnade_table_import_device(&schema, &made, NULL, &back));
  CHECK(made.array.release == NULL);
  OK(columnade_table_device(back, &name));
  TEXT(name, device);
  CHECK(same(back, table));
  columnade_table_destroy(back);
  /* On a device the memory goes back when the work that reads it is done. */
  CHECK(!on_host || held() == before);
  schema.release(&schema);

  /* Waited for instead of an event, and all counts exact. */
  options.handover = COLUMNADE_HANDOVER_SYNCHRONISED;
  options.null_counts = COLUMNADE_NULL_COUNTS_EXACT;
  OK(columnade_table_export_device(table, &options, &schema, &array));
  CHECK(array.sync_event == NULL);
  CHECK(array.array.children[0]->null_count == 34);
  /* A device that nobody here has: refused, and as it was. */
  array.device_type = ARROW_DEVICE_HEXAGON;
  FAILS(ENODEV, columnade_table_import_device(&schema, &array, NULL, &back));
  HAS(columnade_last_error(), "16");
  array.device_type = 123456;
  FAILS(ENODEV, columnade_table_import_device(&schema, &array, NULL, &back));
  CHECK(array.array.release != NULL);
  schema.release(&schema);
  on_another_thread(release_elsewhere, &array);
  CHECK(array.array.release == NULL);

  OK(columnade_table_column(table, "t", &column));
  OK(columnade_column_export_device(column, NULL, &schema, &array));
  check_device(device, &array);
  OK(columnade_column_import_device(&schema, &array, NULL, &read));
  OK(columnade_column_equals(column, read, &equal, NULL));
  CHECK(equal == 1);
  OK(columnade_column_name(read, &name));
  TEXT(name, "t");
  FAILS(EINVAL, columnade_column_import_device(&schema, &array, NULL, &read));
  schema.release(&schema);
  columnade_column_destroy(read);
  columnade_column_destroy(column);
  columnade_table_destroy(table);
  CHECK(held_at_last() == 0);
}

static void streams(const char* device) {
  ColumnadeTable *table = table_of(20, 1), *back = NULL, *twice = NULL;
  const ColumnadeTable* tables[2];
  struct ArrowDeviceArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowDeviceArray array;
  int count = 0;
  char* name = NULL;
  OK(columnade_table_export_device_stream(table, 7, NULL, &stream));
  OK(stream.get_schema(&stream, &schema));
  CHECK(schema.n_children == 2);
  schema.release(&schema);
  for (;;) {
    OK(stream.get_next(&stream, &array));
    if (!array.array.release) break;
    CHECK(array.device_type == stream.device_type);
    check_device(device, &array);
    CHECK(array.array.length == (count == 2 ? 6 : 7));
    array.array.release(&array.array);
    count++;
  }
  CHECK(count == 3);
  stream.release(&stream);

  OK(columnade_table_export_device_stream(table, 3, NULL, &stream));
  OK(columnade_table_import_device_stream(&stream, NULL, &back));
  CHECK(stream.release == NULL && same(back, table));
  OK(columnade_table_device(back, &name));
  TEXT(name, device);
  columnade_table_destroy(back);

  produce_device_stream(table, 2, &stream);
  OK(columnade_table_import_device_stream(&stream, NULL, &back));
  tables[0] = tables[1] = table;
  OK(columnade_table_concat(tables, 2, &twice));
  CHECK(same(back, twice));
  columnade_table_destroy(twice);
  columnade_table_destroy(back);

  produce_device_stream(table, 2, &stream);
  stream.device_type = ARROW_DEVICE_VPI;
  FAILS(ENODEV, columnade_table_import_device_stream(&stream, NULL, &back));
  CHECK(stream.release != NULL);
  stream.release(&stream);
  columnade_table_destroy(table);
  CHECK(held_at_last() == 0);
}

/* Streams of bare columns: ours back again, those of a producer, and what is none. */
static void column_streams(const char* device) {
  ColumnadeTable *table = table_of(20, 1);
  ColumnadeColumn *column = NULL, *back = NULL;
  struct ArrowDeviceArrayStream stream;
  struct ArrowSchema schema;
  struct ArrowDeviceArray array;
  int count, equal = 0;
  int64_t rows = 0;
  char* text = NULL;
  OK(columnade_table_column(table, "n", &column));
  OK(columnade_column_export_device_stream(column, 7, NULL, &stream));
  OK(stream.get_schema(&stream, &schema));
  CHECK(strcmp(schema.format, "l") == 0 && strcmp(schema.name, "n") == 0 && schema.n_children == 0);
  schema.release(&schema);
  for (count = 0; count < 4; count++) {
    OK(stream.get_next(&stream, &array));
    if (!array.array.release) break;
    check_device(device, &array);
    CHECK(array.device_type == stream.device_type);
    CHECK(array.array.length == (count == 2 ? 6 : 7) && array.array.n_buffers == 2);
    array.array.release(&array.array);
  }
  CHECK(count == 3);
  stream.release(&stream);

  OK(columnade_column_export_device_stream(column, 6, NULL, &stream));
  OK(columnade_column_import_device_stream(&stream, NULL, &back));
  CHECK(stream.release == NULL);
  OK(columnade_column_equals(column, back, &equal, NULL));
  OK(columnade_column_device(back, &text));
  TEXT(text, device);
  OK(columnade_column_name(back, &text));
  TEXT(text, "n");
  CHECK(equal == 1);
  columnade_column_destroy(back);
  FAILS(EINVAL, columnade_column_export_device_stream(column, 0, NULL, &stream));
  FAILS(EINVAL, columnade_column_export_device_stream(column, 1, NULL, NULL));

  /* Arrays of a producer, which are structs: several, and none at all. */
  for (count = 2; count >= 0; count -= 2) {
    produce_device_stream(table, count, &stream);
    OK(columnade_column_import_device_stream(&stream, NULL, &back));
    CHECK(stream.release == NULL);
    OK(columnade_column_row_count(back, &rows));
    CHECK(rows == 20 * count);
    OK(columnade_column_dtype(back, &text));
    HAS(text, "struct<n: int64, t: utf8>");
    columnade_string_free(text);
    OK(columnade_column_device(back, &text));
    TEXT(text, device);
    columnade_column_destroy(back);
  }
  produce_device_stream(table, 2, &stream);
  stream.device_type = ARROW_DEVICE_VPI;
  FAILS(ENODEV, columnade_column_import_device_stream(&stream, NULL, &back));
  CHECK(stream.release != NULL);
  stream.release(&stream);
  FAILS(EINVAL, columnade_column_import_device_stream(&stream, NULL, &back));
  columnade_column_destroy(column);
  columnade_table_destroy(table);
  CHECK(held_at_last() == 0);
}

void test_devices(const char* device) {
  arrays(device);
  streams(device);
  column_streams(device);
}
