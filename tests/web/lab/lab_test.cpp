// A lab's answers, beside the program's output for the same.

#include "collectives/example.hpp"
#include "tests/support/catalogue_cases.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/process.hpp"
#include "tests/web/lab/asked.hpp"
#include "web/lab/answers.hpp"
#include "web/lab/own_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

using namespace dcube;
using namespace dcube::test;
using namespace test_support;
using Catch::Contains;
using Catch::StartsWith;

namespace {

// Times, and facts about the host.
constexpr std::string_view of_the_run[] = {
    "date",           "wall_seconds",      "hops_per_second", "link_bytes_per_second", "planning_seconds",
    "planning_parts", "peak_memory_bytes", "warm_runs",       "threads_asked",         "limit_seconds",
    "limit_binds",    "limit_doubt",       "share_of_limit"};

Json without_times(Json report)
{
    for (const std::string_view key : of_the_run)
        report.erase(std::string(key));
    return report;
}

// The command line as a shell reads it; its files lie in the folder.
Outcome shell(const std::string& command, const TemporaryFolder& folder, const std::string& options = "")
{
    REQUIRE_THAT(command, StartsWith("./dcube "));
    return dcube_program(
        {fmt::format("cd {} && {} {} {}", folder.file("."), DCUBE_PROGRAM, command.substr(8), options)},
        {.program = {"bash", "-c"}});
}

// The record of a command line without words that a shell would split.
Json printed(const std::string& command, const std::string& options)
{
    const std::string line = command.substr(8) + " " + options;
    CAPTURE(line);
    if (line.find('\'') == std::string::npos) {
        const Outcome outcome = executed(line);
        REQUIRE(outcome.exit_code == 0);
        return Json::parse(outcome.out);
    }
    const TemporaryFolder folder;
    const Outcome outcome = shell(command, folder, options);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return Json::parse(outcome.out);
}

// The document in a page.
Json document_in(const std::string& page)
{
    constexpr std::string_view before = R"(id="view-0">)";
    const std::size_t begin = page.find(before) + before.size();
    return Json::parse(page.substr(begin, page.find("</script>", begin) - begin));
}

// An example of each collective, with the keys that it needs.
Json example_of(Collective collective, const Topology& topology)
{
    return request_for(topology, PortModel::all, example_problem(collective, topology), "auto");
}

std::vector<std::string> networks_for(Collective collective)
{
    return is_matrix(collective) ? std::vector<std::string>{"hypercube:2", "hypercube:4"}
                                 : std::vector<std::string>{"hypercube:3", "torus:3x3", "ring:5*path:2", "petersen",
                                                            "hypercube:3 without 0-1,6"};
}

}  // namespace

TEST_CASE("the lab: reports are those of the command line that it names", "[lab][slow]")
{
    for (const Collective collective : all_collectives)
        for (const std::string& network : networks_for(collective)) {
            const Topology topology = Topology::parse(network);
            Json request = example_of(collective, topology);
            request["seed"] = 7;
            for (const char* const links : {"all", "one", "time"}) {
                if (std::string_view(links) == "one")
                    request["ports"] = "one";
                if (std::string_view(links) == "time") {
                    request.erase("ports");
                    request["machine"] = "ncube3";
                }
                CAPTURE(request.dump());
                const std::string command = text_of_answer(request, "command");
                const Json report = answer(request, "report");
                CHECK(report["verified"] == true);
                CHECK(without_times(report).dump() ==
                      without_times(printed(command, "--format json --threads 1 --repeat 1")).dump());
            }
        }
}

TEST_CASE("the lab: a report does not depend on what was asked before", "[lab]")
{
    const Json apart{{"collective", "reduce-scatter"}, {"topology", "hypercube:4"}, {"algorithm", "rotated-trees"}};
    Json in_place = apart;
    in_place["in_place"] = true;
    for (int i = 0; i < 2; ++i) {
        CHECK(answer(apart, "report")["in_transit"] == 6);
        CHECK(answer(in_place, "report")["in_transit"] == 0);
    }
}

