#include "blob_file.h"

#include <fstream>
#include <system_error>

namespace gpumedic::catalogc {

namespace fs = std::filesystem;

base::Result<std::size_t> write_file(const fs::path& target, std::string_view bytes) {
    const fs::path temporary = target.string() + ".tmp";
    {
        std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        out.close();
        if (!out) return base::fail(base::ErrorCode::unreadable, "cannot write the file", temporary.string());
    }
    std::error_code error;
    fs::rename(temporary, target, error);
    if (error) return base::fail(base::ErrorCode::unreadable, error.message(), target.string());
    return bytes.size();
}

}  // namespace gpumedic::catalogc
