/* Expressions: how they are made, and which are refused. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

/* Both expressions have this text. */
static void check_same(ColumnadeExpr* built, const char* text, const char* shown) {
  ColumnadeExpr* read = parsed(text);
  char *first = NULL, *second = NULL;
  OK(columnade_expr_to_text(built, &first));
  OK(columnade_expr_to_text(read, &second));
  HAS(first, shown);
  TEXT(first, second);
  columnade_string_free(second);
  columnade_expr_destroy(read);
  columnade_expr_destroy(built);
}

static void constants(void) {
  ColumnadeExpr* expr = NULL;
  OK(columnade_expr_column("unit price", &expr));
  check_same(expr, "\"unit price\"", "unit price");
  OK(columnade_expr_null(&expr));
  check_same(expr, "NULL", "null");
  OK(columnade_expr_bool(2, &expr));
  check_same(expr, "True", "true");
  OK(columnade_expr_int64(INT64_MIN, &expr));
  check_same(expr, "-9223372036854775808", "-9223372036854775808");
  OK(columnade_expr_uint64(UINT64_MAX, &expr));
  check_same(expr, "18446744073709551615", "18446744073709551615");
  OK(columnade_expr_float64(-0.25, &expr));
  check_same(expr, "-2.5e-1", "-0.25");
  OK(columnade_expr_string("it's \xc3\xa9t\xc3\xa9", &expr));
  check_same(expr, "'it''s \xc3\xa9t\xc3\xa9'", "it's");
  OK(columnade_expr_literal("date32", "2024-02-29", &expr));
  check_same(expr, "date('2024-02-29')", "2024-02-29");
  OK(columnade_expr_literal("timestamp[us]", "2024-02-29 01:02:03.5", &expr));
  check_same(expr, "literal('2024-02-29 01:02:03.5', 'timestamp[us]')", "01:02:03.5");
  FAILS(EINVAL, columnade_expr_literal("date32", "2023-02-29", &expr));
  HAS(columnade_last_error(), "2023-02-29");
  FAILS(EINVAL, columnade_expr_literal("date33", "2023-02-28", &expr));
  HAS(columnade_last_error(), "date33");
  FAILS(ENOTSUP, columnade_expr_literal("list<int8>", "[]", &expr));
}

static void operators(void) {
  static const char* symbols[] = {"+", "-", "*", "/", "//", "%", "=", "!=", "<", "<=", ">", ">=", "and", "or"};
  ColumnadeExpr *a = parsed("a"), *b = parsed("b"), *expr = NULL;
  const ColumnadeExpr* conditions[2];
  const ColumnadeExpr* values[2];
  char text[32];
  char* label = NULL;
  int32_t at;
  for (at = COLUMNADE_ADD; at <= COLUMNADE_OR; at++) {
    snprintf(text, sizeof text, "a %s b", symbols[at]);
    OK(columnade_expr_binary(at, a, b, &expr));
    check_same(expr, text, "a ");
  }
  OK(columnade_expr_unary(COLUMNADE_NEGATE, a, &expr));
  check_same(expr, "-a", "-a");
  OK(columnade_expr_unary(COLUMNADE_NOT, a, &expr));
  check_same(expr, "not a", "!a");
  OK(columnade_expr_unary(COLUMNADE_IS_NULL, a, &expr));
  check_same(expr, "a is null", "a.is_null()");
  OK(columnade_expr_unary(COLUMNADE_IS_NOT_NULL, a, &expr));
  check_same(expr, "a is not null", "a.is_not_null()");
  OK(columnade_expr_cast(a, "list<timestamp[ms]>", &expr));
  check_same(expr, "cast(a, 'list<timestamp[ms]>')", "a.cast(list<timestamp[ms]>)");
  OK(columnade_expr_alias(a, "c", &expr));
  OK(columnade_expr_label(expr, &label));
  TEXT(label, "c");
  check_same(expr, "a as c", "a as c");
  conditions[0] = a;
  conditions[1] = b;
  values[0] = b;
  values[1] = a;
  OK(columnade_expr_when(conditions, values, 2, NULL, &expr));
  check_same(expr, "case when a then b when b then a end", "when(a).then(b).otherwise(when(b)");
  OK(columnade_expr_when(conditions, values, 1, a, &expr));
  check_same(expr, "case when a then b else a end", "when(a).then(b).otherwise(a)");
  OK(columnade_expr_call("coalesce", conditions, 2, &expr));
  check_same(expr, "coalesce(a, b)", "a.fill_null(b)");
  OK(columnade_expr_call("str.upper", conditions, 1, &expr));
  check_same(expr, "a.str.upper()", "a.str().upper()");

  FAILS(EINVAL, columnade_expr_when(conditions, values, 0, a, &expr));
  FAILS(EINVAL, columnade_expr_binary(14, a, b, &expr));
  HAS(columnade_last_error(), "operation is 14");
  FAILS(EINVAL, columnade_expr_unary(-1, a, &expr));
  FAILS(EINVAL, columnade_expr_cast(a, "int", &expr));
  HAS(columnade_last_error(), "\"int\" is no dtype");
  FAILS(ENOENT, columnade_expr_call("summ", conditions, 1, &expr));
  HAS(columnade_last_error(), "there is no function \"summ\"");
  FAILS(EINVAL, columnade_expr_call("sum", conditions, 2, &expr));
  HAS(columnade_last_error(), "sum takes 1 argument, not 2");
  FAILS(EINVAL, columnade_expr_call("str.like", conditions, 2, &expr));
  HAS(columnade_last_error(), "argument 2 of str.like must be a constant string");
  OK(columnade_expr_clone(a, &expr));
  columnade_expr_destroy(a);
  check_same(expr, "a", "a");
  columnade_expr_destroy(b);
  columnade_expr_destroy(NULL);
}

