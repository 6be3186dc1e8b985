#pragma once
// The program's commands. Each prints its result on standard output and returns the exit code.

#include "cli/shared_options.hpp"

#include <string_view>

namespace dcube::cli {

int execute(const RunCommand& command);
int execute(const VerifyCommand& command);
int execute(const CompareCommand& command);
int execute(const HistogramCommand& command);
int execute(const InfoCommand& command);
int execute(const ListCommand& command);
int execute(const Answer& answer);

/// Prints on standard output. Throws InvalidArgument if it cannot be written.
void print(std::string_view text);

/// One line on standard error, "dcube: ...", with control characters replaced.
void complain(std::string_view message);

}  // namespace dcube::cli
