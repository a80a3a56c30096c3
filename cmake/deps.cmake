# The only place that looks for third-party packages. Each has an ADR in docs/adr and one folder that includes it.
find_package(fmt REQUIRED)                 # base (formatting)
find_package(tl-expected REQUIRED)         # base/result.h
find_package(yaml-cpp REQUIRED)            # codec/yaml
find_package(nlohmann_json REQUIRED)       # codec/json
find_package(PkgConfig REQUIRED)
pkg_check_modules(re2 REQUIRED IMPORTED_TARGET re2)   # codec/pattern
pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET libarchive)   # codec/archive
pkg_check_modules(libsystemd REQUIRED IMPORTED_TARGET libsystemd)   # adapters/journal
find_package(CURL 7.84 REQUIRED)             # adapters/kube
find_package(CLI11 REQUIRED)               # apps/gpumedic/cli
if(GPUMEDIC_BUILD_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
