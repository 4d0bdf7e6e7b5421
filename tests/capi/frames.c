/* Tables computed from tables. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "check.h"

static const char ORDERS[] =
    "id,city,units,price,day\n"
    "1,Turin,3,10.0,2024-01-31\n"
    "2,Oslo,1,2.5,2024-02-01\n"
    "3,Turin,2,4.0,2024-02-29\n"
    "4,,7,1.0,2023-12-31\n"
    "5,Oslo,,8.0,\n";

/* What an expression computes over the orders. */
static void values(const ColumnadeTable* orders) {
  static const struct {
    const char* text;
    const char* expected;
  } cases[] = {
      {"units * price + 1 as v", "v\n31.0\n3.5\n9.0\n8.0\nNULL\n"},
      {"(id + 1) * 2 as v", "v\n4\n6\n8\n10\n12\n"},
      {"id + 1 * 2 as v", "v\n3\n4\n5\n6\n7\n"},
      {"id - 1 - 1 as v", "v\n-1\n0\n1\n2\n3\n"},
      {"7 // units % 3 as v", "v\n2\n1\n0\n1\nNULL\n"},
      {"-units.abs() as v", "v\n-3\n-1\n-2\n-7\nNULL\n"},
      {"units / 2 as v", "v\n1.5\n0.5\n1.0\n3.5\nNULL\n"},
      {"units > 1 and price < 5 or id = 2 as v", "v\nfalse\ntrue\ntrue\ntrue\nfalse\n"},
      {"units > 1 and (price < 5 or id = 2) as v", "v\nfalse\nfalse\ntrue\ntrue\nfalse\n"},
      {"not units >= 2 as v", "v\nfalse\ntrue\nfalse\nfalse\nNULL\n"},
      {"units is null as v", "v\nfalse\nfalse\nfalse\nfalse\ntrue\n"},
      {"units is not null as v", "v\ntrue\ntrue\ntrue\ntrue\nfalse\n"},
      {"id in (2, 4, 9) as v", "v\nfalse\ntrue\nfalse\ntrue\nfalse\n"},
      {"city not in ('Oslo', 'Rome') as v", "v\ntrue\nfalse\ntrue\nNULL\nfalse\n"},
      {"id between 2 and 3 as v", "v\nfalse\ntrue\ntrue\nfalse\nfalse\n"},
      {"id not between 2 and 1 + 2 as v", "v\ntrue\nfalse\nfalse\ntrue\ntrue\n"},
      {"city like '%o' as v", "v\nfalse\ntrue\nfalse\nNULL\ntrue\n"},
      {"city not like 'T%' as v", "v\nfalse\ntrue\nfalse\nNULL\ntrue\n"},
      {"city.str.upper() as v", "v\nTURIN\nOSLO\nTURIN\nNULL\nOSLO\n"},
      {"city.slice(0, 2) as v", "v\nTu\nOs\nTu\nNULL\nOs\n"},
      {"concat(lower(city), '-', city) as v", "v\nturin-Turin\noslo-Oslo\nturin-Turin\nNULL\noslo-Oslo\n"},
      {"city.str.len() as v", "v\n5\n4\n5\nNULL\n4\n"},
      {"day.dt.year() * 100 + month(day) as v", "v\n202401\n202402\n202402\n202312\nNULL\n"},
      {"day >= date('2024-02-01') as v", "v\nfalse\ntrue\ntrue\nfalse\nNULL\n"},
      {"day + duration(1, 'd') as v", "v\n2024-02-01\n2024-02-02\n2024-03-01\n2024-01-01\nNULL\n"},
      {"case when units > 2 then 'many' when units > 1 then 'two' else 'few' end as v",
       "v\nmany\nfew\ntwo\nmany\nfew\n"},
      {"case when units > 2 then id end as v", "v\n1\nNULL\nNULL\n4\nNULL\n"},
      {"coalesce(units, id) as v", "v\n3\n1\n2\n7\n5\n"},
      {"coalesce(units, null, null, null, null, null, null, null, null, null, null, null, null, id, 9) as v",
       "v\n3\n1\n2\n7\n5\n"},
      {"clip(id, 2, 4) as v", "v\n2\n2\n3\n4\n4\n"},
      {"cast(price, 'int32') as v", "v\n10\n2\n4\n1\n8\n"},
      {"round(price / 3, 2) as v", "v\n3.33\n0.83\n1.33\n0.33\n2.67\n"},
      {"id.replace(1, 10, 5, 50) as v", "v\n10\n2\n3\n4\n50\n"},
      {"sum(units).over(city) as v", "v\n5\n1\n5\nNULL\n1\n"},
      {"id.shift() as v", "v\nNULL\n1\n2\n3\n4\n"},
      {"id.rank('min', true) as v", "v\n5\n4\n3\n2\n1\n"},
      {"cum_sum(id) as v", "v\n1\n3\n6\n10\n15\n"},
      {"rolling_sum(id, 2) as v", "v\nNULL\n3\n5\n7\n9\n"},
      {"rolling_sum(id, 2, 1, 'left') as v", "v\nNULL\n1\n3\n5\n7\n"},
      {"rolling_sum(id, 2, 1, 'both') as v", "v\n1\n3\n6\n9\n12\n"},
      {"rolling_max(id, 3, 1, 'neither') as v", "v\nNULL\n1\n2\n3\n4\n"},
      {"max_horizontal(id, 3) as v", "v\n3\n3\n3\n4\n5\n"},
      {"literal('2.5', 'float64') * id as v", "v\n2.5\n5.0\n7.5\n10.0\n12.5\n"},
  };
  size_t at;
  for (at = 0; at < sizeof cases / sizeof cases[0]; at++) {
    ColumnadeExpr* expr = parsed(cases[at].text);
    const ColumnadeExpr* columns[1];
    ColumnadeTable* computed = NULL;
    int before = failures;
    columns[0] = expr;
    OK(columnade_table_select_exprs(orders, columns, 1, &computed));
    if (computed) CSV(computed, cases[at].expected);
    if (failures != before) fprintf(stderr, "%s\n", cases[at].text);
    columnade_table_destroy(computed);
    columnade_expr_destroy(expr);
  }
}