TEST_CASE("the lab: every key of a run is an option of its command line", "[lab]")
{
    const std::vector<Json> requests{
        {{"collective", "broadcast"}, {"faults", "0-1,9"}, {"failing", "14-15@99,13@99"}, {"root", 3}, {"packets", 5}},
        {{"collective", "all-gather"}, {"in_place", true}, {"bytes", "1KiB"}, {"algorithm", "auto"}},
        {{"collective", "permute"}, {"permutation", {1, 0, 3, 2}}, {"topology", "hypercube:2"}},
        {{"collective", "permute"}, {"permutation", "xor:5"}},
        {{"collective", "exchange"}, {"root", 1}, {"peer", 14}},
        {{"collective", "broadcast"},
         {"link_model", "link-bound"},
         {"tau_ns_per_byte", "5/2"},
         {"beta_ns", 100},
         {"clock", "lockstep"},
         {"bytes", "4KiB"}},
        {{"collective", "scatter"}, {"topology", "ring:5*path:4"}, {"ports", "one"}, {"seed", 11}},
        {{"collective", "matrix-relayout"},
         {"topology", "hypercube:2"},
         {"rows", 8},
         {"columns", 4},
         {"type", "int16"},
         {"layout", "rows-striped"},
         {"to_layout", "rows-blocked"}},
        {{"collective", "all-reduce"},
         {"operation", "max"},
         {"type", "float"},
         {"bytes", 64},
         {"tau_ns_per_byte", 1},
         {"beta_ns", 10},
         {"algorithm", "halving-doubling"},
         {"halvings", 2}},
    };
    for (const Json& request : requests) {
        CAPTURE(request.dump());
        const std::string command = text_of_answer(request, "command");
        CHECK(without_times(answer(request, "report")).dump() ==
              without_times(printed(command, "--format json --threads 1 --repeat 1")).dump());
    }
}

TEST_CASE("the lab: two runs are one comparison, or two command lines", "[lab]")
{
    Json request{
        {"collective", "all-to-all"}, {"topology", "hypercube:3"}, {"versus", {{"algorithm", "dimension-exchange"}}}};
    CHECK(text_of_answer(request, "command") ==
          "./dcube compare all-to-all --topology hypercube:3 --algorithm auto,dimension-exchange");
    request["results"] = {"document"};
    CHECK(text_of_answer(request, "command") == "./dcube view all-to-all --topology hypercube:3 --versus "
                                                "dimension-exchange --html film.html");
    request["versus"] = {{"topology", "ring:4*ring:2"}, {"faults", "0-1"}};
    CHECK(text_of_answer(request, "command") == "./dcube view all-to-all --topology hypercube:3 --versus-topology "
                                                "'ring:4*ring:2 without 0-1' --html film.html");
    request["versus"] = Json::object();
    CHECK(text_of_answer(request, "command") ==
          "./dcube view all-to-all --topology hypercube:3 --versus auto --html film.html");
    request["versus"] = {{"bytes", 128}};
    CHECK(text_of_answer(request, "command") == "./dcube run all-to-all --topology hypercube:3\n"
                                                "./dcube run all-to-all --topology hypercube:3 --bytes 128");
    const TemporaryFolder folder;
    request["results"] = {"report"};
    request["versus"] = {{"algorithm", "dimension-exchange"}};
    const Outcome outcome = shell(text_of_answer(request, "command"), folder);
    CHECK(outcome.exit_code == 0);
}