static void refused_text(const char* text, int code, const char* message) {
  ColumnadeExpr* expr = NULL;
  FAILS(code, columnade_expr_parse(text, &expr));
  HAS(columnade_last_error(), message);
  CHECK(!expr);
}

static void texts(void) {
  refused_text("", EINVAL, "text, character 1: expected an expression, found the end");
  refused_text("a +", EINVAL, "character 4: expected an expression, found the end");
  refused_text("a b", EINVAL, "character 3: expected an operator or the end, found \"b\"");
  refused_text("a < b < c", EINVAL, "character 7: expected and between comparisons");
  refused_text("(a", EINVAL, "character 3: expected an operator or )");
  refused_text("sum(a", EINVAL, "character 6: expected a comma or )");
  refused_text("'a", EINVAL, "character 3: expected the ' that ends the string");
  refused_text("\xc3\xa9 = \"a", EINVAL, "character 7: expected the \" that ends the name");
  refused_text("a & b", EINVAL, "character 3: expected an expression, found '&'");
  refused_text("12ab", EINVAL, "character 3: expected an operator");
  refused_text("1e999", EINVAL, "character 1: the number 1e999 is too large");
  refused_text("case a when 1 then 2 end", EINVAL, "character 6: expected when");
  refused_text("a not null", EINVAL, "character 7: expected in, between or like");
  refused_text("a + nosuch(b)", ENOENT, "character 5: there is no function \"nosuch\"");
  refused_text("a.b", EINVAL, "character 4: expected (");
  refused_text("round(a, b)", EINVAL, "character 1: argument 2 of round must be a constant integer");
  refused_text("a as", EINVAL, "character 5: expected a name");
  refused_text("and", EINVAL, "character 1: expected an expression, found \"and\"");
  refused_text("\xff", EINVAL, "UTF-8");
}

/* Text of any depth and length is refused before it takes the stack, or as long to compute as it likes. */
static void depths(void) {
  enum { LENGTH = 300000 };
  char* text = (char*)malloc(LENGTH + 64);
  ColumnadeExpr *expr = NULL, *deeper = NULL;
  int at, levels;
  if (!text) abort();
  memset(text, '(', LENGTH);
  text[LENGTH] = '\0';
  refused_text(text, EINVAL, "character 66: the expression has more than 64 levels");
  memset(text, '-', LENGTH);
  refused_text(text, EINVAL, "more than 64 levels");
  for (at = 0; at < LENGTH; at += 4) memcpy(text + at, "not ", 4);
  refused_text(text, EINVAL, "more than 64 levels");
  strcpy(text, "a");
  for (at = 1; at < LENGTH; at += 2) memcpy(text + at, "+a", 3);
  refused_text(text, EINVAL, "more than 200 levels");
  strcpy(text, "a");
  for (at = 1; at < LENGTH - 6; at += 6) memcpy(text + at, ".abs()", 7);
  refused_text(text, EINVAL, "more than 200 levels");
  /* Each call has its operand twice. */
  strcpy(text, "a");
  for (at = 1; at < 1 + 14 * 30; at += 14) memcpy(text + at, ".between(1, 2)", 15);
  refused_text(text, EINVAL, "more than 100000 nodes");
  /* Many conditions have few levels. */
  strcpy(text, "a");
  for (at = 1; at < LENGTH / 100; at += 5) memcpy(text + at, " or a", 6);
  OK(columnade_expr_parse(text, &expr));
  columnade_expr_destroy(expr);
  free(text);
  expr = parsed("a");
  for (levels = 1; levels < 200; levels++) {
    OK(columnade_expr_unary(COLUMNADE_NEGATE, expr, &deeper));
    columnade_expr_destroy(expr);
    expr = deeper;
  }
  FAILS(EINVAL, columnade_expr_unary(COLUMNADE_NEGATE, expr, &deeper));
  HAS(columnade_last_error(), "more than 200 levels");
  columnade_expr_destroy(expr);
}

static void nulls(void) {
  ColumnadeExpr *a = parsed("a"), *expr = NULL;
  const ColumnadeExpr* some[2] = {NULL, NULL};
  FAILS(EINVAL, columnade_expr_parse(NULL, &expr));
  FAILS(EINVAL, columnade_expr_parse("a", NULL));
  FAILS(EINVAL, columnade_expr_column(NULL, &expr));
  FAILS(EINVAL, columnade_expr_string(NULL, &expr));
  FAILS(EINVAL, columnade_expr_literal(NULL, "1", &expr));
  FAILS(EINVAL, columnade_expr_unary(COLUMNADE_NEGATE, NULL, &expr));
  FAILS(EINVAL, columnade_expr_binary(COLUMNADE_ADD, a, NULL, &expr));
  FAILS(EINVAL, columnade_expr_when(some, some, 1, NULL, &expr));
  FAILS(EINVAL, columnade_expr_when(NULL, NULL, 1, NULL, &expr));
  FAILS(EINVAL, columnade_expr_call("sum", some, 1, &expr));
  HAS(columnade_last_error(), "arguments is null");
  FAILS(EINVAL, columnade_expr_call(NULL, some, 0, &expr));
  FAILS(EINVAL, columnade_expr_cast(a, NULL, &expr));
  FAILS(EINVAL, columnade_expr_alias(a, NULL, &expr));
  FAILS(EINVAL, columnade_expr_to_text(a, NULL));
  columnade_expr_destroy(a);
}

void test_expressions(void) {
  constants();
  operators();
  texts();
  depths();
  nulls();
}
