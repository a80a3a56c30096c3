#!/usr/bin/env bash
# The README's commands (the second with --tests) on a machine that has nothing: a Debian 12 that debootstrap just made, the project copied into it.
# Needs root. The mirror is the one this machine's apt uses. fresh.sh ROOT [ARGUMENTS OF quickstart.py...]
set -euo pipefail

root=$1
work=$root/build/fresh
chroot=$work/root

if [ "$(id -u)" != 0 ]; then echo "fresh: needs root (chroot)" >&2; exit 77; fi

# The first Debian archive of apt's sources, in either form; a security or updates suite alone is no base.
mirror=$(sed -nE 's/^URIs:[[:space:]]*([^[:space:]]+).*/\1/p; s/^deb[[:space:]]+(\[[^]]*\][[:space:]]+)?([^[:space:]]+)[[:space:]].*/\2/p' \
  /etc/apt/sources.list /etc/apt/sources.list.d/*.sources /etc/apt/sources.list.d/*.list 2>/dev/null |
  grep -E '/debian/?$' | head -n 1) || true
[ -n "$mirror" ] || { echo "fresh: no Debian mirror in apt's sources" >&2; exit 69; }

mkdir -p "$work"
exec 8>"$work/.lock"   # two runs in one folder would delete each other's machine
flock 8
leave() {
  for mounted in dev/pts proc; do
    if mountpoint -q "$chroot/$mounted"; then umount "$chroot/$mounted"; fi
  done
}
leave
rm -rf --one-file-system "$chroot"
mkdir -p "$work/cache" "$chroot"
echo "fresh: debootstrap" >&2
debootstrap --variant=minbase --cache-dir="$work/cache" bookworm "$chroot" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 20 "$work/debootstrap.log" >&2; exit 1; }
for settings in /etc/apt/apt.conf.d/*proxy* /etc/apt/apt.conf; do
  if [ -f "$settings" ]; then cp "$settings" "$chroot/etc/apt/apt.conf.d/"; fi
done

# What every machine has: /proc (the leak checker of the sanitized build needs it) and pseudo terminals (the tests of colour).
trap leave EXIT
mount -t proc proc "$chroot/proc" || echo "fresh: no /proc in the chroot" >&2
mkdir -p "$chroot/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$chroot/dev/pts" || echo "fresh: no /dev/pts in the chroot" >&2
ln -sfn pts/ptmx "$chroot/dev/ptmx"

mkdir "$chroot/gpumedic"
git -C "$root" ls-files -z --cached --others --exclude-standard |
  tar -C "$root" --null --ignore-failed-read -T - -cf - | tar -C "$chroot/gpumedic" -xf -

/usr/bin/python3 "$root/.ci/quickstart.py" --root "$root" --in "$chroot" "${@:2}"
