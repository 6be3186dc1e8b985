#pragma once
// The keys of what dcube writes for programs, with what each means, for dcube list.

#include <string>
#include <string_view>
#include <vector>

namespace dcube::cli {

/// What is shown of a key; a key with a dot belongs to each part of the key before it.
struct KeyRow {
    std::string key;
    std::string_view unit;
    std::string more;  ///< the records that have it, or what may stand there
    std::string_view about;
};

struct KeyList {
    std::string_view heading;  ///< of `more` in a table
    std::string_view name;     ///< of `more` in a record
    std::vector<KeyRow> rows;
};

/// Reports and whatever shares their keys: verdicts, comparisons, networks, histograms.
KeyList report_keys();
KeyList bench_keys();
/// The lines of a trace after the first, which has keys of a report.
KeyList trace_keys();
KeyList limits_keys();

}  // namespace dcube::cli
