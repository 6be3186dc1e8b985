# Machines over several processes. DCUBE_WITH_MPI: whether the parts that need MPI are built. A build is for one MPI;
# choose another than the default with, for example, -D MPI_EXECUTABLE_SUFFIX=.mpich
set(DCUBE_MPI AUTO CACHE STRING "Build what needs MPI: ON, OFF, or AUTO, if it is installed")
set_property(CACHE DCUBE_MPI PROPERTY STRINGS AUTO ON OFF)
set(DCUBE_WITH_MPI OFF)
set(MPI_CXX_SKIP_MPICXX ON)  # the obsolete C++ bindings
if(DCUBE_MPI STREQUAL "AUTO")
  # Launchers are installed without headers, too (openmpi-bin), and find_package stops at a folder that is missing.
  find_program(DCUBE_MPI_WRAPPER NAMES mpicxx${MPI_EXECUTABLE_SUFFIX} mpic++${MPI_EXECUTABLE_SUFFIX})
  mark_as_advanced(DCUBE_MPI_WRAPPER)
  set(without_headers OFF)
  if(DCUBE_MPI_WRAPPER)
    execute_process(COMMAND ${DCUBE_MPI_WRAPPER} -E -x c++ -include mpi.h /dev/null
      RESULT_VARIABLE without_headers OUTPUT_QUIET ERROR_QUIET)
  endif()
  if(NOT without_headers)
    find_package(MPI 3.1 QUIET COMPONENTS CXX)
    set(DCUBE_WITH_MPI ${MPI_CXX_FOUND})
  endif()
elseif(DCUBE_MPI)
  find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
  set(DCUBE_WITH_MPI ON)
endif()
if(NOT DCUBE_WITH_MPI)
  message(STATUS "Without MPI: the component mpi, the program dcube-mpi and their tests are left out")
endif()
