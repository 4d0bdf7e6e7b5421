#include "producer.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dlpack_structs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int held_now = 0;

int held(void) {
  int now;
  pthread_mutex_lock(&lock);
  now = held_now;
  pthread_mutex_unlock(&lock);
  return now;
}

int held_at_last(void) {
  const struct timespec pause = {0, 1000000};
  int left;
  for (left = 10000; held() != 0 && left > 0; left--) nanosleep(&pause, NULL);
  return held();
}

/* Releases come on any thread. */
static void count(int change) {
  pthread_mutex_lock(&lock);
  held_now += change;
  pthread_mutex_unlock(&lock);
}

static void* zeroed(size_t bytes) {
  void* block = calloc(1, bytes ? bytes : 1);
  if (!block) abort();
  return block;
}

/* ---- Schemas ---- */

static void release_schema(struct ArrowSchema* schema) {
  int64_t at;
  for (at = 0; at < schema->n_children; at++) {
    if (schema->children[at]->release) schema->children[at]->release(schema->children[at]);
    free(schema->children[at]);
  }
  free(schema->children);
  schema->release = NULL;
  count(-1);
}

static void make_schema(struct ArrowSchema* schema, const char* format, const char* name, int64_t children) {
  int64_t at;
  memset(schema, 0, sizeof *schema);
  schema->format = format;
  schema->name = name;
  schema->flags = ARROW_FLAG_NULLABLE;
  schema->n_children = children;
  schema->children = (struct ArrowSchema**)zeroed((size_t)children * sizeof(struct ArrowSchema*));
  for (at = 0; at < children; at++) {
    schema->children[at] = (struct ArrowSchema*)zeroed(sizeof(struct ArrowSchema));
  }
  schema->release = release_schema;
  count(1);
}

/* ---- Arrays ---- */

static void release_array(struct ArrowArray* array) {
  int64_t at;
  for (at = 0; at < array->n_children; at++) {
    if (array->children[at]->release) array->children[at]->release(array->children[at]);
    free(array->children[at]);
  }
  for (at = 0; at < array->n_buffers; at++) free((void*)array->buffers[at]);
  free((void*)array->buffers);
  free(array->children);
  array->release = NULL;
  count(-1);
}

static void make_array(struct ArrowArray* array, int64_t length, int64_t offset, int64_t buffers, int64_t children) {
  int64_t at;
  memset(array, 0, sizeof *array);
  array->length = length;
  array->offset = offset;
  array->n_buffers = buffers;
  array->buffers = (const void**)zeroed((size_t)buffers * sizeof(void*));
  array->n_children = children;
  array->children = (struct ArrowArray**)zeroed((size_t)children * sizeof(struct ArrowArray*));
  for (at = 0; at < children; at++) {
    array->children[at] = (struct ArrowArray*)zeroed(sizeof(struct ArrowArray));
  }
  array->release = release_array;
  count(1);
}

void produce_numbers(const char* name, int64_t first, int64_t length, int64_t offset, int nulls,
                     struct ArrowSchema* schema, struct ArrowArray* array) {
  int64_t row, end = offset + length;
  int64_t* values = (int64_t*)zeroed((size_t)end * sizeof(int64_t));
  unsigned char* valid = nulls ? (unsigned char*)zeroed((size_t)(end + 7) / 8) : NULL;
  make_schema(schema, "l", name, 0);
  make_array(array, length, offset, 2, 0);
  for (row = 0; row < end; row++) {
    int is_null = row >= offset && (row - offset) % 3 == 2;
    values[row] = row < offset ? -77 : first + row - offset;
    if (valid && !is_null) valid[row / 8] = (unsigned char)(valid[row / 8] | 1 << row % 8);
  }
  array->null_count = nulls ? -1 : 0;
  array->buffers[0] = valid;
  array->buffers[1] = values;
}

void produce_texts(const char* name, int64_t length, int64_t offset, struct ArrowSchema* schema,
                   struct ArrowArray* array) {
  static const char letters[] = "abc";
  int64_t row, end = offset + length;
  int32_t* offsets = (int32_t*)zeroed((size_t)(end + 1) * sizeof(int32_t));
  char* bytes = (char*)zeroed((size_t)end * 3);
  make_schema(schema, "u", name, 0);
  make_array(array, length, offset, 3, 0);
  for (row = 0; row < end; row++) {
    int32_t size = row < offset ? 2 : (int32_t)((row - offset) % 4);
    memcpy(bytes + offsets[row], letters, (size_t)size);
    offsets[row + 1] = offsets[row] + size;
  }
  array->buffers[1] = offsets;
  array->buffers[2] = bytes;
}