static void rows(const ColumnadeTable* orders) {
  ColumnadeExpr* predicate = parsed("units > 1 and city is not null");
  ColumnadeExpr* missing = parsed("unit > 1");
  ColumnadeExpr* wrong = parsed("city + 1");
  const ColumnadeExpr* columns[2];
  ColumnadeTable *filtered = NULL, *extended = NULL, *none = NULL;
  OK(columnade_table_filter(orders, predicate, &filtered));
  CSV(filtered, "id,city,units,price,day\n1,Turin,3,10.0,2024-01-31\n3,Turin,2,4.0,2024-02-29\n");
  columnade_expr_destroy(predicate);
  predicate = parsed("units < 0");
  OK(columnade_table_filter(orders, predicate, &none));
  CSV(none, "id,city,units,price,day\n");
  columnade_table_destroy(none);
  none = NULL;
  columnade_expr_destroy(predicate);
  predicate = parsed("units * price as revenue");
  columns[0] = predicate;
  columns[1] = parsed("id * 10 as id");
  OK(columnade_table_with_columns(filtered, columns, 2, &extended));
  CSV(extended,
      "id,city,units,price,day,revenue\n10,Turin,3,10.0,2024-01-31,30.0\n30,Turin,2,4.0,2024-02-29,8.0\n");
  OK(columnade_table_with_columns(filtered, NULL, 0, &none));
  CHECK(same(none, filtered));
  columnade_table_destroy(none);
  none = NULL;
  FAILS(ENOENT, columnade_table_filter(orders, missing, &none));
  HAS(columnade_last_error(), "columnade_table_filter: filter: there is no column \"unit\"; there is \"id\"");
  columnade_expr_destroy((ColumnadeExpr*)columns[1]);
  columns[1] = wrong;
  FAILS(EINVAL, columnade_table_with_columns(orders, columns, 2, &none));
  HAS(columnade_last_error(), "with_columns");
  HAS(columnade_last_error(), "utf8");
  FAILS(EINVAL, columnade_table_filter(orders, predicate, &none));
  HAS(columnade_last_error(), "float64");
  columns[1] = predicate;
  FAILS(EINVAL, columnade_table_select_exprs(orders, columns, 2, &none));
  HAS(columnade_last_error(), "revenue");
  CHECK(!none);
  columnade_expr_destroy(predicate);
  columnade_expr_destroy(missing);
  columnade_expr_destroy(wrong);
  columnade_table_destroy(extended);
  columnade_table_destroy(filtered);
}

