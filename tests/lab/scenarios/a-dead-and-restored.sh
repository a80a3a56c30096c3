# healthy, then dead at the attach (libvirt's header 127), then restored
. /lab/library.sh
start_journal
bind_to_vfio
start_libvirt
define_vm

say healthy
gpumedic baseline save --to baseline.yaml
check "the baseline names the GPU" grep -q "$gpu" baseline.yaml
diagnose healthy
check "healthy: no fault" code_is healthy 0
check "healthy: no incident" grep -q '"incidents": \[\]' healthy.json
check "a healthy VM starts" start_vm
virsh destroy train-1

say dead
gpu_off
check "the configuration space reads as ones" dead
check "the kernel keeps the device" test -e $device/vendor
start_vm >start.txt 2>&1
cat start.txt
check "libvirt says header type 127" grep -q "Unknown PCI header type '127' for device '$gpu'" start.txt
diagnose dead
check "dead: fault" code_is dead 1
check "dead: the device is named" grep -q "\"pci\": \"$gpu\"" dead.json
check "dead: a rung of the ladder that reaches it" action_is dead cold_reboot warm_reboot reset_gpu
check "dead: libvirt's line is evidence" grep -q "Unknown PCI header type" dead.json
verify still-dead --incident dead.json --baseline baseline.yaml
check "verify: not recovered" code_is still-dead 1
check "verify: configuration space fails" result_is still-dead config_answers fail

say restored
gpu_on
check "it answers again" alive
check "the VM starts again" start_vm
diagnose restored
check "restored: nothing open" test "$(cat restored.code)" != 1
verify restored-verified --baseline baseline.yaml
check "verify: devices" result_is restored-verified devices pass
check "verify: configuration space" result_is restored-verified config_answers pass
check "verify: driver" result_is restored-verified driver pass
verify restored-without-power --incident dead.json
check "verify: no proof that the power was off" result_is restored-without-power power_was_cut unknown
exit $failed