TEST_CASE("the lab: documents are those that dcube view puts in pages", "[lab]")
{
    const std::vector<Json> requests{
        {{"collective", "all-to-all"}, {"topology", "torus:3x3"}},
        {{"collective", "broadcast"}, {"faults", "0-1,9"}, {"packets", 3}},
        {{"collective", "reduce"}, {"topology", "petersen"}, {"ports", "one"}, {"operation", "max"}, {"type", "int32"}},
        {{"collective", "scatter"}, {"machine", "ncube3"}, {"bytes", "1KiB"}, {"seed", 3}},
        {{"collective", "permute"}, {"permutation", "rotation"}},
        {{"collective", "matrix-transpose"}, {"topology", "hypercube:2"}, {"rows", 8}, {"columns", 4}},
        {{"collective", "all-to-all"}, {"topology", "hypercube:3"}, {"versus", {{"algorithm", "dimension-exchange"}}}},
        {{"collective", "all-gather"}, {"versus", {{"topology", "torus:4x4"}}}},
    };
    for (Json request : requests) {
        request["results"] = {"report", "document"};
        CAPTURE(request.dump());
        const TemporaryFolder folder;
        const Outcome outcome = shell(text_of_answer(request, "command"), folder, "--plain");
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        Json viewed = document_in(read_text(folder.file("film.html")));
        CHECK(viewed["command"] == answer(request, "document")["command"].get<std::string>() + " --plain");
        viewed["command"] = answer(request, "document")["command"];
        CHECK(viewed.dump() == text_of_answer(request, "document"));
    }
}

TEST_CASE("the lab: a document of a run that view has no options for has the run's command", "[lab][slow]")
{
    const Json request{{"collective", "all-gather"}, {"in_place", true}, {"results", {"document"}}};
    CHECK(answer(request, "document")["command"] == "dcube run all-gather --topology hypercube:4 --in-place");
    const Json too_large{{"collective", "broadcast"}, {"topology", "hypercube:17"}, {"results", {"document"}}};
    CHECK_THAT(error_of(too_large)["message"], Contains("a page can show networks of at most 65536"));
    const Json counted =
        answer({{"collective", "all-to-all"}, {"topology", "hypercube:9"}, {"bytes", 1}, {"results", {"document"}}},
               "document");
    CHECK_FALSE(counted["films"][0]["columns"].is_null());  // of node 0
    CHECK_FALSE(counted["films"][0]["use"].is_null());
}

TEST_CASE("the lab: boards are those of dcube view", "[lab]")
{
    for (const char* const collective : {"broadcast", "all-to-all", "send"}) {
        Json request{{"what", "board"}, {"collective", collective}, {"topology", "torus:3x3"}, {"ports", "one"}};
        if (collective == std::string_view("send"))
            request["peer"] = 5;
        const TemporaryFolder folder;
        const Outcome outcome = shell(text_of_answer(request, "command"), folder);
        CAPTURE(outcome.err);
        REQUIRE(outcome.exit_code == 0);
        CHECK(document_in(read_text(folder.file("board.html"))).dump() == text_of_answer(request, "board"));
    }
    const Json error = error_of(Json{{"what", "board"}, {"collective", "all-reduce"}});
    CHECK_THAT(error["message"], Contains("there is no board for all-reduce"));
}

TEST_CASE("the lab: traces are judged as dcube verify does", "[lab]")
{
    for (const char* const line : {"scatter --dim 3", "reduce --topology torus:3x3 --ports one",
                                   "broadcast --dim 2 --tau 1 --beta 10", "all-to-all --topology petersen"}) {
        const TemporaryFolder folder;
        const std::string file = folder.file("t.jsonl");
        REQUIRE(executed(fmt::format("run {} --trace {}", line, file)).exit_code == 0);
        const std::string trace = read_text(file);
        const Json verdict = answer({{"what", "judge"}, {"trace", trace}}, "judge");
        CHECK(verdict["accepted"] == true);
        CHECK(verdict.dump() == Json::parse(executed(fmt::format("verify {} --format json", file)).out).dump());

        const std::string cut = trace.substr(0, trace.rfind('\n', trace.size() - 2) + 1);
        write_text(file, cut);
        Json rejected = answer({{"what", "judge"}, {"trace", cut}}, "judge");
        CHECK(rejected["accepted"] == false);
        CHECK(rejected.dump() == Json::parse(executed(fmt::format("verify {} --format json", file)).out).dump());
    }
}