static void groups(const ColumnadeTable* orders) {
  ColumnadeGroupOptions options = COLUMNADE_GROUP_OPTIONS_INIT;
  ColumnadeExpr *city = parsed("city"), *total = parsed("sum(units) as total"), *year = parsed("day.dt.year() as year");
  ColumnadeExpr *ratio = parsed("sum(units * price) / sum(units) as mean_price"), *count = parsed("len()");
  ColumnadeExpr *dear = parsed("count(id.filter(price > 3)) as dear"), *alone = parsed("units");
  const ColumnadeExpr* keys[2];
  const ColumnadeExpr* aggregates[4];
  ColumnadeTable* grouped = NULL;
  keys[0] = city;
  keys[1] = year;
  aggregates[0] = total;
  aggregates[1] = ratio;
  aggregates[2] = count;
  aggregates[3] = dear;
  OK(columnade_table_group_by(orders, keys, 1, aggregates, 4, NULL, &grouped));
  CSV(grouped, "city,total,mean_price,len,dear\nTurin,5,7.6,2,2\nOslo,1,2.5,2,1\n");
  columnade_table_destroy(grouped);
  options.null_keys = COLUMNADE_NULL_KEYS_GROUP;
  options.order = COLUMNADE_GROUPS_BY_KEYS;
  OK(columnade_table_group_by(orders, keys, 2, aggregates, 1, &options, &grouped));
  CSV(grouped, "city,year,total\nOslo,2024,1\nOslo,NULL,0\nTurin,2024,5\nNULL,2023,7\n");
  columnade_table_destroy(grouped);
  OK(columnade_table_group_by(orders, NULL, 0, aggregates, 1, NULL, &grouped));
  CSV(grouped, "total\n13\n");
  columnade_table_destroy(grouped);
  aggregates[1] = alone;
  FAILS(EINVAL, columnade_table_group_by(orders, keys, 1, aggregates, 2, NULL, &grouped));
  HAS(columnade_last_error(), "units");
  options.order = 2;
  FAILS(EINVAL, columnade_table_group_by(orders, keys, 1, aggregates, 1, &options, &grouped));
  HAS(columnade_last_error(), "options.order is 2");
  FAILS(EINVAL, columnade_table_group_by(orders, NULL, 1, aggregates, 1, NULL, &grouped));
  FAILS(EINVAL, columnade_table_group_by(orders, keys, -1, aggregates, 1, NULL, &grouped));
  columnade_expr_destroy(city);
  columnade_expr_destroy(total);
  columnade_expr_destroy(year);
  columnade_expr_destroy(ratio);
  columnade_expr_destroy(count);
  columnade_expr_destroy(dear);
  columnade_expr_destroy(alone);
}

