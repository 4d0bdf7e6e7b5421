/* Columnade: tables of columns on the host, on NVIDIA GPUs and on a simulated one, from C and C++.
 *
 * Conventions
 *
 * Results. A function that can fail returns 0, or one of errno's values; what it gives then comes through its last
 * parameters, which are written on success alone. columnade_last_error() has the text of the failure.
 *
 *   EINVAL            an argument that means nothing, and data that is not what it says it is
 *   ENOENT            a name that is not there
 *   ERANGE            a position beyond the end
 *   EOVERFLOW         a value or an offset that does not fit
 *   ENOTSUP           something that this library does not do
 *   ENODEV            a device that this build or this machine does not have
 *   ENOMEM            memory that ran out; nothing is lost
 *   EIO               a device or a file that failed
 *   ENOTRECOVERABLE   a fault of this library
 *
 * Pointers that must not be null are refused with EINVAL when they are, but for those that a function gives: the text
 * says which. Positions and numbers of rows and columns are int64_t, as in Arrow; negative ones are refused.
 *
 * Handles. A ColumnadeTable or a ColumnadeColumn never changes: every function makes another one, which shares the memory
 * of what is the same. A handle may be used by several threads at once, those of streams, events and memory too, and destroyed
 * by any. Whoever is given one through a parameter `ColumnadeTable **` destroys it; handles that are passed as arguments stay
 * their owner's.
 *
 * Text is UTF-8 that a zero byte ends. Text that is given through a parameter `char **` is released with
 * columnade_string_free().
 *
 * Ownership of foreign structs. Exports write to a struct of the caller's, who releases it by its own callback, whatever
 * has become of the table meanwhile. An import moves the struct: on success its release callback is null and the memory
 * goes back to the producer when the last table or column that looks at it is gone, and on a device the work that reads it
 * is done; on failure the struct is as it was, and the caller's to release. Schemas are only read. Nothing that is imported
 * is ever written.
 *
 * Threads. The default device and the last error are each thread's own; everything else may be used from anywhere.
 *
 * Other headers. The structs of Arrow's C interfaces are guarded as the interfaces say: this header goes together with
 * Arrow's abi.h and nanoarrow.h in any order. DLPack's are declared and not defined: include dlpack.h, before or after, to
 * look into them.
 */
#ifndef COLUMNADE_H
#define COLUMNADE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Arrow's C data, stream, device data and device stream interfaces ---------------------------------------------- */

#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE

#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4

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

#endif /* ARROW_C_DATA_INTERFACE */

#ifndef ARROW_C_DEVICE_DATA_INTERFACE
#define ARROW_C_DEVICE_DATA_INTERFACE

typedef int32_t ArrowDeviceType;

#define ARROW_DEVICE_CPU 1
#define ARROW_DEVICE_CUDA 2
#define ARROW_DEVICE_CUDA_HOST 3
#define ARROW_DEVICE_OPENCL 4
#define ARROW_DEVICE_VULKAN 7
#define ARROW_DEVICE_METAL 8
#define ARROW_DEVICE_VPI 9
#define ARROW_DEVICE_ROCM 10
#define ARROW_DEVICE_ROCM_HOST 11
#define ARROW_DEVICE_EXT_DEV 12
#define ARROW_DEVICE_CUDA_MANAGED 13
#define ARROW_DEVICE_ONEAPI 14
#define ARROW_DEVICE_WEBGPU 15
#define ARROW_DEVICE_HEXAGON 16

struct ArrowDeviceArray {
  struct ArrowArray array;
  int64_t device_id;
  ArrowDeviceType device_type;
  void* sync_event;
  int64_t reserved[3];
};

#endif /* ARROW_C_DEVICE_DATA_INTERFACE */

#ifndef ARROW_C_STREAM_INTERFACE
#define ARROW_C_STREAM_INTERFACE

