/* Totals of the float64 columns of an array. */
#ifndef TOTALS_H
#define TOTALS_H

#include <stdint.h>

/* The structs of Arrow's C data interface and C device data interface, as their specifications state them. A program
 * that has a header of them already includes that instead. */
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif

#ifndef ARROW_C_DEVICE_DATA_INTERFACE
#define ARROW_C_DEVICE_DATA_INTERFACE

#define ARROW_DEVICE_CPU 1

struct ArrowDeviceArray {
  struct ArrowArray array;
  int64_t device_id;
  int32_t device_type;
  void* sync_event;
  int64_t reserved[3];
};

#endif

enum TotalsResult {
  TOTALS_OK = 0,
  /* A column that is not float64. */
  TOTALS_DTYPE = 1,
  /* Memory that only a device reads: `device_type` of the array says which. */
  TOTALS_DEVICE = 2
};

/* Writes the sum of each column, nulls left out, to `totals`, which has a place for each. On success it releases the array,
 * which it owns from then on; after an error the array is as it was. The schema stays the caller's. */
enum TotalsResult totals(const struct ArrowSchema* schema, struct ArrowDeviceArray* array, double* totals);

#endif
