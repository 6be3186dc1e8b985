# Installs the build to a folder of its own, then configures, builds and runs a project that knows nothing but that folder.
function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    message(FATAL_ERROR "${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/installed)
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G Ninja -D CMAKE_BUILD_TYPE=${CONFIG}
  -D CMAKE_CXX_COMPILER=${COMPILER} -D CMAKE_PREFIX_PATH=${WORK}/installed
  -D OWN_COMMANDS=${CONSUMER}/../../demos/your-own-commands/main.cpp)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT output STREQUAL "64 links, 16 packets, all-to-all in 8 steps\n")
  message(FATAL_ERROR "unexpected output: ${output}")
endif()
run(${WORK}/build/host)
run(${WORK}/build/own_commands run broadcast --topology path:5 --algorithm along-path)
run(${WORK}/installed/bin/dcube run all-to-all --dim 3)
if(EXISTS ${WORK}/installed/bin/dcube-mpi)
  run(${WORK}/build/over_mpi)  # without mpirun: a rank by itself
  if(NOT output MATCHES "all-to-all in 8 steps over 1 ranks\n")
    message(FATAL_ERROR "unexpected output: ${output}")
  endif()
endif()

foreach(file IN ITEMS bash-completion/completions/dcube zsh/site-functions/_dcube fish/vendor_completions.d/dcube.fish
    man/man1/dcube.1 man/man1/dcube-run.1)
  if(NOT EXISTS ${WORK}/installed/share/${file})
    message(FATAL_ERROR "share/${file} was not installed")
  endif()
endforeach()
