#pragma once
// The program's output: results on standard output, everything else on standard error. Of several ranks the first
// writes it.

#include <string_view>

namespace dcube::cli {

/// Prints on standard output, unless --quiet is given. Throws InvalidArgument if it cannot be written.
void print(std::string_view text);

/// Whether --quiet is given: only errors are printed.
bool& is_quiet();

/// Prints one line on standard error, "dcube: ...", with control characters replaced and words of more than a few
/// hundred letters shortened.
void complain(std::string_view message);

/// The same for a message that is no error: a warning, or about something left out. Prints nothing with --quiet.
void note(std::string_view message);

}  // namespace dcube::cli
