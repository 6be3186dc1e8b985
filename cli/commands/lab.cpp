// dcube lab: a page in which dcube itself runs, compiled to WebAssembly.

#include "base/json.hpp"
#include "base/names.hpp"
#include "base/numbers.hpp"
#include "cli/arguments.hpp"
#include "cli/files/files.hpp"
#include "cli/files/interrupt.hpp"
#include "cli/files/lab_module.hpp"
#include "cli/output.hpp"
#include "cli/plan_options.hpp"
#include "cli/problem_options.hpp"
#include "cli/shared_options.hpp"
#include "collectives/problem_fields.hpp"
#include "inspect/view/html/lab_page.hpp"
#include "run/question.hpp"
#include "run/report_fields.hpp"

#include <dcube/catalogue.hpp>
#include <dcube/error.hpp>
#include <dcube/faults.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace dcube::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t largest_module = std::size_t{64} << 20;
constexpr std::size_t largest_graph_file = std::size_t{16} << 20;
constexpr const char* usual_page = "lab.html";

/// The options of dcube lab.
struct LabOptions {
    explicit LabOptions(CLI::App& app);

    const CLI::App& app;
    ProblemOptions problem;
    NetworkOptions network;
    LinkOptions links;
    TuningOptions tuning;
    std::vector<Failing> failing;
    std::optional<std::string> algorithm{};
    std::optional<std::string> versus{};
    std::optional<Topology> versus_network{};
    std::optional<std::string> html{};
    std::optional<std::string> script{};
    std::optional<std::string> module{};
    bool request_only = false;
};

LabOptions::LabOptions(CLI::App& app_of)
    : app(app_of), problem(app_of, Sweep::no, ProblemOptions::Reductions::with_operation), network(app_of, Sweep::no),
      links(app_of), tuning(app_of)
{
    add_text(app_of, text_for(*find_key("algorithm")), algorithm);
    add_failing(app_of, failing);
    add_text(app_of, {"--versus", "ALGORITHM", "a second algorithm, side by side", "Comparison"}, versus);
    add_parsed(app_of, {"--versus-topology", "NETWORK", "a second network, side by side", "Comparison"}, versus_network,
               [](const std::string& given) { return Topology::parse(given); });
    constexpr const char* heading = "Output";
    constexpr const char* printed = "the page's name";
    add_file(app_of, {"--html", "FILE", "write the page there [lab.html]", heading}, html, printed);
    add_file(app_of, {"--script", "FILE", "write the lab as a script, for pages of your own", heading}, script,
             printed);
    add_flag(app_of,
             {"--print-request", "", "print what the page would open with, as JSON, and write no page", heading},
             request_only);
    add_file(app_of, {"--module", "FILE", "another dcube.wasm than the one built or installed", heading}, module);
    add_quiet(app_of);
    exclude(app_of, "--print-request", {"--html", "--script", "--module"});
}

