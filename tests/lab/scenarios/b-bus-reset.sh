# dead in a way that a bus reset heals
. /lab/library.sh
start_journal
bind_to_vfio
start_libvirt
define_vm
bus_held
check "the configuration space reads as ones" dead
start_vm >start.txt 2>&1
check "libvirt says header type 127" grep -q "Unknown PCI header type '127'" start.txt
diagnose dead
check "dead: fault" code_is dead 1
check "dead: the device is named" grep -q "\"pci\": \"$gpu\"" dead.json
verify still-dead --incident dead.json
check "verify: not recovered" code_is still-dead 1
echo bus >$device/reset_method
echo 1 >$device/reset
check "a bus reset brings it back" alive
diagnose reset
check "after the reset: nothing open" test "$(cat reset.code)" != 1
verify after --incident dead.json
check "verify: the configuration space answers" result_is after config_answers pass
check "verify: the device is there" result_is after devices pass
exit $failed
