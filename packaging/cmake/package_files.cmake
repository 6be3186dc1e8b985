# Read by cpack before it packs: what packages have beside what is installed, and the time of all files.
set(packaging ${CPACK_DCUBE_SOURCE_DIR}/packaging)

function(run)
  execute_process(COMMAND ${ARGV} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# compress(FILE...): as Debian wants it, without name and time.
function(compress)
  if(ARGN)
    run(gzip -9 -n -f ${ARGN})
  endif()
endfunction()

function(add_changelog folder)
  string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # SOURCE_DATE_EPOCH
  file(WRITE ${folder}/changelog "dcube (${CPACK_PACKAGE_VERSION}) unstable; urgency=medium

  * Release ${CPACK_PACKAGE_VERSION}; CHANGELOG.md of the package dcube says what is new.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
  compress(${folder}/changelog)
endfunction()

# complete(FOLDER): the files that Debian's policy asks for, in the package that is staged there.
function(complete folder)
  cmake_path(GET folder FILENAME package)
  set(documents ${folder}/usr/share/doc/${package})
  file(COPY ${packaging}/copyright DESTINATION ${documents})
  file(REMOVE ${documents}/LICENSE)  # in copyright
  add_changelog(${documents})
  if(EXISTS ${folder}/usr/share/zsh/site-functions)  # which is the administrator's
    file(RENAME ${folder}/usr/share/zsh/site-functions ${folder}/usr/share/zsh/vendor-completions)
  endif()
  if(EXISTS ${folder}/usr/bin/dcube-mpi)
    file(WRITE ${folder}/usr/share/man/man1/dcube-mpi.1 ".so man1/dcube.1\n")
  endif()
  file(GLOB pages ${folder}/usr/share/man/man1/*.1)
  compress(${pages})
  if(EXISTS ${packaging}/${package}/lintian-overrides)
    configure_file(${packaging}/${package}/lintian-overrides ${folder}/usr/share/lintian/overrides/${package} COPYONLY)
  endif()
endfunction()

if(CPACK_GENERATOR STREQUAL "DEB")
  file(GLOB folders LIST_DIRECTORIES ON ${CPACK_TEMPORARY_DIRECTORY}/*)
  foreach(folder IN LISTS folders)
    complete(${folder})
  endforeach()
endif()
run(find ${CPACK_TEMPORARY_DIRECTORY} -exec touch --no-dereference --date=@$ENV{SOURCE_DATE_EPOCH} {} +)
