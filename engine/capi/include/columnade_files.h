/* Columnade: reading and writing files. Included by columnade.h, whose conventions hold here. */
#ifndef COLUMNADE_FILES_H
#define COLUMNADE_FILES_H

#include "columnade.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A path that is read is a file, a folder of files, or a pattern such as data/part-*.csv. Tables are read to the default device of this thread. `options` may be null.
 * Arrays of options belong to the caller and are read during the call only. Errors of files name the file, the line or the
 * row group, and the column; EIO for those of the system. A file is written under another name and renamed when it is
 * whole: a failed write leaves what was there before. */

/* Whether folders called name=value in a folder are read, and give a column to the files in them. */
enum { COLUMNADE_PARTITIONS_HIVE = 0, COLUMNADE_PARTITIONS_NONE = 1 };

/* Told how far a read or a scan is: bytes that are done, and all bytes of the files that were opened. `context` is that of the
 * options. Any thread calls it, of a scan until the scan is destroyed; it must be quick, and call no function of this library. */
typedef void (*ColumnadeProgress)(void* context, int64_t bytes_done, int64_t bytes);

/* How Arrow IPC files are read. The members up to column_count are those that all readers have. */
typedef struct ColumnadeReadOptions {
  size_t size;                /* sizeof of the struct */
  const char* const* paths;   /* files that are read after the first, with the same columns */
  int64_t path_count;
  const char* const* columns; /* the columns that are read, in this order; null: all */
  int64_t column_count;
  int32_t partitions; /* COLUMNADE_PARTITIONS_... */
  int32_t memory_map; /* 1: columns on the host lie in the files where they can; a file must not change then */
  ColumnadeProgress progress; /* null: none */
  void* progress_context;
} ColumnadeReadOptions;

#define COLUMNADE_READ_OPTIONS_INIT {sizeof(ColumnadeReadOptions), NULL, 0, NULL, 0, 0, 0, NULL, NULL}

/* Which columns of strings are read as dictionaries: those named, or also all that the files keep in dictionaries alone. */
enum { COLUMNADE_DICTIONARIES_NAMED = 0, COLUMNADE_DICTIONARIES_OF_FILES = 1 };

/* The unit of timestamps of 96 bits, as Spark writes them. */
enum {
  COLUMNADE_INT96_MICROSECONDS = 0,
  COLUMNADE_INT96_NANOSECONDS = 1,
  COLUMNADE_INT96_MILLISECONDS = 2,
  COLUMNADE_INT96_SECONDS = 3
};

typedef struct ColumnadeParquetReadOptions {
  size_t size; /* these members as above */
  const char* const* paths;
  int64_t path_count;
  const char* const* columns;
  int64_t column_count;
  const char* const* dictionary; /* columns that are read as dictionaries */
  int64_t dictionary_count;
  const ColumnadeExpr* filter; /* the rows that are read; row groups without any are skipped; null: all */
  int64_t row_offset;          /* the first row of all files that is read, before the filter */
  int64_t row_count;           /* the most rows that are read, before the filter; 0: all */
  int32_t partitions;          /* COLUMNADE_PARTITIONS_... */
  int32_t dictionaries;        /* COLUMNADE_DICTIONARIES_... */
  int32_t int96_unit;          /* COLUMNADE_INT96_... */
  int32_t reserved;            /* 0 */
  ColumnadeProgress progress; /* null: none */
  void* progress_context;
} ColumnadeParquetReadOptions;

#define COLUMNADE_PARQUET_READ_OPTIONS_INIT \
  {sizeof(ColumnadeParquetReadOptions), NULL, 0, NULL, 0, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, NULL, NULL}

int columnade_read_parquet(const char* path, const ColumnadeParquetReadOptions* options, ColumnadeTable** table);

/* How files of text are compressed. */
enum {
  COLUMNADE_TEXT_AUTO = 0, /* by the end of the name, .gz or .zst; when read also by the first bytes */
  COLUMNADE_TEXT_UNCOMPRESSED = 1,
  COLUMNADE_TEXT_GZIP = 2,
  COLUMNADE_TEXT_ZSTD = 3
};

/* What becomes of rows that do not fit. */
enum {
  COLUMNADE_BAD_ROWS_ERROR = 0,
  COLUMNADE_BAD_ROWS_SKIP = 1 /* they are left out, and counted in skipped_rows */
};

