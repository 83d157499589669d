# What `cmake --install` puts in place: the command, the library (shared and static) with its header
# and pkg-config file, the man page and the shells' completion. The last two are printed by the
# command itself, from the tables that it reads its own arguments by.
set(ULLAGE_GENERATED ${CMAKE_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${ULLAGE_GENERATED})

function(ullage_generate file)
    add_custom_command(OUTPUT ${ULLAGE_GENERATED}/${file}
        COMMAND ullage ${ARGN} > ${ULLAGE_GENERATED}/${file}
        DEPENDS ullage VERBATIM)
endfunction()

ullage_generate(ullage.1 __man)
ullage_generate(ullage.bash __completion bash)
ullage_generate(_ullage __completion zsh)
ullage_generate(ullage.fish __completion fish)
add_custom_target(generated ALL DEPENDS ${ULLAGE_GENERATED}/ullage.1 ${ULLAGE_GENERATED}/ullage.bash
    ${ULLAGE_GENERATED}/_ullage ${ULLAGE_GENERATED}/ullage.fish)

# Relative to itself, so that an installed tree can be moved.
file(RELATIVE_PATH ULLAGE_PC_PREFIX /prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig /prefix)
configure_file(cmake/ullage.pc.in ${ULLAGE_GENERATED}/ullage.pc @ONLY)

install(TARGETS ullage RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS ullage_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS ullage_shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(FILES include/ullage.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES ${ULLAGE_GENERATED}/ullage.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
install(FILES ${ULLAGE_GENERATED}/ullage.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
install(FILES ${ULLAGE_GENERATED}/ullage.bash RENAME ullage
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${ULLAGE_GENERATED}/_ullage DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(FILES ${ULLAGE_GENERATED}/ullage.fish
    DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
