/* Columnade: tables of columns on the host, on NVIDIA GPUs and on a simulated GPU, for C and C++.
 *
 * Conventions
 *
 * Results. A function that can fail returns 0 or an errno value. It writes its results to its last parameters, and only
 * on success. columnade_last_error() returns the message of the failure.
 *
 *   EINVAL            an invalid argument or invalid data
 *   ENOENT            an unknown name
 *   ERANGE            a position out of range
 *   EOVERFLOW         a value or an offset that does not fit its type
 *   ENOTSUP           an operation that this library does not support
 *   ENODEV            a device that this build or this machine does not have
 *   ENOMEM            out of memory; no data is lost
 *   EIO               a device or file error
 *   ENOTRECOVERABLE   a bug in this library
 *
 * Null pointers are refused with EINVAL unless the documentation of the function allows them; the message names the
 * parameter. Positions and numbers of rows and columns are int64_t, as in Arrow; negative ones are refused.
 *
 * Handles. A ColumnadeTable, ColumnadeColumn or ColumnadeExpr is immutable. Functions return new handles, which share
 * memory with their arguments where possible. Several threads may use one handle at the same time, and any thread may destroy it;
 * this also holds for streams, events and memory. The caller owns handles returned through a parameter `ColumnadeTable
 * **` and must destroy them. Passing a handle as an argument does not transfer ownership.
 *
 * Strings are UTF-8 and end with a zero byte. Release strings returned through a parameter `char **` with
 * columnade_string_free().
 *
 * Ownership of foreign structs. An export fills a struct of the caller, who releases it with its own callback, before
 * or after the table is destroyed. An import moves the struct: on success its release callback is null, and the memory
 * is released to the producer after the last table or column that uses it is destroyed and, on a device, queued work
 * has finished. On failure the struct is unchanged and the caller releases it. Schemas are only read. Imported memory
 * is never written.
 *
 * Threads. Every thread has its own default device and last error. Everything else may be used from any thread.
 *
 * Fork. A child works on the host, with the handles that it inherits, if no other thread of the parent was in a call. Calls
 * for a GPU that the parent has used are ENODEV; bytes that it had spilled to disk are EIO.
 *
 * Other headers. This header includes columnade_files.h, which reads and writes files. The structs of Arrow's C
 * interfaces have the guards that the interfaces define, so this header can be included together with Arrow's abi.h and
 * nanoarrow.h in any order. DLPack's structs are declared and not defined: include dlpack.h, before or after, to access
 * their members.
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

/* An expression over the columns of a table. It belongs to no table and to no device. */
typedef struct ColumnadeExpr ColumnadeExpr;

/* The version of the library, such as "0.2.0". The string is static. */
const char* columnade_version(void);

/* The message of the last failure on this thread; empty if there was none. The string belongs to the library and is
 * valid until the next failure on this thread. */
const char* columnade_last_error(void);

/* Releases a string returned through a `char **`; null is allowed. */
void columnade_string_free(char* text);

/* ---- Devices ------------------------------------------------------------------------------------------------------- */

/* Device names are "host", "cuda:0" and so on in a build with CUDA, and "sim" in a build with the simulator. In Arrow
 * and DLPack they are ARROW_DEVICE_CPU, ARROW_DEVICE_CUDA and ARROW_DEVICE_EXT_DEV. */

/* The number of devices that this build can use on this machine. The first one is the host. */
int columnade_device_count(int64_t* count);

/* The name of the device at a position. */
int columnade_device_name(int64_t position, char** name);

/* The device of new tables and columns of this thread: the one that was set, else the one that the environment variable
 * COLUMNADE_DEVICE names, else the first GPU in a build with CUDA, else the host. */
int columnade_default_device(char** name);

/* Sets the default device of this thread. Existing tables and columns do not move. */
int columnade_set_default_device(const char* name);

/* The stream on which this thread reads tensors of its default device, as a number of the array API. Pass it to a
 * producer, which orders its work before this stream. 0 on the host, which has no streams. */
int columnade_default_stream(int64_t* stream);

/* A readable report of memory use and spilling on the default device of this thread. */
int columnade_memory_report(char** text);

/* ---- Streams, events and device memory ------------------------------------------------------------------------------ */

