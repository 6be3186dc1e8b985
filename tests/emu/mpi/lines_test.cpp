// The program's output must not depend on the number of ranks: the same command lines as one process and as several.

#include "tests/emu/mpi/launches.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/sizes.hpp"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

using namespace dcube::test;

namespace {

using nlohmann::json;
using Words = std::vector<std::string>;

// The quantities of a run that depend on the machine under it, and on how many processes there are.
constexpr const char* measured[]{"warm_runs",
                                 "wall_seconds",
                                 "hops_per_second",
                                 "link_bytes_per_second",
                                 "peak_memory_bytes",
                                 "date",
                                 "threads",
                                 "limit_seconds",
                                 "limit_binds",
                                 "share_of_limit",
                                 "ranks",
                                 "hosts",
                                 "cross_rank_packets",
                                 "cross_rank_bytes",
                                 "cross_rank_messages",
                                 "communication_seconds",
                                 "slowest_rank",
                                 "memory_bytes",
                                 "predicted_seconds",
                                 "planning_seconds"};

constexpr const char* lines = R"(run all-to-all --dim 4 --format json
run all-to-all --dim 5 --bytes 70K --algorithm optimal --format json
run all-to-all --dim 3 --ports one --format json
run all-to-all --topology torus:4x3 --bytes 9 --format json
run all-to-all --topology mesh:3x5 --bytes 64 --threads 2 --format json
run broadcast --dim 4 --root 7 --packets 9 --bytes 100 --format json
run broadcast --dim 5 --bytes 3M --tau 1 --beta 500 --format json
run scatter --dim 4 --root 15 --bytes 1K --format json
run gather --dim 4 --root 9 --format json
run all-gather --dim 4 --ports one --channel spsc --capacity 3 --format json
run all-reduce --dim 4 --operation sum --type float --packets 16 --bytes 64 --format json
run reduce-scatter --dim 4 --operation max --type int32 --format json
run reduce --dim 3 --root 5 --operation bit-xor --type uint8 --format json
run permute --dim 4 --permutation shuffle --bytes 64 --format json
run matrix-transpose --dim 4 --rows 16 --columns 16 --tau 1 --beta 9 --format json
run all-gather --topology ring:7 --packets 3 --format json
run broadcast --dim 3 --algorithm independent-trees --fail-link 0-1@1 --format json
run all-to-all --dim 3 --bytes 5 --dry-run --format json
run all-to-all --dim 3 --trace TRACE-1 --format json
run all-gather --dim 3 --ports one --trace TRACE-2 --format json
run all-to-all --dim 3 --output OUTPUT-1 --format json
run gather --dim 3 --root 6 --bytes 100 --output OUTPUT-2 --format json
run all-to-all --dim 3 --input INPUT --format json
run scatter --topology ring:5 --packets 3 --input INPUT --output OUTPUT-4 --format json
run matrix-transpose --dim 4 --rows 16 --columns 32 --type uint16 --output OUTPUT-3.npy --format json
run matrix-quarter-turn --dim 2 --layout submatrices --input OUTPUT-3.npy --output OUTPUT-4 --format json
run all-to-all --dim 2:4 --bytes 8,64 --format json
compare broadcast --dim 4 --packets 4 --format json
histogram --dim 3 --input INPUT --bins 16 --format json
replay TRACE-1 --format json
run broadcast --dim 3 --root 8
run all-to-all --dim 3 --algorithm quickest
run scatter --dim 3 --input no-such-file
run permute --dim 3 --permutation @no-such-file
run all-to-all --dim 3 --faults no-such-file
replay no-such-file
histogram --dim 3 --input no-such-file
run scatter --dim 3 --output no-such-folder/file
)";

// The command lines for each network that lacks nodes; MEMBERS are the nodes left.
constexpr const char* lines_of_network = R"(run broadcast DATA --root 2 --trace TRACE
run reduce DATA --root 2
run scatter DATA --root 2
run gather DATA --root 2
run all-gather DATA
run reduce-scatter DATA
run all-reduce DATA --trace TRACE
run all-to-all DATA --ports one
run send DATA --root 1 --peer 6
run exchange DATA --root 1 --peer 6
run permute DATA --permutation random
run matrix-transpose MATRIX
run matrix-quarter-turn MATRIX
run matrix-half-turn MATRIX
run matrix-relayout MATRIX --to-layout rows-striped
histogram NETWORK --input INPUT --bins 11
compare broadcast NETWORK --root 2 --packets 4
run broadcast NETWORK --root 2 --packets 4 --fail-link LINK@1
run gather NETWORK --root 2 --fail-node 1@2
)";

void replace_all(std::string& text, const std::string& word, const std::string& by)
{
    for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; at += by.size())
        text.replace(at, word.size(), by);
}

// All of it with real bytes in and out; the first node is missing, one in the middle, the last, or all of these.
std::string lines_of_missing_nodes()
{
    struct Lacking {
        const char* network;
        const char* members;
        const char* link;  // one that is there
    };
    constexpr Lacking networks[] = {
        {"--dim 3 --without-node 0", "7", "1-3"},
        {"--topology ring:7 --without-node 3", "6", "1-2"},
        {"--topology torus:3x3 --without-node 8", "8", "1-2"},
        {"--topology petersen --without-node 0 --without-node 5 --without-node 9", "7", "1-2"}};
    std::string all;
    for (const auto& [network, members, link] : networks)
        for (std::string line : lines_of(lines_of_network)) {
            const std::string number = std::to_string(all.size());
            replace_all(line, "DATA", "NETWORK --packets 2 --input INPUT --output OUTPUT-" + number);
            replace_all(line, "MATRIX",
                        "NETWORK --layout rows --rows MEMBERS --columns MEMBERS --type uint8 "
                        "--input SQUARE-MEMBERS --output OUTPUT-" +
                            number + ".npy");
            replace_all(line, "NETWORK", network);
            replace_all(line, "MEMBERS", members);
            replace_all(line, "LINK", link);
            replace_all(line, "TRACE", "TRACE-" + number);
            all += line + " --format json\n";
            if (line.find("TRACE-") != std::string::npos)
                all += "replay TRACE-" + number + " --format json\n";
        }
    for (const char* const link : {"0-1", "1-2", "2-3", "3-4", "4-5"})
        all += std::string("run gather --topology path:6 --format json --fail-link ") + link + "@1\n";
    return all;
}