void produce_table(int64_t first, int64_t length, int64_t offset, struct ArrowSchema* schema,
                   struct ArrowArray* array) {
  make_schema(schema, "+s", "", 2);
  make_array(array, length, offset, 1, 2);
  produce_numbers("n", first - offset, length + offset, 3, 1, schema->children[0], array->children[0]);
  produce_texts("t", length + offset, 3, schema->children[1], array->children[1]);
}

/* ---- Streams ---- */

struct stream {
  int next, count, good;
  int64_t length;
};

static int stream_schema(struct ArrowArrayStream* stream, struct ArrowSchema* out) {
  struct ArrowArray array;
  (void)stream;
  produce_table(0, 0, 0, out, &array);
  array.release(&array);
  return 0;
}

static int stream_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  struct stream* state = (struct stream*)stream->private_data;
  struct ArrowSchema schema;
  if (state->next == state->count) {
    memset(out, 0, sizeof *out);
    return 0;
  }
  if (state->next == state->good) return ENOSPC;
  produce_table(state->next * state->length, state->length, state->next, &schema, out);
  schema.release(&schema);
  state->next++;
  return 0;
}

static const char* stream_error(struct ArrowArrayStream* stream) {
  (void)stream;
  return "the tape is at its end";
}

static void release_stream(struct ArrowArrayStream* stream) {
  free(stream->private_data);
  stream->release = NULL;
  count(-1);
}

void produce_stream(int number, int good, int64_t length, struct ArrowArrayStream* stream) {
  struct stream* state = (struct stream*)zeroed(sizeof *state);
  state->count = number;
  state->good = good;
  state->length = length;
  stream->get_schema = stream_schema;
  stream->get_next = stream_next;
  stream->get_last_error = stream_error;
  stream->release = release_stream;
  stream->private_data = state;
  count(1);
}

/* ---- Devices ---- */

/* An array that is handed on, and the producer's own place for its event, which consumers find through this address. */
struct kept_array {
  struct ArrowArray of;
  void* event;
};

static void release_device_array(struct ArrowArray* array) {
  struct kept_array* kept = (struct kept_array*)array->private_data;
  kept->of.release(&kept->of);
  kept->event = NULL;
  free(kept);
  array->release = NULL;
  count(-1);
}

void produce_device_array(struct ArrowDeviceArray* of, struct ArrowDeviceArray* array) {
  struct kept_array* kept = (struct kept_array*)zeroed(sizeof *kept);
  kept->of = of->array;
  of->array.release = NULL;
  *array = *of;
  array->array = kept->of;
  array->array.release = release_device_array;
  if (of->sync_event) {
    /* The event itself lives as long as the array that is kept. */
    kept->event = *(void**)of->sync_event;
    array->sync_event = &kept->event;
  }
  array->array.private_data = kept;
  /* Producers are known that leave something here. */
  array->reserved[1] = 5;
  count(1);
}

struct device_stream {
  const ColumnadeTable* table;
  int left;
};

static int device_stream_schema(struct ArrowDeviceArrayStream* stream, struct ArrowSchema* out) {
  struct device_stream* state = (struct device_stream*)stream->private_data;
  return columnade_table_export_schema(state->table, NULL, out);
}

static int device_stream_next(struct ArrowDeviceArrayStream* stream, struct ArrowDeviceArray* out) {
  struct device_stream* state = (struct device_stream*)stream->private_data;
  struct ArrowSchema schema;
  struct ArrowDeviceArray array;
  int code;
  if (state->left == 0) {
    memset(out, 0, sizeof *out);
    return 0;
  }
  state->left--;
  code = columnade_table_export_device(state->table, NULL, &schema, &array);
  if (code != 0) return code;
  schema.release(&schema);
  produce_device_array(&array, out);
  return 0;
}

static const char* device_stream_error(struct ArrowDeviceArrayStream* stream) {
  (void)stream;
  return NULL;
}

static void release_device_stream(struct ArrowDeviceArrayStream* stream) {
  free(stream->private_data);
  stream->release = NULL;
  count(-1);
}

