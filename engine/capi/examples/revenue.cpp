// Revenue by city, as revenue.c, in C++17: handles are destroyed by their owners, and errors are exceptions.
//
//   c++ -std=c++17 revenue.cpp $(pkg-config --cflags --libs columnade) -o revenue && ./revenue .
#include <cstdio>
#include <exception>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "columnade.h"

namespace {

void require(int code) {
  if (code != 0) throw std::runtime_error(columnade_last_error());
}

struct Destroy {
  void operator()(ColumnadeTable* table) const { columnade_table_destroy(table); }
  void operator()(ColumnadeExpr* expr) const { columnade_expr_destroy(expr); }
};
using Table = std::unique_ptr<ColumnadeTable, Destroy>;
using Expr = std::unique_ptr<ColumnadeExpr, Destroy>;

// The handle that a call returns through its last parameter.
template <typename Call>
Table table_of(Call call) {
  ColumnadeTable* table = nullptr;
  require(call(&table));
  return Table(table);
}

// Expressions of texts, and the pointers to them that the library takes.
class Exprs {
 public:
  Exprs(std::initializer_list<const char*> texts) {
    for (const char* text : texts) {
      ColumnadeExpr* expr = nullptr;
      require(columnade_expr_parse(text, &expr));
      owned_.emplace_back(expr);
      pointers_.push_back(expr);
    }
  }
  const ColumnadeExpr* const* data() const { return pointers_.data(); }
  int64_t size() const { return static_cast<int64_t>(pointers_.size()); }

 private:
  std::vector<Expr> owned_;
  std::vector<const ColumnadeExpr*> pointers_;
};

Table read_csv(const std::string& path) {
  return table_of([&](ColumnadeTable** table) { return columnade_read_csv(path.c_str(), nullptr, table); });
}

// The arrays of a table on the host, released with their owner.
struct Arrays {
  explicit Arrays(const Table& table) {
    ColumnadeExportOptions wide = COLUMNADE_EXPORT_OPTIONS_INIT;
    wide.offsets = COLUMNADE_OFFSETS_64;
    require(columnade_table_export(table.get(), &wide, &schema, &array));
  }
  ~Arrays() {
    schema.release(&schema);
    array.release(&array);
  }
  Arrays(const Arrays&) = delete;
  Arrays& operator=(const Arrays&) = delete;

  bool is_valid(int64_t column, int64_t row) const {
    const ArrowArray& child = *array.children[column];
    const auto* bits = static_cast<const uint8_t*>(child.buffers[0]);
    const int64_t bit = child.offset + row;
    return bits == nullptr || (bits[bit / 8] >> (bit % 8) & 1) != 0;
  }
  template <typename T>
  T value(int64_t column, int64_t row) const {
    const ArrowArray& child = *array.children[column];
    return static_cast<const T*>(child.buffers[1])[child.offset + row];
  }
  std::string text(int64_t column, int64_t row) const {
    const auto* bytes = static_cast<const char*>(array.children[column]->buffers[2]);
    const auto start = value<int64_t>(column, row);
    return std::string(bytes + start, static_cast<size_t>(value<int64_t>(column, row + 1) - start));
  }

  ArrowSchema schema;
  ArrowArray array;
};

void report(const std::string& folder) {
  const Table orders = read_csv(folder + "/orders.csv");
  const Table customers = read_csv(folder + "/customers.csv");
  const Exprs predicate{"units is not null"}, customer{"customer"}, city{"city"};
  const Exprs aggregates{"sum(units * price) as revenue", "len() as orders"};

  const Table complete = table_of(
      [&](ColumnadeTable** table) { return columnade_table_filter(orders.get(), *predicate.data(), table); });
  ColumnadeMergeOptions left_join = COLUMNADE_MERGE_OPTIONS_INIT;
  left_join.kind = COLUMNADE_MERGE_LEFT;
  const Table joined = table_of([&](ColumnadeTable** table) {
    return columnade_table_merge(complete.get(), customers.get(), customer.data(), nullptr, 1, &left_join, table);
  });
  ColumnadeGroupOptions with_null_keys = COLUMNADE_GROUP_OPTIONS_INIT;
  with_null_keys.null_keys = COLUMNADE_NULL_KEYS_GROUP;
  const Table grouped = table_of([&](ColumnadeTable** table) {
    return columnade_table_group_by(joined.get(), city.data(), city.size(), aggregates.data(), aggregates.size(),
                                    &with_null_keys, table);
  });
  const char* by[] = {"revenue"};
  const int32_t descending[] = {1};
  ColumnadeSortOptions largest_first = COLUMNADE_SORT_OPTIONS_INIT;
  largest_first.descending = descending;
  const Table sorted = table_of([&](ColumnadeTable** table) {
    return columnade_table_sort_values(grouped.get(), by, 1, &largest_first, table);
  });

  const Arrays arrays(sorted);
  for (int64_t row = 0; row < arrays.array.length; row++) {
    const std::string name = arrays.is_valid(0, row) ? arrays.text(0, row) : "without a city";
    std::printf("%s: %lld orders, %.2f\n", name.c_str(), static_cast<long long>(arrays.value<int64_t>(2, row)),
                arrays.value<double>(1, row));
  }
}

}  // namespace

int main(int count, char** arguments) {
  try {
    report(count > 1 ? arguments[1] : ".");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
