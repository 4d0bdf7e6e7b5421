/* Arrays, streams and tensors made by hand: rows before and after those that count, and releases that are counted. */
#ifndef PRODUCER_H
#define PRODUCER_H

#include "columnade.h"

/* How many structs of this producer hold something: made and not yet released. Zero again when all is given back. */
int held(void);

/* The same, once nothing is held any more or ten seconds are over: a device gives memory back after its queued work. */
int held_at_last(void);

/* Values first, first + 1, ... of int64, every third row null when `nulls`, behind `offset` rows of other values. */
void produce_numbers(const char* name, int64_t first, int64_t length, int64_t offset, int nulls,
                     struct ArrowSchema* schema, struct ArrowArray* array);

/* Strings of 0, 1, 2, 3, 0, 1, ... bytes behind `offset` others. */
void produce_texts(const char* name, int64_t length, int64_t offset, struct ArrowSchema* schema,
                   struct ArrowArray* array);

/* A table of the columns n (numbers from `first` on, with nulls) and t (texts): a struct behind `offset` rows of its own,
 * with children behind three more. */
void produce_table(int64_t first, int64_t length, int64_t offset, struct ArrowSchema* schema,
                   struct ArrowArray* array);

/* `count` such tables of `length` rows each. After `good` of them an error. */
void produce_stream(int count, int good, int64_t length, struct ArrowArrayStream* stream);

/* An array of a device with buffers, event and device of `of`, which it takes over; callbacks, and the place where the event
 * is found, are its own. */
void produce_device_array(struct ArrowDeviceArray* of, struct ArrowDeviceArray* array);

/* `count` copies of a table as a stream of arrays where it is. */
void produce_device_stream(const ColumnadeTable* table, int count, struct ArrowDeviceArrayStream* stream);

/* The numbers of `produce_numbers` in memory of `device` that the producer itself has filled, on a stream of its own: the
 * array has an event of the producer's, and before it is passed the memory holds other bytes. */
void produce_filled(const char* device, int64_t first, int64_t length, int64_t offset, int nulls,
                    struct ArrowSchema* schema, struct ArrowDeviceArray* array);

/* `count` arrays of structs with such a column n of `length` rows, the first of each where the one before ended. After
 * `good` of them an error. */
void produce_filled_stream(const char* device, int count, int good, int64_t length,
                           struct ArrowDeviceArrayStream* stream);

/* Rows by columns of float64, the value of each 100 * row + column. `columns` 0: of one dimension. Rows contiguous, or
 * columns. */
enum order { ROWS_CONTIGUOUS, COLUMNS_CONTIGUOUS };
struct DLManagedTensor* produce_tensor(int64_t rows, int64_t columns, enum order order);
struct DLManagedTensorVersioned* produce_tensor_versioned(int64_t rows, int64_t columns, enum order order);

#endif
