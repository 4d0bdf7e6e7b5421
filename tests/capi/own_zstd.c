/* A program with names of its own that parts of the library have too. */
#include <stdio.h>
#include <string.h>

#include "columnade.h"

int ZSTD_decompress(void);
int ZSTD_compress(void);
int BrotliEncoderCreateInstance(void);
int rust_eh_personality(void);

int ZSTD_decompress(void) { return 1; }
int ZSTD_compress(void) { return 2; }
int BrotliEncoderCreateInstance(void) { return 3; }
int rust_eh_personality(void) { return 4; }

/* The library compresses with its own functions. */
int main(void) {
  ColumnadeParquetWriteOptions options = COLUMNADE_PARQUET_WRITE_OPTIONS_INIT;
  ColumnadeTable *table = NULL, *read = NULL;
  FILE* file = fopen("own_zstd.csv", "w");
  int own = ZSTD_decompress() + ZSTD_compress() + BrotliEncoderCreateInstance() + rust_eh_personality();
  int equal = 0;
  int code;
  if (!file || fputs("n,t\n1,a\n2,b\n", file) < 0 || fclose(file) != 0 || own != 10) return 1;
  code = columnade_set_default_device("host");
  if (code == 0) code = columnade_read_csv("own_zstd.csv", NULL, &table);
  for (options.compression = 0; code == 0 && options.compression <= COLUMNADE_PARQUET_BROTLI; options.compression++) {
    code = columnade_table_write_parquet(table, "own_zstd.parquet", &options);
    if (code == 0) code = columnade_read_parquet("own_zstd.parquet", NULL, &read);
    if (code == 0) code = columnade_table_equals(read, table, &equal, NULL);
    columnade_table_destroy(read);
    read = NULL;
    if (!equal) return 2;
  }
  if (code != 0) fprintf(stderr, "%s\n", columnade_last_error());
  columnade_table_destroy(table);
  return code;
}
