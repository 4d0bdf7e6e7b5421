/* What is refused, and how it is told. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "producer.h"

static void on_a_thread_of_its_own(void* argument) {
  char* name = NULL;
  (void)argument;
  CHECK(columnade_last_error()[0] == '\0');
  FAILS(ENODEV, columnade_set_default_device("cuda:63"));
  HAS(columnade_last_error(), "cuda:63");
  /* The default of a thread is its own. */
  OK(columnade_set_default_device("host"));
  OK(columnade_default_device(&name));
  TEXT(name, "host");
}

static void texts(void) {
  char* name = NULL;
  const char* first;
  CHECK(columnade_version()[0] >= '0' && columnade_version()[0] <= '9');
  FAILS(EINVAL, columnade_device_name(-1, &name));
  HAS(columnade_last_error(), "columnade_device_name: position is -1, which is negative");
  first = columnade_last_error();
  on_another_thread(on_a_thread_of_its_own, NULL);
  OK(columnade_device_name(0, &name));
  TEXT(name, "host");
  /* Neither other threads nor successes change it. */
  HAS(first, "which is negative");
  FAILS(ERANGE, columnade_device_name(999, &name));
  FAILS(EINVAL, columnade_set_default_device("abacus"));
  HAS(columnade_last_error(), "abacus");
  FAILS(EINVAL, columnade_set_default_device("\xff"));
  HAS(columnade_last_error(), "UTF-8");
  CHECK(name != NULL);
}

static void nulls(void) {
  ColumnadeTable* table = NULL;
  ColumnadeTable* made = NULL;
  ColumnadeColumn* column = NULL;
  ColumnadeStream* stream = NULL;
  ColumnadeEvent* event = NULL;
  ColumnadeMemory* memory = NULL;
  const ColumnadeTable* tables[2] = {NULL, NULL};
  struct ArrowSchema schema;
  struct ArrowArray array;
  int64_t number = 0;
  int equal = 0;
  char* text = NULL;
  FAILS(EINVAL, columnade_table_row_count(NULL, &number));
  HAS(columnade_last_error(), "table is null");
  FAILS(EINVAL, columnade_table_schema(NULL, &text));
  FAILS(EINVAL, columnade_table_concat(tables, 2, &table));
  FAILS(EINVAL, columnade_table_concat(NULL, 2, &table));
  FAILS(EINVAL, columnade_table_concat(tables, INT64_MAX, &table));
  FAILS(EINVAL, columnade_table_equals(NULL, NULL, &equal, NULL));
  FAILS(EINVAL, columnade_column_null_count(NULL, &number));
  FAILS(EINVAL, columnade_table_import(NULL, NULL, NULL, &table));
  FAILS(EINVAL, columnade_table_import_stream(NULL, NULL, &table));
  FAILS(EINVAL, columnade_table_import_device(NULL, NULL, NULL, &table));
  FAILS(EINVAL, columnade_table_import_device_stream(NULL, NULL, &table));
  FAILS(EINVAL, columnade_column_import_stream(NULL, NULL, &column));
  FAILS(EINVAL, columnade_column_import_device_stream(NULL, NULL, &column));
  FAILS(EINVAL, columnade_column_import_dlpack(NULL, COLUMNADE_COPY_IF_NEEDED, &column));
  FAILS(EINVAL, columnade_table_import_dlpack_versioned(NULL, COLUMNADE_COPY_IF_NEEDED, &table));
  FAILS(EINVAL, columnade_stream_create(NULL, &stream));
  FAILS(ENODEV, columnade_stream_create("cuda:63", &stream));
  FAILS(EINVAL, columnade_stream_create("host", NULL));
  FAILS(EINVAL, columnade_stream_copy(NULL, &number, &number, 1));
  FAILS(EINVAL, columnade_stream_wait(NULL, NULL));
  FAILS(EINVAL, columnade_stream_synchronize(NULL));
  FAILS(EINVAL, columnade_stream_record(NULL, &event));
  FAILS(EINVAL, columnade_event_sync_event(NULL, NULL));
  FAILS(EINVAL, columnade_memory_allocate(NULL, 1, &memory));
  FAILS(EINVAL, columnade_memory_address(NULL, NULL));
  columnade_stream_destroy(stream);
  columnade_event_destroy(event);
  columnade_memory_destroy(memory);
  FAILS(EINVAL, columnade_set_default_device(NULL));
  FAILS(EINVAL, columnade_device_count(NULL));

  OK(columnade_table_from_columns(NULL, 0, &made));
  FAILS(EINVAL, columnade_table_row_count(made, NULL));
  HAS(columnade_last_error(), "rows is null");
  FAILS(EINVAL, columnade_table_head(made, 1, NULL));
  FAILS(EINVAL, columnade_table_column(made, NULL, &column));
  FAILS(EINVAL, columnade_table_select(made, NULL, 1, &table));
  FAILS(EINVAL, columnade_table_export(made, NULL, NULL, &array));
  FAILS(EINVAL, columnade_table_export(made, NULL, &schema, NULL));
  FAILS(EINVAL, columnade_table_export_stream(made, 1, NULL, NULL));
  FAILS(EINVAL, columnade_column_export_stream(NULL, 1, NULL, NULL));
  FAILS(EINVAL, columnade_column_export_device_stream(NULL, 1, NULL, NULL));
  FAILS(EINVAL, columnade_table_export_dlpack(made, NULL, NULL));
  columnade_table_destroy(made);

  /* A place for the result that is null is found before the array is taken. */
  produce_table(0, 4, 0, &schema, &array);
  FAILS(EINVAL, columnade_table_import(&schema, &array, NULL, NULL));
  CHECK(array.release != NULL);
  array.release(&array);
  schema.release(&schema);
  CHECK(!table && !column && !text);
}

