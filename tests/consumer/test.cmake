# Installs the build to a folder of its own, then configures, builds and runs a project that knows nothing but that folder:
# with the static library, with the shared one, and without CMake, by pkg-config.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect text)
  run(${ARGN})
  if(NOT output MATCHES "${text}")
    message(FATAL_ERROR "${ARGN}\nunexpected output: ${output}")
  endif()
endfunction()

# build(NAME OPTIONS...): the project in a build folder of this name, and the programs that there are in any case.
function(build name)
  run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/${name} -G Ninja -D CMAKE_BUILD_TYPE=${CONFIG}
    -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/installed
    -D OWN_COMMANDS=${CONSUMER}/../../demos/your-own-commands/main.cpp ${ARGN})
  run(${CMAKE_COMMAND} --build ${WORK}/${name})
  expect("^all-to-all on hypercube:8: 128 steps\n$" ${WORK}/${name}/ten_lines)
  run(${WORK}/${name}/exceptions)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/installed)

build(static)
expect("^64 links, 16 packets, all-to-all in 8 steps\n$" ${WORK}/static/consumer)
run(${WORK}/static/host)
run(${WORK}/static/own_commands run broadcast --topology path:5 --algorithm along-path)
run(${WORK}/installed/bin/dcube run all-to-all --dim 3)
if(EXISTS ${WORK}/installed/bin/dcube-mpi)
  expect("all-to-all in 8 steps over 1 ranks\n" ${WORK}/static/over_mpi)  # without mpirun: a rank by itself
endif()

build(shared -D dcube_SHARED_LIBS=ON)

file(GLOB_RECURSE library ${WORK}/installed/libdcube.so)
cmake_path(GET library PARENT_PATH folder)
set(ENV{PKG_CONFIG_PATH} ${folder}/pkgconfig)
expect("^0\\.9\\.[0-9]+\n$" pkg-config --modversion dcube)
run(pkg-config --cflags --libs dcube)
separate_arguments(flags UNIX_COMMAND "${output}")
run(${COMPILER} -std=c++20 ${CONSUMER}/ten_lines.cpp -o ${WORK}/by_pkg_config ${flags})
expect("128 steps" ${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${folder} ${WORK}/by_pkg_config)

foreach(file IN ITEMS bash-completion/completions/dcube zsh/site-functions/_dcube fish/vendor_completions.d/dcube.fish
    man/man1/dcube.1 man/man1/dcube-run.1 doc/dcube/LICENSE doc/dcube/docs/tutorial.md doc/dcube/examples/fft/main.cpp)
  if(NOT EXISTS ${WORK}/installed/share/${file})
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()
