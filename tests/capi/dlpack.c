/* Tensors in and out, in both forms. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "dlpack_structs.h"
#include "producer.h"

enum { READ_ONLY = 1, IS_COPIED = 2 };

static int32_t type_of(const char* device) {
  return strcmp(device, "host") == 0 ? 1 : strcmp(device, "sim") == 0 ? 12 : 2;
}

/* Rows first, first + 1, ... of int64 on the default device. */
static ColumnadeColumn* numbers(int64_t first, int64_t rows, int nulls) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeColumn* column = NULL;
  produce_numbers("n", first, rows, 3, nulls, &schema, &array);
  OK(columnade_column_import(&schema, &array, NULL, &column));
  schema.release(&schema);
  return column;
}

static void delete_elsewhere(void* tensor) {
  ((DLManagedTensor*)tensor)->deleter((DLManagedTensor*)tensor);
}

static void columns_out(const char* device) {
  ColumnadeColumn *column = numbers(5, 100, 0), *nullable = numbers(0, 9, 1), *back = NULL;
  ColumnadeTensorOptions options = COLUMNADE_TENSOR_OPTIONS_INIT;
  DLManagedTensor* tensor = NULL;
  DLManagedTensorVersioned* versioned = NULL;
  int equal = 0;

  OK(columnade_column_export_dlpack(column, NULL, &tensor));
  CHECK(tensor->dl_tensor.ndim == 1 && tensor->dl_tensor.shape[0] == 100 && tensor->dl_tensor.strides[0] == 1);
  CHECK(tensor->dl_tensor.dtype.code == 0 && tensor->dl_tensor.dtype.bits == 64);
  CHECK(tensor->dl_tensor.device.device_type == type_of(device));
  on_another_thread(delete_elsewhere, tensor);

  OK(columnade_column_export_dlpack_versioned(column, NULL, &versioned));
  CHECK(versioned->version.major == 1 && versioned->flags == READ_ONLY);
  OK(columnade_column_import_dlpack_versioned(versioned, COLUMNADE_COPY_NEVER, &back));
  OK(columnade_column_equals(column, back, &equal, NULL));
  CHECK(equal == 1);
  columnade_column_destroy(back);

  /* For a consumer that reads it on that stream; one that orders its work itself names none. */
  OK(columnade_default_stream(&options.stream));
  CHECK((options.stream != 0) == (strcmp(device, "host") != 0));
  OK(columnade_column_export_dlpack_versioned(column, &options, &versioned));
  versioned->deleter(versioned);
  if (options.stream != 0) {
    options.stream = -1;
    OK(columnade_column_export_dlpack_versioned(column, &options, &versioned));
    versioned->deleter(versioned);
  }
  options.stream = 0;

  options.copy = COLUMNADE_COPY_ALWAYS;
  options.place = COLUMNADE_TENSOR_ON_HOST;
  OK(columnade_column_export_dlpack_versioned(column, &options, &versioned));
  CHECK((versioned->flags & IS_COPIED) != 0 && versioned->dl_tensor.device.device_type == 1);
  columnade_column_destroy(column);
  CHECK(((const int64_t*)versioned->dl_tensor.data)[99] == 104);
  versioned->deleter(versioned);

  FAILS(EINVAL, columnade_column_export_dlpack(nullable, NULL, &tensor));
  HAS(columnade_last_error(), "null");
  columnade_column_destroy(nullable);
  CHECK(held() == 0);
}

static void tensors_in(void) {
  ColumnadeColumn* column = NULL;
  DLManagedTensor* tensor = produce_tensor(10, 0, ROWS_CONTIGUOUS);
  DLManagedTensorVersioned* versioned = produce_tensor_versioned(10, 0, ROWS_CONTIGUOUS);
  int64_t rows = 0;
  char* text = NULL;
  OK(columnade_column_import_dlpack(tensor, COLUMNADE_COPY_NEVER, &column));
  OK(columnade_column_row_count(column, &rows));
  CHECK(rows == 10);
  OK(columnade_column_dtype(column, &text));
  TEXT(text, "float64");
  OK(columnade_column_to_text(column, &text));
  HAS(text, "900");
  columnade_string_free(text);
  CHECK(held() == 2);
  columnade_column_destroy(column);
  CHECK(held() == 1);

  /* What cannot be read stays its owner's. */
  versioned->version.major = 2;
  FAILS(EINVAL, columnade_column_import_dlpack_versioned(versioned, COLUMNADE_COPY_IF_NEEDED, &column));
  HAS(columnade_last_error(), "2.0");
  versioned->version.major = 1;
  versioned->dl_tensor.device.device_type = 8;
  FAILS(ENODEV, columnade_column_import_dlpack_versioned(versioned, COLUMNADE_COPY_IF_NEEDED, &column));
  versioned->dl_tensor.device.device_type = 1;
  FAILS(EINVAL, columnade_column_import_dlpack_versioned(versioned, 7, &column));
  CHECK(held() == 1);
  OK(columnade_column_import_dlpack_versioned(versioned, COLUMNADE_COPY_ALWAYS, &column));
  CHECK(held() == 0);
  columnade_column_destroy(column);
}

static void tables(void) {
  static const char* const names[] = {"a", "b", "c"};
  ColumnadeTable *shared = NULL, *copied = NULL, *renamed = NULL, *back = NULL;
  DLManagedTensorVersioned* versioned = produce_tensor_versioned(70, 3, COLUMNS_CONTIGUOUS);
  DLManagedTensor* tensor = produce_tensor(70, 3, ROWS_CONTIGUOUS);
  const double* first = (const double*)versioned->dl_tensor.data + 5;
  char* text = NULL;
  OK(columnade_table_import_dlpack_versioned(versioned, COLUMNADE_COPY_NEVER, &shared));
  FAILS(EINVAL, columnade_table_import_dlpack(tensor, COLUMNADE_COPY_NEVER, &copied));
  CHECK(held() == 2);
  OK(columnade_table_import_dlpack(tensor, COLUMNADE_COPY_IF_NEEDED, &copied));
  CHECK(held() == 1);
  CHECK(same(shared, copied));
  columnade_table_destroy(copied);
  OK(columnade_table_column_name(shared, 2, &text));
  TEXT(text, "2");

  /* Columns at regular distances go out as they came in. */
  OK(columnade_table_export_dlpack_versioned(shared, NULL, &versioned));
  CHECK(versioned->dl_tensor.data == (const void*)first && versioned->dl_tensor.strides[1] == 70);
  CHECK((versioned->flags & IS_COPIED) == 0);
  versioned->deleter(versioned);
  OK(columnade_table_export_dlpack(shared, NULL, &tensor));
  CHECK(tensor->dl_tensor.ndim == 2 && tensor->dl_tensor.shape[0] == 70 && tensor->dl_tensor.shape[1] == 3);
  OK(columnade_table_import_dlpack(tensor, COLUMNADE_COPY_NEVER, &back));
  CHECK(same(shared, back));
  columnade_table_destroy(back);

  /* Labels that are numbers become names. */
  OK(columnade_table_rename(shared, names, 3, &renamed));
  OK(columnade_table_schema(renamed, &text));
  TEXT(text, "a: float64\nb: float64\nc: float64");
  columnade_table_destroy(renamed);
  columnade_table_destroy(shared);
  CHECK(held() == 0);

  OK(columnade_table_from_columns(NULL, 0, &shared));
  FAILS(EINVAL, columnade_table_export_dlpack(shared, NULL, &tensor));
  columnade_table_destroy(shared);
}

void test_dlpack(const char* device) {
  columns_out(device);
  tensors_in();
  tables();
}