TEST_CASE("the lab: a trace is judged by what the request asks for, which its header must not change", "[lab]")
{
    const std::string line = R"({"step":1,"from":0,"to":1,"pieces":[{}]})";
    const std::string header = R"({"dcube_trace":1,"collective":"broadcast","topology":"hypercube:1"})";
    const Json asked{{"what", "judge"}, {"collective", "broadcast"}, {"topology", "hypercube:1"}};
    Json request = asked;
    request["trace"] = line;
    CHECK(answer(request, "judge")["accepted"] == true);
    request["trace"] = header + "\n" + line;
    CHECK(answer(request, "judge")["accepted"] == true);
    request["topology"] = "hypercube:2";
    CHECK_THAT(error_of(request)["message"], Contains("contradicts its header, which has \"topology\""));
    CHECK_THAT(error_of(Json{{"what", "judge"}, {"trace", line}})["message"], Contains("trace has no header"));
    request = asked;
    request["trace"] = line + "\n{";
    const Json verdict = answer(request, "judge");
    CHECK(verdict["accepted"] == false);
    CHECK(verdict["line"] == 2);
    CHECK_THAT(verdict["reason"], StartsWith("line 2: "));
}

TEST_CASE("the lab: explanations are pages of titles, sections and blocks", "[lab]")
{
    for (const Collective collective : all_collectives) {
        const Topology topology = Topology::hypercube(4);
        Json request = example_of(collective, topology);
        request["results"] = {"explain"};
        const Json page = answer(request, "explain");
        CAPTURE(page.dump());
        CHECK_FALSE(page["title"].get<std::string>().empty());
        CHECK(page["sections"].size() > 2);
        for (const Json& section : page["sections"])
            for (const Json& block : section["blocks"]) {
                const bool rows = block["kind"] == "rows" || block["kind"] == "proof";
                CHECK(block.contains("rows") == rows);
                CHECK(block.contains("lines") == !rows);
            }
    }
}

TEST_CASE("the lab: a list has every algorithm for such links, and why it is not possible", "[lab][slow]")
{
    for (const Collective collective : all_collectives)
        for (const char* const network : {"hypercube:4", "torus:3x3"})
            for (const bool timed : {false, true}) {
                const Topology topology = Topology::parse(network);
                if (is_matrix(collective) && !topology.is_hypercube())
                    continue;
                Json run = example_of(collective, topology);
                run.erase("algorithm");
                if (timed) {
                    run.erase("ports");
                    run["machine"] = "ncube3";
                }
                Json request = run;
                request["what"] = "list";
                request["results"] = {"bounds"};
                const Json list = answer(request, "list");
                CAPTURE(request.dump());
                const auto all = algorithms_for(collective);
                CHECK(std::cmp_equal(list["algorithms"].size(), std::ranges::count_if(all, [&](const Entry* one) {
                                         return timed || one->link == LinkKind::unit;
                                     })));
                const Json report = answer(run, "report");
                if (timed)
                    CHECK(list["bounds"]["time_ns"]["value"] == report["time_lower_bound_ns"]);
                else
                    CHECK(list["bounds"]["steps"]["value"] == report["steps_lower_bound"]);
                CHECK((list["best"].is_null() || list["best"] == report["algorithm"]));
                std::set<Json> names;
                for (const Json& one : list["algorithms"]) {
                    CHECK(names.insert(one["name"]).second);
                    CHECK(one["why"].is_null() == one["possible"].get<bool>());
                    if (one["origin"] == "own")
                        continue;  // another test's, which may be a wrong one
                    run["algorithm"] = one["name"];
                    CAPTURE(run.dump());
                    if (!one["possible"].get<bool>()) {
                        CHECK_THAT(error_of(run)["message"], Contains(one["why"].get<std::string>()));
                        continue;
                    }
                    const Json found = answer(run, "report");
                    CHECK(found["algorithm"] == one["name"]);
                    CHECK((one["steps"].is_null() || timed || one["steps"] == found["steps"]));
                    CHECK((one["time_ns"].is_null() || one["time_ns"] == found["predicted_time_ns"]));
                }
            }
}

