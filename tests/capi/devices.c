/* Arrays and streams where tables are. No value is looked at: the memory may be a device's. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
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
  /* A device that does not exist here: refused, and the struct is unchanged. */
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

/* Whether the buffers of an exported array hold first, first + 1, ... once its event is passed: read as a consumer does that
 * knows nothing of the library but its streams. */
static int holds(const char* device, const struct ArrowDeviceArray* array, int64_t first) {
  const int64_t* values = (const int64_t*)array->array.buffers[1];
  int64_t *read = (int64_t*)malloc((size_t)array->array.length * sizeof *read), row;
  ColumnadeStream* stream = NULL;
  int right = 1;
  if (!read) abort();
  OK(columnade_stream_create(device, &stream));
  OK(columnade_stream_wait(stream, array->sync_event));
  OK(columnade_stream_copy(stream, read, values + array->array.offset, array->array.length * (int64_t)sizeof *read));
  OK(columnade_stream_synchronize(stream));
  columnade_stream_destroy(stream);
  for (row = 0; row < array->array.length; row++) right = right && read[row] == first + row;
  free(read);
  return right;
}

/* The same numbers, imported from the host. */
static ColumnadeColumn* expected(int64_t first, int64_t length, int64_t offset, int nulls) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeColumn* column = NULL;
  produce_numbers("n", first, length, offset, nulls, &schema, &array);
  OK(columnade_column_import(&schema, &array, NULL, &column));
  schema.release(&schema);
  return column;
}

static int same_columns(const ColumnadeColumn* left, const ColumnadeColumn* right) {
  int equal = 0;
  char* difference = NULL;
  OK(columnade_column_equals(left, right, &equal, &difference));
  if (difference) fprintf(stderr, "%s\n", difference);
  columnade_string_free(difference);
  return equal;
}

/* Arrays that a producer fills with streams of its own: a reader that does not wait for the event reads other bytes. */
static void filled_arrays(const char* device) {
  static const int64_t lengths[] = {1, 31, 33, 64, 5000};
  struct ArrowSchema schema;
  struct ArrowDeviceArray array;
  ColumnadeImportOptions options = COLUMNADE_IMPORT_OPTIONS_INIT;
  int at, on_host = strcmp(device, "host") == 0;
  for (at = 0; at < 10; at++) {
    int64_t length = lengths[at / 2], offset = at % 3, first = 1000 * at;
    ColumnadeColumn *column = NULL, *right = expected(first, length, offset, at % 2);
    produce_filled(device, first, length, offset, at % 2, &schema, &array);
    check_device(device, &array);
    CHECK((array.sync_event != NULL) == !on_host);
    /* Checks that look at values wait too, and what is copied. */
    options.validate = at % 4 == 1 ? COLUMNADE_VALIDATE_FULL : COLUMNADE_VALIDATE_MINIMAL;
    options.copy = at % 5 == 2 ? COLUMNADE_COPY_ALWAYS : COLUMNADE_COPY_NEVER;
    OK(columnade_column_import_device(&schema, &array, &options, &column));
    CHECK(array.array.release == NULL);
    CHECK(same_columns(column, right));
    columnade_column_destroy(column);
    columnade_column_destroy(right);
    schema.release(&schema);
  }
  /* Released before any wait. */
  produce_filled(device, 0, 100, 0, 1, &schema, &array);
  schema.release(&schema);
  on_another_thread(release_elsewhere, &array);
  CHECK(held_at_last() == 0);
}

static void filled_streams(const char* device) {
  struct ArrowDeviceArrayStream stream;
  ColumnadeTable* table = NULL;
  ColumnadeColumn *column = NULL, *right = expected(0, 200, 0, 0);
  int64_t rows = 0;
  produce_filled_stream(device, 4, 4, 50, &stream);
  OK(columnade_table_import_device_stream(&stream, NULL, &table));
  CHECK(stream.release == NULL);
  OK(columnade_table_column(table, "n", &column));
  CHECK(same_columns(column, right));
  columnade_column_destroy(column);
  columnade_column_destroy(right);
  columnade_table_destroy(table);

  produce_filled_stream(device, 3, 3, 10, &stream);
  OK(columnade_column_import_device_stream(&stream, NULL, &column));
  OK(columnade_column_row_count(column, &rows));
  CHECK(rows == 30);
  columnade_column_destroy(column);

  /* One that fails on the way: what came before is given back. */
  produce_filled_stream(device, 4, 2, 10, &stream);
  FAILS(EIO, columnade_table_import_device_stream(&stream, NULL, &table));
  HAS(columnade_last_error(), "the card is full");
  CHECK(stream.release == NULL);
  CHECK(held_at_last() == 0);
}

