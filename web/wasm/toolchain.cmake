# Compiles for WebAssembly with Debian's packages clang-19, lld-19, libc++-19-dev-wasm32, libc++abi-19-dev-wasm32,
# libclang-rt-19-dev-wasm32 and wasi-libc: cmake --preset wasm. What they lack is in exceptions/.
set(DCUBE_WASM ON)
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_C_COMPILER clang-19)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
set(CMAKE_EXECUTABLE_SUFFIX .wasm)
set(CMAKE_EXECUTABLE_SUFFIX_CXX .wasm)
set(CMAKE_POSITION_INDEPENDENT_CODE OFF)

# The target's headers only. The compiler would also look in /usr/include, where the host's are.
string(JOIN " " CMAKE_CXX_FLAGS_INIT
  -nostdinc++ -nostdlibinc -isystem /usr/include/wasm32-wasi/c++/v1 -isystem /usr/include/wasm32-wasi
  -fwasm-exceptions -mbulk-memory -msign-ext -mnontrapping-fptoint -mmultivalue)

# Nothing of the host is looked for but programs.
set(CMAKE_FIND_ROOT_PATH ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
