// The folders that each folder may include, and the places where each library may be seen. Reads the sources.

#include "tests/support/catch.hpp"
#include "tests/support/process.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

using namespace dcube::test;

namespace {

using Words = std::vector<std::string>;

const std::string top = DCUBE_SOURCE_DIR "/";

// The sources of a folder, as paths from the top.
Words sources(const std::string& folder)
{
    Words files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(top + folder)) {
        const std::string extension = entry.path().extension();
        if (extension == ".cpp" || extension == ".hpp")
            files.push_back(entry.path().string().substr(top.size()));
    }
    std::ranges::sort(files);
    CHECK_FALSE(files.empty());
    return files;
}

// "tbb/task_arena.h", "emu/clock.hpp", "include/dcube/node.hpp": what a file includes, public headers by their path.
Words includes_of(const std::string& file)
{
    Words all;
    for (const std::string& line : lines_of(read_text(top + file))) {
        if (!line.starts_with("#include "))
            continue;
        const std::string name = line.substr(10, line.find_first_of("\">", 10) - 10);
        all.push_back(name.starts_with("dcube/") ? "include/" + name : name);
    }
    return all;
}

// All that is seen through the file's includes, its own included.
std::set<std::string> reached_from(const std::string& file)
{
    static std::map<std::string, Words> known;
    std::set<std::string> reached;
    Words open{file};
    while (!open.empty()) {
        const std::string here = open.back();
        open.pop_back();
        if (!reached.insert(here).second || !std::filesystem::exists(top + here))
            continue;
        const auto [place, is_new] = known.try_emplace(here);
        if (is_new)
            place->second = includes_of(here);
        open.insert(open.end(), place->second.begin(), place->second.end());
    }
    return reached;
}

bool begins_with_one_of(const std::string& name, const Words& beginnings)
{
    return std::ranges::any_of(beginnings, [&](const std::string& beginning) { return name.starts_with(beginning); });
}

std::string folder_of(const std::string& path)
{
    return path.substr(0, path.rfind('/') + 1);
}

const Words folders{"base",    "emu", "collectives", "judge", "algorithms", "run",
                    "inspect", "cli", "python",      "web",   "demos",      "include"};