/* The other way: what the library queued is waited for by its event. */
static void read_by_a_consumer(const char* device) {
  const ColumnadeTable* tables[2];
  ColumnadeTable *parts[2] = {NULL, NULL}, *table = NULL;
  ColumnadeColumn *columns[2], *column = NULL;
  struct ArrowSchema schema;
  struct ArrowDeviceArray array;
  int at;
  for (at = 0; at < 2; at++) {
    columns[at] = expected(5 + 3000 * at, 3000, at, 0);
    OK(columnade_table_from_columns((const ColumnadeColumn* const*)&columns[at], 1, &parts[at]));
    tables[at] = parts[at];
  }
  OK(columnade_table_concat(tables, 2, &table));
  OK(columnade_table_column(table, "n", &column));
  OK(columnade_column_export_device(column, NULL, &schema, &array));
  CHECK(array.array.length == 6000 && holds(device, &array, 5));
  schema.release(&schema);
  array.array.release(&array.array);
  for (at = 0; at < 2; at++) {
    columnade_table_destroy(parts[at]);
    columnade_column_destroy(columns[at]);
  }
  columnade_column_destroy(column);
  columnade_table_destroy(table);
  CHECK(held_at_last() == 0);
}

static void streams_and_memory(const char* device) {
  ColumnadeStream *stream = NULL, *other = NULL;
  ColumnadeEvent* event = NULL;
  ColumnadeMemory *memory = NULL, *none = NULL;
  char sent[1000], back[1000];
  void *address = NULL, *native = &sent, *sync_event = &sent;
  int on_host = strcmp(device, "host") == 0;
  memset(sent, 'x', sizeof sent);
  memset(back, 'y', sizeof back);
  OK(columnade_stream_create(device, &stream));
  OK(columnade_stream_create(device, &other));
  OK(columnade_stream_native(stream, &native));
  CHECK((native == NULL) == on_host);
  OK(columnade_memory_allocate(stream, sizeof sent, &memory));
  OK(columnade_memory_address(memory, &address));
  CHECK(address != NULL && (uintptr_t)address % 64 == 0);
  OK(columnade_memory_allocate(stream, 0, &none));
  columnade_memory_destroy(none);

  /* One stream writes, another reads when the event is passed, which need not outlive the call. */
  OK(columnade_stream_copy(stream, address, sent, sizeof sent));
  OK(columnade_stream_record(stream, &event));
  OK(columnade_event_sync_event(event, &sync_event));
  CHECK((sync_event == NULL) == on_host);
  OK(columnade_stream_wait(other, sync_event));
  columnade_event_destroy(event);
  columnade_stream_destroy(stream);
  OK(columnade_stream_copy(other, back, address, sizeof back));
  /* Memory may go while work is queued that uses it. */
  columnade_memory_destroy(memory);
  OK(columnade_stream_synchronize(other));
  CHECK(memcmp(sent, back, sizeof sent) == 0);
  OK(columnade_stream_wait(other, NULL));

  OK(columnade_stream_copy(other, NULL, NULL, 0));
  FAILS(EINVAL, columnade_stream_copy(other, NULL, sent, 1));
  HAS(columnade_last_error(), "target is null");
  FAILS(EINVAL, columnade_stream_copy(other, back, NULL, 1));
  HAS(columnade_last_error(), "source is null");
  FAILS(EINVAL, columnade_stream_copy(other, back, sent, -1));
  FAILS(EINVAL, columnade_memory_allocate(other, -1, &memory));
  FAILS(ENOMEM, columnade_memory_allocate(other, INT64_MAX, &memory));
  FAILS(EINVAL, columnade_memory_allocate(other, 1, NULL));
  columnade_stream_destroy(other);
}

void test_devices(const char* device) {
  streams_and_memory(device);
  filled_arrays(device);
  filled_streams(device);
  read_by_a_consumer(device);
  arrays(device);
  streams(device);
  column_streams(device);
}
