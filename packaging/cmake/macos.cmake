# Compiles for macOS by clang 16 and links by zig 0.11, which has macOS's headers, its list of what libSystem has, and
# libc++ 16: cmake --preset macos -D DCUBE_ZIG=FOLDER, where zig was unpacked.
set(DCUBE_ZIG ${CMAKE_CURRENT_LIST_DIR}/../../build/zig CACHE PATH "The folder of zig")
set(DCUBE_MACOS_PROCESSOR arm64 CACHE STRING "arm64 or x86_64")
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES DCUBE_ZIG DCUBE_MACOS_PROCESSOR)
set(CMAKE_SYSTEM_NAME Darwin)
set(CMAKE_SYSTEM_PROCESSOR ${DCUBE_MACOS_PROCESSOR})
set(CMAKE_CXX_COMPILER clang++-16)
set(CMAKE_CXX_COMPILER_TARGET ${DCUBE_MACOS_PROCESSOR}-apple-macos11)
set(CMAKE_OSX_SYSROOT "")
set(CMAKE_INSTALL_NAME_TOOL false)
set(CMAKE_SKIP_RPATH ON)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)  # zig compiles its libc++ when it links for the first time
set(CMAKE_THREAD_LIBS_INIT "")
set(CMAKE_HAVE_LIBC_PTHREAD ON)

set(zig_processor ${DCUBE_MACOS_PROCESSOR})
if(zig_processor STREQUAL "arm64")
  set(zig_processor aarch64)
endif()
set(zig ${DCUBE_ZIG}/zig)
string(JOIN " " CMAKE_CXX_FLAGS_INIT
  -nostdinc++ -nostdlibinc
  -isystem ${DCUBE_ZIG}/lib/libcxx/include -isystem ${DCUBE_ZIG}/lib/libcxxabi/include
  -isystem ${DCUBE_ZIG}/lib/libc/include/${zig_processor}-macos.13-none
  -isystem ${DCUBE_ZIG}/lib/libc/include/any-macos.13-any -isystem ${DCUBE_ZIG}/lib/libc/include/any-macos-any
  # The configuration with which zig compiles libc++.
  -D_LIBCPP_ABI_VERSION=1 -D_LIBCPP_ABI_NAMESPACE=__1 -D_LIBCPP_PSTL_CPU_BACKEND_SERIAL
  -D_LIBCPP_DISABLE_VISIBILITY_ANNOTATIONS -D_LIBCXXABI_DISABLE_VISIBILITY_ANNOTATIONS
  -D_LIBCPP_HAS_NO_VENDOR_AVAILABILITY_ANNOTATIONS)
set(CMAKE_CXX_ARCHIVE_CREATE "${zig} ar qc <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_APPEND "${zig} ar q <TARGET> <OBJECTS>")
set(CMAKE_CXX_ARCHIVE_FINISH "${zig} ranlib <TARGET>")
set(CMAKE_CXX_LINK_EXECUTABLE "${zig} c++ -target ${zig_processor}-macos.11.0-none <OBJECTS> -o <TARGET> <LINK_LIBRARIES>")
set(ZLIB_LIBRARY ${CMAKE_CURRENT_LIST_DIR}/libz.tbd)

# Nothing of the host is looked for but programs.
set(CMAKE_FIND_ROOT_PATH ${DCUBE_ZIG})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
