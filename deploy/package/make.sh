#!/usr/bin/env bash
# make.sh PROGRAM OUT: OUT/gpumedic_VERSION_ARCH.deb and OUT/gpumedic-VERSION-linux-ARCH.tar.gz. The same program and commit give the same bytes.
set -euo pipefail
root=$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)
program=$(readlink -f "$1") out=$2
mkdir -p "$out"
out=$(readlink -f "$out")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

version=$("$program" version | sed -E 's/^gpumedic ([^ ]+).*/\1/')
arch=$(dpkg --print-architecture) machine=$(uname -m)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
export SOURCE_DATE_EPOCH
date_of() { date -u -R -d "@$SOURCE_DATE_EPOCH"; }

# share TO: what stands below .../share in both.
share() {
  local to=$1 page shell
  install -d "$to/man/man1" "$to/bash-completion/completions" "$to/zsh/vendor-completions" "$to/fish/vendor_completions.d" "$to/doc/gpumedic"
  while read -r page; do
    if [ "$page" = gpumedic ]; then "$program" manual; else "$program" manual "${page#gpumedic-}"; fi | gzip -9n >"$to/man/man1/$page.1.gz"
  done < <("$program" manual --list)
  "$program" completion bash >"$to/bash-completion/completions/gpumedic"
  "$program" completion zsh >"$to/zsh/vendor-completions/_gpumedic"
  "$program" completion fish >"$to/fish/vendor_completions.d/gpumedic.fish"
  cp -r "$root/examples" "$to/doc/gpumedic/"
  cp "$root"/docs/{collect,verify,redact,kubernetes,install}.md "$to/doc/gpumedic/"
  install -m 644 "$root/deploy/rbac.yaml" "$to/doc/gpumedic/"
  gzip -9n <"$root/CHANGELOG.md" >"$to/doc/gpumedic/NEWS.gz"
}

make_deb() {
  local stage=$work/deb
  install -D -s -m 755 "$program" "$stage/usr/bin/gpumedic"
  share "$stage/usr/share"
  local doc=$stage/usr/share/doc/gpumedic
  mv "$doc/NEWS.gz" "$doc/NEWS.md.gz"
  cat >"$doc/copyright" <<TXT
Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/
Upstream-Name: gpumedic

Files: *
Copyright: 2026 the gpumedic authors
License: Apache-2.0
 On Debian systems the full text of the Apache License, version 2.0, is in
 /usr/share/common-licenses/Apache-2.0.
TXT
  printf 'gpumedic (%s) stable; urgency=medium\n\n  * See NEWS.md.gz.\n\n -- gpumedic authors <gpumedic@example.invalid>  %s\n' "$version" "$(date_of)" |
    gzip -9n >"$doc/changelog.gz"
  # The program names the database's path in what it tells an operator to look at; it does not open it.
  install -d "$stage/usr/share/lintian/overrides"
  echo 'gpumedic: uses-dpkg-database-directly [usr/bin/gpumedic]' >"$stage/usr/share/lintian/overrides/gpumedic"
  # dpkg-shlibdeps wants to see a source package.
  mkdir -p "$work/source/debian" "$stage/DEBIAN"
  printf 'Source: gpumedic\n\nPackage: gpumedic\nArchitecture: any\n' >"$work/source/debian/control"
  local depends
  depends=$(cd "$work/source" && dpkg-shlibdeps -O "$stage/usr/bin/gpumedic" 2>/dev/null | sed -n 's/^shlibs:Depends=//p')
  cat >"$stage/DEBIAN/control" <<TXT
Package: gpumedic
Version: $version
Architecture: $arch
Maintainer: gpumedic authors <gpumedic@example.invalid>
Installed-Size: $(du -sk --exclude=DEBIAN "$stage" | cut -f1)
Depends: $depends
Recommends: pciutils
Suggests: ipmitool
Section: admin
Priority: optional
Description: diagnoses GPU faults on Kubernetes nodes that pass GPUs to VMs
 gpumedic reads the logs and tool outputs of a node (kernel, PCIe, libvirt,
 KubeVirt, nvidia-smi, BMC and more), names the fault, its device and cause,
 what to do and what not, and proves whether the repair worked. It collects
 the evidence of a running node without changing anything on it.
TXT
  (cd "$stage" && find usr -type f -print0 | sort -z | xargs -0 md5sum >DEBIAN/md5sums)
  find "$stage" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz -b "$stage" "$out/gpumedic_${version}_$arch.deb" >/dev/null
}

# owner_of BUNDLED PROGRAM LOADER: the package that the library came from. With a merged /usr dpkg knows the one path or the other.
owner_of() {
  local path
  path=$( (ldd "$2"; echo "x => $3 x") | sed -nE 's/.* => (\/[^ ]+) .*/\1/p' | grep -F "/${1##*/}" | head -n 1) || return 0
  path=$(readlink -f "$path")
  { dpkg -S "$path" 2>/dev/null || dpkg -S "${path#/usr}" 2>/dev/null || true; } | cut -d: -f1 | head -n 1
}

make_tarball() {
  local name=gpumedic-$version-linux-$machine stage
  stage=$work/$name
  install -D -s -m 755 "$program" "$stage/lib/gpumedic"
  local loader library
  loader=$(readelf -l "$program" | sed -nE 's/.*interpreter: (.*)\]/\1/p')
  ldd "$program" | sed -nE 's/.* => (\/[^ ]+) .*/\1/p' | while read -r library; do
    install -m 755 "$(readlink -f "$library")" "$stage/lib/${library##*/}"
  done
  install -m 755 "$(readlink -f "$loader")" "$stage/lib/${loader##*/}"
  install -d "$stage/bin"
  cat >"$stage/bin/gpumedic" <<TXT
#!/bin/sh
# The program with its own loader and libraries, wherever this folder stands, also behind a link.
here=\$(dirname "\$(dirname "\$(readlink -f "\$0")")")
exec "\$here/lib/${loader##*/}" --library-path "\$here/lib" --argv0 gpumedic "\$here/lib/gpumedic" "\$@"
TXT
  chmod 755 "$stage/bin/gpumedic"
  share "$stage/share"
  cp "$root/LICENSE" "$stage/"
  # Whose the libraries are, and under which terms.
  install -d "$stage/share/doc/gpumedic/licences"
  for library in "$stage"/lib/*; do
    owner_of "$library" "$program" "$loader"
  done | sort -u | while read -r package; do
    if [ -f "/usr/share/doc/$package/copyright" ]; then cp "/usr/share/doc/$package/copyright" "$stage/share/doc/gpumedic/licences/$package"; fi
  done
  tar -C "$work" --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
}

make_deb
make_tarball
ls -l "$out" >&2