static void order(const ColumnadeTable* orders) {
  static const char* const names[] = {"city", "id"};
  static const char* const missing[] = {"town"};
  static const int32_t flags[] = {0, 1};
  static const int32_t first[] = {1, 0};
  static const int32_t wrong[] = {0, 2};
  ColumnadeSortOptions options = COLUMNADE_SORT_OPTIONS_INIT;
  ColumnadeUniqueOptions kept = COLUMNADE_UNIQUE_OPTIONS_INIT;
  ColumnadeTable *sorted = NULL, *part = NULL, *head = NULL;
  OK(columnade_table_select(orders, names, 2, &part));
  OK(columnade_table_sort_values(part, names, 2, NULL, &sorted));
  CSV(sorted, "city,id\nOslo,2\nOslo,5\nTurin,1\nTurin,3\nNULL,4\n");
  OK(columnade_table_head(sorted, 2, &head));
  CSV(head, "city,id\nOslo,2\nOslo,5\n");
  columnade_table_destroy(head);
  columnade_table_destroy(sorted);
  options.descending = flags;
  options.nulls_first = first;
  OK(columnade_table_sort_values(part, names, 2, &options, &sorted));
  CSV(sorted, "city,id\nNULL,4\nOslo,5\nOslo,2\nTurin,3\nTurin,1\n");
  columnade_table_destroy(sorted);
  options.descending = wrong;
  FAILS(EINVAL, columnade_table_sort_values(part, names, 2, &options, &sorted));
  HAS(columnade_last_error(), "options.descending is 2");
  FAILS(ENOENT, columnade_table_sort_values(part, missing, 1, NULL, &sorted));
  HAS(columnade_last_error(), "\"town\"");

  OK(columnade_table_unique(part, names, 1, NULL, &sorted));
  CSV(sorted, "city,id\nTurin,1\nOslo,2\nNULL,4\n");
  columnade_table_destroy(sorted);
  kept.keep = COLUMNADE_KEEP_LAST;
  OK(columnade_table_unique(part, names, 1, &kept, &sorted));
  CSV(sorted, "city,id\nTurin,3\nNULL,4\nOslo,5\n");
  columnade_table_destroy(sorted);
  kept.keep = COLUMNADE_KEEP_NONE;
  OK(columnade_table_unique(part, names, 1, &kept, &sorted));
  CSV(sorted, "city,id\nNULL,4\n");
  columnade_table_destroy(sorted);
  OK(columnade_table_unique(part, NULL, 0, NULL, &sorted));
  CHECK(same(sorted, part));
  columnade_table_destroy(sorted);
  kept.reserved = 1;
  FAILS(EINVAL, columnade_table_unique(part, NULL, 0, &kept, &sorted));
  FAILS(ENOENT, columnade_table_unique(part, missing, 1, NULL, &sorted));
  columnade_table_destroy(part);
}

static void joined(const ColumnadeTable* left, const ColumnadeTable* right, const ColumnadeExpr* key,
                   const ColumnadeMergeOptions* options, const char* expected) {
  ColumnadeTable* merged = NULL;
  OK(columnade_table_merge(left, right, &key, NULL, 1, options, &merged));
  if (merged) CSV(merged, expected);
  columnade_table_destroy(merged);
}

