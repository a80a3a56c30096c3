// Test only: a node's tree below a temporary folder, with one GPU behind one port, alive or dead.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace gpumedic::collect {

class NodeTree {
public:
    enum class Gpu { alive, dead };

    explicit NodeTree(Gpu gpu = Gpu::alive)
        : root_(testing::TempDir() + "gpumedic-node-" + std::to_string(::getpid())) {
        std::filesystem::remove_all(root_);
        put("/proc/sys/kernel/hostname", "daejeon-gpu7\n");
        put("/proc/sys/kernel/random/boot_id", "0f0f0f0f-1111-4222-8333-444444444444\n");
        put("/proc/cmdline", "BOOT_IMAGE=/boot/vmlinuz root=/dev/sda1 ro intel_iommu=on\n");
        put("/etc/os-release", "ID=debian\n");
        add_port();
        add_gpu(gpu);
    }
    NodeTree(const NodeTree&) = delete;
    NodeTree& operator=(const NodeTree&) = delete;
    ~NodeTree() { std::filesystem::remove_all(root_); }

    void put(const std::string& path, const std::string& text) {
        std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
        std::ofstream(root_ + path, std::ios::binary) << text;
    }
    void link(const std::string& target, const std::string& path) {
        std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
        std::filesystem::create_symlink(target, root_ + path);
    }
    [[nodiscard]] const std::string& root() const { return root_; }

    static constexpr const char* kGpu = "0000:5a:00.0";
    static constexpr const char* kPort = "0000:59:00.0";

private:
    void add_function(const std::string& address, const std::string& place, const std::string& class_code,
                      const std::string& vendor, const std::string& device) {
        put(place + "/class", class_code + "\n");
        put(place + "/vendor", vendor + "\n");
        put(place + "/device", device + "\n");
        put(place + "/revision", "0xa1\n");
        link("../../.." + place.substr(4), "/sys/bus/pci/devices/" + address);
    }
    void add_port() {
        const std::string place = "/sys/devices/pci0000:59/0000:59:00.0";
        add_function(kPort, place, "0x060400", "0x8086", "0x347a");
        put(place + "/config", std::string("\x86\x80\x7a\x34", 4) + std::string(60, '\x10'));
    }
    void add_gpu(Gpu gpu) {
        const std::string place = "/sys/devices/pci0000:59/0000:59:00.0/0000:5a:00.0";
        const bool alive = gpu == Gpu::alive;
        add_function(kGpu, place, "0x030200", "0x10de", "0x2330");
        put(place + "/current_link_speed", alive ? "32.0 GT/s PCIe\n" : "Unknown\n");
        put(place + "/current_link_width", alive ? "16\n" : "63\n");
        put(place + "/max_link_speed", "32.0 GT/s PCIe\n");
        put(place + "/max_link_width", "16\n");
        put(place + "/power_state", "D0\n");
        put(place + "/reset_method", "flr bus\n");
        put(place + "/config",
            alive ? std::string("\xde\x10\x30\x23", 4) + std::string(4092, '\0') : std::string(4096, '\xff'));
        link("../../../../bus/pci/drivers/vfio-pci", place + "/driver");
        link("../../../../kernel/iommu_groups/44", place + "/iommu_group");
        link("../../../../devices/pci0000:59/0000:59:00.0/0000:5a:00.0",
             "/sys/kernel/iommu_groups/44/devices/0000:5a:00.0");
    }

    std::string root_;
};

}  // namespace gpumedic::collect
