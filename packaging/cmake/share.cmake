# Has the program write its completion scripts and manual pages.
# cmake -D PROGRAM=... -D FOLDER=... -P share.cmake
file(REMOVE_RECURSE ${FOLDER})
file(MAKE_DIRECTORY ${FOLDER}/man1)
foreach(shell IN ITEMS bash zsh fish)
  execute_process(COMMAND ${PROGRAM} help --completion ${shell} OUTPUT_FILE ${FOLDER}/dcube.${shell}
    COMMAND_ERROR_IS_FATAL ANY)
endforeach()
execute_process(COMMAND ${PROGRAM} help --man-pages ${FOLDER}/man1 COMMAND_ERROR_IS_FATAL ANY)
