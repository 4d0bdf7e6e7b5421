/* Revenue by city: reads two CSV files of the folder that is named, filters, joins, groups, sorts, and reads the result
 * through Arrow's C data interface. Every handle is destroyed by the caller, and every call is checked.
 *
 *   cc -std=c99 revenue.c $(pkg-config --cflags --libs columnade) -o revenue && ./revenue .
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "columnade.h"

static void require(int code) {
  if (code == 0) return;
  fprintf(stderr, "error %d: %s\n", code, columnade_last_error());
  exit(EXIT_FAILURE);
}

static ColumnadeExpr* expr(const char* text) {
  ColumnadeExpr* parsed;
  require(columnade_expr_parse(text, &parsed));
  return parsed;
}

static ColumnadeTable* read_csv(const char* folder, const char* name) {
  char path[4096];
  ColumnadeTable* table;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path) exit(EXIT_FAILURE);
  require(columnade_read_csv(path, NULL, &table));
  return table;
}

/* Whether a row has a value. */
static int is_valid(const struct ArrowArray* column, int64_t row) {
  const uint8_t* bits = (const uint8_t*)column->buffers[0];
  int64_t bit = column->offset + row;
  return !bits || (bits[bit / 8] >> (bit % 8) & 1);
}

int main(int count, char** arguments) {
  const char* folder = count > 1 ? arguments[1] : ".";
  const char* by[] = {"revenue"};
  const int32_t descending[] = {1};
  ColumnadeMergeOptions left_join = COLUMNADE_MERGE_OPTIONS_INIT;
  ColumnadeSortOptions largest_first = COLUMNADE_SORT_OPTIONS_INIT;
  ColumnadeGroupOptions with_null_keys = COLUMNADE_GROUP_OPTIONS_INIT;
  ColumnadeExportOptions wide = COLUMNADE_EXPORT_OPTIONS_INIT;
  ColumnadeExpr* is_complete = expr("units is not null");
  ColumnadeExpr* customer = expr("customer");
  ColumnadeExpr* city = expr("city");
  ColumnadeExpr* aggregates[2];
  ColumnadeTable *orders, *customers, *complete, *joined, *grouped, *sorted;
  struct ArrowSchema schema;
  struct ArrowArray array;
  int64_t row;

  aggregates[0] = expr("sum(units * price) as revenue");
  aggregates[1] = expr("len() as orders");
  orders = read_csv(folder, "orders.csv");
  customers = read_csv(folder, "customers.csv");
  require(columnade_table_filter(orders, is_complete, &complete));
  left_join.kind = COLUMNADE_MERGE_LEFT;
  require(columnade_table_merge(complete, customers, (const ColumnadeExpr* const*)&customer, NULL, 1, &left_join,
                                &joined));
  with_null_keys.null_keys = COLUMNADE_NULL_KEYS_GROUP;
  require(columnade_table_group_by(joined, (const ColumnadeExpr* const*)&city, 1,
                                   (const ColumnadeExpr* const*)aggregates, 2, &with_null_keys, &grouped));
  largest_first.descending = descending;
  require(columnade_table_sort_values(grouped, by, 1, &largest_first, &sorted));

  /* Columns: city, revenue, orders. Cities with offsets of 64 bits, whatever the table has. */
  wide.offsets = COLUMNADE_OFFSETS_64;
  require(columnade_table_export(sorted, &wide, &schema, &array));
  for (row = 0; row < array.length; row++) {
    const struct ArrowArray* cities = array.children[0];
    const double* revenue = (const double*)array.children[1]->buffers[1] + array.children[1]->offset;
    const int64_t* orders_of = (const int64_t*)array.children[2]->buffers[1] + array.children[2]->offset;
    if (is_valid(cities, row)) {
      const int64_t* offsets = (const int64_t*)cities->buffers[1] + cities->offset;
      const char* text = (const char*)cities->buffers[2];
      printf("%.*s", (int)(offsets[row + 1] - offsets[row]), text + offsets[row]);
    } else {
      printf("without a city");
    }
    printf(": %" PRId64 " orders, %.2f\n", orders_of[row], revenue[row]);
  }
  schema.release(&schema);
  array.release(&array);

  columnade_table_destroy(orders);
  columnade_table_destroy(customers);
  columnade_table_destroy(complete);
  columnade_table_destroy(joined);
  columnade_table_destroy(grouped);
  columnade_table_destroy(sorted);
  columnade_expr_destroy(is_complete);
  columnade_expr_destroy(customer);
  columnade_expr_destroy(city);
  columnade_expr_destroy(aggregates[0]);
  columnade_expr_destroy(aggregates[1]);
  return EXIT_SUCCESS;
}
