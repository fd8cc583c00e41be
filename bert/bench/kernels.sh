#!/usr/bin/env bash
# Compares the matrix kernels of package bert with OpenBLAS. The script sets
# OpenBLAS's core type, because OpenBLAS chooses slow kernels on processors that
# it does not know. Both run in turns, on one thread. The unit is GFLOP per
# second of processor time, because other programs may be running. Needs Go, gcc
# and Debian's libopenblas-dev.
#   bert/bench/kernels.sh [ROUNDS]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-7}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
gcc -O2 -o "$work/openblas" bench/openblas.c -lopenblas
go test -c -o "$work/bert.test" .

ours() { # PATH SHAPE
  "$work/bert.test" -test.run '^$' -test.bench "^BenchmarkMultiply/$1/$2\$" -test.benchtime 0.3s -test.cpu 1 |
    awk '{ for (i = 2; i <= NF; i++) if ($i == "GFLOP/cpu-s") print $(i - 1) }'
}
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

for shape in 192x768x3072 384x256x1024 384x1024x256; do
  for pair in AVX-512:SKYLAKEX AVX2:HASWELL; do
    path=${pair%:*} core=${pair#*:}
    : >"$work/ours" && : >"$work/theirs" && : >"$work/ratio"
    for _ in $(seq "$rounds"); do
      a=$(ours "$path" "$shape")
      [ -n "$a" ] || { echo "$path: this processor does not support it"; continue 2; }
      b=$(OPENBLAS_CORETYPE=$core "$work/openblas" ${shape//x/ } 0.3 | cut -d' ' -f1)
      echo "$a" >>"$work/ours" && echo "$b" >>"$work/theirs"
      awk "BEGIN { print $a / $b }" >>"$work/ratio"
    done
    printf '%s  %-8s %6.1f   OpenBLAS %-8s %6.1f   ratio %.2f (%s)\n' "$shape" "$path" "$(median <"$work/ours")" "$core" \
      "$(median <"$work/theirs")" "$(median <"$work/ratio")" "$(sort -n "$work/ratio" | awk '{ printf "%s%.2f", (NR > 1 ? " " : ""), $1 }')"
  done
done
