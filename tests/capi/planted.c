/* Uses memory of an exported struct after its release: a fault for the address sanitizer to find, on every device.
 *
 * planted DEVICE array|tensor before|after
 */
#include <stdio.h>
#include <string.h>

#include "columnade.h"
#include "dlpack_structs.h"

enum { ROWS = 500 };

static int failed(const char* call) {
  fprintf(stderr, "%s: %s\n", call, columnade_last_error());
  return 2;
}

#define OK(call) \
  if ((call) != 0) return failed(#call)

static void releases_nothing(struct ArrowArray* array) { array->release = NULL; }
static void schema_releases_nothing(struct ArrowSchema* schema) { schema->release = NULL; }

/* The sum of the numbers there, read as the device's memory is. */
static int sum_of(const ColumnadeStream* stream, const void* numbers, int on_host, int64_t* sum) {
  int64_t copy[ROWS];
  int row;
  if (on_host) {
    memcpy(copy, numbers, sizeof copy);
  } else {
    OK(columnade_stream_copy(stream, copy, numbers, (int64_t)sizeof copy));
    OK(columnade_stream_synchronize(stream));
  }
  for (row = 0, *sum = 0; row < ROWS; row++) *sum += copy[row];
  return 0;
}

int main(int count, char** arguments) {
  static int64_t numbers[ROWS];
  const void* buffers[2] = {NULL, numbers};
  ColumnadeImportOptions options = COLUMNADE_IMPORT_OPTIONS_INIT;
  struct ArrowSchema schema, exported_schema;
  struct ArrowArray array;
  struct ArrowDeviceArray exported;
  struct DLManagedTensor* tensor = NULL;
  ColumnadeColumn* column = NULL;
  ColumnadeStream* stream = NULL;
  ColumnadeMemory* memory = NULL;
  const void* exported_address;
  int64_t row, sum = 0;
  int on_host, is_array, looks;

  if (count != 4) return 2;
  on_host = strcmp(arguments[1], "host") == 0;
  is_array = strcmp(arguments[2], "array") == 0;
  for (row = 0; row < ROWS; row++) numbers[row] = row;
  memset(&schema, 0, sizeof schema);
  schema.format = "l";
  schema.release = schema_releases_nothing;
  memset(&array, 0, sizeof array);
  array.length = ROWS;
  array.n_buffers = 2;
  array.buffers = buffers;
  array.release = releases_nothing;

  OK(columnade_set_default_device(arguments[1]));
  OK(columnade_stream_create(arguments[1], &stream));
  options.copy = COLUMNADE_COPY_ALWAYS;
  OK(columnade_column_import(&schema, &array, &options, &column));
  if (is_array) {
    OK(columnade_column_export_device(column, NULL, &exported_schema, &exported));
    exported_schema.release(&exported_schema);
    OK(columnade_stream_wait(stream, exported.sync_event));
    exported_address = exported.array.buffers[1];
  } else {
    OK(columnade_column_export_dlpack(column, NULL, &tensor));
    exported_address = tensor->dl_tensor.data;
  }
  /* The export is what keeps the memory from now on. */
  columnade_column_destroy(column);
  if (sum_of(stream, exported_address, on_host, &sum) != 0 || sum != ROWS * (ROWS - 1) / 2) return 3;

  if (is_array) {
    exported.array.release(&exported.array);
  } else {
    tensor->deleter(tensor);
  }
  /* Exported memory is freed by the first allocation after all work is done. */
  OK(columnade_stream_synchronize(stream));
  for (looks = 0; looks < 2; looks++) {
    OK(columnade_memory_allocate(stream, 1 << 16, &memory));
    columnade_memory_destroy(memory);
    OK(columnade_stream_synchronize(stream));
  }
  if (strcmp(arguments[3], "after") == 0) {
    fprintf(stderr, "after the release\n");
    if (sum_of(stream, exported_address, on_host, &sum) != 0) return 3;
  }
  columnade_stream_destroy(stream);
  return 0;
}