/* Whether the first row has the names of the columns. */
enum { COLUMNADE_HEADER_YES = 0, COLUMNADE_HEADER_NO = 1 };

/* What an empty field without quotes is in a column of strings; in others it is null. */
enum {
  COLUMNADE_EMPTY_FIELDS_NULL = 0, /* only "" is an empty string */
  COLUMNADE_EMPTY_FIELDS_TEXT = 1  /* an empty string */
};

/* What becomes of bytes that are no character of the encoding. */
enum {
  COLUMNADE_ENCODING_ERRORS_ERROR = 0,
  COLUMNADE_ENCODING_ERRORS_REPLACE = 1, /* U+FFFD stands in their place */
  COLUMNADE_ENCODING_ERRORS_IGNORE = 2   /* they are left out */
};

/* What becomes of rows of fewer fields than the header. */
enum {
  COLUMNADE_SHORT_ROWS_BAD = 0, /* they do not fit */
  COLUMNADE_SHORT_ROWS_PAD = 1  /* the fields that they lack are empty */
};

/* What becomes of a name that the header has more than once. */
enum {
  COLUMNADE_DUPLICATE_NAMES_ERROR = 0,
  COLUMNADE_DUPLICATE_NAMES_POINT = 1,     /* a, a.1, a.2 */
  COLUMNADE_DUPLICATE_NAMES_DUPLICATED = 2 /* a, a_duplicated_0, a_duplicated_1 */
};

typedef struct ColumnadeCsvReadOptions {
  size_t size; /* these members as above */
  const char* const* paths;
  int64_t path_count;
  const char* const* columns;
  int64_t column_count;
  const char* const* dtype_columns; /* columns whose dtypes are not inferred */
  const char* const* dtypes;        /* their dtypes */
  int64_t dtype_count;
  const char* const* names; /* the names of all columns; null: those of the header, else column_1 and so on */
  int64_t name_count;
  const char* const* null_values; /* texts that mean null too, quoted or not; the empty one: also "" */
  int64_t null_value_count;
  int64_t skip_rows;  /* lines before the header */
  int64_t limit;      /* the most rows that are read; 0: all */
  int64_t infer_rows; /* rows that dtypes are inferred from; 0: the library's default */
  int32_t header;     /* COLUMNADE_HEADER_... */
  int32_t bad_rows;   /* COLUMNADE_BAD_ROWS_... */
  char delimiter;     /* 0: a comma */
  char quote;         /* 0: the double quote */
  char escape;        /* before a quote in a value; 0: none, quotes are doubled */
  char no_quotes;     /* 1: quotes have no meaning */
  int32_t empty_fields; /* COLUMNADE_EMPTY_FIELDS_... */
  int64_t* skipped_rows; /* where the number of rows left out is written; null: nowhere */
  int32_t compression;   /* COLUMNADE_TEXT_... */
  int32_t partitions;    /* COLUMNADE_PARTITIONS_... */
  const char* encoding;    /* a label of the WHATWG Encoding Standard; null: UTF-8, or UTF-16 with a byte order mark */
  int32_t encoding_errors; /* COLUMNADE_ENCODING_ERRORS_... */
  int32_t short_rows;      /* COLUMNADE_SHORT_ROWS_... */
  int32_t duplicate_names; /* COLUMNADE_DUPLICATE_NAMES_... */
  int32_t reserved;        /* 0 */
  ColumnadeProgress progress; /* null: none */
  void* progress_context;
} ColumnadeCsvReadOptions;

#define COLUMNADE_CSV_READ_OPTIONS_INIT                                                                              \
  {sizeof(ColumnadeCsvReadOptions), NULL, 0, NULL, 0, NULL, NULL, 0, NULL, 0, NULL, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, \
   NULL, 0, 0, NULL, 0, 0, 0, 0, NULL, NULL}

int columnade_read_csv(const char* path, const ColumnadeCsvReadOptions* options, ColumnadeTable** table);

/* How rows lie in a file of JSON. Of all but lines and records, row labels tell which values are of one row, and are left
 * out. */
enum {
  COLUMNADE_JSON_AUTO = 0,    /* reading: records for a file that begins with [, else lines; writing: lines */
  COLUMNADE_JSON_LINES = 1,   /* an object a line */
  COLUMNADE_JSON_RECORDS = 2, /* an array of objects */
  COLUMNADE_JSON_INDEX = 3,   /* an object of objects, by row label */
  COLUMNADE_JSON_COLUMNS = 4, /* an object of columns: an object by row label, or an array, of each */
  COLUMNADE_JSON_SPLIT = 5    /* {"columns": [names], "index": [labels], "data": [[values of a row], ...]} */
};

