# What runs on Linux without this system's libraries: the archive's program, which is static, and the modules of wheels,
# which need glibc 2.34. Both are made of the same objects as everything else, and of the parts below, which stand before
# the libraries. So the linker looks for none of their functions in oneTBB, hwloc, the system's fmt and newer versions of
# glibc. Only on Debian 12, or where fmt and glibc are as old.
find_library(DCUBE_STATIC_XXHASH libxxhash.a)
find_library(DCUBE_STATIC_ZLIB libz.a)
mark_as_advanced(DCUBE_STATIC_XXHASH DCUBE_STATIC_ZLIB)
if(NOT DCUBE_PROGRAM OR NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU" OR
    fmt_VERSION VERSION_LESS 9 OR NOT fmt_VERSION VERSION_LESS 10 OR NOT DCUBE_STATIC_XXHASH OR NOT DCUBE_STATIC_ZLIB)
  if(DCUBE_WHEELS)
    message(FATAL_ERROR "The modules of wheels are built on Debian 12: with g++, fmt 9, libxxhash.a and libz.a")
  endif()
  return()
endif()

add_library(dcube_portable_parts OBJECT EXCLUDE_FROM_ALL emu/own/workers.cpp emu/alone/libraries.cpp emu/alone/pinning.cpp
  packaging/portable/fmt.cpp)
target_include_directories(dcube_portable_parts PRIVATE ${PROJECT_SOURCE_DIR} include)
target_compile_features(dcube_portable_parts PRIVATE cxx_std_20)
target_link_libraries(dcube_portable_parts PRIVATE fmt::fmt dcube_warnings)

# The libraries are named as files, because what they are linked with in other programs is shared.
set(whole dcube_static dcube_limits dcube_measure dcube_explain dcube_view dcube_export dcube_commands)
list(TRANSFORM whole REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
add_executable(dcube_static_program EXCLUDE_FROM_ALL $<TARGET_OBJECTS:dcube_program> $<TARGET_OBJECTS:dcube_cli>
  $<TARGET_OBJECTS:dcube_portable_parts>)
add_dependencies(dcube_static_program ${whole})
target_link_libraries(dcube_static_program PRIVATE -Wl,--start-group ${files} -Wl,--end-group ${DCUBE_STATIC_XXHASH}
  ${DCUBE_STATIC_ZLIB})
target_link_options(dcube_static_program PRIVATE -static)
set_target_properties(dcube_static_program PROPERTIES OUTPUT_NAME dcube LINKER_LANGUAGE CXX LINK_DEPENDS "${files}"
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/static)
install(TARGETS dcube_static_program RUNTIME COMPONENT portable EXCLUDE_FROM_ALL)
install(FILES packaging/copyright DESTINATION ${DCUBE_DOC_DIR} COMPONENT portable EXCLUDE_FROM_ALL)

# What a module for a wheel is linked with.
add_library(dcube_portable INTERFACE)
target_sources(dcube_portable INTERFACE $<TARGET_OBJECTS:dcube_portable_parts>
  ${PROJECT_SOURCE_DIR}/packaging/portable/older_glibc.cpp)
target_link_libraries(dcube_portable INTERFACE
  $<LINK_LIBRARY:WHOLE_ARCHIVE,${DCUBE_STATIC_XXHASH},${DCUBE_STATIC_ZLIB}>)
target_link_options(dcube_portable INTERFACE -static-libstdc++ -Wl,--as-needed)

# What the wheels of a release have: the program, and a module for each Python.
add_custom_target(dcube_wheels DEPENDS dcube_static_program ${DCUBE_PORTABLE_MODULES})
