#!/bin/sh
# Builds all compiled files with AddressSanitizer and UndefinedBehaviorSanitizer in a copy of the tree and runs the
# fuzzer, the hostile pages, the cases and whole extractions on them. Usage: benchmarks/sanitize.sh [MINUTES] — needs gcc
# and a Python with the test requirements and Cython (PYTHON=…); with DURAMEN_CORPORA, labelled pages are read as well.
set -eu
minutes="${1:-1}"
python="${PYTHON:-python3}"
root="$(cd "$(dirname "$0")/.." && pwd)"
copy="$(mktemp -d)"
trap 'rm -rf "$copy"' EXIT
cp -r "$root/src" "$root/benchmarks" "$root/tests" "$root/setup.py" "$root/pyproject.toml" "$root/README.md" "$root/LICENSE" "$copy"
cd "$copy"
find src -name '*.so' -delete
DURAMEN_SANITIZE=1 "$python" setup.py -q build_ext --inplace
export LD_PRELOAD="$(gcc -print-file-name=libasan.so):$(gcc -print-file-name=libubsan.so)"
# Python keeps memory to the end on purpose: leaks are not what is looked for. Allocations come straight from malloc, so
# that every buffer has guards around it.
export ASAN_OPTIONS=detect_leaks=0:halt_on_error=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
export PYTHONMALLOC=malloc PYTHONPATH="$copy/src:$copy" OPENBLAS_NUM_THREADS=1
"$python" -c 'from duramen.parse import KERNEL; assert KERNEL == "compiled", KERNEL'
"$python" -m benchmarks.fuzz --minutes "$minutes" --seed 77
"$python" -m benchmarks.growth 20000
"$python" -m pytest -q -p no:cacheprovider tests/parse/test_scan_cases.py
"$python" -m benchmarks.exercise --minutes "$minutes" --seed 77
