# One shape for every library of the house.
#
#   add_module(NAME LAYER n DEPS a b THIRD_PARTY x::y)
#
# Compiles all *.cpp of the current folder (tests apart) into gpumedic_<NAME>, and every *_test.cpp into
# <NAME>_test. A dependency must lie on a lower layer: an upward or sideways one stops the configuration.
# Sources are globbed with CONFIGURE_DEPENDS, so a new file edits no list.
function(add_module NAME)
  cmake_parse_arguments(M "" "LAYER" "DEPS;THIRD_PARTY;TEST_DEPS" ${ARGN})
  if(NOT DEFINED M_LAYER)
    message(FATAL_ERROR "add_module(${NAME}): LAYER is missing")
  endif()
  string(REPLACE "/" "_" flat ${NAME})
  set(target gpumedic_${flat})

  foreach(dep IN LISTS M_DEPS)
    string(REPLACE "/" "_" dep_flat ${dep})
    if(NOT TARGET gpumedic_${dep_flat})
      message(FATAL_ERROR "add_module(${NAME}): unknown dependency '${dep}'. Modules are added in layer order in src/CMakeLists.txt; "
                          "a module can only use one that stands above it there.")
    endif()
    get_target_property(dep_layer gpumedic_${dep_flat} GPUMEDIC_LAYER)
    if(NOT dep_layer LESS M_LAYER)
      message(FATAL_ERROR "add_module(${NAME}): layer ${M_LAYER} may not depend on '${dep}' of layer ${dep_layer}. "
                          "Includes point down only; siblings of one layer do not know each other (docs/architecture.md).")
    endif()
  endforeach()

  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|fuzz)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")

  list(TRANSFORM M_DEPS REPLACE "/" "_" OUTPUT_VARIABLE dep_targets)
  list(TRANSFORM dep_targets PREPEND gpumedic_)

  if(sources)
    add_library(${target} STATIC ${sources})
    target_link_libraries(${target} PUBLIC gpumedic_options ${dep_targets} PRIVATE ${M_THIRD_PARTY})
    target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE gpumedic_options ${dep_targets} ${M_THIRD_PARTY})
    target_include_directories(${target} INTERFACE ${PROJECT_SOURCE_DIR}/src)
  endif()
  set_target_properties(${target} PROPERTIES GPUMEDIC_LAYER ${M_LAYER})

  if(tests AND GPUMEDIC_BUILD_TESTS)
    add_executable(${flat}_test ${tests})
    list(TRANSFORM M_TEST_DEPS REPLACE "/" "_")
    list(TRANSFORM M_TEST_DEPS PREPEND gpumedic_)
    target_link_libraries(${flat}_test PRIVATE ${target} ${M_TEST_DEPS} ${M_THIRD_PARTY} GTest::gtest_main GTest::gmock)
    target_compile_definitions(${flat}_test PRIVATE GPUMEDIC_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    gtest_discover_tests(${flat}_test TEST_PREFIX "${NAME}: " DISCOVERY_MODE PRE_TEST)
  endif()
endfunction()
