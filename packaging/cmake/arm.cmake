# Compiles for 64-bit ARM by Debian's packages g++-aarch64-linux-gnu and zlib1g-dev:arm64, and runs by qemu-user-static:
# cmake --preset arm.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_CROSSCOMPILING_EMULATOR qemu-aarch64-static)