// The lines with files of their own instead of the words in capitals.
std::string lines_with(const TemporaryFolder& folder, std::string text)
{
    for (const char* const word : {"TRACE-", "OUTPUT-", "INPUT", "SQUARE-"})
        replace_all(text, word, folder.file(word));
    return text;
}

void forget_measured(json& value)
{
    if (value.is_object())
        for (const char* const key : measured)
            value.erase(key);
    if (value.is_structured())
        for (json& part : value)
            forget_measured(part);
}

// The output of each command line: its record without measured values, or the text.
Words records(const std::string& text)
{
    Words parts;
    std::string part;
    for (const std::string& line : lines_of(text)) {
        if (line.starts_with("$ "))
            part.clear();
        else if (!line.starts_with("exit "))
            part += line + "\n";
        else {
            json record = json::parse(part, nullptr, false);
            if (!record.is_discarded())
                forget_measured(record);
            parts.push_back((record.is_discarded() ? part : record.dump()) + line);
        }
    }
    return parts;
}

struct Said {
    Words records;
    Words files;
};

Said said_by(unsigned ranks, const std::string& text)
{
    const TemporaryFolder folder;
    for (const unsigned side : {6U, 7U, 8U}) {
        std::string bytes;
        for (unsigned at = 0; at < side * side; ++at)
            bytes += static_cast<char>(at + 1);
        write_text(folder.file("SQUARE-" + std::to_string(side)), bytes);
    }
    write_text(folder.file("INPUT"), std::string(4096, 'x') + "some words and others");
    write_text(folder.file("lines"), lines_with(folder, text));
    Start start = ranks_of(DCUBE_RANK_LINES, ranks);
    if (ranks == 1)
        start.program = {DCUBE_RANK_LINES};
    const Outcome outcome = dcube_program({folder.file("lines")}, start);
    CAPTURE(ranks, outcome.err);
    CHECK(outcome.exit_code == 0);
    Said said{records(outcome.out), {}};
    for (std::string& record : said.records)  // without the folder's name
        for (const std::string name = folder.file(""); record.find(name) != std::string::npos;)
            record.erase(record.find(name), name.size());
    for (const std::string& file : folder.names())
        if (file != "lines")  // in which the folder's name stands
            said.files.push_back(file + ": " + read_text(folder.file(file)));
    return said;
}

// The output of one process.
Words check_said_alike(const std::string& text, const std::vector<unsigned>& numbers)
{
    const Said alone = said_by(1, text);
    const Words asked = lines_of(text);
    REQUIRE(alone.records.size() == asked.size());
    for (const unsigned ranks : numbers) {
        const Said together = said_by(ranks, text);
        REQUIRE(together.records.size() == asked.size());
        for (std::size_t i = 0; i < asked.size(); ++i) {
            CAPTURE(ranks, asked[i]);
            CHECK(together.records[i] == alone.records[i]);
        }
        CHECK(together.files == alone.files);
    }
    return alone.records;
}

}  // namespace

TEST_CASE("ranks: reports, traces, files and errors of the program do not depend on the number of ranks", "[mpi]")
{
    check_said_alike(lines, test_support::thorough() ? std::vector<unsigned>{2, 3, 4} : std::vector<unsigned>{2, 3});
}

TEST_CASE("ranks: with missing nodes and failing links the program's output does not depend on the number of ranks",
          "[mpi][faults]")
{
    for (const std::string& record : check_said_alike(lines_of_missing_nodes(), {2})) {
        CAPTURE(record);
        CHECK((record.ends_with("exit 0") || record.find("lost") != std::string::npos));
    }
}

TEST_CASE("ranks: a report says how many ranks there were, and what crossed between them", "[mpi]")
{
    const Outcome outcome =
        launched(DCUBE_MPI_PROGRAM, 2, {"run", "all-to-all", "--dim", "4", "--threads", "1", "--verbose"});
    CHECK(outcome.exit_code == 0);
    CHECK_THAT(outcome.out, Catch::Contains(", 2 ranks, 1 thread each\n"));
    CHECK_THAT(outcome.out, Catch::Contains("between ranks  128 packets, 8 KiB, "));
}

TEST_CASE("ranks: a benchmark is measured by all ranks, and rank 0 writes it", "[mpi]")
{
    const TemporaryFolder folder;
    const Outcome outcome = launched(DCUBE_MPI_PROGRAM, 3,
                                     {"bench", "all-to-all", "--dim", "3:4", "--threads", "1,2", "--max-time", "0.05",
                                      "--output", folder.file("b.json")});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(folder.names() == Words{"b.json"});
    const json document = json::parse(read_text(folder.file("b.json")));
    CHECK(document.at("cells").size() == 4);
    for (const json& cell : document.at("cells")) {
        CHECK(cell.at("options") == "ranks 3");
        CHECK(cell.at("doubts").dump().find("unchecked") == std::string::npos);
    }
    CHECK(document.at("left_out").empty());
}
