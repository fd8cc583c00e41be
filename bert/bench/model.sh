#!/usr/bin/env bash
# Compares a whole model of BERT-base's size with PyTorch on the same cores, in
# turns: pairs of 96 wordpieces per second of processor time and of wall time,
# and the peak of memory. PyTorch's OpenBLAS is told its core type, without which
# it would be four times slower. Needs Go and Debian's python3-torch.
#   bert/bench/model.sh [ROUNDS [THREADS]]
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-5} threads=${2:-1}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
export OMP_WAIT_POLICY=PASSIVE OPENBLAS_NUM_THREADS=$threads
/usr/bin/python3 bench/pytorch.py write "$work/base" 12 768 12 3072
go test -c -o "$work/bert.test" .

go_() { BERT_FOLDER=$work/base GODEBUG=$1 "$work/bert.test" -test.run '^$' -test.bench '^BenchmarkFolder$' -test.benchtime 1x -test.cpu "$threads" |
  awk '/^BenchmarkFolder/ { for (i = 2; i <= NF; i++) v[$i] = $(i - 1); printf "%.2f %.2f %d\n", v["pairs/cpu-s"], v["pairs/s"], v["MB"] }'; }
torch() { OPENBLAS_CORETYPE=$1 /usr/bin/python3 bench/pytorch.py time "$work/base" "$2" 16 "$threads"; }

for _ in $(seq "$rounds"); do
  echo "AVX-512 Go        $(go_ '')"
  echo "AVX-512 PyTorch1  $(torch SKYLAKEX 1)"
  echo "AVX-512 PyTorch16 $(torch SKYLAKEX 16)"
  echo "AVX2    Go        $(go_ cpu.avx512f=off)"
  echo "AVX2    PyTorch1  $(ATEN_CPU_CAPABILITY=avx2 torch HASWELL 1)"
  echo "AVX2    PyTorch16 $(ATEN_CPU_CAPABILITY=avx2 torch HASWELL 16)"
done | tee "$work/all" >&2
echo "median of $rounds rounds, $threads threads: pairs per cpu-second, per second; MB"
sort -k1,2 -k3n "$work/all" | awk '
  { key = $1 "  " $2; n[key]++; cpu[key, n[key]] = $3; wall[key] = wall[key] " " $4; if ($5 > mb[key]) mb[key] = $5 }
  END { for (k in n) { best = 0; split(wall[k], w, " "); for (i in w) if (w[i] > best) best = w[i]
    printf "%-20s %6.2f  best wall %6.2f  %5d MB\n", k, cpu[k, int((n[k] + 1) / 2)], best, mb[k] } }' | sort
