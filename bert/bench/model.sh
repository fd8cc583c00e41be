#!/usr/bin/env bash
# Compares a whole model of BERT-base's size with PyTorch on the same cores, in
# turns: pairs of 96 wordpieces per second of processor time and of wall time,
# and peak memory. Both compute 16 pairs to warm up, then 32 that are timed.
# Needs Go and Debian's python3-torch.
#   bert/bench/model.sh [ROUNDS [THREADS]]
#
# PyTorch multiplies with OpenBLAS, computes GELU with oneDNN and the rest with
# its own kernels. Each library chooses its instructions by itself, so the script
# sets them:
#   OpenBLAS uses SSE, four times slower, on processors that it does not know: we
#     set its core type;
#   oneDNN uses the best available: we limit it to AVX2 when we use AVX2;
#   PyTorch's own kernels use AVX2 even if AVX-512 is available: we set AVX-512.
# PyTorch1 computes one pair per call, PyTorch16 sixteen of equal length. Go packs
# pairs into groups of about 384 wordpieces.
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5} threads=${2:-1}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export OMP_WAIT_POLICY=PASSIVE OPENBLAS_NUM_THREADS=$threads BERT_FOLDER=$work/base
/usr/bin/python3 bench/pytorch.py write "$BERT_FOLDER" 12 768 12 3072
go test -c -o "$work/bert.test" .

go_() { "$work/bert.test" -test.run '^$' -test.bench '^BenchmarkFolder$' -test.benchtime 2x -test.cpu "$threads" |
  awk '/^BenchmarkFolder/ { for (i = 2; i <= NF; i++) v[$i] = $(i - 1); printf "%.2f %.2f %d\n", v["pairs/cpu-s"], v["pairs/s"], v["MB"] }'; }
torch() { /usr/bin/python3 bench/pytorch.py time "$BERT_FOLDER" "$1" 32 "$threads"; }

for round in $(seq "$rounds"); do
  for path in AVX-512 AVX2; do (
    if [ $path = AVX2 ]; then
      export GODEBUG=cpu.avx512f=off OPENBLAS_CORETYPE=HASWELL ATEN_CPU_CAPABILITY=avx2 ONEDNN_MAX_CPU_ISA=AVX2
    else
      export OPENBLAS_CORETYPE=SKYLAKEX ATEN_CPU_CAPABILITY=avx512
    fi
    echo "$round $path Go        $(go_)"
    echo "$round $path PyTorch16 $(torch 16)"
    echo "$round $path PyTorch1  $(torch 1)"
  ); done
done | tee "$work/all" >&2

echo "median of $rounds rounds, $threads thread(s); ratio: Go's speed divided by the other's, per round, in processor time"
awk '
  function median(list,   v, n, i, j, x) {
    n = split(list, v, " ")
    for (i = 2; i <= n; i++) for (j = i; j > 1 && v[j] + 0 < v[j-1] + 0; j--) { x = v[j]; v[j] = v[j-1]; v[j-1] = x }
    return v[int((n + 1) / 2)]
  }
  { key = sprintf("%-8s %-10s", $2, $3); cpu[key] = cpu[key] " " $4; wall[key] = wall[key] " " $5; if ($6 > mb[key]) mb[key] = $6
    if ($3 == "Go") ours = $4
    ratio[key] = ratio[key] sprintf(" %.2f", ours / $4) }
  END { for (k in cpu) printf "%s %6.2f per cpu-s %6.2f per s %5d MB   ratio %.2f (%s )\n", k, median(cpu[k]), median(wall[k]), mb[k], median(ratio[k]), ratio[k] }' "$work/all" | sort
