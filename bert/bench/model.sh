#!/usr/bin/env bash
# Compares a whole model of BERT-base's size with PyTorch on the same cores, in
# turns: pairs of 96 wordpieces per second of processor time and of wall time,
# and the peak of memory. Both compute 16 pairs to warm up and 32 to be timed.
# Needs Go and Debian's python3-torch.
#   bert/bench/model.sh [ROUNDS [THREADS]]
#
# PyTorch multiplies with OpenBLAS, computes GELU with oneDNN and all else with
# kernels of its own, and each chooses its instructions alone:
#   OpenBLAS takes SSE on processors that it does not know, four times slower:
#     it is told its core type;
#   oneDNN takes the best there is: it is held to AVX2 where we are, and left
#     free where we use AVX-512;
#   PyTorch's own kernels take AVX2 even where there is AVX-512: they are told.
# PyTorch1 gets one pair at a time, PyTorch16 sixteen of the same length. Go
# packs pairs into groups of about 384 wordpieces by itself.
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

echo "median of $rounds rounds, $threads thread(s); Go's speed against the other, round by round, in processor time"
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
