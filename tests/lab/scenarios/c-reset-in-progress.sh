# a reset of a dead device runs: reads of its configuration space hang in the kernel, and nothing ends them
. /lab/library.sh
start_journal
bind_to_vfio
gpu_off
(echo 1 >$device/reset) &
sleep 4
say "during the reset"
diagnose blocked --timeout 40s
check "it ends within its time" test "$(cat blocked.seconds)" -le 45
check "the blocked read is named" grep -q '"outcome": "blocked"' blocked.json
check "the kernel's function is named" grep -q "pci_wait_cfg" blocked.json
check "a fault, or a suspicion that says wait" test "$(cat blocked.code)" != 0
check "the device is named" grep -q "$gpu" blocked.json
check "no step that would make it worse" action_is blocked wait investigate cold_reboot
verify during --timeout 40s --incident blocked.json
check "verify: no proof while the reset runs" test "$(cat during.code)" != 0
check "verify: what hangs is unknown, never pass" result_is during config_answers unknown
gpumedic collect -q --timeout 40s --to during.tar.gz
check "a collection ends too" test -s during.tar.gz
exit $failed