// Private headers: a folder and the folders that it may include besides itself.
const std::map<std::string, Words> arrows{
    {"include/dcube/", {}},
    {"base/", {"base/alone/threads.hpp"}},
    {"base/alone/", {"base/"}},
    {"emu/", {"base/"}},
    {"emu/alone/", {"base/", "emu/"}},
    {"emu/own/", {"base/", "emu/"}},
    {"collectives/graphs/", {"base/"}},
    {"collectives/", {"base/", "collectives/"}},
    {"collectives/bounds/", {"base/", "collectives/graphs/", "collectives/"}},
    {"judge/", {"base/", "collectives/"}},
    {"algorithms/", {"base/", "algorithms/"}},
    {"algorithms/programs/",
     {"base/", "emu/arrival_times.hpp", "emu/renamed_node.hpp", "emu/script.hpp", "collectives/graphs/",
      "collectives/averages.hpp", "collectives/disjoint_sums.hpp", "collectives/of_members.hpp",
      "collectives/problem_fields.hpp", "collectives/renamed.hpp", "collectives/terms.hpp",
      "collectives/unit_question.hpp", "algorithms/families.hpp", "algorithms/networks.hpp"}},
    {"algorithms/papers/bertsekas/",
     {"base/", "emu/arrival_times.hpp", "emu/script.hpp", "algorithms/families.hpp", "algorithms/formulas.hpp",
      "algorithms/networks.hpp", "algorithms/programs/"}},
    {"algorithms/papers/stout_wagar/",
     {"base/", "algorithms/families.hpp", "algorithms/formulas.hpp", "algorithms/networks.hpp",
      "algorithms/programs/"}},
    {"algorithms/papers/dimakopoulos/",
     {"base/", "collectives/coordinates.hpp", "collectives/graphs/", "algorithms/families.hpp",
      "algorithms/networks.hpp", "algorithms/programs/"}},
    {"algorithms/beyond/any_network/",
     {"base/", "emu/arrival_times.hpp", "emu/script.hpp", "collectives/graphs/", "collectives/of_members.hpp",
      "collectives/terms.hpp", "collectives/unit_question.hpp", "algorithms/families.hpp", "algorithms/formulas.hpp",
      "algorithms/networks.hpp", "algorithms/programs/", "algorithms/beyond/cubes/staircase.hpp"}},
    {"algorithms/beyond/cubes/",
     {"base/", "emu/arrival_times.hpp", "emu/script.hpp", "collectives/graphs/", "algorithms/families.hpp",
      "algorithms/formulas.hpp", "algorithms/networks.hpp", "algorithms/programs/", "algorithms/papers/",
      "algorithms/beyond/any_network/spread.hpp"}},
    {"algorithms/beyond/products/",
     {"base/", "emu/arrival_times.hpp", "collectives/coordinates.hpp", "collectives/graphs/",
      "collectives/unit_question.hpp", "algorithms/families.hpp", "algorithms/networks.hpp", "algorithms/programs/",
      "algorithms/papers/dimakopoulos/", "algorithms/beyond/any_network/"}},
    {"emu/mpi/", {}},
    {"run/",
     {"base/", "collectives/example.hpp", "collectives/group_pieces.hpp", "collectives/problem_fields.hpp",
      "judge/heard.hpp", "judge/provenance.hpp", "judge/result_check.hpp"}},
    {"inspect/measure/",
     {"base/", "emu/libraries.hpp", "emu/pinning.hpp", "emu/workers.hpp", "collectives/example.hpp",
      "collectives/problem_fields.hpp", "judge/result_check.hpp", "run/"}},
    {"inspect/measure/alone/", {"inspect/measure/"}},
    {"inspect/explain/",
     {"base/", "collectives/bounds/", "collectives/coordinates.hpp", "collectives/example.hpp",
      "collectives/other_names.hpp", "collectives/problem_fields.hpp", "algorithms/formulas.hpp", "run/question.hpp",
      "inspect/explain/"}},
    {"inspect/view/film/", {"base/", "collectives/terms.hpp", "run/"}},
    {"inspect/view/words/",
     {"base/", "collectives/coordinates.hpp", "run/", "inspect/explain/arithmetic.hpp", "inspect/view/film/"}},
    {"inspect/view/layouts/", {"base/"}},
    {"inspect/view/svg/", {"base/", "run/", "inspect/explain/", "inspect/view/"}},
    {"inspect/view/", {"base/"}},
    {"inspect/view/document/", {"base/", "run/", "inspect/explain/", "inspect/view/"}},
    {"inspect/view/document/alone/", {"inspect/view/document/"}},
    {"inspect/view/html/", {"base/", "run/", "inspect/view/"}},
    {"web/lab/", {"base/", "collectives/problem_fields.hpp", "run/", "inspect/explain/", "inspect/view/"}},
    {"web/lab/ask/", {"web/lab/"}},
    {"web/lessons/gallery/", {}},
    {"web/wasm/", {"base/json.hpp", "web/lab/", "web/wasm/"}},
    {"web/wasm/exceptions/", {}},
    {"web/wasm/tests/", {}},
    {"inspect/export/", {"base/", "run/"}},
    {"python/src/",
     {"base/", "collectives/problem_fields.hpp", "run/", "inspect/measure/", "inspect/explain/", "inspect/view/"}},
    {"cli/",
     {"base/", "cli/", "collectives/other_names.hpp", "collectives/problem_fields.hpp", "run/question.hpp",
      "run/report_fields.hpp", "run/verdict.hpp", "inspect/explain/lookup.hpp"}},
    {"cli/commands/",
     {"base/", "cli/", "collectives/example.hpp", "collectives/other_names.hpp", "collectives/problem_fields.hpp",
      "run/", "inspect/measure/", "inspect/explain/", "inspect/view/", "inspect/export/exports.hpp"}},
    {"cli/text/",
     {"base/", "emu/libraries.hpp", "cli/", "collectives/problem_fields.hpp", "run/", "inspect/measure/",
      "inspect/explain/", "inspect/view/"}},
    {"cli/files/", {"base/", "cli/", "inspect/measure/", "run/trace_lines.hpp", "run/whole_matrix.hpp"}},
    {"cli/alone/", {"base/", "cli/", "inspect/view/document/deflated.hpp"}},
    {"cli/files/alone/", {"base/", "cli/"}},
    {"cli/text/alone/", {}},
};

