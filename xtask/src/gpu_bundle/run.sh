#!/usr/bin/env bash
# Runs what the bundle holds on a machine with a GPU and its driver; nothing else is needed.
#
#   ./run.sh [--benches] [--sanitize] [RESULTS]      RESULTS: a folder, ./results unless named
#
# Every test suite on the GPU, operations on many rows, failures of memory and files in every operation, threads that share
# memory, TPC-H at scale 1 and 10, then work on four times the memory that it may use; with --benches every benchmark, with
# --sanitize the suites of the kernels under the tools of Compute Sanitizer. Writes RESULTS/record.json and a log for each
# program. DEVICE=cuda:1 chooses another GPU, ROWS="2000000" other numbers of rows, SCALES="1" other scales, MEMORY=1GiB
# another memory, STEPS=8 how many steps of an operation fail one by one, STRESS=60 the seconds of the threads, TOOLS="memcheck"
# other tools, LIMIT=900 the most seconds of one program, SANITIZE_LIMIT=7200 of one tool.
# Exit code: 0 all passed, 1 something failed, 3 there is no such device.
set -u
bundle=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
device=${DEVICE:-cuda:0}
scales=${SCALES:-1 10}
large=${ROWS:-2000000 20000000}
tools=${TOOLS:-memcheck initcheck synccheck racecheck}
sanitize_limit=${SANITIZE_LIMIT:-3600}
memory=${MEMORY:-4GiB}
steps=${STEPS:-2}
stress=${STRESS:-60}
limit=${LIMIT:-600}
benches=no
sanitize=no
results=
for argument in "$@"; do
  case $argument in
    --benches) benches=yes ;;
    --sanitize) sanitize=yes ;;
    -*) echo "run.sh: unknown option $argument" >&2; exit 2 ;;
    *) results=$argument ;;
  esac
done
results=${results:-$PWD/results}
mkdir -p "$results/logs" && results=$(cd "$results" && pwd) || exit 1
export LD_LIBRARY_PATH="$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}"
export COLUMNADE_TEST_DEVICES=$device
export COLUMNADE_DEVICE=$device