TEST_CASE("the lab: the catalogue has every key, collective and name", "[lab]")
{
    const Json catalogue = answer({{"what", "catalogue"}}, "catalogue");
    CHECK(catalogue["collectives"].size() == collective_count);
    CHECK(catalogue["fields"].size() == dcube::question_keys().size());
    CHECK(catalogue["machines"].size() == machine_presets().size());
    for (const Json& field : catalogue["fields"]) {
        CAPTURE(field.dump());
        CHECK_FALSE(field["about"].get<std::string>().empty());
        CHECK_FALSE(field["label"].get<std::string>().empty());
        if (field["key"] == "operation")
            CHECK(field["values"] == Json({"sum", "min", "max", "bit-xor", "prod", "bit-and", "bit-or", "logical-and",
                                           "logical-or", "logical-xor", "avg", "minloc", "maxloc"}));
        if (field["key"] == "peer")
            CHECK(field["applies_to"] == Json({"send", "exchange"}));
    }
    CHECK(catalogue["report"].size() == report_fields().size());
    for (const Json& key : catalogue["report"])
        if (key["key"] == "steps" || key["key"] == "threads")
            CHECK(key["detail"] == (key["key"] == "threads"));
    for (const Json& network : catalogue["networks"])
        if (network["name"] != "graph:NAME")
            CHECK(answer({{"what", "network"}, {"topology", network["name"]}}, "network")["nodes"] > 0);
}

namespace {

// The nodes' behaviour: the same in all of them.
class Doing : public lab::Interpreter {
public:
    using Turn = std::function<lab::Next(lab::OwnRun& run)>;
    explicit Doing(Turn turn) : turn_(std::move(turn)) {}
    void begin(const lab::OwnProgram& program, lab::OwnRun&) override
    {
        if (program.source == "nonsense")
            throw InvalidArgument("nonsense cannot be read");
    }
    lab::Next resume(lab::OwnRun& run) override { return turn_(run); }

private:
    Turn turn_;
};

Json failed(const Doing::Turn& turn, const std::string& source = "")
{
    Doing doing(turn);
    lab::Surroundings around;
    around.interpreter = &doing;
    return error_of(Json{{"collective", "all-gather"}, {"topology", "hypercube:1"}, {"program", {{"source", source}}}},
                    around);
}

using Next = lab::Next;

}  // namespace

TEST_CASE("the lab: every kind of error has its record", "[lab][negative]")
{
    const Json rule = failed([](lab::OwnRun& run) {
        run.send(0, run.data().input);
        run.send(0, run.data().input);
        return Next{};
    });
    CHECK(rule["kind"] == "rule");
    CHECK(rule["rule"] == "link-busy");
    CHECK(rule["step"] == 1);
    CHECK(rule["node"] == 0);
    CHECK(rule["port"] == 0);
    CHECK(rule["exit"] == 1);
    CHECK_THAT(rule["message"], StartsWith("link-busy in step 1 at node 0, port 0"));

    CHECK(rule["packet"].is_null());
    CHECK(rule["key"].is_null());
    CHECK(rule["why"].is_null());

    const Json left = failed([](lab::OwnRun& run) {
        if (run.me().id() == 1)
            run.send(0, run.data().input);
        return Next{};
    });
    CHECK(left["rule"] == "never-received");
    CHECK(left["node"] == 0);
    CHECK(left["packet"] == Json({{"sender", 1}, {"step", 1}}));

    const Json deadlock = failed([](lab::OwnRun&) { return Next{Next::What::arrival, 0, ""}; });
    CHECK(deadlock["kind"] == "deadlock");
    CHECK(deadlock["rule"] == "deadlock");
    CHECK(deadlock["exit"] == 1);

    const Json wrong = failed([](lab::OwnRun&) { return Next{}; });
    CHECK(wrong["kind"] == "verification");
    CHECK(wrong["rule"].is_null());
    CHECK(wrong["exit"] == 1);

    const Json thrown = failed([](lab::OwnRun&) { return Next{Next::What::failed, 0, "it is Monday"}; });
    CHECK(thrown["kind"] == "program");
    CHECK(thrown["step"] == 1);
    CHECK(thrown["node"] == 0);
    CHECK(thrown["exit"] == 1);
    CHECK_THAT(thrown["message"], Contains("it is Monday"));

    const Json unreadable = failed([](lab::OwnRun&) { return Next{}; }, "nonsense");
    CHECK(unreadable["kind"] == "input");
    CHECK(unreadable["message"] == "nonsense cannot be read");

    const Json lost =
        error_of(Json{{"collective", "broadcast"}, {"algorithm", "recursive-doubling"}, {"failing", "0-1@1"}});
    CHECK(lost["kind"] == "rule");
    CHECK(lost["rule"] == "packet-lost");

    StopSource source;
    source.request_stop();
    const Json stopped = error_of(Json{{"collective", "broadcast"}}, {.stop = source.get_token()});
    CHECK(stopped["kind"] == "interrupted");
    CHECK(stopped["exit"] == 130);

    const Json memory = error_of(Json{{"collective", "broadcast"}, {"bytes", "1MiB"}}, {.memory_limit = 1 << 20});
    CHECK(memory["kind"] == "input");
    CHECK_THAT(memory["message"], Contains("memory"));

    const Json nodes = error_of(Json{{"what", "network"}, {"topology", "hypercube:9"}}, {.most_nodes = 256});
    CHECK(nodes["key"] == "topology");
    CHECK(nodes["why"] == Json({"hypercube:9 has 512 nodes: at most 256 are possible here"}));

    const auto kind = [](const auto& error) { return lab::error_json(std::make_exception_ptr(error)); };
    CHECK(kind(std::bad_alloc())["kind"] == "memory");
    CHECK(kind(std::length_error("x"))["exit"] == 2);
    CHECK(kind(std::logic_error("x"))["kind"] == "internal");
    CHECK(kind(3)["kind"] == "internal");
}