// Public headers, by the layer that they are the face of; a layer sees its own and those before it.
const std::vector<std::pair<std::string, Words>> faces{
    {"base", {"error", "link", "plan_cache", "stop", "version"}},
    {"emu",
     {"contributors", "counts", "elements", "faults", "graph", "group", "machine", "node", "packet", "random", "task",
      "topology", "trace", "world"}},
    {"collectives/graphs", {"connectivity"}},
    {"collectives", {"bounds", "collective", "layout", "matrix", "message_counts", "permutation", "problem"}},
    {"judge", {"judge"}},
    {"algorithms", {"algorithm", "catalogue", "schedule"}},
    {"emu/mpi", {"mpi"}},
    {"run", {"report", "run"}},
    {"inspect", {}},
    {"web", {}},
    {"python", {}},
    {"cli", {"program"}},
    {"all", {"dcube"}},
};

Words headers_up_to(const std::string& layer)
{
    Words all;
    for (const auto& [name, headers] : faces) {
        for (const std::string& header : headers)
            all.push_back("include/dcube/" + header + ".hpp");
        if (name == layer)
            break;
    }
    return all;
}

// The place in `faces` of the layer that a file belongs to; past their end where it belongs to none.
std::size_t height_of(const std::string& file)
{
    if (file == "include/dcube/dcube.hpp")  // includes the headers of run/ and all below
        return height_of("run/");
    std::size_t best = faces.size();
    for (std::size_t i = 0; i < faces.size(); ++i) {
        const auto& [layer, headers] = faces[i];
        if (file.starts_with(layer + "/") && (best == faces.size() || layer.size() > faces[best].first.size()))
            best = i;
        for (const std::string& header : headers)
            if (file == "include/dcube/" + header + ".hpp")
                return i;
    }
    return best;
}

// The highest layer that a test may include. The tests of algorithms run them, those of pages compare them with the
// program.
std::size_t height_of_test(const std::string& file)
{
    const std::string tested = file.substr(std::string_view("tests/").size());
    return height_of(tested.starts_with("algorithms/") ? "run/" : tested.starts_with("web/") ? "cli/" : tested);
}

// The files that a test includes, and those that its support includes.
std::set<std::string> seen_by_test(const std::string& test)
{
    std::set<std::string> seen;
    Words open{test};
    while (!open.empty()) {
        const std::string here = open.back();
        open.pop_back();
        for (const std::string& name : includes_of(here)) {
            if (!seen.insert(name).second || !name.starts_with("tests/"))
                continue;
            open.push_back(name);
            const std::string file = name.substr(0, name.rfind('.')) + ".cpp";
            if (std::filesystem::exists(top + file))
                open.push_back(file);
        }
    }
    return seen;
}

struct Library {
    std::string header;  // how the names of its headers begin
    Words folders;       // the folders that may include them themselves
};

