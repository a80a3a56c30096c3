# slow: a VM runs, its GPU dies, the VM is destroyed: resets that give up after minutes
. /lab/library.sh
start_journal
bind_to_vfio
start_libvirt
define_vm
check "the VM starts" start_vm
gpu_off
say "destroying the VM"
timeout 300 virsh destroy train-1
dmesg >kernel.txt
check "the kernel gave up the function level reset" grep -q 'after FLR; giving up' kernel.txt
check "the kernel gave up the bus reset" grep -q 'after bus reset; giving up' kernel.txt
start_vm 300 >start.txt 2>&1
diagnose dead
check "dead: fault" code_is dead 1
check "dead: the device is named" grep -q "\"pci\": \"$gpu\"" dead.json
check "dead: cold reboot" action_is dead cold_reboot
verify still-dead --incident dead.json
check "verify: not recovered" code_is still-dead 1
check "verify: the configuration space fails" result_is still-dead config_answers fail
exit $failed