void produce_device_stream(const ColumnadeTable* table, int number, struct ArrowDeviceArrayStream* stream) {
  struct device_stream* state = (struct device_stream*)zeroed(sizeof *state);
  struct ArrowSchema schema;
  struct ArrowDeviceArray array;
  if (columnade_table_export_device(table, NULL, &schema, &array) != 0) abort();
  stream->device_type = array.device_type;
  schema.release(&schema);
  array.array.release(&array.array);
  state->table = table;
  state->left = number;
  stream->get_schema = device_stream_schema;
  stream->get_next = device_stream_next;
  stream->get_last_error = device_stream_error;
  stream->release = release_device_stream;
  stream->private_data = state;
  count(1);
}

/* ---- Memory, streams and events of the producer's own ---- */

static void require(int code) {
  if (code == 0) return;
  fprintf(stderr, "the producer fails: %s\n", columnade_last_error());
  abort();
}

/* What an array on a device owns: the array on the host that it was filled from, and what it was filled with. */
struct filled {
  struct ArrowArray source;
  ColumnadeStream* stream;
  ColumnadeEvent* event;
  ColumnadeMemory* memory[2];
  const void* buffers[2];
};

static void release_filled(struct ArrowArray* array) {
  struct filled* filled = (struct filled*)array->private_data;
  int at;
  /* The copies, which read the source, need not be done yet. */
  require(columnade_stream_synchronize(filled->stream));
  for (at = 0; at < 2; at++) columnade_memory_destroy(filled->memory[at]);
  columnade_event_destroy(filled->event);
  columnade_stream_destroy(filled->stream);
  filled->source.release(&filled->source);
  free(filled);
  array->release = NULL;
  count(-1);
}

/* Memory of the device that holds other bytes, and will hold `bytes` bytes of `source` when the stream is through. */
static const void* fill(struct filled* filled, int at, const void* source, int64_t bytes) {
  void *address, *others = zeroed((size_t)bytes);
  memset(others, 0xEE, (size_t)bytes);
  require(columnade_memory_allocate(filled->stream, bytes, &filled->memory[at]));
  require(columnade_memory_address(filled->memory[at], &address));
  require(columnade_stream_copy(filled->stream, address, others, bytes));
  require(columnade_stream_synchronize(filled->stream));
  require(columnade_stream_copy(filled->stream, address, source, bytes));
  free(others);
  return address;
}

/* What the interface calls the device. */
static void place_on(const char* device, struct ArrowDeviceArray* array) {
  array->device_type = ARROW_DEVICE_CPU;
  array->device_id = -1;
  if (strcmp(device, "sim") == 0) {
    array->device_type = ARROW_DEVICE_EXT_DEV;
    array->device_id = 0;
  } else if (strncmp(device, "cuda:", 5) == 0) {
    array->device_type = ARROW_DEVICE_CUDA;
    array->device_id = strtol(device + 5, NULL, 10);
  }
}

void produce_filled(const char* device, int64_t first, int64_t length, int64_t offset, int nulls,
                    struct ArrowSchema* schema, struct ArrowDeviceArray* array) {
  struct filled* filled = (struct filled*)zeroed(sizeof *filled);
  int64_t end = offset + length;
  memset(array, 0, sizeof *array);
  produce_numbers("n", first, length, offset, nulls, schema, &filled->source);
  require(columnade_stream_create(device, &filled->stream));
  if (nulls) filled->buffers[0] = fill(filled, 0, filled->source.buffers[0], (end + 7) / 8);
  filled->buffers[1] = fill(filled, 1, filled->source.buffers[1], end * (int64_t)sizeof(int64_t));
  require(columnade_stream_record(filled->stream, &filled->event));
  require(columnade_event_sync_event(filled->event, &array->sync_event));
  place_on(device, array);
  array->array = filled->source;
  array->array.buffers = filled->buffers;
  array->array.release = release_filled;
  array->array.private_data = filled;
  count(1);
}

struct filled_stream {
  char device[16];
  int next, count, good;
  int64_t length;
};

static int filled_stream_schema(struct ArrowDeviceArrayStream* stream, struct ArrowSchema* out) {
  (void)stream;
  make_schema(out, "+s", "", 1);
  make_schema(out->children[0], "l", "n", 0);
  return 0;
}

