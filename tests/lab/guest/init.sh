#!/bin/bash
# Process 1 of the guest: mounts what a machine has, runs the scenario that lies on the share, switches off.
export PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C TERM=dumb
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev 2>/dev/null
mkdir -p /dev/pts /dev/shm /run /lab
mount -t devpts devpts /dev/pts
for place in /dev/shm /run /tmp; do mount -t tmpfs tmpfs "$place"; done
mount -t cgroup2 cgroup2 /sys/fs/cgroup 2>/dev/null
mkdir -p /run/lock /run/libvirt
hostname lab-gpu1
echo lab-gpu1 >/etc/hostname
echo '127.0.0.1 localhost lab-gpu1' >/etc/hosts
ip link set lo up
for number in '' /0 /1 /2; do
  case $number in '') name=fd ;; /0) name=stdin ;; /1) name=stdout ;; *) name=stderr ;; esac
  ln -sfn "/proc/self/fd$number" "/dev/$name"
done
exec </dev/null
modprobe -a virtio_pci 9pnet_virtio 9p
mount -t 9p -o trans=virtio,version=9p2000.L,msize=262144 lab /lab || echo "lab: no share"
code=0
bash /lab/scenario.sh >/lab/out/scenario.log 2>&1 || code=$?
echo $code >/lab/out/scenario.rc
dmesg >/lab/out/dmesg.txt
sync
umount /lab
echo o >/proc/sysrq-trigger
sleep 10
