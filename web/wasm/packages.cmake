# fmt, nlohmann-json, Boost, xxhash and CLI11 for WebAssembly: the host's headers, and nothing else of them. A folder of
# the build has links to just these, because /usr/include as a whole is for another machine.
set(headers ${PROJECT_BINARY_DIR}/wasm/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name IN ITEMS boost fmt nlohmann xxhash.h CLI)
  find_path(DCUBE_HOST_${name} ${name} PATHS /usr/include NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH REQUIRED)
  mark_as_advanced(DCUBE_HOST_${name})
  file(CREATE_LINK ${DCUBE_HOST_${name}}/${name} ${headers}/${name} SYMBOLIC)
endforeach()
foreach(target IN ITEMS Boost::headers fmt::fmt nlohmann_json::nlohmann_json PkgConfig::xxhash CLI11::CLI11)
  add_library(${target} INTERFACE IMPORTED GLOBAL)
  target_include_directories(${target} SYSTEM INTERFACE ${headers})
endforeach()
target_include_directories(CLI11::CLI11 SYSTEM BEFORE INTERFACE ${CMAKE_CURRENT_LIST_DIR}/streams)
target_compile_definitions(CLI11::CLI11 INTERFACE CLI11_HAS_FILESYSTEM=0)
# The same for all files, so that they can share a precompiled header. The last is for Boost 1.74, which uses features
# that C++17 has removed.
add_compile_definitions(FMT_HEADER_ONLY JSON_HAS_FILESYSTEM=0 XXH_INLINE_ALL BOOST_DISABLE_THREADS
  _LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION)
