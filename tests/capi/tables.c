/* Tables and columns: what is done with handles. */
#include <errno.h>
#include <string.h>

#include "check.h"
#include "producer.h"

static ColumnadeTable* table_of(int64_t first, int64_t rows) {
  struct ArrowSchema schema;
  struct ArrowArray array;
  ColumnadeTable* table = NULL;
  produce_table(first, rows, 0, &schema, &array);
  OK(columnade_table_import(&schema, &array, NULL, &table));
  schema.release(&schema);
  return table;
}

static void what_a_table_is(const char* device, const ColumnadeTable* table) {
  int64_t columns = 0;
  char* text = NULL;
  CHECK(rows_of(table) == 10);
  OK(columnade_table_column_count(table, &columns));
  CHECK(columns == 2);
  OK(columnade_table_column_name(table, 1, &text));
  TEXT(text, "t");
  OK(columnade_table_schema(table, &text));
  TEXT(text, "n: int64\nt: utf8");
  OK(columnade_table_device(table, &text));
  TEXT(text, device);
  OK(columnade_table_to_text(table, &text));
  HAS(text, "[10 rows");
  HAS(text, "<NA>");
  columnade_string_free(text);
}

static void parts_of_tables(const ColumnadeTable* table) {
  ColumnadeTable *slice = NULL, *head = NULL, *tail = NULL, *all = NULL, *clone = NULL;
  const ColumnadeTable* parts[3];
  OK(columnade_table_slice(table, 3, 4, &slice));
  OK(columnade_table_head(table, 3, &head));
  OK(columnade_table_tail(table, 3, &tail));
  CHECK(rows_of(slice) == 4);
  parts[0] = head;
  parts[1] = slice;
  parts[2] = tail;
  OK(columnade_table_concat(parts, 3, &all));
  CHECK(same(all, table));
  OK(columnade_table_clone(all, &clone));
  columnade_table_destroy(all);
  CHECK(same(clone, table));
  columnade_table_destroy(clone);

  OK(columnade_table_head(table, 1000, &all));
  CHECK(same(all, table));
  columnade_table_destroy(all);
  FAILS(ERANGE, columnade_table_slice(table, 8, 3, &all));
  FAILS(ERANGE, columnade_table_slice(table, INT64_MAX, INT64_MAX, &all));
  FAILS(EINVAL, columnade_table_concat(parts, 0, &all));

  columnade_table_destroy(slice);
  columnade_table_destroy(head);
  columnade_table_destroy(tail);
}

static void names(const ColumnadeTable* table) {
  static const char* const turned[] = {"t", "n"};
  static const char* const missing[] = {"t", "u"};
  static const char* const twice[] = {"x", "x"};
  ColumnadeTable *selected = NULL, *renamed = NULL;
  char* text = NULL;
  OK(columnade_table_select(table, turned, 2, &selected));
  OK(columnade_table_schema(selected, &text));
  TEXT(text, "t: utf8\nn: int64");
  FAILS(EINVAL, columnade_table_rename(selected, turned, 1, &renamed));
  HAS(columnade_last_error(), "rename: labels: 1 for 2 columns");
  OK(columnade_table_rename(table, turned, 2, &renamed));
  OK(columnade_table_schema(renamed, &text));
  TEXT(text, "t: int64\nn: utf8");
  FAILS(ENOENT, columnade_table_select(table, missing, 2, &selected));
  HAS(columnade_last_error(), "\"u\"");
  FAILS(EINVAL, columnade_table_rename(table, twice, 2, &renamed));
  columnade_table_destroy(selected);
  columnade_table_destroy(renamed);
}

