#!/bin/sh
# boot-systemd.sh <root> <cgroup>…: boots systemd in a folder, as the first process of new namespaces and in existing
# control groups. The network is that of the host. Settings of the kernel are read-only, and there are few devices.
set -e
root=$1
shift

if [ $$ -ne 1 ]; then
  for cgroup in "$@"; do echo $$ >"$cgroup/cgroup.procs"; done
  exec unshare --mount --pid --fork --kill-child --cgroup --uts --ipc "$0" "$root"
fi

mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --bind -o ro "$root/proc/sys" "$root/proc/sys"
mount --rbind /sys "$root/sys"
mount -t tmpfs tmpfs "$root/run"
mount -t tmpfs tmpfs "$root/dev"
mkdir "$root/dev/shm" "$root/dev/pts"
mount -t devpts -o newinstance,ptmxmode=0666 devpts "$root/dev/pts"
ln -s pts/ptmx "$root/dev/ptmx"
for device in null zero full random urandom tty; do
  touch "$root/dev/$device"
  mount --bind "/dev/$device" "$root/dev/$device"
done

cd "$root"
mkdir run/host
pivot_root . run/host
umount --lazy /run/host
# systemd mounts credentials in a child process.
mount --make-rshared /
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd
