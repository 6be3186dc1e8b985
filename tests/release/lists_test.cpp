// What releases have promised: the lists in tests/release/MAJOR.MINOR. What is on one of them stays for as long as the
// major version does; what is new has to be on the list of this version, which DCUBE_UPDATE_DOCS=1 writes.

#include "tests/docs/documents.hpp"
#include "tests/inspect/measure/made_up_limits.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"

#include "inspect/measure/bench_fields.hpp"
#include "inspect/measure/host.hpp"
#include "inspect/measure/limits_document.hpp"

#include <dcube/version.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <tuple>

using namespace dcube::test;
using nlohmann::ordered_json;

namespace {

using List = std::set<std::string>;

struct Changes {
    List gone;
    List added;
};

Changes changes(const List& promised, const List& now)
{
    Changes found;
    std::ranges::set_difference(promised, now, std::inserter(found.gone, found.gone.end()));
    std::ranges::set_difference(now, promised, std::inserter(found.added, found.added.end()));
    return found;
}

List list_in(const std::string& file)
{
    List list;
    for (const std::string& line : lines_of(read_text(file)))
        list.insert(line);
    return list;
}

std::string text_of(const List& list)
{
    std::string text;
    for (const std::string& one : list)
        text += one + "\n";
    return text;
}

// The lists of that name of all releases of this major version, by their minor version.
std::map<int, std::string> lists_of_releases(const std::string& name)
{
    std::map<int, std::string> files;
    for (int minor = 0; minor <= DCUBE_VERSION_MINOR; ++minor)
        files[minor] = source_path("tests/release/" + std::to_string(DCUBE_VERSION_MAJOR) + "." +
                                   std::to_string(minor) + "/" + name + ".txt");
    return files;
}

// `next` says which number has to change when something goes.
void check_list(const std::string& name, const List& now, const std::string& next)
{
    REQUIRE(now.size() > 10);
    const auto files = lists_of_releases(name);
    for (const auto& [minor, file] : files) {
        if (!std::filesystem::exists(file))
            continue;
        const std::string gone = text_of(changes(list_in(file), now).gone);
        INFO(file << ": what this lists was promised. It is gone or changed, which needs " << next << ":\n" << gone);
        CHECK(gone.empty());
    }
    const std::string& file = files.at(DCUBE_VERSION_MINOR);
    const List promised = std::filesystem::exists(file) ? list_in(file) : List();
    if (updating_documents() && changes(promised, now).gone.empty()) {
        std::filesystem::create_directories(std::filesystem::path(file).parent_path());
        write_text(file, text_of(now));
        return;
    }
    const std::string added = text_of(changes(promised, now).added);
    INFO(file << " lacks what is new. Once this version is released the minor version has to rise "
                 "(include/dcube/version.hpp); then DCUBE_UPDATE_DOCS=1 writes the list:\n"
              << added);
    CHECK(added.empty());
}

const std::string new_major = "a new major version";
const std::string new_report_schema = "a new report_schema, and with it a new major version";
const std::string new_trace_schema = "a new trace_schema, and with it a new major version";

// "host.cpu", "threads[].copies[].bytes": every key of a document, with those around it.
void add_keys(List& keys, const ordered_json& document, const std::string& path)
{
    if (document.is_array())
        for (const ordered_json& one : document)
            add_keys(keys, one, path + "[]");
    if (!document.is_object())
        return;
    for (const auto& [key, value] : document.items()) {
        const std::string here = path.empty() ? key : path + "." + key;
        keys.insert(here);
        add_keys(keys, value, here);
    }
}

void add_all(List& list, const std::string& what, const List& keys)
{
    for (const std::string& key : keys)
        list.insert(what + ": " + key);
}

List keys_printed(const std::string& line)
{
    List keys;
    for (const ordered_json& one : ordered_json::parse(executed(line + " --format json").out))
        add_keys(keys, one, "");
    return keys;
}

// "run: virtual_time_ns, ns": the keys of records as dcube list fields has them, for the kinds that `takes` accepts.
template <class Takes>
List record_keys(const Takes& takes)
{
    List list;
    for (const ordered_json& field : json_of("list fields")) {
        const std::string unit = field["unit"];
        std::istringstream records(field["records"].get<std::string>());
        for (std::string record; std::getline(records >> std::ws, record, ',');)
            if (takes(record))
                list.insert(record + ": " + field["key"].get<std::string>() + (unit.empty() ? "" : ", " + unit));
    }
    return list;
}

List limits_keys()
{
    dcube::measure::Host host;
    host.caches.emplace_back();
    List keys;
    add_keys(keys, dcube::measure::limits_document(made_up_limits(), host, "dcube limits"), "");
    return keys;
}

// Of the lines after the first one: a reduction's, and one of a packet that is lost.
List line_keys()
{
    const TemporaryFolder folder;
    const std::string trace = folder.file("trace");
    List keys;
    for (const char* const line : {"run all-reduce --dim 2", "run broadcast --dim 3 --algorithm independent-trees "
                                                             "--fail-link 0-1@1"}) {
        REQUIRE(executed(std::string(line) + " --trace " + trace).exit_code == 0);
        const auto lines = lines_of(read_text(trace));
        for (std::size_t i = 1; i < lines.size(); ++i)
            add_keys(keys, ordered_json::parse(lines[i]), "");
    }
    return keys;
}

List options()
{
    List list;
    for (const std::string& command : commands_of_dcube()) {
        list.insert(command);
        for (const HelpedOption& option : options_of(command))
            list.insert(command + " " + option.name + (option.takes_value ? " VALUE" : "") +
                        (option.repeatable ? ", repeated" : ""));
    }
    return list;
}

#ifdef DCUBE_SHARED_LIBRARY
// Functions that the shared library defines for others, but for those that every user of a header compiles himself
// (weak ones), which depend on what a compiler inlines.
List strong_functions()
{
    const Outcome outcome = dcube_program({"-D", "-C", "--defined-only", DCUBE_SHARED_LIBRARY}, {.program = {"nm"}});
    REQUIRE(outcome.exit_code == 0);
    List list;
    for (const std::string& line : lines_of(outcome.out))
        if (const std::size_t kind = line.find(" T "); kind != std::string::npos)
            list.insert(line.substr(kind + 3));
    // Of classes that public headers only name, which not every compiler exports.
    std::erase_if(list, [](const std::string& one) {
        return one.starts_with("dcube::detail::Engine::") || one.starts_with("dcube::detail::NodeState::");
    });
    return list;
}
#endif

}  // namespace

TEST_CASE("release: what is gone, changed or new is found", "[release]")
{
    const Changes found =
        changes({"run", "run --dim VALUE", "verify"}, {"run", "run --dim", "verify", "verify --json"});
    CHECK(found.gone == List{"run --dim VALUE"});
    CHECK(found.added == List{"run --dim", "verify --json"});
}

TEST_CASE("release: the keys of JSON records are those that were promised", "[release]")
{
    List list = record_keys([](const std::string& record) { return record != "trace"; });
    for (const char* const what : {"list", "list machines", "list fields", "list bench-fields"})
        add_all(list, what, keys_printed(what));
    check_list("report-keys", list, new_report_schema);
}

TEST_CASE("release: the keys of traces and schedules are those that were promised", "[release]")
{
    List list = record_keys([](const std::string& record) { return record == "trace"; });
    add_all(list, "line", line_keys());
    check_list("trace-keys", list, new_trace_schema);
}

TEST_CASE("release: the keys of benchmarks and limits are those that were promised", "[release]")
{
    List list;
    for (const ordered_json& field : json_of("list bench-fields"))
        list.insert("bench: " + field["key"].get<std::string>() + ", " + field["value"].get<std::string>());
    add_all(list, "limits", limits_keys());
    check_list("bench-keys", list, new_report_schema);
}

TEST_CASE("release: commands and options are those that were promised", "[release]")
{
    check_list("options", options(), new_major);
}

#ifdef DCUBE_SHARED_LIBRARY
TEST_CASE("release: the shared library's functions are those that were promised", "[release]")
{
    check_list("symbols", strong_functions(), new_major);
}
#endif
