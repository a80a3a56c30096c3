# What scenarios say. Sourced inside of the guest.
cd /lab/out || exit 1
gpu=0000:ed:00.0
port=ec:00.0
device=/sys/bus/pci/devices/$gpu

say() { echo "== [$(cut -d' ' -f1 /proc/uptime)] $*"; echo "lab: $*" >/dev/kmsg; }
check() { local what=$1; shift; if "$@" >/dev/null 2>&1; then echo "OK   $what"; else echo "FAIL $what"; failed=1; fi; }
failed=0

# The slot's power controller (bit 10 of the slot control register): off, every configuration read returns ones, and the kernel keeps the device.
# The power indicator is left alone, or QEMU would take the device out.
gpu_off() { setpci -s $port CAP_EXP+18.w=0400:0400; sleep 0.3; }
gpu_on() { setpci -s $port CAP_EXP+18.w=0000:0400; sleep 0.3; }
# The root port holds the bus in reset: a function level reset fails, a bus reset brings the device back.
bus_held() { setpci -s $port BRIDGE_CONTROL=0040:0040; sleep 0.3; }
alive() { [ "$(xxd -p -l 2 $device/config)" != ffff ]; }
dead() { ! alive; }

bind_to_vfio() {
  modprobe -a vfio-pci vfio_iommu_type1
  echo vfio-pci >$device/driver_override
  echo $gpu >/sys/bus/pci/drivers_probe
}

start_journal() {
  systemd-machine-id-setup >/dev/null 2>&1
  mkdir -p /run/systemd/journal /run/log/journal
  /lib/systemd/systemd-journald 2>/lab/out/journald.log &
  sleep 1
}

start_libvirt() {
  /lib/systemd/systemd-udevd --daemon 2>/dev/null
  udevadm trigger --subsystem-match=pci
  udevadm settle -t 30
  printf '%s\n' 'security_driver = "none"' 'user = "root"' 'group = "root"' 'stdio_handler = "file"' 'cgroup_controllers = []' 'namespaces = []' 'remember_owner = 0' >/etc/libvirt/qemu.conf
  printf '%s\n' 'unix_sock_group = "root"' 'unix_sock_rw_perms = "0700"' 'auth_unix_ro = "none"' 'auth_unix_rw = "none"' 'log_outputs = "3:stderr 3:journald"' >/etc/libvirt/libvirtd.conf
  rm -f /etc/libvirt/qemu/networks/autostart/*
  libvirtd --timeout 0 2>/lab/out/libvirtd.log &
  for _ in $(seq 60); do virsh -q uri >/dev/null 2>&1 && return; sleep 0.5; done
}

define_vm() {
  cat >/tmp/vm.xml <<XML
<domain type='qemu'><name>train-1</name><memory unit='MiB'>64</memory><vcpu>1</vcpu>
 <os><type arch='x86_64' machine='q35'>hvm</type></os>
 <devices><emulator>/usr/bin/qemu-system-x86_64</emulator>
  <hostdev mode='subsystem' type='pci' managed='no'><driver name='vfio'/>
   <source><address domain='0x0000' bus='0xed' slot='0x00' function='0x0'/></source></hostdev>
  <memballoon model='none'/></devices>
</domain>
XML
  virsh define /tmp/vm.xml
}
start_vm() { timeout "${1:-60}" virsh start train-1 --paused; }

# gpumedic WORDS...: with its own loader, as from the tarball.
gpumedic() { /lab/program/ld-linux-x86-64.so.2 --library-path /lab/program --argv0 gpumedic /lab/program/gpumedic "$@"; }
# diagnose LABEL: leaves LABEL.json, .txt and .code, and how long it took in LABEL.seconds.
diagnose() {
  local label=$1 code=0 began=${EPOCHREALTIME/.}
  shift
  gpumedic diagnose -o json "$@" >"$label.json" 2>"$label.err" || code=$?
  echo $(( (${EPOCHREALTIME/.} - began) / 1000000 )) >"$label.seconds"
  echo $code >"$label.code"
  say "diagnose $label: $code in $(cat "$label.seconds") s"
}
verify() {
  local label=$1 code=0
  shift
  gpumedic verify -o json "$@" >"$label.json" 2>"$label.err" || code=$?
  echo $code >"$label.code"
  say "verify $label: $code"
}
# action_is LABEL CLASS...: the first incident's, as the renderer lays it out: one member a line.
action_is() {
  local label=$1 found
  shift
  found=$(grep -m1 -A1 '"action": {' "$label.json" | sed -n 's/.*"class": "\([a-z_]*\)".*/\1/p')
  echo "action: $found"
  case " $* " in *" $found "*) return 0 ;; *) return 1 ;; esac
}
code_is() { [ "$(cat "$1.code")" = "$2" ]; }
# result LABEL CHECK: what became of a check of verify.
result_is() { grep -A1 "\"id\": \"$2\"" "$1.json" | grep -q "\"result\": \"$3\""; }