std::string text_of(const std::string& file, std::size_t most, const std::string& limit_is)
{
    const std::vector<std::byte> bytes = read_file(file, most, limit_is);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string module_of(const LabOptions& options)
{
    std::string module =
        options.module ? text_of(*options.module, largest_module, "a module has at most") : usual_module();
    constexpr std::string_view magic{"\0asm", 4};
    reject_if(!module.starts_with(magic), fmt::format("{} is not a WebAssembly module",
                                                      options.module ? shown_file(*options.module) : "dcube.wasm"));
    return module;
}

// Puts the network into the request, and its graph files' texts into `graphs`, because a page cannot read a disk.
// graph:FILE is named by its last name there.
void put_network(const Topology& network, Json& request, Json& graphs)
{
    constexpr std::string_view graph = "graph:";
    const std::string name = network.whole().name();
    std::string shown;
    std::size_t rest = 0;
    for (std::size_t at = name.find(graph); at != std::string::npos; at = name.find(graph, rest)) {
        const std::size_t begin = at + graph.size();
        const std::string file =
            name.substr(begin, std::min(name.find('*', begin), name.find(" with ", begin)) - begin);
        const std::string text = text_of(file, largest_graph_file, "a graph's file has at most");
        std::string last = last_name(file);
        for (int i = 2; graphs.contains(last) && graphs[last] != text; ++i)
            last = fmt::format("{}-{}", last_name(file), i);
        graphs[last] = text;
        shown += name.substr(rest, begin - rest) + last;
        rest = begin + file.size();
    }
    request["topology"] = shown + name.substr(rest);
    if (!network.faults().empty())
        request["faults"] = to_string(network.faults());
}

// The value of an option, with names in full and numbers as numbers.
Json value_of_key(const LabOptions& options, const Key& key, const std::string& text, const Problem& problem)
{
    if (key.key == "collective")
        return name(options.problem.collective());
    if (key.field != nullptr && (!key.field->is_list() || text.starts_with('@')))
        return to_json(value_of(*key.field, problem));
    if (key.kind == Key::Kind::number)
        return *parsed_number<std::uint64_t>(text);
    if (key.values != nullptr)
        for (const std::string_view known : key.values())
            if (same_name(known, text))
                return known;
    return text;
}

std::string failing_text(const std::vector<Failing>& failing)
{
    std::string text;
    for (const Failing& one : failing)
        text += (text.empty() ? "" : ",") + to_string(one);
    return text;
}

void put_comparison(const LabOptions& options, Json& request, Json& graphs)
{
    Json other;
    if (options.versus)
        other["algorithm"] = *options.versus;
    if (options.versus_network)
        put_network(*options.versus_network, other, graphs);
    if (!other.is_null())
        request["versus"] = std::move(other);
}

// Whether any option asks for more than a network: then there must be a collective.
bool asks_for_run(const LabOptions& options)
{
    const auto is_of_run = [](const std::string& option) {
        const Key* const key = key_of(option);
        return key != nullptr && key->group != Key::Group::network && key->group != Key::Group::faults;
    };
    return !options.failing.empty() || options.versus || options.versus_network ||
           std::ranges::any_of(given_options(options.app), is_of_run);
}

Problem problem_of(const LabOptions& options, const Topology& network)
{
    Problem problem = options.problem.problem(network);
    problem.link = options.links.model(network, options.problem.ports());
    problem.tuning = options.tuning.tuning(problem.link, network);
    validate(problem, network);
    validate(options.failing, network);
    for (const auto& algorithm : {options.algorithm, options.versus}) {
        if (!algorithm)
            continue;
        reject_if(algorithm->starts_with('@'),
                  "a page has the algorithms of dcube list: one from a file cannot be in it");
        if (algorithm == options.algorithm || !options.versus_network)
            find_algorithm(network, options.problem.ports(), problem, *algorithm);
    }
    return problem;
}

// The keys are those of reports.
Json request_of(const LabOptions& options, const Interrupt& interrupt)
{
    Json request = Json::object();
    Json graphs;
    const Topology network = options.network.over(Topology::hypercube(4));
    Problem problem;
    if (asks_for_run(options)) {
        std::ignore = options.problem.collective();  // complains first
        const PlanningWatch watch(interrupt);
        problem = problem_of(options, network);
    }
    for (const Key& key : question_keys()) {
        const CLI::Option* const option = options.app.get_option_no_throw(option_of(key.key));
        if (key.key == "topology" && (options.network.given() || !network.faults().empty()))
            put_network(network, request, graphs);
        else if (key.key == "failing" && !options.failing.empty())
            request["failing"] = failing_text(options.failing);
        else if (option != nullptr && !option->empty() && !NetworkOptions::has(option->get_name()))
            request[std::string(key.key)] = value_of_key(options, key, option->results().front(), problem);
    }
    put_comparison(options, request, graphs);
    if (!graphs.is_null())
        request["graph"] = std::move(graphs);
    return request;
}

int make_lab(const LabOptions& options, const Interrupt& interrupt)
{
    const Json request = request_of(options, interrupt);
    if (options.request_only) {
        print(request.dump() + "\n");
        return 0;
    }
    const std::string module = module_of(options);
    std::list<NewFile> files;
    std::string said;
    const auto add = [&](const std::string& file, const std::string& text, const char* what) {
        files.emplace_back(file).write(text);
        note(fmt::format("{}: {}, {}", file, size_text(text.size()), what));
        said += file + "\n";
    };
    if (options.html || !options.script)
        add(options.html.value_or(usual_page), view::lab_page(module, request.dump()), "opens in any browser, offline");
    if (options.script)
        add(*options.script, view::lab_script(module), "defines window.dcubeLab");
    interrupt.check();
    for (NewFile& file : files)
        file.commit();
    print(said);
    return 0;
}

Execution define_lab(CLI::App& app)
{
    const auto options = std::make_shared<LabOptions>(app);
    return [options](const Interrupt& interrupt) { return make_lab(*options, interrupt); };
}

}  // namespace

extern const Command lab_command{
    .name = "lab",
    .usage = "lab [COLLECTIVE] [OPTIONS]",
    .summary = "a page in which dcube runs: choose, run, look, change",
    .footer =
        R"(Examples:
  dcube lab
  dcube lab all-to-all --dim 4 --html exchange.html
  dcube lab broadcast --topology torus:4x4 --without-link 0-1
  dcube lab scatter --dim 3 --bytes 1KiB --machine ncube3
  dcube lab all-reduce --dim 3 --packets 6 --print-request

The page has the emulator in it, as WebAssembly: choose a collective, a network and an algorithm, run it, look at the )"
        R"(film, break a link, or write the nodes' program yourself. It is one file, works offline, and opens with what the )"
        R"(command line says. Nothing that is run in it leaves the browser.

The emulator in the page is the module dcube.wasm; in dcube's source folder ./dcube lab builds it first.)",
    .define = define_lab};

}  // namespace dcube::cli
