# Machines over several processes. DCUBE_WITH_MPI: whether what needs MPI is built. A build is for one MPI; for another
# than the usual one say, for example, -D MPI_EXECUTABLE_SUFFIX=.mpich
set(DCUBE_MPI AUTO CACHE STRING "Build what needs MPI: ON, OFF, or AUTO, if it is installed")
set_property(CACHE DCUBE_MPI PROPERTY STRINGS AUTO ON OFF)
set(DCUBE_WITH_MPI OFF)
set(MPI_CXX_SKIP_MPICXX ON)  # the C++ bindings of old, which nobody uses
if(DCUBE_MPI STREQUAL "AUTO")
  find_package(MPI 3.1 QUIET COMPONENTS CXX)
  set(DCUBE_WITH_MPI ${MPI_CXX_FOUND})
elseif(DCUBE_MPI)
  find_package(MPI 3.1 REQUIRED COMPONENTS CXX)
  set(DCUBE_WITH_MPI ON)
endif()
if(NOT DCUBE_WITH_MPI)
  message(STATUS "Without MPI: the component mpi, the program dcube-mpi and their tests are left out")
endif()