/* For programs that fill or read device buffers themselves. Programs that use CUDA can use CUDA's streams, events and
 * memory instead, and can mix the two: the native handles here are CUDA's. The simulator has no other interface. On the
 * host, work is done when a call returns, and there are no events. */

/* A queue of asynchronous work on a device. Work on one stream is done in order. */
typedef struct ColumnadeStream ColumnadeStream;

/* A mark in a stream. It completes when all work queued before it is done. */
typedef struct ColumnadeEvent ColumnadeEvent;

/* Memory of a device that the caller may write. */
typedef struct ColumnadeMemory ColumnadeMemory;

int columnade_stream_create(const char* device, ColumnadeStream** stream);

/* Destroys a stream; null is allowed. Queued work is still done. */
void columnade_stream_destroy(ColumnadeStream* stream);

/* The stream of the driver, a CUstream on a GPU, for work of other libraries; null on the host. It is valid until the
 * handle is destroyed. */
int columnade_stream_native(const ColumnadeStream* stream, void** native);

/* Queues a copy of `bytes` bytes. Each address is on the host or on the stream's device. The ranges must not overlap,
 * and must stay valid and not be written by other code until the copy is done. */
int columnade_stream_copy(const ColumnadeStream* stream, void* target, const void* source, int64_t bytes);

/* Makes all work queued later wait for the event of an array of the stream's device. `sync_event` is the array's member
 * of that name; null waits for nothing. The event may be destroyed when this returns. */
int columnade_stream_wait(const ColumnadeStream* stream, const void* sync_event);

/* Waits until all queued work is done. */
int columnade_stream_synchronize(const ColumnadeStream* stream);

/* Records an event that completes when all work queued so far is done. */
int columnade_stream_record(const ColumnadeStream* stream, ColumnadeEvent** event);

/* The value for the member `sync_event` of an array of the stream's device: a pointer to the driver's event (a CUevent
 * on a GPU), null on the host. It is valid until the handle is destroyed; keep the handle until the array is
 * released. */
int columnade_event_sync_event(const ColumnadeEvent* event, void** sync_event);

/* Destroys an event; null is allowed. */
void columnade_event_destroy(ColumnadeEvent* event);

/* Allocates `bytes` bytes on the stream's device, uninitialised and aligned to 64 bytes. Work on this stream may use
 * them at once; work on other streams must wait for this stream. The memory counts in the budget of the device and is
 * never spilled. */
int columnade_memory_allocate(const ColumnadeStream* stream, int64_t bytes, ColumnadeMemory** memory);

/* The address of the first byte. The host cannot access it on a GPU or on the simulator. */
int columnade_memory_address(const ColumnadeMemory* memory, void** address);

/* Frees memory; null is allowed. On a device the memory is reused after all work queued there so far is done, on any
 * stream. */
void columnade_memory_destroy(ColumnadeMemory* memory);

/* ---- Options ------------------------------------------------------------------------------------------------------- */

/* An options struct begins with its own size, so that later versions can add members. Zero is the default of every
 * member, and a null pointer means all defaults. Initialise with COLUMNADE_..._OPTIONS_INIT and set the members to
 * change. */

/* Widths of the offsets of exported strings, binary and lists. */
enum {
  COLUMNADE_OFFSETS_AS_STORED = 0, /* the width of the column, without a copy */
  COLUMNADE_OFFSETS_32 = 1,        /* 32 bits; EOVERFLOW if they do not fit */
  COLUMNADE_OFFSETS_64 = 2         /* 64 bits */
};

/* Widths of exported decimals. */
enum {
  COLUMNADE_DECIMALS_AS_STORED = 0, /* the width of the column, without a copy */
  COLUMNADE_DECIMALS_128 = 1        /* 128 bits, for consumers without narrower decimals */
};

/* How a consumer on a device waits until the buffers are filled. */
enum {
  COLUMNADE_HANDOVER_EVENT = 0,       /* for the event of the array */
  COLUMNADE_HANDOVER_SYNCHRONISED = 1 /* not at all: the export waits, and there is no event */
};

/* Whether nulls are counted on a device. On the host they always are. */
enum {
  COLUMNADE_NULL_COUNTS_WHERE_KNOWN = 0, /* unknown counts are -1 */
  COLUMNADE_NULL_COUNTS_EXACT = 1        /* counts all, which waits for the device */
};