struct ArrowArrayStream {
  int (*get_schema)(struct ArrowArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowArrayStream*, struct ArrowArray* out);
  const char* (*get_last_error)(struct ArrowArrayStream*);
  void (*release)(struct ArrowArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_STREAM_INTERFACE */

#ifndef ARROW_C_DEVICE_STREAM_INTERFACE
#define ARROW_C_DEVICE_STREAM_INTERFACE

struct ArrowDeviceArrayStream {
  ArrowDeviceType device_type;
  int (*get_schema)(struct ArrowDeviceArrayStream*, struct ArrowSchema* out);
  int (*get_next)(struct ArrowDeviceArrayStream*, struct ArrowDeviceArray* out);
  const char* (*get_last_error)(struct ArrowDeviceArrayStream*);
  void (*release)(struct ArrowDeviceArrayStream*);
  void* private_data;
};

#endif /* ARROW_C_DEVICE_STREAM_INTERFACE */

/* ---- DLPack: defined in dlpack.h ------------------------------------------------------------------------------------ */

struct DLManagedTensor;
struct DLManagedTensorVersioned;

/* ---- The library --------------------------------------------------------------------------------------------------- */

/* A table: columns of one length under distinct names, on one device. */
typedef struct ColumnadeTable ColumnadeTable;

/* A column with a name, on one device. */
typedef struct ColumnadeColumn ColumnadeColumn;

/* The version of the library, such as "0.1.0". The text is the library's, and valid for ever. */
const char* columnade_version(void);

/* Why the last function that failed on this thread did; empty text when none has. The text is the library's, and valid
 * until the next function that fails on this thread. */
const char* columnade_last_error(void);

/* Releases text that a function gave through a `char **`; null is allowed. */
void columnade_string_free(char* text);

/* ---- Devices ------------------------------------------------------------------------------------------------------- */

/* Devices are named as text: "host", "cuda:0" and so on in a build with CUDA, "sim" in a build with the simulator. To
 * Arrow and DLPack they are ARROW_DEVICE_CPU, ARROW_DEVICE_CUDA and ARROW_DEVICE_EXT_DEV. */

/* The number of devices that this build can use on this machine; the host, which is always there, is the first. */
int columnade_device_count(int64_t* count);

/* The name of one of them. */
int columnade_device_name(int64_t position, char** name);

/* Where this thread's new tables and columns are: what was set, else what the environment variable COLUMNADE_DEVICE names,
 * else the first GPU of a build with CUDA, else the host. */
int columnade_default_device(char** name);

/* Sets it. What exists stays where it is. */
int columnade_set_default_device(const char* name);

/* The stream on which this thread reads tensors of its default device: the number to give to a producer that orders its
 * work before the consumer's, as the array API writes it. 0 on the host, which has no streams. */
int columnade_default_stream(int64_t* stream);

/* What the memory of this thread's default device is used for, and what was spilled of it: a page of text for people. */
int columnade_memory_report(char** text);

/* ---- Streams, events and memory of a program's own ------------------------------------------------------------------ */

/* For producers that fill buffers on a device themselves, and consumers that read them there. A program that uses CUDA has
 * all of this already, and may mix the two: what is native here is CUDA's own. On the simulator there is no other way. On the
 * host work is done when the call returns, and there are no events. */

/* A queue of work on a device. Work on one stream is done in order, while the program goes on. */
typedef struct ColumnadeStream ColumnadeStream;

/* A mark in a stream, which is passed when the work before it is done. */
typedef struct ColumnadeEvent ColumnadeEvent;

/* Memory of a device that its owner may write. */
typedef struct ColumnadeMemory ColumnadeMemory;

int columnade_stream_create(const char* device, ColumnadeStream** stream);

/* Gives a stream back; null is allowed. What was queued on it is still done. */
void columnade_stream_destroy(ColumnadeStream* stream);

/* The driver's stream, a CUstream on a GPU, to queue work of other libraries on; null on the host. It lives as long as the
 * handle. */
int columnade_stream_native(const ColumnadeStream* stream, void** native);

/* Queues a copy of `bytes` bytes. Each address is on the host or on the stream's device, and the two do not overlap; until the
 * copy is done both stay there, and nobody else writes either. */
int columnade_stream_copy(const ColumnadeStream* stream, void* target, const void* source, int64_t bytes);

/* Makes work queued from now on wait for an event that an array of the stream's device has: `sync_event` is its member of
 * that name, null where there is nothing to wait for. The event may be gone when this returns. */
int columnade_stream_wait(const ColumnadeStream* stream, const void* sync_event);

/* Waits until everything that was queued is done. */
int columnade_stream_synchronize(const ColumnadeStream* stream);

/* Marks the end of what was queued until now. */
int columnade_stream_record(const ColumnadeStream* stream, ColumnadeEvent** event);

/* What the member `sync_event` of an array of the stream's device is set to: a pointer to the driver's event, a CUevent on a
 * GPU, and null on the host. It lives as long as the handle, which an array's owner keeps until the array is released. */
int columnade_event_sync_event(const ColumnadeEvent* event, void** sync_event);

/* Gives an event back; null is allowed. */
void columnade_event_destroy(ColumnadeEvent* event);

/* `bytes` bytes of the stream's device with unspecified contents, aligned to 64 bytes. Work of the stream may use them at
 * once, that of other streams when it has waited for the stream. They count in what the device's memory is used for, and
 * stay where they are. */
int columnade_memory_allocate(const ColumnadeStream* stream, int64_t bytes, ColumnadeMemory** memory);

/* The address of the first byte; on a GPU and on the simulator the host cannot look there. */
int columnade_memory_address(const ColumnadeMemory* memory, void** address);

/* Gives memory back; null is allowed. On a device it is used for other things when all work that was queued there until now is
 * done, whoever queued it. */
void columnade_memory_destroy(ColumnadeMemory* memory);

/* ---- Options ------------------------------------------------------------------------------------------------------- */

/* An options struct begins with its own size, so that later versions can have more members. Zeros are the defaults, and
 * so is a null pointer: start with COLUMNADE_..._OPTIONS_INIT and set what shall be different. */

/* Widths of the offsets of exported text, bytes and lists. */
enum {
  COLUMNADE_OFFSETS_AS_STORED = 0, /* as the column has them, without a copy */
  COLUMNADE_OFFSETS_32 = 1,        /* 32 bits: EOVERFLOW where they do not fit */
  COLUMNADE_OFFSETS_64 = 2         /* 64 bits */
};

/* Widths of exported decimals. */
enum {
  COLUMNADE_DECIMALS_AS_STORED = 0, /* without a copy: those computed have 64 bits up to 18 digits, 128 beyond */
  COLUMNADE_DECIMALS_128 = 1        /* 128 bits, for consumers that know no narrower decimals */
};

/* How a consumer on a device learns that the buffers are filled. */
enum {
  COLUMNADE_HANDOVER_EVENT = 0,       /* by the event of the array */
  COLUMNADE_HANDOVER_SYNCHRONISED = 1 /* the export waits, and there is no event */
};

/* Whether nulls are counted on a device; on the host they always are. */
enum {
  COLUMNADE_NULL_COUNTS_WHERE_KNOWN = 0, /* a count that is not known is -1 */
  COLUMNADE_NULL_COUNTS_EXACT = 1        /* all are counted, which waits for the device */
};

/* Whether memory is copied. */
enum {
  COLUMNADE_COPY_IF_NEEDED = 0, /* where it cannot be shared */
  COLUMNADE_COPY_NEVER = 1,     /* EINVAL where it cannot be shared */
  COLUMNADE_COPY_ALWAYS = 2     /* everything */
};

/* What an import checks. The length of buffers is nowhere told, and the producer's word is taken for it. */
enum {
  COLUMNADE_VALIDATE_MINIMAL = 0, /* the structs, and the first and last offsets: for producers whose word is good, since what
                                   * is wrong elsewhere may end the process later */
  COLUMNADE_VALIDATE_FULL = 1     /* also all offsets, text, dictionary codes, digits and null counts: reads all memory */
};

/* How tables and columns are exported to Arrow. */
typedef struct ColumnadeExportOptions {
  size_t size;         /* sizeof(ColumnadeExportOptions) */
  int32_t offsets;     /* COLUMNADE_OFFSETS_... */
  int32_t decimals;    /* COLUMNADE_DECIMALS_... */
  int32_t handover;    /* COLUMNADE_HANDOVER_... */
  int32_t null_counts; /* COLUMNADE_NULL_COUNTS_... */
} ColumnadeExportOptions;

#define COLUMNADE_EXPORT_OPTIONS_INIT {sizeof(ColumnadeExportOptions), 0, 0, 0, 0}

/* How they are imported from Arrow. */
typedef struct ColumnadeImportOptions {
  size_t size;      /* sizeof(ColumnadeImportOptions) */
  int32_t copy;     /* COLUMNADE_COPY_... */
  int32_t validate; /* COLUMNADE_VALIDATE_... */
} ColumnadeImportOptions;

#define COLUMNADE_IMPORT_OPTIONS_INIT {sizeof(ColumnadeImportOptions), 0, 0}

/* Where the memory of an exported tensor is. */
enum {
  COLUMNADE_TENSOR_IN_PLACE = 0, /* where the column is */
  COLUMNADE_TENSOR_ON_HOST = 1   /* on the host, which waits until it is there */
};

/* How they are exported to DLPack. */
typedef struct ColumnadeTensorOptions {
  size_t size;   /* sizeof(ColumnadeTensorOptions) */
  int32_t copy;  /* COLUMNADE_COPY_... */
  int32_t place; /* COLUMNADE_TENSOR_... */
  /* The stream on which the consumer reads the tensor, as the array API writes it: -1 when the consumer takes care of the
   * order itself, 1 for CUDA's legacy default stream, 2 for that of the thread, else the handle of a live stream of the
   * device. 0: not said; then CUDA's legacy default stream is meant, and the simulator's work is waited for. On the host 0
   * is all there is. */
  int64_t stream;
} ColumnadeTensorOptions;

#define COLUMNADE_TENSOR_OPTIONS_INIT {sizeof(ColumnadeTensorOptions), 0, 0, 0}

/* ---- Tables -------------------------------------------------------------------------------------------------------- */

/* The columns as a table, under their own names. They have one length and are on one device. */
int columnade_table_from_columns(const ColumnadeColumn* const* columns, int64_t count, ColumnadeTable** table);

/* Another handle of the same table. */
int columnade_table_clone(const ColumnadeTable* table, ColumnadeTable** clone);

/* Gives a table back; null is allowed. Memory that others share, exported structs among them, stays. */
void columnade_table_destroy(ColumnadeTable* table);

int columnade_table_row_count(const ColumnadeTable* table, int64_t* rows);
int columnade_table_column_count(const ColumnadeTable* table, int64_t* columns);

/* The name of a column. Columns of an imported tensor are called 0, 1 and so on, which are numbers and no text: they are
 * written as text here, and not found by it. */
int columnade_table_column_name(const ColumnadeTable* table, int64_t position, char** name);

/* A line for each column: its name, a colon, its dtype. */
int columnade_table_schema(const ColumnadeTable* table, char** text);

/* The device that the table is on. */
int columnade_table_device(const ColumnadeTable* table, char** name);

/* The table as people read it; of a large one the first and last rows and columns. */
int columnade_table_to_text(const ColumnadeTable* table, char** text);

/* A column by its position, and by its name. */
int columnade_table_column_at(const ColumnadeTable* table, int64_t position, ColumnadeColumn** column);
int columnade_table_column(const ColumnadeTable* table, const char* name, ColumnadeColumn** column);

/* The columns of these names, in that order. */
int columnade_table_select(const ColumnadeTable* table, const char* const* names, int64_t count,
                           ColumnadeTable** selected);

/* The same columns under other names, one for each. */
int columnade_table_rename(const ColumnadeTable* table, const char* const* names, int64_t count,
                           ColumnadeTable** renamed);

/* `rows` rows from row `offset` on, sharing memory; ERANGE where there are fewer. */
int columnade_table_slice(const ColumnadeTable* table, int64_t offset, int64_t rows, ColumnadeTable** slice);

/* The first and the last rows, all of them where there are fewer; sharing memory. */
int columnade_table_head(const ColumnadeTable* table, int64_t rows, ColumnadeTable** head);
int columnade_table_tail(const ColumnadeTable* table, int64_t rows, ColumnadeTable** tail);

/* The rows of all tables, one after the other. They have the columns of the first, and are on one device. */
int columnade_table_concat(const ColumnadeTable* const* tables, int64_t count, ColumnadeTable** all);

/* The table on another device: copied, or shared where it is there already. */
int columnade_table_to_device(const ColumnadeTable* table, const char* device, ColumnadeTable** moved);

/* Whether two tables on one device have the same names, dtypes and values: 1 or 0. A null equals a null, and NaN equals
 * NaN. Where they differ and `difference` is not null, it is given the first difference as text, else null. */
int columnade_table_equals(const ColumnadeTable* left, const ColumnadeTable* right, int* equal, char** difference);

/* ---- Columns ------------------------------------------------------------------------------------------------------- */

/* Another handle of the same column. */
int columnade_column_clone(const ColumnadeColumn* column, ColumnadeColumn** clone);

/* Gives a column back; null is allowed. */
void columnade_column_destroy(ColumnadeColumn* column);

int columnade_column_name(const ColumnadeColumn* column, char** name);
int columnade_column_row_count(const ColumnadeColumn* column, int64_t* rows);

/* The number of nulls; counts them, and waits for the device, when nobody has yet. */
int columnade_column_null_count(const ColumnadeColumn* column, int64_t* nulls);

/* The dtype, as in the schema of a table. */
int columnade_column_dtype(const ColumnadeColumn* column, char** dtype);

int columnade_column_device(const ColumnadeColumn* column, char** name);
int columnade_column_to_text(const ColumnadeColumn* column, char** text);

/* The same values under another name. */
int columnade_column_rename(const ColumnadeColumn* column, const char* name, ColumnadeColumn** renamed);

/* As those of tables. Names do not count for equality. */
int columnade_column_slice(const ColumnadeColumn* column, int64_t offset, int64_t rows, ColumnadeColumn** slice);
int columnade_column_to_device(const ColumnadeColumn* column, const char* device, ColumnadeColumn** moved);
int columnade_column_equals(const ColumnadeColumn* left, const ColumnadeColumn* right, int* equal, char** difference);

/* ---- Arrow: exports ------------------------------------------------------------------------------------------------ */

/* What a struct of the caller's holds before is overwritten and not released. `options` may be null. Schemas and arrays
 * share nothing: each is released by itself, in any order, on any thread; children may be moved out of their parents.
 *
 * A table is an array of structs, as the interface says of record batches. Names must be text. */

/* The schema alone. */
int columnade_table_export_schema(const ColumnadeTable* table, const ColumnadeExportOptions* options,
                                  struct ArrowSchema* schema);

/* On the host: memory is shared; a table of another device is copied there. */
int columnade_table_export(const ColumnadeTable* table, const ColumnadeExportOptions* options,
                           struct ArrowSchema* schema, struct ArrowArray* array);
int columnade_column_export(const ColumnadeColumn* column, const ColumnadeExportOptions* options,
                            struct ArrowSchema* schema, struct ArrowArray* array);

/* On the device that they are on: memory is shared. `sync_event` is null, or points to a CUDA event that is passed when
 * all buffers are filled; it lives as long as any array of the tree. */
int columnade_table_export_device(const ColumnadeTable* table, const ColumnadeExportOptions* options,
                                  struct ArrowSchema* schema, struct ArrowDeviceArray* array);
int columnade_column_export_device(const ColumnadeColumn* column, const ColumnadeExportOptions* options,
                                   struct ArrowSchema* schema, struct ArrowDeviceArray* array);

/* As a stream of arrays of `rows` rows each, the last of fewer: one without rows where there are none. The stream keeps
 * the table's memory, and the arrays outlive the stream. */
int columnade_table_export_stream(const ColumnadeTable* table, int64_t rows, const ColumnadeExportOptions* options,
                                  struct ArrowArrayStream* stream);
int columnade_table_export_device_stream(const ColumnadeTable* table, int64_t rows,
                                         const ColumnadeExportOptions* options,
                                         struct ArrowDeviceArrayStream* stream);

/* The same of a column: arrays of its type, not structs of it, as the chunks of one column. */
int columnade_column_export_stream(const ColumnadeColumn* column, int64_t rows, const ColumnadeExportOptions* options,
                                   struct ArrowArrayStream* stream);
int columnade_column_export_device_stream(const ColumnadeColumn* column, int64_t rows,
                                          const ColumnadeExportOptions* options,
                                          struct ArrowDeviceArrayStream* stream);

/* ---- Arrow: imports ------------------------------------------------------------------------------------------------ */

/* `options` may be null. The schema is only read, and stays the caller's. The array or stream is moved out of its struct:
 * on success `release` is null there; on failure it is as it was. */

/* From the host to this thread's default device: on the host memory is shared. */
int columnade_table_import(const struct ArrowSchema* schema, struct ArrowArray* array,
                           const ColumnadeImportOptions* options, ColumnadeTable** table);
int columnade_column_import(const struct ArrowSchema* schema, struct ArrowArray* array,
                            const ColumnadeImportOptions* options, ColumnadeColumn** column);

/* From any device, to the same: memory is shared. Work on the result waits for the array's event; this call does not. */
int columnade_table_import_device(const struct ArrowSchema* schema, struct ArrowDeviceArray* array,
                                  const ColumnadeImportOptions* options, ColumnadeTable** table);
int columnade_column_import_device(const struct ArrowSchema* schema, struct ArrowDeviceArray* array,
                                   const ColumnadeImportOptions* options, ColumnadeColumn** column);

/* All arrays of a stream as one table, from the host to this thread's default device, and from any device to the same. To
 * take them one by one, call get_next and import each. The stream is moved as soon as its schema is understood: when one
 * of its arrays fails, it is released. */
int columnade_table_import_stream(struct ArrowArrayStream* stream, const ColumnadeImportOptions* options,
                                  ColumnadeTable** table);
int columnade_table_import_device_stream(struct ArrowDeviceArrayStream* stream, const ColumnadeImportOptions* options,
                                         ColumnadeTable** table);

/* The same as one column, of a stream whose arrays are of any type: the chunks of a column. Structs become a column of
 * structs. */
int columnade_column_import_stream(struct ArrowArrayStream* stream, const ColumnadeImportOptions* options,
                                   ColumnadeColumn** column);
int columnade_column_import_device_stream(struct ArrowDeviceArrayStream* stream, const ColumnadeImportOptions* options,
                                          ColumnadeColumn** column);

/* ---- DLPack -------------------------------------------------------------------------------------------------------- */

/* Numbers and booleans without nulls. A column is a tensor of one dimension, a table of one dtype a tensor of rows by
 * columns, whose columns are contiguous. `options` may be null.
 *
 * An exported tensor is released by its deleter, on any thread. It must not be written, as the flags of the versioned
 * form say: columns may share its memory. Without a copy, but for booleans, for tables whose columns are not at regular
 * distances in one allocation, and for what the options ask for. */
int columnade_column_export_dlpack(const ColumnadeColumn* column, const ColumnadeTensorOptions* options,
                                   struct DLManagedTensor** tensor);
int columnade_column_export_dlpack_versioned(const ColumnadeColumn* column, const ColumnadeTensorOptions* options,
                                             struct DLManagedTensorVersioned** tensor);
int columnade_table_export_dlpack(const ColumnadeTable* table, const ColumnadeTensorOptions* options,
                                  struct DLManagedTensor** tensor);
int columnade_table_export_dlpack_versioned(const ColumnadeTable* table, const ColumnadeTensorOptions* options,
                                            struct DLManagedTensorVersioned** tensor);

/* A tensor on its device. On success it is the library's, which calls the deleter when the last column that looks at its
 * memory is gone; on failure it is as it was, and the caller's. `copy` is one of COLUMNADE_COPY_...; booleans and
 * floats of 16 bits, which become floats of 32, cannot be shared. A tensor of a device must be filled, or its producer have
 * been told the stream of columnade_default_stream(), the device being this thread's default.
 *
 * Columns have no name; those of tables, one for each of the second dimension, are called 0, 1 and so on. */
int columnade_column_import_dlpack(struct DLManagedTensor* tensor, int32_t copy, ColumnadeColumn** column);
int columnade_column_import_dlpack_versioned(struct DLManagedTensorVersioned* tensor, int32_t copy,
                                             ColumnadeColumn** column);
int columnade_table_import_dlpack(struct DLManagedTensor* tensor, int32_t copy, ColumnadeTable** table);
int columnade_table_import_dlpack_versioned(struct DLManagedTensorVersioned* tensor, int32_t copy,
                                            ColumnadeTable** table);

#ifdef __cplusplus
}
#endif

#endif /* COLUMNADE_H */