const std::vector<Library> libraries{
    {"tbb/", {"emu/"}},
    {"oneapi/", {"emu/"}},
    {"hwloc", {"emu/"}},
    {"mpi.h", {"emu/mpi/"}},
    {"boost/lockfree/", {"emu/", "inspect/measure/"}},
    {"boost/multiprecision/", {"base/exact.cpp"}},
    {"boost/", {"base/exact.cpp", "emu/", "inspect/measure/"}},
    {"nlohmann/", {"base/json.hpp"}},
    {"xxhash.h", {"base/", "run/", "inspect/measure/"}},
    {"md4c", {"web/lessons/"}},
    {"CLI/", {"cli/"}},
    {"zlib.h", {"inspect/view/", "cli/"}},
    {"fmt/",
     {"base/", "emu/", "collectives/graphs/", "collectives/", "judge/", "algorithms/", "run/", "inspect/measure/",
      "inspect/explain/", "inspect/view/", "web/lab/", "inspect/export/", "cli/", "demos/", "python/"}},
    {"pybind11/", {"python/"}},
    {"Python.h", {"python/"}},
};

const Words of_threads{"thread", "atomic",    "mutex", "shared_mutex", "barrier",        "latch", "condition_variable",
                       "future", "semaphore", "tbb/",  "oneapi/",      "boost/lockfree/"};

}  // namespace

TEST_CASE("layers: a folder includes private headers of those below it only", "[layers]")
{
    for (const std::string& folder : folders)
        for (const std::string& file : sources(folder)) {
            CAPTURE(file);
            if (file.starts_with("demos/"))  // only public headers
                continue;
            const auto allowed = arrows.find(folder_of(file));
            REQUIRE(allowed != arrows.end());
            for (const std::string& name : includes_of(file)) {
                INFO(name << " is not among `arrows` of the folder: add it if that is meant");
                if (folder_of(name) != folder_of(file) && arrows.contains(folder_of(name)) &&
                    !name.starts_with("include/"))
                    CHECK(begins_with_one_of(name, allowed->second));
            }
        }
    for (const std::string& file : sources("demos"))
        for (const std::string& name : includes_of(file))
            CHECK((!arrows.contains(folder_of(name)) || name.starts_with("include/")));
}

TEST_CASE("layers: every public header is the face of one layer, and a layer sees none of a later one", "[layers]")
{
    Words all;
    for (const std::string& header : headers_up_to("all"))
        all.push_back(header);
    std::ranges::sort(all);
    CHECK(sources("include/dcube") == all);

    for (const auto& [layer, headers] : faces) {
        if (layer == "all")
            continue;
        const Words allowed = headers_up_to(layer);
        Words files = sources(layer);
        std::erase_if(files, [&](const std::string& file) {  // files of a layer that has its folder inside this one's
            return std::ranges::any_of(faces, [&](const auto& face) {
                return face.first.starts_with(layer + "/") && file.starts_with(face.first + "/");
            });
        });
        for (const std::string& header : headers)
            files.push_back("include/dcube/" + header + ".hpp");
        for (const std::string& file : files)
            for (const std::string& name : includes_of(file)) {
                CAPTURE(file, name);
                if (name.starts_with("include/dcube/"))
                    CHECK(std::ranges::find(allowed, name) != allowed.end());
            }
    }
}

TEST_CASE("layers: a test sees nothing above what it tests, not even through its support", "[layers]")
{
    std::size_t limited = 0;
    for (const std::string& file : sources("tests")) {
        if (!file.ends_with("_test.cpp"))
            continue;
        const std::size_t height = height_of_test(file);
        limited += height < faces.size() ? 1 : 0;
        for (const std::string& name : seen_by_test(file)) {
            CAPTURE(file, name);
            const std::size_t seen = name.starts_with("tests/") ? height_of_test(name) : height_of(name);
            CHECK((seen <= height || seen == faces.size()));
        }
    }
    CHECK(limited > 200);
}

TEST_CASE("layers: the machine knows no collective, not even through a header", "[layers]")
{
    for (const std::string& file : sources("emu"))
        for (const std::string& name : reached_from(file)) {
            CAPTURE(file, name);
            CHECK(!name.starts_with("collectives/"));
            CHECK(name != "include/dcube/collective.hpp");
            CHECK(name != "include/dcube/problem.hpp");
        }
}