namespace {

// An error as the program prints it, whose names for keys are its options.
bool is_printed(const std::string& line, const Json& error)
{
    const std::string message = error["message"].get<std::string>();
    if (error["key"].is_null())
        return line == fmt::format("dcube: {}\n", message);
    std::string why;
    for (const Json& piece : error["why"])
        why += piece.is_string() ? piece.get<std::string>() : option_of(piece["key"].get<std::string>());
    return line.starts_with(fmt::format("dcube: {}", option_of(error["key"].get<std::string>()))) &&
           line.ends_with(why + "\n");
}

}  // namespace

TEST_CASE("the lab: messages are those of the program", "[lab][negative]")
{
    for (const Json& request :
         std::vector<Json>{{{"collective", "scatter"}, {"root", 99}},
                           {{"collective", "broadcast"}, {"algorithm", "fastest"}},
                           {{"collective", "all-reduce"}, {"bytes", 3}, {"type", "int16"}},
                           {{"collective", "send"}, {"peer", 0}},
                           {{"collective", "broadcast"}, {"topology", "tours:4"}},
                           {{"collective", "broadcast"}, {"algorithm", "recursive-doubling"}, {"failing", "0-1@1"}},
                           {{"collective", "broadcast"}, {"machine", "abacus"}}}) {
        lab::Lab lab;
        CHECK_FALSE(lab.ask(request.dump()));
        REQUIRE(lab.result("command") != nullptr);
        const Json error = Json::parse(*lab.result("error"));
        const Outcome outcome = executed(lab.result("command")->substr(8));
        CAPTURE(outcome.err, error.dump());
        CHECK(is_printed(outcome.err, error));
        CHECK(outcome.exit_code == error["exit"].get<int>());
    }
}

TEST_CASE("the lab: progress is reported for steps and for planning", "[lab]")
{
    std::vector<std::pair<Step, std::uint64_t>> steps;
    std::size_t stages = 0;
    lab::Surroundings around;
    around.step = [&](Step step, std::uint64_t all) { steps.emplace_back(step, all); };
    around.planning = [&](std::string_view what, double done) {
        CHECK_FALSE(what.empty());
        CHECK(done >= 0);
        CHECK(done <= 1);
        ++stages;
    };
    const Json report =
        answer({{"collective", "all-gather"}, {"faults", "0-1"}, {"bytes", 3}, {"packets", 3}}, "report", around);
    CHECK(stages > 0);
    REQUIRE(steps.size() == report["steps"].get<std::size_t>());
    CHECK(steps.back().first == steps.size());
    CHECK(steps.back().second == steps.size());
}
