#include "totals.h"

#include <string.h>

/* Whether a row has a value. Bits count from the array's offset, as values do. */
static int is_valid(const struct ArrowArray* column, int64_t row) {
  const uint8_t* bits = (const uint8_t*)column->buffers[0];
  int64_t bit = column->offset + row;
  return !bits || (bits[bit / 8] >> (bit % 8) & 1);
}

static double total(const struct ArrowArray* column) {
  const double* values = (const double*)column->buffers[1] + column->offset;
  double sum = 0.0;
  int64_t row;
  for (row = 0; row < column->length; row++) {
    if (is_valid(column, row)) sum += values[row];
  }
  return sum;
}

enum TotalsResult totals(const struct ArrowSchema* schema, struct ArrowDeviceArray* array, double* totals) {
  int64_t column;
  /* A consumer on a device makes its stream wait for `sync_event`, if there is one, and launches its kernels on the
   * pointers in `buffers`. This one runs on the host. */
  if (array->device_type != ARROW_DEVICE_CPU) return TOTALS_DEVICE;
  for (column = 0; column < schema->n_children; column++) {
    if (strcmp(schema->children[column]->format, "g") != 0) return TOTALS_DTYPE;
  }
  for (column = 0; column < schema->n_children; column++) {
    totals[column] = total(array->array.children[column]);
  }
  /* The producer's memory goes back as soon as it is not needed. */
  array->array.release(&array->array);
  return TOTALS_OK;
}