static void joins(void) {
  ColumnadeTable* left = table_of_csv("k,n\n1,10\n2,20\n2,21\n,30\n");
  ColumnadeTable* right = table_of_csv("k,n\n2,200\n3,300\n,400\n");
  ColumnadeMergeOptions options = COLUMNADE_MERGE_OPTIONS_INIT;
  ColumnadeExpr *k = parsed("k"), *half = parsed("n // 10 as k"), *later = parsed("n_x > 20");
  const ColumnadeExpr* keys[1];
  const ColumnadeExpr* others[1];
  ColumnadeTable* merged = NULL;
  options.order = COLUMNADE_ORDER_LEFT_RIGHT;
  joined(left, right, k, &options, "k,n_x,n_y\n2,20,200\n2,21,200\nNULL,30,400\n");
  options.nulls = COLUMNADE_NULLS_UNEQUAL;
  joined(left, right, k, &options, "k,n_x,n_y\n2,20,200\n2,21,200\n");
  options.left_suffix = "";
  options.right_suffix = "_right";
  options.indicator = "from";
  options.kind = COLUMNADE_MERGE_LEFT;
  joined(left, right, k, &options,
         "k,n,n_right,from\n1,10,NULL,left_only\n2,20,200,both\n2,21,200,both\nNULL,30,NULL,left_only\n");
  options.left_suffix = options.right_suffix = options.indicator = NULL;
  options.nulls = COLUMNADE_NULLS_EQUAL;
  options.kind = COLUMNADE_MERGE_RIGHT;
  options.order = COLUMNADE_ORDER_RIGHT_LEFT;
  joined(left, right, k, &options, "k,n_x,n_y\n2,20,200\n2,21,200\n3,NULL,300\nNULL,30,400\n");
  options.kind = COLUMNADE_MERGE_OUTER;
  options.order = COLUMNADE_ORDER_LEFT_RIGHT;
  joined(left, right, k, &options, "k,n_x,n_y\n1,10,NULL\n2,20,200\n2,21,200\nNULL,30,400\n3,NULL,300\n");
  options.kind = COLUMNADE_MERGE_SEMI;
  joined(left, right, k, &options, "k,n\n2,20\n2,21\nNULL,30\n");
  options.kind = COLUMNADE_MERGE_ANTI;
  joined(left, right, k, &options, "k,n\n1,10\n");
  options.kind = COLUMNADE_MERGE_INNER;
  options.condition = later;
  joined(left, right, k, &options, "k,n_x,n_y\n2,21,200\nNULL,30,400\n");
  options.condition = NULL;
  options.kind = COLUMNADE_MERGE_CROSS;
  OK(columnade_table_merge(left, right, NULL, NULL, 0, &options, &merged));
  CHECK(rows_of(merged) == 12);
  columnade_table_destroy(merged);

  options.kind = COLUMNADE_MERGE_INNER;
  options.coalesce = COLUMNADE_COALESCE_NEVER;
  keys[0] = half;
  others[0] = k;
  OK(columnade_table_merge(left, right, keys, others, 1, NULL, &merged));
  CHECK(rows_of(merged) == 3);
  columnade_table_destroy(merged);
  keys[0] = k;
  OK(columnade_table_merge(left, right, keys, NULL, 1, &options, &merged));
  CSV(merged, "k_x,n_x,k_y,n_y\n2,20,2,200\n2,21,2,200\nNULL,30,NULL,400\n");
  columnade_table_destroy(merged);
  options.validate = COLUMNADE_VALIDATE_ONE_TO_ONE;
  FAILS(EINVAL, columnade_table_merge(left, right, keys, NULL, 1, &options, &merged));
  HAS(columnade_last_error(), "of the left frame is not unique");
  options.validate = COLUMNADE_VALIDATE_MANY_TO_ONE;
  options.kind = 7;
  FAILS(EINVAL, columnade_table_merge(left, right, keys, NULL, 1, &options, &merged));
  HAS(columnade_last_error(), "options.kind is 7");
  FAILS(EINVAL, columnade_table_merge(left, NULL, keys, NULL, 1, NULL, &merged));
  columnade_expr_destroy(k);
  columnade_expr_destroy(half);
  columnade_expr_destroy(later);
  columnade_table_destroy(left);
  columnade_table_destroy(right);
}

/* The deepest expression that is accepted is computed. */
static void deepest(void* orders) {
  char text[1024] = "id";
  ColumnadeExpr* expr;
  const ColumnadeExpr* columns[1];
  ColumnadeTable* computed = NULL;
  int at;
  for (at = 1; at < 200; at++) strcat(text, " + 1");
  expr = parsed(text);
  columns[0] = expr;
  OK(columnade_table_select_exprs((const ColumnadeTable*)orders, columns, 1, &computed));
  CHECK(rows_of(computed) == 5);
  columnade_table_destroy(computed);
  columnade_expr_destroy(expr);
}

void test_frames(const char* device) {
  ColumnadeTable* orders = table_of_csv(ORDERS);
  char* text = NULL;
  OK(columnade_table_device(orders, &text));
  TEXT(text, device);
  values(orders);
  rows(orders);
  groups(orders);
  order(orders);
  joins();
  on_another_thread(deepest, orders);
  columnade_table_destroy(orders);
}