static void columns_of_tables(const char* device, const ColumnadeTable* table) {
  ColumnadeColumn *numbers = NULL, *texts = NULL, *slice = NULL, *clone = NULL;
  const ColumnadeColumn* columns[2];
  ColumnadeTable* again = NULL;
  int64_t number = 0;
  int equal = -1;
  char* text = NULL;
  OK(columnade_table_column(table, "n", &numbers));
  OK(columnade_table_column_at(table, 1, &texts));
  FAILS(ENOENT, columnade_table_column(table, "m", &slice));
  FAILS(ERANGE, columnade_table_column_at(table, 2, &slice));
  OK(columnade_column_name(texts, &text));
  TEXT(text, "t");
  OK(columnade_column_dtype(texts, &text));
  TEXT(text, "utf8");
  OK(columnade_column_device(texts, &text));
  TEXT(text, device);
  OK(columnade_column_row_count(numbers, &number));
  CHECK(number == 10);
  OK(columnade_column_null_count(numbers, &number));
  CHECK(number == 3);
  OK(columnade_column_to_text(texts, &text));
  HAS(text, "abc");
  columnade_string_free(text);

  columns[0] = numbers;
  columns[1] = texts;
  OK(columnade_table_from_columns(columns, 2, &again));
  CHECK(same(again, table));
  columnade_table_destroy(again);
  columns[1] = numbers;
  FAILS(EINVAL, columnade_table_from_columns(columns, 2, &again));
  OK(columnade_table_from_columns(NULL, 0, &again));
  CHECK(rows_of(again) == 0);
  columnade_table_destroy(again);

  OK(columnade_column_slice(numbers, 3, 5, &slice));
  OK(columnade_column_null_count(slice, &number));
  CHECK(number == 1);
  FAILS(ERANGE, columnade_column_slice(numbers, 11, 0, &clone));
  columns[1] = slice;
  FAILS(EINVAL, columnade_table_from_columns(columns, 2, &again));
  OK(columnade_column_clone(slice, &clone));
  columnade_column_destroy(slice);
  OK(columnade_column_rename(clone, "part", &slice));
  OK(columnade_column_name(slice, &text));
  TEXT(text, "part");
  OK(columnade_column_equals(clone, slice, &equal, NULL));
  CHECK(equal == 1);
  OK(columnade_column_equals(numbers, slice, &equal, &text));
  CHECK(equal == 0);
  TEXT(text, "10 rows on the left, 5 on the right");
  columnade_column_destroy(clone);
  columnade_column_destroy(slice);
  columnade_column_destroy(numbers);
  columnade_column_destroy(texts);
}

static void differences(const ColumnadeTable* table) {
  ColumnadeTable *other = table_of(7, 10), *shorter = NULL, *parts[2], *mixed = NULL, *start = NULL;
  int equal = -1;
  char* text = NULL;
  OK(columnade_table_equals(table, table, &equal, NULL));
  CHECK(equal == 1);
  OK(columnade_table_equals(table, other, &equal, &text));
  CHECK(equal == 0);
  TEXT(text, "column \"n\", row 0: 0 on the left, 7 on the right");
  OK(columnade_table_head(table, 9, &shorter));
  OK(columnade_table_equals(table, shorter, &equal, &text));
  TEXT(text, "10 rows on the left, 9 on the right");
  /* Six rows of the table, then four of the other. */
  OK(columnade_table_head(table, 6, &start));
  OK(columnade_table_tail(other, 4, &mixed));
  parts[0] = start;
  parts[1] = mixed;
  OK(columnade_table_concat((const ColumnadeTable* const*)parts, 2, &mixed));
  OK(columnade_table_equals(table, mixed, &equal, &text));
  TEXT(text, "column \"n\", row 6: 6 on the left, 13 on the right");
  columnade_table_destroy(parts[1]);
  columnade_table_destroy(mixed);
  columnade_table_destroy(start);
  columnade_table_destroy(shorter);
  columnade_table_destroy(other);
}

static void to_and_fro(const ColumnadeTable* table) {
  ColumnadeTable *moved = NULL, *back = NULL;
  ColumnadeColumn *column = NULL, *there = NULL;
  int64_t devices = 0, at;
  char *own = NULL, *name = NULL;
  OK(columnade_table_device(table, &own));
  OK(columnade_device_count(&devices));
  CHECK(devices >= 1);
  for (at = 0; at < devices; at++) {
    OK(columnade_device_name(at, &name));
    OK(columnade_table_to_device(table, name, &moved));
    OK(columnade_table_to_device(moved, own, &back));
    CHECK(same(back, table));
    OK(columnade_table_column(table, "t", &column));
    OK(columnade_column_to_device(column, name, &there));
    columnade_string_free(name);
    columnade_column_destroy(column);
    columnade_column_destroy(there);
    columnade_table_destroy(moved);
    columnade_table_destroy(back);
  }
  columnade_string_free(own);
}

static void destroy_elsewhere(void* table) {
  columnade_table_destroy((ColumnadeTable*)table);
}

void test_tables(const char* device) {
  ColumnadeTable* table = table_of(0, 10);
  char* text = NULL;
  int64_t stream = -7;
  OK(columnade_default_device(&text));
  TEXT(text, device);
  OK(columnade_default_stream(&stream));
  CHECK((stream == 0) == (strcmp(device, "host") == 0));
  OK(columnade_memory_report(&text));
  CHECK(text && text[0]);
  columnade_string_free(text);
  what_a_table_is(device, table);
  parts_of_tables(table);
  names(table);
  columns_of_tables(device, table);
  differences(table);
  to_and_fro(table);
  on_another_thread(destroy_elsewhere, table);
  columnade_table_destroy(NULL);
  columnade_column_destroy(NULL);
  columnade_string_free(NULL);
  CHECK(held() == 0);
}