/* When memory is copied. */
enum {
  COLUMNADE_COPY_IF_NEEDED = 0, /* if it cannot be shared */
  COLUMNADE_COPY_NEVER = 1,     /* never; EINVAL if it cannot be shared */
  COLUMNADE_COPY_ALWAYS = 2     /* always */
};

/* What an import validates. The interfaces do not state the length of buffers, so it cannot be validated. */
enum {
  COLUMNADE_VALIDATE_MINIMAL = 0, /* the structs, first and last offsets: for trusted producers, since other invalid
                                   * data may crash the process later */
  COLUMNADE_VALIDATE_FULL = 1     /* also all offsets, strings, dictionary codes, digits and null counts: reads
                                   * all memory */
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

/* How tables and columns are imported from Arrow. */
typedef struct ColumnadeImportOptions {
  size_t size;      /* sizeof(ColumnadeImportOptions) */
  int32_t copy;     /* COLUMNADE_COPY_... */
  int32_t validate; /* COLUMNADE_VALIDATE_... */
} ColumnadeImportOptions;

#define COLUMNADE_IMPORT_OPTIONS_INIT {sizeof(ColumnadeImportOptions), 0, 0}

/* The device of an exported tensor. */
enum {
  COLUMNADE_TENSOR_IN_PLACE = 0, /* the device of the column */
  COLUMNADE_TENSOR_ON_HOST = 1   /* the host, which waits for the copy */
};

/* How tables and columns are exported to DLPack. */
typedef struct ColumnadeTensorOptions {
  size_t size;   /* sizeof(ColumnadeTensorOptions) */
  int32_t copy;  /* COLUMNADE_COPY_... */
  int32_t place; /* COLUMNADE_TENSOR_... */
  /* The stream on which the consumer reads the tensor, as a number of the array API: -1 for no synchronisation, 1 for
   * CUDA's legacy default stream, 2 for the per-thread default stream, else the handle of a live stream of the device.
   * 0 means unspecified: the legacy default stream on a GPU; on the simulator the export waits. On the host only 0 is
   * valid. */
  int64_t stream;
} ColumnadeTensorOptions;

#define COLUMNADE_TENSOR_OPTIONS_INIT {sizeof(ColumnadeTensorOptions), 0, 0, 0}

/* ---- Tables -------------------------------------------------------------------------------------------------------- */

/* A table of the columns, with their names. All columns have the same length and device, and distinct names. */
int columnade_table_from_columns(const ColumnadeColumn* const* columns, int64_t count, ColumnadeTable** table);

/* Another handle to the same table. */
int columnade_table_clone(const ColumnadeTable* table, ColumnadeTable** clone);

/* Destroys a table handle; null is allowed. Memory that other handles or exported structs share stays valid. */
void columnade_table_destroy(ColumnadeTable* table);

int columnade_table_row_count(const ColumnadeTable* table, int64_t* rows);
int columnade_table_column_count(const ColumnadeTable* table, int64_t* columns);

/* The name of a column. The columns of an imported tensor have the integer labels 0, 1 and so on: this function formats
 * them as strings, but functions that look up a name do not find them. */
int columnade_table_column_name(const ColumnadeTable* table, int64_t position, char** name);

/* One line per column: name, colon, dtype. */
int columnade_table_schema(const ColumnadeTable* table, char** text);

/* The device of the table. */
int columnade_table_device(const ColumnadeTable* table, char** name);

/* The table formatted for display; a large table is truncated to its first and last rows and columns. */
int columnade_table_to_text(const ColumnadeTable* table, char** text);

/* A column by position, and by name. */
int columnade_table_column_at(const ColumnadeTable* table, int64_t position, ColumnadeColumn** column);
int columnade_table_column(const ColumnadeTable* table, const char* name, ColumnadeColumn** column);

/* The columns with these names, in this order. */
int columnade_table_select(const ColumnadeTable* table, const char* const* names, int64_t count,
                           ColumnadeTable** selected);

/* The same columns with other names, one for each column. */
int columnade_table_rename(const ColumnadeTable* table, const char* const* names, int64_t count,
                           ColumnadeTable** renamed);

/* `rows` rows from row `offset`, sharing memory; ERANGE if there are fewer. */
int columnade_table_slice(const ColumnadeTable* table, int64_t offset, int64_t rows, ColumnadeTable** slice);

/* The first and the last `rows` rows, or all if there are fewer; sharing memory. */
int columnade_table_head(const ColumnadeTable* table, int64_t rows, ColumnadeTable** head);
int columnade_table_tail(const ColumnadeTable* table, int64_t rows, ColumnadeTable** tail);

/* The rows of all tables, in order. All tables have the same columns and are on one device. */
int columnade_table_concat(const ColumnadeTable* const* tables, int64_t count, ColumnadeTable** all);

/* The table on a device: a copy, or shared if the table is on that device. */
int columnade_table_to_device(const ColumnadeTable* table, const char* device, ColumnadeTable** moved);

/* Whether two tables on one device have the same names, dtypes and values: 1 or 0. A null equals a null, and NaN equals
 * NaN. If they differ and `difference` is not null, it receives a description of the first difference, else null. */
int columnade_table_equals(const ColumnadeTable* left, const ColumnadeTable* right, int* equal, char** difference);

/* ---- Columns ------------------------------------------------------------------------------------------------------- */

/* Another handle to the same column. */
int columnade_column_clone(const ColumnadeColumn* column, ColumnadeColumn** clone);

/* Destroys a column handle; null is allowed. */
void columnade_column_destroy(ColumnadeColumn* column);

int columnade_column_name(const ColumnadeColumn* column, char** name);
int columnade_column_row_count(const ColumnadeColumn* column, int64_t* rows);

/* The number of nulls. Counts them and waits for the device if the count is not known yet. */
int columnade_column_null_count(const ColumnadeColumn* column, int64_t* nulls);

/* The dtype, as in the schema of a table. */
int columnade_column_dtype(const ColumnadeColumn* column, char** dtype);

int columnade_column_device(const ColumnadeColumn* column, char** name);
int columnade_column_to_text(const ColumnadeColumn* column, char** text);

/* The same values with another name. */
int columnade_column_rename(const ColumnadeColumn* column, const char* name, ColumnadeColumn** renamed);

/* Like the functions of tables. Equality ignores names. */
int columnade_column_slice(const ColumnadeColumn* column, int64_t offset, int64_t rows, ColumnadeColumn** slice);
int columnade_column_to_device(const ColumnadeColumn* column, const char* device, ColumnadeColumn** moved);
int columnade_column_equals(const ColumnadeColumn* left, const ColumnadeColumn* right, int* equal, char** difference);

/* ---- Expressions ---------------------------------------------------------------------------------------------------- */

/* An expression is made by functions or of a text, and computed by the functions of tables that take it. Columns and
 * dtypes are looked up then. */

/* The expression that a text writes, such as "units * price >= 100 and city in ('Turin', 'Oslo')", "sum(units) as
 * total" or "case when n > 0 then 'some' else 'none' end". docs/c.md has the grammar and the functions. EINVAL, with the
 * character, for text that it does not have; ENOENT for an unknown function. */
int columnade_expr_parse(const char* text, ColumnadeExpr** expr);

int columnade_expr_clone(const ColumnadeExpr* expr, ColumnadeExpr** clone);

/* Destroys an expression handle; null is allowed. Expressions made of it stay valid. */
void columnade_expr_destroy(ColumnadeExpr* expr);

/* The expression formatted for display. */
int columnade_expr_to_text(const ColumnadeExpr* expr, char** text);

/* The name of the column that the expression computes: its alias, otherwise the name of the column that it is computed
 * from, otherwise the expression as text. */
int columnade_expr_label(const ColumnadeExpr* expr, char** label);

/* The column with a name. */
int columnade_expr_column(const char* name, ColumnadeExpr** expr);

/* Constants, which take the dtype of what they are combined with. A boolean is true unless it is 0. */
int columnade_expr_null(ColumnadeExpr** expr);
int columnade_expr_bool(int value, ColumnadeExpr** expr);
int columnade_expr_int64(int64_t value, ColumnadeExpr** expr);
int columnade_expr_uint64(uint64_t value, ColumnadeExpr** expr);
int columnade_expr_float64(double value, ColumnadeExpr** expr);
int columnade_expr_string(const char* value, ColumnadeExpr** expr);

/* A constant of a dtype, as text: ("date32", "1998-09-02"), ("timestamp[us]", "1998-09-02 12:00:00.5"), ("int8", "-1"),
 * ("decimal(15, 2)", "0.50"), ("duration[s]", "-2 days 03:04:05"). ENOTSUP for binary and nested dtypes. */
int columnade_expr_literal(const char* dtype, const char* value, ColumnadeExpr** expr);

/* Operators of one operand. */
enum {
  COLUMNADE_NEGATE = 0,
  COLUMNADE_NOT = 1, /* of booleans */
  COLUMNADE_IS_NULL = 2,
  COLUMNADE_IS_NOT_NULL = 3
};

/* Operators of two operands. Results are null where an operand is null, except for AND and OR, which follow Kleene's
 * logic. */
enum {
  COLUMNADE_ADD = 0,
  COLUMNADE_SUBTRACT = 1,
  COLUMNADE_MULTIPLY = 2,
  COLUMNADE_DIVIDE = 3,       /* of integers: float64 */
  COLUMNADE_FLOOR_DIVIDE = 4, /* rounds down */
  COLUMNADE_MODULO = 5,       /* has the sign of the divisor */
  COLUMNADE_EQ = 6,
  COLUMNADE_NE = 7,
  COLUMNADE_LT = 8,
  COLUMNADE_LE = 9,
  COLUMNADE_GT = 10,
  COLUMNADE_GE = 11,
  COLUMNADE_AND = 12,
  COLUMNADE_OR = 13
};

/* `operation` is one of the constants above. EINVAL if the result has more than 200 levels or 100,000 nodes; this also
 * holds for the functions below. */
int columnade_expr_unary(int32_t operation, const ColumnadeExpr* operand, ColumnadeExpr** expr);
int columnade_expr_binary(int32_t operation, const ColumnadeExpr* left, const ColumnadeExpr* right,
                          ColumnadeExpr** expr);

/* The value of the first condition that is true, `otherwise` where none is; `otherwise` may be null, for nulls. There
 * are `count` conditions and values, at least one. */
int columnade_expr_when(const ColumnadeExpr* const* conditions, const ColumnadeExpr* const* values, int64_t count,
                        const ColumnadeExpr* otherwise, ColumnadeExpr** expr);

/* The values as another dtype, such as "int64", "timestamp[us, Europe/Rome]" or "list<utf8>". */
int columnade_expr_cast(const ColumnadeExpr* operand, const char* dtype, ColumnadeExpr** expr);

/* The same expression for a column with another name. */
int columnade_expr_alias(const ColumnadeExpr* operand, const char* label, ColumnadeExpr** expr);

/* A function by its name, such as "sum", "round", "str.upper" or "dt.year". A name without a namespace means the
 * function without one, otherwise the first in str, dt, list, cat and struct. docs/c.md lists them. ENOENT for an unknown
 * name. */
int columnade_expr_call(const char* function, const ColumnadeExpr* const* arguments, int64_t count,
                        ColumnadeExpr** expr);

/* ---- Tables by expressions, groups, order and joins ------------------------------------------------------------------ */

/* Arguments are not changed, and results are on the device of the table. Errors name the operation, the column and the
 * dtype. `options` may be null. */

/* The rows for which the predicate is true. */
int columnade_table_filter(const ColumnadeTable* table, const ColumnadeExpr* predicate, ColumnadeTable** filtered);

/* A table of the expressions, in this order. */
int columnade_table_select_exprs(const ColumnadeTable* table, const ColumnadeExpr* const* columns, int64_t count,
                                 ColumnadeTable** selected);

/* The table with the expressions as columns: in place of columns of the same name, else after the others. */
int columnade_table_with_columns(const ColumnadeTable* table, const ColumnadeExpr* const* columns, int64_t count,
                                 ColumnadeTable** extended);

/* Rows with a null in a key. */
enum {
  COLUMNADE_NULL_KEYS_DROP = 0, /* are in no group */
  COLUMNADE_NULL_KEYS_GROUP = 1 /* form groups, in which nulls are equal */
};

/* The order of groups. */
enum {
  COLUMNADE_GROUPS_BY_FIRST_ROW = 0, /* that of their first rows */
  COLUMNADE_GROUPS_BY_KEYS = 1       /* sorted by the keys, nulls last */
};

/* How groups are made. */
typedef struct ColumnadeGroupOptions {
  size_t size;       /* sizeof(ColumnadeGroupOptions) */
  int32_t null_keys; /* COLUMNADE_NULL_KEYS_... */
  int32_t order;     /* COLUMNADE_GROUPS_... */
} ColumnadeGroupOptions;

#define COLUMNADE_GROUP_OPTIONS_INIT {sizeof(ColumnadeGroupOptions), 0, 0}

/* One row per group of rows that are equal in every key: the keys, then the aggregates. Without keys, one row of all. */
int columnade_table_group_by(const ColumnadeTable* table, const ColumnadeExpr* const* keys, int64_t key_count,
                             const ColumnadeExpr* const* aggregates, int64_t aggregate_count,
                             const ColumnadeGroupOptions* options, ColumnadeTable** grouped);

/* How rows are sorted. An array has a flag, 0 or 1, for each column that rows are sorted by; null means zeros. */
typedef struct ColumnadeSortOptions {
  size_t size;                /* sizeof(ColumnadeSortOptions) */
  const int32_t* descending;  /* 1 for a column whose largest value comes first */
  const int32_t* nulls_first; /* 1 for a column whose nulls come first, in either order */
} ColumnadeSortOptions;

#define COLUMNADE_SORT_OPTIONS_INIT {sizeof(ColumnadeSortOptions), NULL, NULL}

/* The rows sorted by columns, the first of which decides first. Equal rows keep their order. */
int columnade_table_sort_values(const ColumnadeTable* table, const char* const* names, int64_t count,
                                const ColumnadeSortOptions* options, ColumnadeTable** sorted);

/* Which of equal rows is kept. */
enum {
  COLUMNADE_KEEP_FIRST = 0,
  COLUMNADE_KEEP_LAST = 1,
  COLUMNADE_KEEP_NONE = 2 /* none of several equal rows */
};

typedef struct ColumnadeUniqueOptions {
  size_t size;      /* sizeof(ColumnadeUniqueOptions) */
  int32_t keep;     /* COLUMNADE_KEEP_... */
  int32_t reserved; /* 0 */
} ColumnadeUniqueOptions;

#define COLUMNADE_UNIQUE_OPTIONS_INIT {sizeof(ColumnadeUniqueOptions), 0, 0}

/* The rows that differ in these columns, or in all columns if `count` is 0, in order. Nulls are equal, and NaNs are. */
int columnade_table_unique(const ColumnadeTable* table, const char* const* names, int64_t count,
                           const ColumnadeUniqueOptions* options, ColumnadeTable** unique);

/* Which rows a join returns. */
enum {
  COLUMNADE_MERGE_INNER = 0, /* pairs of rows with equal keys */
  COLUMNADE_MERGE_LEFT = 1,  /* also left rows without a match */
  COLUMNADE_MERGE_RIGHT = 2, /* also right rows without a match */
  COLUMNADE_MERGE_OUTER = 3, /* also rows of both without a match */
  COLUMNADE_MERGE_SEMI = 4,  /* left rows with a match */
  COLUMNADE_MERGE_ANTI = 5,  /* left rows without a match */
  COLUMNADE_MERGE_CROSS = 6  /* all pairs; there are no keys */
};

/* Whether nulls in keys are equal. */
enum { COLUMNADE_NULLS_EQUAL = 0, COLUMNADE_NULLS_UNEQUAL = 1 };

/* Whether the keys of both sides become one column. */
enum {
  COLUMNADE_COALESCE_DEFAULT = 0, /* where their names are equal */
  COLUMNADE_COALESCE_ALWAYS = 1,
  COLUMNADE_COALESCE_NEVER = 2
};

/* How often keys may occur; EINVAL if they occur more often. */
enum {
  COLUMNADE_VALIDATE_NOTHING = 0,
  COLUMNADE_VALIDATE_ONE_TO_ONE = 1,
  COLUMNADE_VALIDATE_ONE_TO_MANY = 2, /* keys are unique on the left */
  COLUMNADE_VALIDATE_MANY_TO_ONE = 3  /* keys are unique on the right */
};

/* The order of the rows. */
enum {
  COLUMNADE_ORDER_ANY = 0,
  COLUMNADE_ORDER_LEFT_RIGHT = 1, /* that of the left rows, then of the right rows */
  COLUMNADE_ORDER_RIGHT_LEFT = 2
};

/* How tables are joined. */
typedef struct ColumnadeMergeOptions {
  size_t size;              /* sizeof(ColumnadeMergeOptions) */
  int32_t kind;             /* COLUMNADE_MERGE_... */
  int32_t nulls;            /* COLUMNADE_NULLS_... */
  int32_t coalesce;         /* COLUMNADE_COALESCE_... */
  int32_t validate;         /* COLUMNADE_VALIDATE_... */
  int32_t order;            /* COLUMNADE_ORDER_... */
  int32_t reserved;         /* 0 */
  const char* left_suffix;  /* after names that both tables have; null: "_x" */
  const char* right_suffix; /* null: "_y" */
  const char* indicator;    /* the name of a column that says where a row is from; null: there is none */
  const ColumnadeExpr* condition; /* also holds for pairs, over their columns; null: there is none */
} ColumnadeMergeOptions;

#define COLUMNADE_MERGE_OPTIONS_INIT \
  {sizeof(ColumnadeMergeOptions), 0, 0, 0, 0, 0, 0, NULL, NULL, NULL, NULL}

/* Joins two tables of one device by `count` keys. `right_on` may be null if the keys are the same on both sides. */
int columnade_table_merge(const ColumnadeTable* left, const ColumnadeTable* right,
                          const ColumnadeExpr* const* left_on, const ColumnadeExpr* const* right_on, int64_t count,
                          const ColumnadeMergeOptions* options, ColumnadeTable** merged);

/* ---- Arrow: exports ------------------------------------------------------------------------------------------------ */

/* An export overwrites the caller's struct without releasing it. `options` may be null. Schemas and arrays are
 * independent: release each separately, in any order, on any thread. Children may be moved out of their parents.
 *
 * A table is exported as a struct array, as the interface defines for record batches. Names must be strings. */

/* Only the schema. */
int columnade_table_export_schema(const ColumnadeTable* table, const ColumnadeExportOptions* options,
                                  struct ArrowSchema* schema);

/* On the host: shares memory, or copies a table of another device to the host. */
int columnade_table_export(const ColumnadeTable* table, const ColumnadeExportOptions* options,
                           struct ArrowSchema* schema, struct ArrowArray* array);
int columnade_column_export(const ColumnadeColumn* column, const ColumnadeExportOptions* options,
                            struct ArrowSchema* schema, struct ArrowArray* array);

/* On the current device, sharing memory. `sync_event` is null or points to a CUDA event that completes when all buffers
 * are filled; it is valid until the last array of the tree is released. */
int columnade_table_export_device(const ColumnadeTable* table, const ColumnadeExportOptions* options,
                                  struct ArrowSchema* schema, struct ArrowDeviceArray* array);
int columnade_column_export_device(const ColumnadeColumn* column, const ColumnadeExportOptions* options,
                                   struct ArrowSchema* schema, struct ArrowDeviceArray* array);

/* As a stream of arrays of `rows` rows each; the last may have fewer. An empty table gives one array without rows. The
 * stream keeps the memory of the table alive, and the arrays outlive the stream. */
int columnade_table_export_stream(const ColumnadeTable* table, int64_t rows, const ColumnadeExportOptions* options,
                                  struct ArrowArrayStream* stream);
int columnade_table_export_device_stream(const ColumnadeTable* table, int64_t rows,
                                         const ColumnadeExportOptions* options,
                                         struct ArrowDeviceArrayStream* stream);

/* The same for a column: arrays of the type of the column, not structs, as the chunks of one column. */
int columnade_column_export_stream(const ColumnadeColumn* column, int64_t rows, const ColumnadeExportOptions* options,
                                   struct ArrowArrayStream* stream);
int columnade_column_export_device_stream(const ColumnadeColumn* column, int64_t rows,
                                          const ColumnadeExportOptions* options,
                                          struct ArrowDeviceArrayStream* stream);

/* ---- Arrow: imports ------------------------------------------------------------------------------------------------ */

/* `options` may be null. The schema is only read and stays the caller's. The array or stream is moved out of its
 * struct: on success its `release` is null; on failure it is unchanged. */

/* From the host to the default device of this thread. Shares memory if that is the host. */
int columnade_table_import(const struct ArrowSchema* schema, struct ArrowArray* array,
                           const ColumnadeImportOptions* options, ColumnadeTable** table);
int columnade_column_import(const struct ArrowSchema* schema, struct ArrowArray* array,
                            const ColumnadeImportOptions* options, ColumnadeColumn** column);

/* From any device to the same device, sharing memory. Work on the result waits for the array's event; this call does
 * not. */
int columnade_table_import_device(const struct ArrowSchema* schema, struct ArrowDeviceArray* array,
                                  const ColumnadeImportOptions* options, ColumnadeTable** table);
int columnade_column_import_device(const struct ArrowSchema* schema, struct ArrowDeviceArray* array,
                                   const ColumnadeImportOptions* options, ColumnadeColumn** column);

/* All arrays of a stream as one table, from the host to the default device of this thread, or from any device to the
 * same device. To import the arrays one by one, call get_next and import each. The stream is moved once its schema is
 * accepted, and is released if one of its arrays fails. */
int columnade_table_import_stream(struct ArrowArrayStream* stream, const ColumnadeImportOptions* options,
                                  ColumnadeTable** table);
int columnade_table_import_device_stream(struct ArrowDeviceArrayStream* stream, const ColumnadeImportOptions* options,
                                         ColumnadeTable** table);

/* The same as one column: the arrays may have any type and are the chunks of the column. Struct arrays become a struct
 * column. */
int columnade_column_import_stream(struct ArrowArrayStream* stream, const ColumnadeImportOptions* options,
                                   ColumnadeColumn** column);
int columnade_column_import_device_stream(struct ArrowDeviceArrayStream* stream, const ColumnadeImportOptions* options,
                                          ColumnadeColumn** column);

/* ---- DLPack -------------------------------------------------------------------------------------------------------- */

/* Supports numbers and booleans without nulls. A column is a one-dimensional tensor. A table whose columns have one
 * dtype is a two-dimensional tensor of rows by columns with contiguous columns. `options` may be null.
 *
 * Release an exported tensor with its deleter, on any thread. It is read-only, as the flags of the versioned form say,
 * since columns may share its memory. Booleans are copied, as are tables whose columns are not at regular distances in
 * one allocation, and whatever the options require. */
int columnade_column_export_dlpack(const ColumnadeColumn* column, const ColumnadeTensorOptions* options,
                                   struct DLManagedTensor** tensor);
int columnade_column_export_dlpack_versioned(const ColumnadeColumn* column, const ColumnadeTensorOptions* options,
                                             struct DLManagedTensorVersioned** tensor);
int columnade_table_export_dlpack(const ColumnadeTable* table, const ColumnadeTensorOptions* options,
                                  struct DLManagedTensor** tensor);
int columnade_table_export_dlpack_versioned(const ColumnadeTable* table, const ColumnadeTensorOptions* options,
                                            struct DLManagedTensorVersioned** tensor);

/* A tensor on its device. On success the library owns the tensor and calls its deleter after the last column that uses
 * its memory is destroyed. On failure the tensor is unchanged and the caller's. `copy` is one of COLUMNADE_COPY_...;
 * booleans and float16, which becomes float32, are always copied. A tensor of a device must be filled, or its producer
 * must have ordered its work before the stream of columnade_default_stream(), with the tensor's device as the default
 * of this thread.
 *
 * An imported column has no name. The columns of a table, one per index of the second dimension, are named 0, 1 and so
 * on. */
int columnade_column_import_dlpack(struct DLManagedTensor* tensor, int32_t copy, ColumnadeColumn** column);
int columnade_column_import_dlpack_versioned(struct DLManagedTensorVersioned* tensor, int32_t copy,
                                             ColumnadeColumn** column);
int columnade_table_import_dlpack(struct DLManagedTensor* tensor, int32_t copy, ColumnadeTable** table);
int columnade_table_import_dlpack_versioned(struct DLManagedTensorVersioned* tensor, int32_t copy,
                                            ColumnadeTable** table);

#ifdef __cplusplus
}
#endif

#include "columnade_files.h"

#endif /* COLUMNADE_H */
