# The compile flags of all our code: one interface library that add_module links to every module.
# A release build for users does not stop at a warning (a newer compiler knows new ones); every other preset does.
add_library(gpumedic_options INTERFACE)
target_compile_options(gpumedic_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wold-style-cast)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Clang's -Wconversion includes changes of sign, g++'s does not: the same code must pass both.
  # And clang reports what libstdc++ 12 itself calls deprecated inside std::stable_sort.
  target_compile_options(gpumedic_options INTERFACE -Wno-sign-conversion -Wno-deprecated-declarations)
endif()
if(GPUMEDIC_WERROR)
  target_compile_options(gpumedic_options INTERFACE -Werror)
endif()
target_link_libraries(gpumedic_options INTERFACE fmt::fmt tl::expected)

if(GPUMEDIC_SANITIZE)
  target_compile_options(gpumedic_options INTERFACE -fsanitize=${GPUMEDIC_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(gpumedic_options INTERFACE -fsanitize=${GPUMEDIC_SANITIZE})
endif()
