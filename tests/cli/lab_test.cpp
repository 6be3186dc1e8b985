// dcube lab, as a user runs it, with a file that stands in for the module.

#include "tests/support/catch.hpp"
#include "tests/support/command_lines.hpp"
#include "tests/support/played.hpp"
#include "tests/support/process.hpp"

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <utility>

using namespace dcube::test;
using test_support::unpacked;
namespace fs = std::filesystem;

namespace {

std::string request_of(const std::string& line)
{
    const Outcome outcome = executed("lab " + line + " --print-request");
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
}

// Begins as every module does.
const std::string module_bytes = std::string("\0asm\1\0\0\0", 8) + std::string(5000, 'x');

std::string between(const std::string& text, const std::string& begin, const std::string& end)
{
    const std::size_t at = text.find(begin);
    REQUIRE(at != std::string::npos);
    return text.substr(at + begin.size(), text.find(end, at + begin.size()) - at - begin.size());
}

}  // namespace

TEST_CASE("lab: a command line is the request that the page opens with, with the keys of reports", "[cli][lab]")
{
    for (
        const auto& [line, request] :
        {std::pair<std::string, std::string>{"", "{}"},
         {"--topology torus:4x4 --ports one", R"({"topology":"torus:4x4","ports":"one"})"},
         {"--topology torus:4x4 --without-link 0-1", R"({"topology":"torus:4x4","faults":"0-1"})"},
         {"broadcast --without-node 3 --link unit",
          R"({"collective":"broadcast","topology":"hypercube:4","faults":"3","link_model":"unit"})"},
         {"all-to-all", R"({"collective":"all-to-all"})"},
         {"reduce --type INT32 --ports ONE", R"({"collective":"reduce","ports":"one","type":"int32"})"},
         {"MPI_Alltoall --dim 3", R"({"collective":"all-to-all","topology":"hypercube:3"})"},
         {"\"total exchange\" --dim 4", R"({"collective":"all-to-all","topology":"hypercube:4"})"},
         {"broadcast --topology torus:4x4 --without-link 0-1 --without-node 9 --packets 3 --root 5",
          R"({"collective":"broadcast","topology":"torus:4x4","faults":"0-1,9","packets":3,"root":5})"},
         {"scatter --dim 3 --bytes 1KiB --machine ncube3",
          R"({"collective":"scatter","topology":"hypercube:3","bytes":1024,"machine":"ncube3"})"},
         {"all-reduce --dim 4 --bytes 800 --tau 1 --beta 5/2 --halvings 2 --clock lockstep --seed 7",
          R"({"collective":"all-reduce","topology":"hypercube:4","bytes":800,"tau_ns_per_byte":"1","beta_ns":"5/2","clock":"lockstep","halvings":2,"seed":7})"},
         {"all-gather --dim 4 --tau 1 --beta 10 --ports one --duplex half",
          R"({"collective":"all-gather","topology":"hypercube:4","ports":"one","tau_ns_per_byte":"1","beta_ns":"10","duplex":"half"})"},
         {"permute --dim 3 --permutation shuffle",
          R"({"collective":"permute","topology":"hypercube:3","permutation":"shuffle"})"},
         {"send --dim 3 --root 1 --peer 6", R"({"collective":"send","topology":"hypercube:3","root":1,"peer":6})"},
         {"matrix-relayout --dim 2 --rows 8 --columns 4 --layout rows-striped --to-layout rows-blocked-gray",
          R"({"collective":"matrix-relayout","topology":"hypercube:2","rows":8,"columns":4,"layout":"rows-striped","to_layout":"rows-blocked-gray"})"},
         {"broadcast --dim 4 --algorithm independent-trees --fail-link 0-1@1 --fail-node 5@2",
          R"({"collective":"broadcast","topology":"hypercube:4","algorithm":"independent-trees","failing":"0-1@1,5@2"})"},
         {"all-to-all --dim 3 --versus dimension-exchange",
          R"({"collective":"all-to-all","topology":"hypercube:3","versus":{"algorithm":"dimension-exchange"}})"}}) {
        CAPTURE(line);
        std::string given = line;
        if (const std::size_t quote = given.find('"'); quote != std::string::npos)  // lines here have no quotes
            given.replace(quote, given.rfind('"') + 1 - quote, "total-exchange");
        CHECK(request_of(given) == request + "\n");
    }
}