static int filled_stream_next(struct ArrowDeviceArrayStream* stream, struct ArrowDeviceArray* out) {
  struct filled_stream* state = (struct filled_stream*)stream->private_data;
  struct ArrowSchema schema;
  struct ArrowDeviceArray child;
  memset(out, 0, sizeof *out);
  if (state->next == state->count) return 0;
  if (state->next == state->good) return ENOSPC;
  produce_filled(state->device, state->next * state->length, state->length, state->next, 0, &schema, &child);
  schema.release(&schema);
  *out = child;
  make_array(&out->array, state->length, 0, 1, 1);
  /* The event lives as long as the child. */
  *out->array.children[0] = child.array;
  state->next++;
  return 0;
}

static const char* filled_stream_error(struct ArrowDeviceArrayStream* stream) {
  (void)stream;
  return "the card is full";
}

static void release_filled_stream(struct ArrowDeviceArrayStream* stream) {
  free(stream->private_data);
  stream->release = NULL;
  count(-1);
}

void produce_filled_stream(const char* device, int number, int good, int64_t length,
                           struct ArrowDeviceArrayStream* stream) {
  struct filled_stream* state = (struct filled_stream*)zeroed(sizeof *state);
  struct ArrowDeviceArray array;
  if (strlen(device) >= sizeof state->device) abort();
  strcpy(state->device, device);
  place_on(device, &array);
  state->count = number;
  state->good = good;
  state->length = length;
  stream->device_type = array.device_type;
  stream->get_schema = filled_stream_schema;
  stream->get_next = filled_stream_next;
  stream->get_last_error = filled_stream_error;
  stream->release = release_filled_stream;
  stream->private_data = state;
  count(1);
}

/* ---- Tensors ---- */

/* What a tensor owns beside its struct. */
struct grid {
  int64_t shape[2];
  int64_t strides[2];
  double* values;
};

/* The first value is behind this many others. */
enum { LEAD = 5 };

static void fill_tensor(DLTensor* tensor, struct grid* grid, int64_t rows, int64_t columns, enum order order) {
  int64_t row, column, width = columns ? columns : 1;
  memset(tensor, 0, sizeof *tensor);
  grid->values = (double*)zeroed((size_t)(LEAD + rows * width) * sizeof(double));
  grid->shape[0] = rows;
  grid->shape[1] = columns;
  grid->strides[0] = order == ROWS_CONTIGUOUS ? width : 1;
  grid->strides[1] = order == ROWS_CONTIGUOUS ? 1 : rows;
  for (row = 0; row < rows; row++) {
    for (column = 0; column < width; column++) {
      grid->values[LEAD + row * grid->strides[0] + column * grid->strides[1]] = (double)(100 * row + column);
    }
  }
  tensor->data = grid->values;
  tensor->byte_offset = LEAD * sizeof(double);
  tensor->device.device_type = 1;
  tensor->ndim = columns ? 2 : 1;
  tensor->dtype.code = 2;
  tensor->dtype.bits = 64;
  tensor->dtype.lanes = 1;
  tensor->shape = grid->shape;
  tensor->strides = grid->strides;
  count(1);
}

static void delete_grid(void* context) {
  struct grid* grid = (struct grid*)context;
  free(grid->values);
  free(grid);
  count(-1);
}

static void delete_tensor(DLManagedTensor* tensor) {
  delete_grid(tensor->manager_ctx);
  free(tensor);
}

static void delete_tensor_versioned(DLManagedTensorVersioned* tensor) {
  delete_grid(tensor->manager_ctx);
  free(tensor);
}

struct DLManagedTensor* produce_tensor(int64_t rows, int64_t columns, enum order order) {
  DLManagedTensor* tensor = (DLManagedTensor*)zeroed(sizeof *tensor);
  struct grid* grid = (struct grid*)zeroed(sizeof *grid);
  fill_tensor(&tensor->dl_tensor, grid, rows, columns, order);
  tensor->manager_ctx = grid;
  tensor->deleter = delete_tensor;
  return tensor;
}

struct DLManagedTensorVersioned* produce_tensor_versioned(int64_t rows, int64_t columns, enum order order) {
  DLManagedTensorVersioned* tensor = (DLManagedTensorVersioned*)zeroed(sizeof *tensor);
  struct grid* grid = (struct grid*)zeroed(sizeof *grid);
  fill_tensor(&tensor->dl_tensor, grid, rows, columns, order);
  tensor->version.major = 1;
  tensor->manager_ctx = grid;
  tensor->deleter = delete_tensor_versioned;
  return tensor;
}
