/* Stands for nanoarrow.h, as far as Arrow's structs go: the structs of data and streams are behind one more guard, a macro
 * of the interface, for headers that have the macro and not the guards. */
#ifndef NANOARROW_PEER_H
#define NANOARROW_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef ARROW_FLAG_DICTIONARY_ORDERED

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

struct ArrowSchema {
  const char *format, *name, *metadata;
  int64_t flags, n_children;
  struct ArrowSchema **children, *dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};

struct ArrowArray {
  int64_t length, null_count, offset, n_buffers, n_children;
  const void** buffers;
  struct ArrowArray **children, *dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};

#endif

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema*);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray*);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif

#endif

/* What such a header does with them. */
static inline int nanoarrow_peer_next(struct ArrowArrayStream* stream, struct ArrowArray* out) {
  return stream->get_next(stream, out) + ARROW_FLAG_NULLABLE + ARROW_FLAG_MAP_KEYS_SORTED;
}

#ifdef __cplusplus
}
#endif

#endif