typedef struct ColumnadeJsonReadOptions {
  size_t size; /* these members as above */
  const char* const* paths;
  int64_t path_count;
  const char* const* columns;
  int64_t column_count;
  const char* const* dtype_columns;
  const char* const* dtypes;
  int64_t dtype_count;
  int64_t limit;
  int64_t infer_rows;
  int32_t bad_rows;
  int32_t layout; /* COLUMNADE_JSON_... */
  int64_t* skipped_rows;
  int32_t compression; /* COLUMNADE_TEXT_... */
  int32_t partitions;  /* COLUMNADE_PARTITIONS_... */
  ColumnadeProgress progress; /* null: none */
  void* progress_context;
} ColumnadeJsonReadOptions;

#define COLUMNADE_JSON_READ_OPTIONS_INIT \
  {sizeof(ColumnadeJsonReadOptions), NULL, 0, NULL, 0, NULL, NULL, 0, 0, 0, 0, 0, NULL, 0, 0, NULL, NULL}

/* JSON lines, one object per line, or documents. */
int columnade_read_json(const char* path, const ColumnadeJsonReadOptions* options, ColumnadeTable** table);

/* Arrow IPC files, also called Feather version 2. */
int columnade_read_ipc(const char* path, const ColumnadeReadOptions* options, ColumnadeTable** table);

/* The rows of files part by part, for files larger than memory: tables of at most `batch_rows` rows, in the order of the
 * rows; 0: as they are decoded, row groups of Parquet, batches of Arrow IPC and about 4 MiB of text. Options are those of
 * the reads. The files are opened here; errors of the first rows come here, later ones with the tables.
 * The dtypes of CSV and JSON are those of the first rows. */
typedef struct ColumnadeScan ColumnadeScan;

int columnade_scan_parquet(const char* path, const ColumnadeParquetReadOptions* options, int64_t batch_rows,
                           ColumnadeScan** scan);
int columnade_scan_csv(const char* path, const ColumnadeCsvReadOptions* options, int64_t batch_rows,
                       ColumnadeScan** scan); /* skipped_rows of the options is null */
int columnade_scan_json(const char* path, const ColumnadeJsonReadOptions* options, int64_t batch_rows,
                        ColumnadeScan** scan); /* likewise */
int columnade_scan_ipc(const char* path, const ColumnadeReadOptions* options, int64_t batch_rows, ColumnadeScan** scan);

/* The next table, the caller's; null at the end and after an error. */
int columnade_scan_next(const ColumnadeScan* scan, ColumnadeTable** table);

/* The rows of CSV or JSON that were left out so far; 0 of other files. */
int columnade_scan_skipped_rows(const ColumnadeScan* scan, int64_t* rows);

/* Null is allowed. Tables of the scan stay. */
void columnade_scan_destroy(ColumnadeScan* scan);

/* Compression of Parquet files. */
enum {
  COLUMNADE_PARQUET_SNAPPY = 0,
  COLUMNADE_PARQUET_UNCOMPRESSED = 1,
  COLUMNADE_PARQUET_ZSTD = 2,
  COLUMNADE_PARQUET_GZIP = 3,
  COLUMNADE_PARQUET_LZ4 = 4, /* LZ4_RAW */
  COLUMNADE_PARQUET_BROTLI = 5
};

typedef struct ColumnadeParquetWriteOptions {
  size_t size;            /* sizeof(ColumnadeParquetWriteOptions) */
  int32_t compression;    /* COLUMNADE_PARQUET_... */
  int32_t reserved;       /* 0 */
  int64_t row_group_rows; /* rows of a row group; 0: 122,880 */
  const char* const* bloom_filters; /* columns with filters, by which readers skip row groups */
  int64_t bloom_filter_count;
  const char* const* plain_columns; /* columns that are written without dictionaries */
  int64_t plain_column_count;
  int64_t page_rows; /* the most rows of a page; 0: 20,000 */
} ColumnadeParquetWriteOptions;

#define COLUMNADE_PARQUET_WRITE_OPTIONS_INIT \
  {sizeof(ColumnadeParquetWriteOptions), 0, 0, 0, NULL, 0, NULL, 0, 0}

int columnade_table_write_parquet(const ColumnadeTable* table, const char* path,
                                  const ColumnadeParquetWriteOptions* options);

