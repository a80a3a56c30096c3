#!/usr/bin/env bash
# prove.sh OUT SUITE...: the packages of OUT in a minimal Debian of each suite: the .deb where its libraries are, the tarball everywhere. Needs root.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
out=$(readlink -f "$1"); shift
if [ "$(id -u)" != 0 ]; then echo "prove: needs root (chroot)" >&2; exit 77; fi
cache=${XDG_CACHE_HOME:-$HOME/.cache}/gpumedic-tests
own=$(. /etc/os-release && echo "$VERSION_CODENAME")

mirror=$(sed -nE 's/^URIs:[[:space:]]*([^[:space:]]+).*/\1/p; s/^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+)[[:space:]].*/\2/p' \
  /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null | grep -E '/debian/?$' | head -n 1) || true
[ -n "$mirror" ] || { echo "prove: no Debian mirror in apt's sources" >&2; exit 69; }

# in ROOT COMMAND...: with /proc, as a node has it.
in_chroot() {
  local chroot=$1; shift
  mount -t proc proc "$chroot/proc" 2>/dev/null || true
  local code=0
  chroot "$chroot" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 SOURCE_DATE_EPOCH=1760000000 "$@" || code=$?
  umount "$chroot/proc" 2>/dev/null || true
  return $code
}

# check ROOT PROGRAM: a diagnosis with its exit code and words, and a collection that is diagnosed.
check() {
  local chroot=$1 program=$2 code=0
  in_chroot "$chroot" "$program" diagnose /rx-detect >"$chroot/answer.txt" || code=$?
  [ $code = 1 ] && grep -q 'NVLink bring-up of GPU 0000:ed:00.0 failed at Rx detect' "$chroot/answer.txt" ||
    { echo "prove: $program diagnose gave $code:"; cat "$chroot/answer.txt"; return 1; }
  in_chroot "$chroot" "$program" collect -q --to /bundle.tar.zst
  code=0
  in_chroot "$chroot" "$program" diagnose -q /bundle.tar.zst || code=$?
  [ $code = 0 ] || [ $code = 2 ] || { echo "prove: the collection's diagnosis gave $code"; return 1; }
  in_chroot "$chroot" "$program" explain --lang ko Xid 79 | grep -q GPU
  rm -f "$chroot/bundle.tar.zst" "$chroot/answer.txt"
}

make_base() {
  local suite=$1 base=$cache/debian-$1.tar fresh
  [ ! -f "$base" ] || return 0
  fresh=$(mktemp -d)
  debootstrap --variant=minbase "$suite" "$fresh" "$mirror" >"$fresh.log" 2>&1 || { tail -n 20 "$fresh.log" >&2; return 1; }
  tar -C "$fresh" --exclude='./var/cache/apt/archives/*' --exclude='./dev/*' -cf "$base.part" . && mv "$base.part" "$base"
  rm -rf --one-file-system "$fresh" "$fresh.log"
}

mkdir -p "$cache"
makers=()
for suite in "$@"; do make_base "$suite" & makers+=($!); done
for maker in "${makers[@]}"; do wait "$maker" || { echo "prove: a Debian could not be fetched" >&2; exit 69; }; done

for suite in "$@"; do
  chroot=$(mktemp -d)
  trap 'umount "$chroot/proc" 2>/dev/null || true; rm -rf --one-file-system "$chroot"' EXIT
  tar -C "$chroot" -xf "$cache/debian-$suite.tar"
  mkdir -p "$chroot/dev"; [ -e "$chroot/dev/null" ] || mknod -m 666 "$chroot/dev/null" c 1 3
  cp -r "$root/examples/rx-detect" "$chroot/rx-detect"

  tar -C "$chroot/opt" -xf "$out"/gpumedic-*-linux-*.tar.gz
  ln -sf "/opt/$(basename "$out"/gpumedic-*-linux-*.tar.gz .tar.gz)/bin/gpumedic" "$chroot/usr/local/bin/gpumedic"
  check "$chroot" /usr/local/bin/gpumedic
  echo "prove: $suite: tarball: diagnose, collect, explain"
  if [ "$suite" = "$own" ]; then
    rm "$chroot/usr/local/bin/gpumedic"
    cp "$out"/gpumedic_*.deb "$chroot/gpumedic.deb"
    for settings in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf; do
      if [ -f "$settings" ]; then cp "$settings" "$chroot/etc/apt/apt.conf.d/"; fi
    done
    cp /etc/resolv.conf "$chroot/etc/resolv.conf" 2>/dev/null || true
    in_chroot "$chroot" sh -c 'apt-get -qq update && apt-get -qq install -y --no-install-recommends /gpumedic.deb' >"$chroot/apt.log" 2>&1 ||
      { tail -n 20 "$chroot/apt.log" >&2; exit 1; }
    check "$chroot" /usr/bin/gpumedic
    in_chroot "$chroot" sh -c 'test -s /usr/share/man/man1/gpumedic-verify.1.gz || grep -q path-exclude /etc/dpkg/dpkg.cfg.d/*'
    in_chroot "$chroot" apt-get -qq remove -y gpumedic >/dev/null 2>&1
    [ ! -e "$chroot/usr/bin/gpumedic" ]
    echo "prove: $suite: .deb: installed, diagnose, collect, explain, removed"
  fi
  rm -rf --one-file-system "$chroot"
  trap - EXIT
done