TEST_CASE("lab: a request contains the files that it needs", "[cli][lab]")
{
    const TemporaryFolder folder;
    write_text(folder.file("net.txt"), "0 1\n1 2\n2 0\n");
    write_text(folder.file("swap"), "1 0 2\n");
    CHECK(request_of("broadcast --topology graph:" + folder.file("net.txt") + "*path:2") ==
          "{\"collective\":\"broadcast\",\"topology\":\"graph:net.txt*path:2\",\"graph\":{\"net.txt\":\"0 1\\n1 "
          "2\\n2 0\\n\"}}\n");
    CHECK(request_of("permute --topology graph:" + folder.file("net.txt") + " --permutation @" + folder.file("swap")) ==
          "{\"collective\":\"permute\",\"topology\":\"graph:net.txt\",\"permutation\":[1,0,2],\"graph\":{\"net.txt\":"
          "\"0 1\\n1 2\\n2 0\\n\"}}\n");
    const TemporaryFolder other;
    write_text(other.file("net.txt"), "0 1\n1 2\n2 0\n0 3\n");
    CHECK(request_of("broadcast --topology graph:" + folder.file("net.txt") +
                     " --versus-topology graph:" + other.file("net.txt") + "*path:2") ==
          "{\"collective\":\"broadcast\",\"topology\":\"graph:net.txt\",\"versus\":{\"topology\":\"graph:net.txt-2*"
          "path:2\"},\"graph\":{\"net.txt\":\"0 1\\n1 2\\n2 0\\n\",\"net.txt-2\":\"0 1\\n1 2\\n2 0\\n0 3\\n\"}}\n");
}

TEST_CASE("lab: the page has the module and the request, and is written whole", "[cli][lab]")
{
    const TemporaryFolder folder;
    write_text(folder.file("m.wasm"), module_bytes);
    const Outcome outcome = executed("lab scatter --dim 3 --module " + folder.file("m.wasm") + " --html " +
                                     folder.file("l.html") + " --script " + folder.file("l.js"));
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(outcome.out == folder.file("l.html") + "\n" + folder.file("l.js") + "\n");
    CHECK_THAT(outcome.err, Catch::Contains("l.html: ") && Catch::Contains("l.js: "));
    const std::string page = read_text(folder.file("l.html"));
    CHECK(between(page, "class=\"dcube-data\" id=\"view-0\">", "</script>") ==
          R"({"kind":"lab","request":{"collective":"scatter","topology":"hypercube:3"}})");
    const std::string packed = between(page, "<script type=\"text/plain\" id=\"dcube-module\">", "</script>");
    CHECK(unpacked(packed, module_bytes.size()) == module_bytes);
    CHECK(packed.size() < 400);
    CHECK(page.find("<!--dcube:") == std::string::npos);
    const std::string script = read_text(folder.file("l.js"));
    CHECK_THAT(script, Catch::StartsWith("window.dcubeModule=\"" + packed + "\";\n"));
    CHECK_THAT(script, Catch::Contains("dcubeLab"));
}

TEST_CASE("lab: without the module one line says what is missing, and no file is written", "[cli][lab][negative]")
{
    const TemporaryFolder folder;
    fs::create_directory(folder.file("bin"));
    fs::copy_file(DCUBE_PROGRAM, folder.file("bin/dcube"));
    Start start;
    start.program = {folder.file("bin/dcube")};
    const Outcome outcome = dcube_program({"lab", "--html", folder.file("lab.html")}, start);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out.empty());
    CHECK_THAT(outcome.err, Catch::StartsWith("dcube: the module dcube.wasm is missing") &&
                                Catch::Contains("./dcube lab builds it") && Catch::Contains("clang-19"));
    CHECK(lines_of(outcome.err).size() == 1);
    CHECK_FALSE(fs::exists(folder.file("lab.html")));
    // It is found where an installation has it.
    fs::create_directories(folder.file("share/dcube"));
    write_text(folder.file("share/dcube/dcube.wasm"), module_bytes);
    CHECK(dcube_program({"lab", "--html", folder.file("lab.html")}, start).exit_code == 0);
    CHECK(fs::exists(folder.file("lab.html")));
    write_text(folder.file("share/dcube/dcube.wasm"), "nonsense");
    CHECK_THAT(dcube_program({"lab", "--html", folder.file("b.html")}, start).err,
               Catch::Contains("is not a WebAssembly module"));
    CHECK_FALSE(fs::exists(folder.file("b.html")));
}