/* A folder of Parquet files: one for each combination of the values of some columns, in folders called name=value. The
 * folder must be empty, or not be there. */
int columnade_table_write_dataset(const ColumnadeTable* table, const char* folder, const char* const* names,
                                  int64_t count, const ColumnadeParquetWriteOptions* options);

typedef struct ColumnadeCsvWriteOptions {
  size_t size;            /* sizeof(ColumnadeCsvWriteOptions) */
  const char* null_value; /* the text of nulls; null: the empty one */
  int32_t header;         /* COLUMNADE_HEADER_... */
  char delimiter;         /* 0: a comma */
  char unquoted_empty;    /* 1: empty strings are empty fields; 0: they are quoted */
  char reserved[2];       /* 0 */
  int32_t compression;    /* COLUMNADE_TEXT_... */
  int32_t reserved_end;   /* 0 */
} ColumnadeCsvWriteOptions;

#define COLUMNADE_CSV_WRITE_OPTIONS_INIT {sizeof(ColumnadeCsvWriteOptions), NULL, 0, 0, 0, {0, 0}, 0, 0}

int columnade_table_write_csv(const ColumnadeTable* table, const char* path, const ColumnadeCsvWriteOptions* options);

typedef struct ColumnadeJsonWriteOptions {
  size_t size;        /* sizeof(ColumnadeJsonWriteOptions) */
  int32_t skip_nulls; /* 1: members that are null are left out */
  int32_t layout;     /* COLUMNADE_JSON_... */
  int32_t compression; /* COLUMNADE_TEXT_... */
  int32_t reserved;    /* 0 */
} ColumnadeJsonWriteOptions;

#define COLUMNADE_JSON_WRITE_OPTIONS_INIT {sizeof(ColumnadeJsonWriteOptions), 0, 0, 0, 0}

int columnade_table_write_json(const ColumnadeTable* table, const char* path,
                               const ColumnadeJsonWriteOptions* options);

/* Compression of Arrow IPC files. */
enum { COLUMNADE_IPC_UNCOMPRESSED = 0, COLUMNADE_IPC_LZ4 = 1, COLUMNADE_IPC_ZSTD = 2 };

/* The two formats of Arrow IPC: a file has the places of its batches, a stream is read from its beginning. */
enum { COLUMNADE_IPC_FILE = 0, COLUMNADE_IPC_STREAM = 1 };

typedef struct ColumnadeIpcWriteOptions {
  size_t size;         /* sizeof(ColumnadeIpcWriteOptions) */
  int32_t compression; /* COLUMNADE_IPC_UNCOMPRESSED, ... */
  int32_t format;      /* COLUMNADE_IPC_FILE, ... */
  int64_t batch_rows;  /* rows of a batch; 0: 1,048,576 */
} ColumnadeIpcWriteOptions;

#define COLUMNADE_IPC_WRITE_OPTIONS_INIT {sizeof(ColumnadeIpcWriteOptions), 0, 0, 0}

int columnade_table_write_ipc(const ColumnadeTable* table, const char* path, const ColumnadeIpcWriteOptions* options);

/* A file that is written table by table, for data larger than memory. The columns are those of the first table. */
typedef struct ColumnadeWriter ColumnadeWriter;

int columnade_writer_open_parquet(const char* path, const ColumnadeParquetWriteOptions* options, ColumnadeWriter** writer);
int columnade_writer_open_csv(const char* path, const ColumnadeCsvWriteOptions* options, ColumnadeWriter** writer);
int columnade_writer_open_json(const char* path, const ColumnadeJsonWriteOptions* options,
                               ColumnadeWriter** writer); /* not for the layout of columns */
int columnade_writer_open_ipc(const char* path, const ColumnadeIpcWriteOptions* options, ColumnadeWriter** writer);

/* Adds the rows of a table with the columns of the first one. Other columns are an error that changes nothing. */
int columnade_writer_append(const ColumnadeWriter* writer, const ColumnadeTable* table);

/* Gives the file its name: until then it has another one, and after an error there is none. Nothing is added after it. */
int columnade_writer_finish(const ColumnadeWriter* writer);

/* Null is allowed. A file that was not finished is removed; one that had its name stays as it was. */
void columnade_writer_destroy(ColumnadeWriter* writer);

#ifdef __cplusplus
}
#endif

#endif /* COLUMNADE_FILES_H */