# A JSON string.
quote() { printf '"%s"' "$(printf '%s' "$1" | tr '\n\t' '  ' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }
now() { date +%s.%N; }
since() { awk -v from="$1" -v to="$(now)" 'BEGIN { printf "%.3f", to - from }'; }
# The sum of the counts before a word in the result lines of a log.
count() { awk -v word="$2" '/^test result:/ { for (i = 2; i <= NF; i++) if ($i ~ "^" word) n += $(i - 1) } END { print n + 0 }' "$1"; }
gpu() { nvidia-smi --id="${device#cuda:}" --query-gpu="$1" --format=csv,noheader 2>/dev/null | head -1; }

suites=
checks=
examples=
measured=
out_of_core=null
passed=0
failed=0
reason=

record() {
  {
    printf '{\n  "commit": %s,\n' "$(quote "$(cat "$bundle/commit.txt")")"
    printf '  "date": %s,\n' "$(quote "$(date -u +%Y-%m-%dT%H:%M:%SZ)")"
    printf '  "device": %s,\n  "device_name": %s,\n' "$(quote "$device")" "$(quote "$(gpu name)")"
    printf '  "device_memory": %s,\n  "driver": %s,\n' "$(quote "$(gpu memory.total)")" "$(quote "$(gpu driver_version)")"
    printf '  "no_device": %s,\n' "$([ -n "$reason" ] && quote "$reason" || echo null)"
    printf '  "passed": %d,\n  "failed": %d,\n' "$passed" "$failed"
    printf '  "suites": [%s\n  ],\n' "${suites#,}"
    printf '  "checks": [%s\n  ],\n' "${checks#,}"
    printf '  "tpch": [%s\n  ],\n' "${examples#,}"
    printf '  "out_of_core": %s,\n' "$out_of_core"
    printf '  "benches": [%s\n  ]\n}\n' "${measured#,}"
  } > "$results/record.json"
  echo "record: $results/record.json"
}

if ! "$bundle/examples/devices" "$device" > "$results/logs/devices.log" 2>&1; then
  reason=$(tail -1 "$results/logs/devices.log")
  echo "$reason" >&2
  record
  exit 3
fi
cat "$results/logs/devices.log"

# A test program: the name of its log, the most seconds, and the command.
suite() {
  local name=$1 most=$2 log=$results/logs/$1.log start code seconds good bad
  shift 2
  start=$(now)
  (cd "$results" && timeout --kill-after=10 "$most" "$@") > "$log" 2>&1
  code=$?
  seconds=$(since "$start")
  good=$(count "$log" passed)
  bad=$(count "$log" failed)
  # A suite that died, or that failed at its end, says so by its exit code only.
  if [ "$code" -ne 0 ] && [ "$bad" -eq 0 ]; then bad=1; fi
  passed=$((passed + good))
  failed=$((failed + bad))
  printf '%-40s %5d passed %5d failed %9s s\n' "$name" "$good" "$bad" "$seconds"
  [ "$bad" -eq 0 ] || grep -E '^test .*FAILED|panicked at' "$log" | head -20
  suites="$suites,
    {\"name\": $(quote "$name"), \"passed\": $good, \"failed\": $bad, \"seconds\": $seconds, \"exit_code\": $code}"
}
for program in "$bundle"/suites/*; do
  # Which functions have no case of an error it reads in the sources.
  [ -x "$program" ] && suite "$(basename "$program")" "$limit" "$program" --skip every_fallible_function_has_case
done
for rows in $large; do
  # One test at a time: each holds its rows on the host and on the device.
  COLUMNADE_TEST_LARGE=$rows suite "large-$rows" "$limit" "$bundle/suites/columnade_ops" test_large --test-threads=1
done
if [ "$sanitize" = yes ]; then
  for tool in $tools; do
    suite "sanitizer-$tool" "$sanitize_limit" "$bundle/sanitizer/bin/compute-sanitizer" --tool "$tool" \
      --error-exitcode 9 "$bundle/suites/columnade_kernels" --test-threads=1
  done
fi

# A program that says in the last line of its log what it found.
check() {
  local name=$1 log=$results/logs/$1.log start code seconds
  shift
  start=$(now)
  (cd "$results" && timeout --kill-after=10 "$limit" "$@") > "$log" 2>&1
  code=$?
  seconds=$(since "$start")
  echo "$name: exit code $code, $seconds s: $(tail -1 "$log")"
  if [ "$code" -ne 0 ]; then
    failed=$((failed + 1))
    grep -E '^LOST|panicked at' "$log" | head -20
  fi
  checks="$checks,
    {\"name\": $(quote "$name"), \"exit_code\": $code, \"seconds\": $seconds, \"said\": $(quote "$(tail -1 "$log")")}"
}
check faults "$bundle/examples/faults" --device "$device" --steps "$steps" --random 1
check stress "$bundle/examples/stress" --device "$device" --threads 8 --seconds "$stress" --seed 1
# What CuPy, Numba and PyTorch share with the Python package; the tests of one that is not installed are skipped.
if python3 -c 'import pytest' 2> /dev/null; then
  check python env PYTHONPATH="$bundle/python" PYTHONDONTWRITEBYTECODE=1 \
    python3 -m pytest -q -rs -p no:cacheprovider "$bundle/python/tests"
else
  echo "python: left out, for python3 has no pytest"
fi
# Tables are made in memory. What is verified is evaluated row by row besides; the figures are in h2o.json.
check h2o-verified "$bundle/examples/h2o" --rows 1e6 --k 100 --device "$device" --verify
check h2o "$bundle/examples/h2o" --rows 1e7 --k 100 --device "$device" --runs 5 --json "$results/h2o.json"

for scale in $scales; do
  json=$results/tpch-sf$scale.json
  log=$results/logs/tpch-sf$scale.log
  verify=
  [ "$scale" = 1 ] && verify=--verify
  start=$(now)
  # Tables are made in the folder that the example runs in.
  (cd "$results" && timeout --kill-after=10 "$limit" "$bundle/examples/tpch" --scale "$scale" --device "$device" --runs 5 $verify --json "$json") > "$log" 2>&1
  code=$?
  seconds=$(since "$start")
  echo "tpch at scale $scale: exit code $code, $seconds s"
  if [ "$code" -ne 0 ]; then
    failed=$((failed + 1))
    tail -5 "$log"
  fi
  examples="$examples,
    {\"scale\": $scale, \"exit_code\": $code, \"seconds\": $seconds, \"queries\": $(cat "$json" 2>/dev/null || echo null)}"
done

json=$results/out-of-core.json
start=$(now)
(cd "$results" && timeout --kill-after=10 "$limit" "$bundle/examples/out_of_core" --device "$device" --limit "$memory" --factor 4 --seed 1 --json "$json" --svg "$results/memory.svg") > "$results/logs/out-of-core.log" 2>&1
code=$?
echo "out of core, $memory: exit code $code, $(since "$start") s"
if [ "$code" -ne 0 ]; then
  failed=$((failed + 1))
  tail -5 "$results/logs/out-of-core.log"
fi
out_of_core="{\"exit_code\": $code, \"record\": $(cat "$json" 2>/dev/null || echo null)}"

if [ "$benches" = yes ]; then
  for bench in "$bundle"/benches/*; do
    [ -x "$bench" ] || continue
    name=$(basename "$bench")
    start=$(now)
    json=$results/bench-$name.json
    # Without --bench it would only look whether it runs.
    (cd "$results" && timeout --kill-after=10 "$limit" "$bench" --bench --json "$json") > "$results/logs/bench-$name.log" 2>&1
    code=$?
    seconds=$(since "$start")
    echo "bench $name: exit code $code, $seconds s"
    [ "$code" -eq 0 ] || failed=$((failed + 1))
    measured="$measured,
    {\"name\": $(quote "$name"), \"exit_code\": $code, \"seconds\": $seconds, \"record\": $(cat "$json" 2>/dev/null || echo null)}"
  done
fi

record
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
