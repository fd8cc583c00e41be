#!/usr/bin/env bash
# Compares the matrix kernels of package bert with OpenBLAS. The script sets
# OpenBLAS's core type, because OpenBLAS chooses slow kernels on processors that
# it does not know. Both run in turns, on one thread. The unit is GFLOP per
# second of processor time, because other programs may be running. 8-bit products,
# rounding included, are compared with OpenBLAS's f32; a multiplication and an
# addition of bytes count as FLOP too. The share of the peak is of what the
# processor's multiplication units could do at CLOCK GHz (set it to the clock that
# the processor keeps under this load; the default is the base clock in
# /proc/cpuinfo): 64 FLOP per cycle for f32 with AVX-512 and 32 with AVX2; for bytes
# 256 and 128 with VNNI, 85 and 64 without (three instructions instead of one).
# Needs Go, gcc and Debian's libopenblas-dev.
#   bert/bench/kernels.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-7}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
gcc -O2 -o "$work/openblas" bench/openblas.c -lopenblas
go test -c -o "$work/bert.test" .

clock=${CLOCK:-$(sed -n 's/.*@ \([0-9.]*\)GHz.*/\1/p' /proc/cpuinfo | head -1)}

ours() { # BENCHMARK PATH SHAPE
  "$work/bert.test" -test.run '^$' -test.bench "^Benchmark$1\$/^$2\$/$3\$" -test.benchtime 0.3s -test.cpu 1 |
    awk '{ for (i = 2; i <= NF; i++) if ($i == "GFLOP/cpu-s") print $(i - 1) }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for shape in 192x768x3072 384x256x1024 384x1024x256; do
  for row in Multiply:AVX-512:SKYLAKEX:64 Multiply:AVX2:HASWELL:32 MultiplyBytes:AVX-512VNNI:SKYLAKEX:256 \
    MultiplyBytes:AVX-512:SKYLAKEX:85 MultiplyBytes:AVX2VNNI:HASWELL:128 MultiplyBytes:AVX2:HASWELL:64; do
    IFS=: read -r what path core cycle <<<"$row"
    : >"$work/ours" && : >"$work/theirs" && : >"$work/ratio"
    for _ in $(seq "$rounds"); do
      a=$(ours "$what" "$path" "$shape")
      [ -n "$a" ] || { echo "$what $path: this processor does not support it"; continue 2; }
      b=$(OPENBLAS_CORETYPE=$core "$work/openblas" ${shape//x/ } 0.3 | cut -d' ' -f1)
      echo "$a" >>"$work/ours" && echo "$b" >>"$work/theirs"
      awk "BEGIN { print $a / $b }" >>"$work/ratio"
    done
    printf '%s  %-13s %-11s %6.1f (%2.0f %% of the peak)   OpenBLAS %-8s %6.1f   ratio %.2f (%s)\n' "$shape" "$what" "$path" \
      "$(median <"$work/ours")" "$(median <"$work/ours" | awk "{ print 100 * \$1 / ($cycle * ${clock:-1}) }")" "$core" \
      "$(median <"$work/theirs")" "$(median <"$work/ratio")" "$(sort -n "$work/ratio" | awk '{ printf "%s%.2f", (NR > 1 ? " " : ""), $1 }')"
  done
done
