#include "wiring.h"

#include "adapters/catalogue_folder/catalogue_folder.h"

namespace gpumedic::catalogc {

base::Result<knowledge::CatalogueLayer> read_layer(const std::filesystem::path& folder) {
    return adapters::read_catalogue_folder(folder, adapters::FileNames::below_folder);
}

}  // namespace gpumedic::catalogc
