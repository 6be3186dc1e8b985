# While the archive is installed: the licences of the libraries that it carries, into the folder of documents, from where
# Debian keeps them.
set(folder $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX})
file(GLOB libraries RELATIVE ${folder}/lib/dcube ${folder}/lib/dcube/*)
foreach(library IN LISTS libraries)
  if(IS_SYMLINK ${folder}/lib/dcube/${library})
    continue()
  endif()
  execute_process(COMMAND dpkg-query -S */${library}
    OUTPUT_VARIABLE package OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  string(REGEX REPLACE ":.*" "" package "${package}")
  if(NOT EXISTS /usr/share/doc/${package}/copyright)
    message(FATAL_ERROR "the licence of ${library} was not found: the archive must have it")
  endif()
  file(READ /usr/share/doc/${package}/copyright licence)
  file(WRITE ${folder}/${documents}/licences/${library} "${licence}")
endforeach()
# Which these files refer to.
foreach(licence IN ITEMS Apache-2.0 GPL-3 LGPL-2.1)
  file(READ /usr/share/common-licenses/${licence} text)
  file(WRITE ${folder}/${documents}/licences/${licence} "${text}")
endforeach()
