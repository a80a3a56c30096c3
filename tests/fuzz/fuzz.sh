#!/usr/bin/env bash
# Runs the libFuzzer targets that `./dev fuzz` built: fuzz.sh ROOT [--seconds N] [--total N] [NAME...]
# Found inputs grow in build/fuzz/corpus, crashes are kept in build/fuzz/crashes. Exit: 0 none, 1 a crash, 64 usage.
set -euo pipefail

root=$1; shift
out=$root/build/fuzz
seconds=30 total=
names=()
number() { [[ ${1:-} =~ ^[0-9]+$ ]] && [ "$1" -gt 0 ] || { echo "fuzz: a number of seconds is missing" >&2; exit 64; }; }
while [ $# -gt 0 ]; do
  case $1 in
    --seconds) number "${2:-}"; seconds=$2; shift 2 ;;
    --total) number "${2:-}"; total=$2; shift 2 ;;
    -*) echo "fuzz: unknown argument $1" >&2; exit 64 ;;
    *) names+=("$1"); shift ;;
  esac
done

mapfile -t known < <(find "$root/src" -name '*_fuzz.cpp' -printf '%f\n' | sed 's/_fuzz\.cpp$//' | sort)
if [ ${#known[@]} = 0 ]; then echo "fuzz: there is no *_fuzz.cpp in src" >&2; exit 1; fi
[ ${#names[@]} -gt 0 ] || names=("${known[@]}")
for name in "${names[@]}"; do
  printf '%s\n' "${known[@]}" | grep -qxF "$name" || { echo "fuzz: no target '$name'; there are: ${known[*]}" >&2; exit 64; }
done
if [ -n "$total" ]; then seconds=$((total / ${#names[@]})); [ $seconds -gt 0 ] || seconds=1; fi

mkdir -p "$out/crashes"
failed=()
for name in "${names[@]}"; do
  mkdir -p "$out/corpus/$name"
  inputs=("$out/corpus/$name")
  for seeds in "$root/tests/fuzz/seeds/$name" "$root/tests/cases" "$root/examples"; do
    [ -d "$seeds" ] && inputs+=("$seeds")
  done
  extra=()
  [ -f "$root/tests/fuzz/dict/$name.dict" ] && extra+=("-dict=$root/tests/fuzz/dict/$name.dict")
  echo "fuzz: $name, $seconds s" >&2
  log=$out/$name.log
  if "$out/bin/fuzz_$name" -max_total_time="$seconds" -max_len=65536 -timeout=10 -rss_limit_mb=2048 \
      -artifact_prefix="$out/crashes/$name-" "${extra[@]}" "${inputs[@]}" >"$log" 2>&1; then
    grep -E '^Done ' "$log" >&2 || true
  else
    failed+=("$name")
    tail -n 60 "$log" >&2
  fi
done

if [ ${#failed[@]} -gt 0 ]; then
  echo "fuzz: crashed: ${failed[*]}; inputs (build/dev/bin/replay_NAME FILE shows where, after ./dev test):" >&2
  for name in "${failed[@]}"; do find "$out/crashes" -name "$name-*" >&2; done
  exit 1
fi
echo "fuzz: no crash in ${names[*]}" >&2
