# What runs wherever there is glibc 2.34: the archive's program, and the modules of wheels. Both are made of the same objects
# as everything else, and of the parts below, which stand before the libraries. So the linker looks for none of their
# functions in oneTBB, hwloc, the system's fmt and newer versions of glibc, and --as-needed leaves these libraries out.
# Only on Debian 12, or where fmt and glibc are as old.
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
  packaging/portable/fmt.cpp packaging/portable/older_glibc.cpp)
target_include_directories(dcube_portable_parts PRIVATE ${PROJECT_SOURCE_DIR} include)
target_compile_features(dcube_portable_parts PRIVATE cxx_std_20)
target_link_libraries(dcube_portable_parts PRIVATE fmt::fmt dcube_warnings)

add_library(dcube_portable INTERFACE)
target_sources(dcube_portable INTERFACE $<TARGET_OBJECTS:dcube_portable_parts>)
target_link_libraries(dcube_portable INTERFACE
  $<LINK_LIBRARY:WHOLE_ARCHIVE,${DCUBE_STATIC_XXHASH},${DCUBE_STATIC_ZLIB}>)
target_link_options(dcube_portable INTERFACE -static-libstdc++ -Wl,--as-needed)

add_executable(dcube_portable_program EXCLUDE_FROM_ALL $<TARGET_OBJECTS:dcube_program>)
get_target_property(libraries dcube_program LINK_LIBRARIES)
target_link_libraries(dcube_portable_program PRIVATE dcube_portable ${libraries})
target_link_options(dcube_portable_program PRIVATE -static-libgcc)
set_target_properties(dcube_portable_program PROPERTIES OUTPUT_NAME dcube-${CMAKE_SYSTEM_PROCESSOR} LINKER_LANGUAGE CXX
  RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/portable)

# bin/dcube starts the program, or says why it cannot be started here.
set(DCUBE_LOADER /lib64/ld-linux-x86-64.so.2)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
  set(DCUBE_LOADER /lib/ld-linux-aarch64.so.1)
endif()
configure_file(packaging/portable/dcube.in portable/dcube @ONLY)
install(PROGRAMS ${PROJECT_BINARY_DIR}/portable/dcube DESTINATION bin COMPONENT portable EXCLUDE_FROM_ALL)
install(TARGETS dcube_portable_program COMPONENT portable EXCLUDE_FROM_ALL)
install(FILES packaging/copyright DESTINATION ${DCUBE_DOC_DIR} COMPONENT portable EXCLUDE_FROM_ALL)

# What the wheels of a release have: the program, and a module for each Python.
add_custom_target(dcube_wheels DEPENDS dcube_portable_program ${DCUBE_PORTABLE_MODULES})