TEST_CASE("layers: no algorithm sees a thread, a lock, an atomic or a TBB type, also not through a header", "[layers]")
{
    for (const std::string& file : sources("algorithms"))
        for (const std::string& name : reached_from(file)) {
            CAPTURE(file, name);
            const bool is_one = std::ranges::any_of(of_threads, [&](const std::string& header) {
                return header.ends_with('/') ? name.starts_with(header) : name == header;
            });
            CHECK_FALSE(is_one);
        }
}

TEST_CASE("layers: the folders of papers have no algorithm of dcube's own", "[layers]")
{
    const auto has = [](const std::string& file, std::string_view text) {
        return read_text(top + file).find(text) != std::string::npos;
    };
    for (const std::string& file : sources("algorithms/papers")) {
        CAPTURE(file);
        CHECK_FALSE(has(file, "Origin::dcube"));
    }
    CHECK(has("algorithms/beyond/cubes/one_port_entries.cpp", "Origin::dcube"));
    CHECK(has("algorithms/papers/bertsekas/scatter_entries.cpp", "Origin::paper"));
}

TEST_CASE("layers: in the folders of papers entries are in files of their own", "[layers]")
{
    std::size_t with_entries = 0;
    for (const std::string& file : sources("algorithms/papers")) {
        CAPTURE(file);
        const bool describes = read_text(top + file).find(".summary =") != std::string::npos;
        CHECK(describes == file.ends_with("_entries.cpp"));
        with_entries += describes ? 1 : 0;
    }
    CHECK(with_entries > 10);
}

TEST_CASE("layers: a library is included where it has its place only", "[layers]")
{
    for (const std::string& folder : folders)
        for (const std::string& file : sources(folder))
            for (const std::string& name : includes_of(file))
                for (const Library& library : libraries) {
                    CAPTURE(file, name, library.header);
                    if (name.starts_with(library.header))
                        CHECK(begins_with_one_of(file, library.folders));
                }
}

TEST_CASE("tests: every test that may be skipped has the tag [needs]", "[layers]")
{
    constexpr std::string_view begin = "\nTEST_CASE(";
    std::size_t skipped = 0;
    for (const std::string& file : sources("tests")) {
        const std::string text = read_text(top + file);
        for (std::size_t at = text.find(begin); at != std::string::npos;) {
            const std::size_t next = text.find(begin, at + 1);
            const std::string test = text.substr(at, next - at);
            CAPTURE(file, test.substr(0, test.find('{')));
            const bool may_be_skipped = test.find(std::string("on_path") + "(") != std::string::npos;
            CHECK((test.substr(0, test.find('{')).find("][needs]") != std::string::npos) == may_be_skipped);
            skipped += may_be_skipped ? 1 : 0;
            at = next;
        }
    }
    CHECK(skipped > 4);
}

TEST_CASE("layers: includes are found, directly and through headers", "[layers]")
{
    const std::set<std::string> machine = reached_from("emu/machine.cpp");
    CHECK(machine.contains("emu/clock.hpp"));
    CHECK(machine.contains("include/dcube/graph.hpp"));
    CHECK(machine.contains("atomic"));
    const std::set<std::string> memo = reached_from("base/memo.cpp");
    CHECK(memo.contains("mutex"));
    CHECK(memo.contains("base/memo.hpp"));
    CHECK(reached_from("run/calls.cpp").contains("include/dcube/collective.hpp"));
    CHECK(folder_of("algorithms/programs/entry.hpp") == "algorithms/programs/");
    CHECK(height_of("collectives/graphs/flows.hpp") < height_of("collectives/bounds/bound.hpp"));
    CHECK(height_of("include/dcube/catalogue.hpp") == height_of("algorithms/families.hpp"));
    CHECK(height_of("vector") == faces.size());
    CHECK(height_of_test("tests/support/files.hpp") == faces.size());
    CHECK(seen_by_test("tests/emu/memory_test.cpp").contains("include/dcube/machine.hpp"));
    CHECK(std::ranges::none_of(sources("emu"), [](const std::string& file) { return file.starts_with("/"); }));
}
