// openblas ROWS IN OUT SECONDS does the multiplications of package bert with
// OpenBLAS on one thread and prints GFLOP per second of processor time.
#include <cblas.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

void openblas_set_num_threads(int);
char *openblas_get_corename(void);

static double processor_time(void) {
  struct rusage u;
  getrusage(RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec + 1e-6 * (u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  int m = atoi(argv[1]), k = atoi(argv[2]), n = atoi(argv[3]);
  double limit = atof(argv[4]);
  float *a = aligned_alloc(64, 4L * m * k), *b = aligned_alloc(64, 4L * n * k), *c = aligned_alloc(64, 4L * m * n);
  for (long i = 0; i < (long)m * k; i++) a[i] = (float)(i % 7) / 7;
  for (long i = 0; i < (long)n * k; i++) b[i] = (float)(i % 5) / 5;
  for (long i = 0; i < (long)m * n; i++) c[i] = 0;
  openblas_set_num_threads(1);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, k, b, k, 0, c, n);
  double start = processor_time(), spent;
  long rounds = 0;
  do {
    cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1, a, k, b, k, 0, c, n);
    rounds++;
    spent = processor_time() - start;
  } while (spent < limit);
  printf("%.1f %s\n", 2e-9 * m * k * n * rounds / spent, openblas_get_corename());
  return 0;
}
