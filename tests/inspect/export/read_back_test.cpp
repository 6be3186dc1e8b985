// Exported files are read back: the same packets, judged and run again.

#include "inspect/export/exports.hpp"
#include "tests/support/catalogue_cases.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"
#include "tests/support/recorded.hpp"
#include "tests/support/sizes.hpp"

#include <dcube/judge.hpp>
#include <dcube/schedule.hpp>

#include <nlohmann/json.hpp>

#include <memory>
#include <optional>
#include <sstream>
#include <string>

using namespace dcube;
using namespace test_support;

namespace {

// Judges what is in the file by what it says of itself, and runs it on real bytes.
void check_read_back(const Recording& recording, const std::string& text)
{
    std::istringstream file(text);
    std::optional<TraceQuestion> question;
    PieceSchedule schedule;
    JudgeOptions how;
    how.schedule = true;
    how.accepted = collected_in(schedule);
    how.question = [&](const std::optional<TraceQuestion>& header) {
        REQUIRE(header);
        question = header;
        return *header;
    };
    const Verdict verdict = judge_trace(file, how);
    CHECK(question->topology == recording.topology);
    CHECK(question->ports == recording.ports);
    CHECK(verdict.steps == recording.steps);
    CHECK(verdict.transmissions == recording.transmissions);
    CHECK(verdict.bytes == recording.report->counts.bytes);

    MachineOptions options{.ports = question->ports, .threads = 1};
    options.link = question->problem.link;
    Machine machine(question->topology, options);
    const Cost cost{verdict.steps, verdict.transmissions};
    const Algorithm read = algorithm_of({.collective = question->problem.collective,
                                         .name = "read",
                                         .ports = question->ports,
                                         .cost = [cost](const Topology&, const Problem&) { return cost; }},
                                        std::move(schedule));
    const Report report = run_verified(machine, read, question->problem);
    CHECK(report.counts.steps == recording.report->counts.steps);
    CHECK(report.counts.bytes == recording.report->counts.bytes);
    CHECK(report.counts.virtual_time == recording.report->counts.virtual_time);
}

using Exporter = std::unique_ptr<Export> (*)(const Recording&);

// Exports the case if the format can express it.
bool check_format(const Case& one, const Recording& recording, Exporter exporter)
{
    INFO(words(one));
    std::string text;
    try {
        text = text_of(*exporter(recording));
    } catch (const InvalidArgument&) {
        return false;
    }
    check_read_back(recording, text);
    return true;
}

}  // namespace

TEST_CASE("read back: every exported GOAL and MSCCL schedule has the same steps, packets and bytes", "[export][long]")
{
    int goal = 0;
    int msccl = 0;
    const auto check = [&](const Case& one) {
        const Recording recording = recorded(one);
        if (recording.flights.empty())
            return;
        goal += check_format(one, recording, goal_export) ? 1 : 0;
        msccl += check_format(one, recording, msccl_export) ? 1 : 0;
    };
    for_each_unit_case(2, check);
    for_each_link_bound_case(1, 2, {24}, check);
    CHECK(goal > smaller(1000, 300));
    CHECK(msccl > smaller(300, 100));
}

TEST_CASE("read back: a comment in XML has no two hyphens side by side, whatever a network is called", "[export]")
{
    Recording recording = recorded("hypercube:1", {.collective = Collective::all_gather});
    const std::string name = "graph:my--net---work";
    recording.report->topology = Topology::product({Graph::from_text(name, "0 1\n1 2\n")});
    const std::string text = text_of(*msccl_export(recording));
    const std::size_t begin = text.find("<!--") + 4;
    const std::size_t end = text.find("--", begin);
    REQUIRE(end == text.find("-->", begin));
    CHECK(nlohmann::json::parse(text.substr(begin, end - begin))["topology"] == name);
}