static void options(void) {
  /* What a program was built with that has a newer header. */
  struct {
    ColumnadeImportOptions known;
    int64_t newer;
  } later = {COLUMNADE_IMPORT_OPTIONS_INIT, 0};
  ColumnadeImportOptions import = COLUMNADE_IMPORT_OPTIONS_INIT;
  ColumnadeExportOptions export = COLUMNADE_EXPORT_OPTIONS_INIT;
  ColumnadeTensorOptions tensor = COLUMNADE_TENSOR_OPTIONS_INIT;
  size_t size_alone = sizeof(size_t);
  struct ArrowSchema schema, exported_schema;
  struct ArrowArray array, exported;
  struct DLManagedTensor* made = NULL;
  ColumnadeTable* table = NULL;
  produce_table(0, 4, 1, &schema, &array);

  import.validate = 2;
  FAILS(EINVAL, columnade_table_import(&schema, &array, &import, &table));
  HAS(columnade_last_error(), "options.validate is 2");
  import.validate = COLUMNADE_VALIDATE_FULL;
  import.size = 0;
  FAILS(EINVAL, columnade_table_import(&schema, &array, &import, &table));
  HAS(columnade_last_error(), "size of 0");
  later.known.size = sizeof later;
  later.newer = 1;
  FAILS(EINVAL, columnade_table_import(&schema, &array, &later.known, &table));
  HAS(columnade_last_error(), "does not know");
  later.newer = 0;
  later.known.copy = COLUMNADE_COPY_ALWAYS;
  OK(columnade_table_import(&schema, &array, &later.known, &table));
  /* All was copied, and so all is given back. */
  schema.release(&schema);
  CHECK(held() == 0);

  OK(columnade_table_export(table, (const ColumnadeExportOptions*)(void*)&size_alone, &exported_schema, &exported));
  CHECK(strcmp(exported_schema.children[1]->format, "u") == 0);
  exported_schema.release(&exported_schema);
  exported.release(&exported);
  export.offsets = COLUMNADE_OFFSETS_64;
  OK(columnade_table_export(table, &export, &exported_schema, &exported));
  CHECK(strcmp(exported_schema.children[1]->format, "U") == 0);
  exported_schema.release(&exported_schema);
  exported.release(&exported);
  export.decimals = -1;
  FAILS(EINVAL, columnade_table_export(table, &export, &exported_schema, &exported));
  FAILS(EINVAL, columnade_table_export_stream(table, 0, NULL, NULL));
  tensor.stream = -2;
  FAILS(EINVAL, columnade_table_export_dlpack(table, &tensor, &made));
  columnade_table_destroy(table);
}

/* Arrays that are not what their schema says: refused, and left to the caller. */
static void spoilt_arrays(void) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeTable* table = NULL;
  ColumnadeColumn* column = NULL;
  int before = held(), round;
  for (round = 0; round < 8; round++) {
    produce_table(0, 5, 2, &schema, &array);
    switch (round) {
      case 0: array.n_children = 1; break;
      case 1: array.length = -1; break;
      case 2: array.offset = INT64_MAX; break;
      case 3: array.children[0]->length = 3; break;
      case 4: array.children[1]->n_buffers = 2; break;
      case 5: schema.children[0]->format = "~"; break;
      case 6: schema.children[1]->name = "n"; break;
      default: array.children[0]->null_count = 99; break;
    }
    CHECK(columnade_table_import(&schema, &array, NULL, &table) != 0);
    CHECK(columnade_last_error()[0] != '\0');
    CHECK(array.release != NULL && schema.release != NULL);
    if (round == 0) array.n_children = 2;
    if (round == 4) array.children[1]->n_buffers = 3;
    array.release(&array);
    schema.release(&schema);
    CHECK(held() == before);
  }
  /* Nothing is there a second time. */
  produce_numbers("n", 0, 5, 0, 0, &schema, &array);
  OK(columnade_column_import(&schema, &array, NULL, &column));
  CHECK(array.release == NULL);
  columnade_column_destroy(column);
  FAILS(EINVAL, columnade_column_import(&schema, &array, NULL, &column));
  HAS(columnade_last_error(), "released");
  FAILS(EINVAL, columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  FAILS(EINVAL, columnade_column_import(&schema, &array, NULL, &column));
  CHECK(held() == before);
}

void test_errors(void) {
  texts();
  OK(columnade_set_default_device("host"));
  nulls();
  options();
  spoilt_arrays();
}
