// The table of a question's keys: every face is made of it.

#include "run/question.hpp"

#include "tests/support/catch.hpp"

#include <dcube/error.hpp>
#include <dcube/message_counts.hpp>

#include <algorithm>
#include <set>
#include <string>

using namespace dcube;

namespace {

GivenValues given(std::initializer_list<std::pair<const char*, GivenValue>> values)
{
    GivenValues all;
    for (const auto& [key, value] : values)
        all.emplace_back(find_key(key), value);
    return all;
}

std::string about_of(const GivenValues& values)
{
    try {
        question_of(values);
    } catch (const InvalidArgument& error) {
        return error.about;
    }
    return "nothing was refused";
}

}  // namespace

TEST_CASE("question: each of the 31 keys has one name for each face, one explanation, and is read", "[run]")
{
    std::set<std::string> options;
    std::set<std::string> labels;
    for (const Key& key : question_keys()) {
        CAPTURE(key.key);
        CHECK(options.insert(option_of(key.key)).second);
        CHECK(labels.insert(key.label()).second);
        CHECK(argument_of(key.key) == key.name);
        CHECK_FALSE(key.about.empty());
        CHECK((key.read != nullptr) != (key.field != nullptr));
        CHECK(find_key(key.key) == &key);
        CHECK((key.kind == Key::Kind::flag || !key.placeholder.empty()));
    }
    CHECK(question_keys().size() == 31);
    CHECK(std::ranges::all_of(problem_fields(), [](const ProblemField& field) {
        return find_key(field.key) && find_key(field.key)->field == &field;
    }));
    CHECK(option_of("tau_ns_per_byte") == "--tau");
    CHECK(option_of("to_layout") == "--to-layout");
    CHECK(option_of("memory_limit") == "--memory-limit");
    CHECK(option_of("--html") == "--html");
    CHECK(find_key("tau_ns_per_byte")->label() == "\u03c4, ns per byte");
    CHECK(find_key("detour_groups")->label() == "Detour groups");
    CHECK(find_key("bytes")->help() == "size of a packet: 64, 64B, 4KiB, 1M [64]");
}

TEST_CASE("question: a number and its text are the same, and so are a list and its text", "[run]")
{
    const auto problem = [](GivenValue packets, GivenValue permutation) {
        return question_of(given({{"collective", "permute"},
                                  {"topology", "hypercube:2"},
                                  {"packets", std::move(packets)},
                                  {"permutation", std::move(permutation)}}))
            .problem;
    };
    const Problem numbers = problem(std::uint64_t{3}, std::vector<std::uint64_t>{1, 0, 3, 2});
    const Problem texts = problem("3", "1 0 3 2");
    CHECK(numbers.packets == 3);
    CHECK(texts.packets == 3);
    CHECK(numbers.permutation == texts.permutation);
    CHECK(problem("4", std::vector<std::string>{"1", "0", "3", "2"}).packets == 4);
}

TEST_CASE("question: counts are a law with the seed, a list, or its text", "[run]")
{
    const auto counts = [](GivenValue value, std::uint64_t seed = 1) {
        return question_of(given({{"collective", "gather"},
                                  {"topology", "hypercube:2"},
                                  {"counts", std::move(value)},
                                  {"seed", seed}}))
            .problem.counts;
    };
    CHECK(counts("3 0,1 2") == std::vector<std::uint32_t>{3, 0, 1, 2});
    CHECK(counts(std::vector<std::uint64_t>{3, 0, 1, 2}) == counts("3 0 1 2"));
    CHECK(counts("poisson:9") == counts_by_law("poisson:9", Collective::gather, Topology::hypercube(2), 1));
    CHECK(counts("poisson:9", 2) == counts_by_law("poisson:9", Collective::gather, Topology::hypercube(2), 2));
    CHECK(find_key("counts")->kind == Key::Kind::numbers);
}

TEST_CASE("question: what is refused is refused for a key", "[run][negative]")
{
    CHECK(about_of(given({{"collective", "gather"}, {"counts", std::vector<std::uint64_t>{1, 2}}})) == "counts");
    CHECK(about_of(given({{"collective", "gather"}, {"counts", "poisson"}})) == "counts");
    CHECK(about_of(given({{"collective", "bcast"}, {"counts", "poisson:2"}})) == "counts");
    CHECK(about_of(given({})) == "collective");
    CHECK(about_of(given({{"collective", "brodcast"}})) == "collective");
    CHECK(about_of(given({{"collective", "send"}})) == "peer");
    CHECK(about_of(given({{"collective", "send"}, {"peer", std::uint64_t{0}}})) == "peer");
    CHECK(about_of(given({{"collective", "broadcast"}, {"root", std::uint64_t{16}}})) == "root");
    CHECK(about_of(given({{"collective", "broadcast"}, {"topology", "hypercube:x"}})) == "topology");
    CHECK(about_of(given({{"collective", "broadcast"}, {"rows", std::uint64_t{4}}})) == "rows");
    CHECK(about_of(given({{"collective", "matrix-transpose"}, {"rows", std::uint64_t{16}}})) == "columns");
    CHECK(about_of(given(
              {{"collective", "matrix-transpose"}, {"rows", std::uint64_t{15}}, {"columns", std::uint64_t{16}}})) ==
          "rows");
    CHECK(about_of(given({{"collective", "broadcast"}, {"bytes", "many"}})) == "bytes");
    CHECK(about_of(given({{"collective", "broadcast"}, {"packets", std::uint64_t{1} << 40}})) == "packets");
    CHECK(about_of(given({{"collective", "all-to-all"}, {"bytes", std::uint64_t{1} << 60}})) == "bytes");
    CHECK(about_of(given({{"collective", "all-to-all"},
                          {"bytes", std::uint64_t{1} << 30},
                          {"packets", (std::uint64_t{1} << 32) - 1}})) == "packets");
    CHECK(about_of(given({{"collective", "broadcast"}, {"tau_ns_per_byte", "1"}})) == "beta_ns");
    CHECK(about_of(given({{"collective", "broadcast"}, {"machine", "pdp11"}})) == "machine");
    CHECK(about_of(given({{"collective", "broadcast"}, {"machine", "ncube3"}, {"duplex", "half"}})) == "duplex");
    CHECK(about_of(given({{"collective", "broadcast"}, {"groups", std::uint64_t{2}}})) == "groups");
    CHECK(about_of(given({{"collective", "broadcast"}, {"clock", "lockstep"}})) == "clock");
    CHECK(about_of(given({{"collective", "broadcast"}, {"faults", "0-1,0-99"}})) == "faults");
    CHECK(about_of(given({{"collective", "broadcast"}, {"failing", "0-3@1"}})) == "failing");
    CHECK(about_of(given({{"collective", "permute"}})) == "permutation");
    CHECK(about_of(given({{"collective", "permute"}, {"permutation", std::vector<std::uint64_t>{1, 0}}})) ==
          "permutation");
    CHECK(about_of(given({{"collective", "permute"}, {"permutation", std::vector<std::uint64_t>{1, 99}}})) ==
          "permutation");
    CHECK(about_of(given({{"collective", "all-reduce"}, {"type", "float"}, {"operation", "bit-xor"}})) == "operation");
    CHECK(about_of(given({{"collective", "all-reduce"}, {"type", "double"}, {"bytes", std::uint64_t{12}}})) == "bytes");
    CHECK(about_of(given({{"collective", "gather"}, {"in_place", true}})) == "in_place");
}
