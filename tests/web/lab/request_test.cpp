// Requests that are refused, and the words of the refusal.

#include "tests/web/lab/asked.hpp"

using namespace dcube;
using namespace test_support;
using Catch::Contains;

namespace {

struct Wrong {
    const char* request;
    const char* message;
    const char* key;  // null: it is about no key
};

}  // namespace

TEST_CASE("requests: a wrong request is refused in one line, with the key", "[lab][negative]")
{
    const Wrong all[] = {
        {"", "the request is not JSON", nullptr},
        {"{", "the request is not JSON", nullptr},
        {"\xff\xfe", "the request is not JSON", nullptr},
        {R"({"collective": "broad)", "the request is not JSON", nullptr},
        {"17", "a request is a JSON object, not 17", nullptr},
        {"[]", "a request is a JSON object, not []", nullptr},
        {"[[[[[[[[[]]]]]]]]]", "nested at most 3 deep", nullptr},
        {R"({"versus": {"program": {"source": {}}}})", "nested at most 3 deep", nullptr},
        {R"({"what": "run", "what": "run"})", "has the key 'what' twice", nullptr},
        {R"({"collective": "send", "versus": {"root": 1, "root": 2}})", "has the key 'root' twice", nullptr},
        {R"({"colective": "broadcast"})", "'colective' is not a key of a request: did you mean collective?", nullptr},
        {R"({"collective": "broadcast", "versus": {"algoritm": "auto"}})", "did you mean algorithm?", nullptr},
        {R"({"collective": "broadcast", "versus": {"results": ["report"]}})",
         "results belongs to the whole request, not to versus", "results"},
        {R"({"what": "rum"})", "'rum' is not a kind of request: did you mean run?", "what"},
        {R"({"what": 3})", "what 3 is not possible: a text is allowed", "what"},
        {R"({"collective": "broadcast", "results": "report"})", "a list of names is allowed", "results"},
        {R"({"collective": "broadcast", "results": ["reprot"]})", "did you mean report?", "results"},
        {R"({"what": "board", "collective": "broadcast", "results": []})", R"(results does not apply to "board")",
         "results"},
        {R"({"what": "catalogue", "collective": "broadcast"})", R"(collective does not apply to "catalogue")",
         "collective"},
        {R"({"what": "run", "trace": ""})", R"(trace does not apply to "run")", "trace"},
        {R"({})", "collective is missing: there are broadcast, reduce,", "collective"},
        {R"({"collective": "brodcast"})", "did you mean broadcast?", "collective"},
        {R"({"collective": 1})", "collective 1 is not possible: a text is allowed", "collective"},
        {R"({"collective": "broadcast", "topology": "tours:4"})", "'tours:4' is not a topology", "topology"},
        {R"({"collective": "broadcast", "topology": "graph:/etc/passwd"})", "graph:/etc/passwd", "topology"},
        {R"({"collective": "broadcast", "topology": 4})", "a text is allowed", "topology"},
        {R"({"collective": "broadcast", "faults": "0-3"})", "0-3", "faults"},
        {R"({"collective": "broadcast", "faults": {}})", "a text or a list is allowed", "faults"},
        {R"({"collective": "broadcast", "ports": "two"})", "ports: 'two'", "ports"},
        {R"({"collective": "broadcast", "root": 16})", "root 16 is too large: 0 to 15 are allowed", "root"},
        {R"({"collective": "broadcast", "root": -1})", "root -1 is too small", "root"},
        {R"({"collective": "broadcast", "root": 1.5})", "root 1.5 is not a whole number", "root"},
        {R"({"collective": "broadcast", "root": true})", "root true is not possible: a number is allowed", "root"},
        {R"({"collective": "broadcast", "bytes": -1})", "bytes '-1' is not a size", "bytes"},
        {R"({"collective": "broadcast", "bytes": "4 apples"})", "is not a size", "bytes"},
        {R"({"collective": "broadcast", "bytes": 18446744073709551616})", "is not a size", "bytes"},
        {R"({"collective": "broadcast", "packets": 4294967297})",
         "packets 4294967297 is too large: 0 to 4294967295 are allowed", "packets"},
        {R"({"collective": "broadcast", "peer": 1})", "peer does not apply to broadcast: send and exchange", "peer"},
        {R"({"collective": "send"})", "peer is missing: send goes from root", "peer"},
        {R"({"collective": "permute"})", "permutation is missing", "permutation"},
        {R"({"collective": "permute", "permutation": [0, 0]})", "2 nodes are named: all 16", "permutation"},
        {R"({"collective": "permute", "permutation": [[0], [1]]})", "a text or a list is allowed", "permutation"},
        {R"({"collective": "permute", "permutation": "@/etc/passwd"})", "/etc/passwd", "permutation"},
        {R"({"collective": "matrix-transpose"})", "rows is missing: a matrix has rows and columns", "rows"},
        {R"({"collective": "matrix-transpose", "rows": 16, "columns": 16, "layout": "heap"})", "layout: 'heap'",
         "layout"},
        {R"({"collective": "reduce", "operation": "product"})", "operation: 'product'", "operation"},
        {R"({"collective": "reduce", "type": "int7"})", "type: 'int7'", "type"},
        {R"({"collective": "all-gather", "in_place": "yes"})", R"(in_place "yes" is not possible: true or false)",
         "in_place"},
        {R"({"collective": "broadcast", "in_place": true})", "in_place is not possible for broadcast", "in_place"},
        {R"({"collective": "broadcast", "tau_ns_per_byte": 1})",
         "the link-bound model needs tau_ns_per_byte and beta_ns, or machine", "beta_ns"},
        {R"({"collective": "broadcast", "tau_ns_per_byte": "x", "beta_ns": 1})",
         "'x' is not possible: expected a number", "tau_ns_per_byte"},
        {R"({"collective": "broadcast", "machine": "ncube3", "link_model": "unit"})", "machine is for the link-bound",
         "machine"},
        {R"({"collective": "broadcast", "clock": "lockstep"})", "clock is for the link-bound", "clock"},
        {R"({"collective": "broadcast", "ports": "one", "duplex": "half"})", "duplex is for the link-bound", "duplex"},
        {R"({"collective": "broadcast", "duplex": "half", "machine": "ncube3"})", "duplex half is for one port",
         "duplex"},
        {R"({"collective": "broadcast", "groups": 2})", "groups is for the link-bound", "groups"},
        {R"({"collective": "broadcast", "algorithm": "fastest"})", "broadcast has no algorithm 'fastest'", "algorithm"},
        {R"({"collective": "broadcast", "algorithm": "@/etc/passwd"})", "/etc/passwd", "algorithm"},
        {R"({"collective": "broadcast", "seed": "x"})", "seed x is not a whole number", "seed"},
        {R"({"collective": "broadcast", "failing": "0-3@1"})", "0-3", "failing"},
        {R"({"collective": "broadcast", "failing": "0-1"})", "0-1", "failing"},
        {R"({"collective": "matrix-transpose", "rows": 17, "columns": 16})", "needs a multiple of 16 rows", "rows"},
        {R"({"collective": "matrix-relayout", "rows": 16, "columns": 16, "layout": "submatrices"})",
         "expected rows to rows", "layout"},
        {R"({"collective": "broadcast", "root": 1, "faults": "1"})", "root 1 does not exist", "root"},
        {R"({"collective": "send", "peer": 0})", "both ends are node 0", "peer"},
        {R"({"collective": "permute", "permutation": "backwards"})", "'backwards' is not a permutation", "permutation"},
        {R"({"collective": "broadcast", "topology": "ring:4", "faults": "0-1,2-3"})", "is disconnected", "faults"},
        {R"({"collective": "reduce", "operation": "bit-xor", "type": "float"})",
         "bit-xor of float elements is not possible", "operation"},
        {R"({"collective": "reduce", "type": "int32", "bytes": 6})", "do not hold whole int32 elements", "bytes"},
        {R"({"collective": "all-to-all", "topology": "torus:3x3", "algorithm": "dimension-exchange"})",
         "is not possible here: it is for hypercubes", "algorithm"},
        {R"({"collective": "broadcast", "machine": "ncube3", "groups": 2})", "groups is not for", "groups"},
        {R"({"collective": "broadcast", "machine": "ncube3", "halvings": 9})", "halvings 9 is too large", "halvings"},
        {R"({"what": "board", "collective": "all-reduce"})", "there is no board for all-reduce", "collective"},
        {R"({"what": "board", "collective": "broadcast", "packets": 0})", "a board has packets to move", "packets"},
        {R"({"collective": "broadcast", "graph": "0 1"})", "an object is allowed", "graph"},
        {R"({"collective": "broadcast", "versus": 3})", "an object is allowed", "versus"},
        {R"({"collective": "broadcast", "versus": {"collective": "reduce"}})", "both runs are of one collective",
         "versus"},
        {R"({"collective": "broadcast", "program": {}})", R"(program has no "source")", "program"},
        {R"({"collective": "broadcast", "program": {"sauce": ""}})",
         "is not a key of a program: expected one of name, source", "program"},
        {R"({"collective": "broadcast", "program": {"name": 5, "source": ""}})",
         "program has the name 5: a text is allowed", "program"},
        {R"({"collective": "broadcast", "program": {"source": null}})", "program has the source null", "program"},
        {R"({"collective": "broadcast", "program": {"source": ""}})", "programs of one's own cannot be run here",
         "program"},
        {R"({"collective": "broadcast", "program": {"source": ""}, "algorithm": "auto"})", "cannot be used together",
         "program"},
        {R"({"collective": "all-to-all", "topology": "hypercube:24", "bytes": "1GiB"})", "", "bytes"},
    };
    for (const Wrong& wrong : all) {
        const Json error = error_of(std::string_view(wrong.request));
        CAPTURE(wrong.request, error.dump());
        CHECK(error["kind"] == "input");
        CHECK(error["exit"] == 2);
        CHECK_THAT(error["message"].get<std::string>(), Contains(wrong.message));
        CHECK(error["message"].get<std::string>().find('\n') == std::string::npos);
        CHECK(error["key"] == (wrong.key != nullptr ? Json(wrong.key) : Json()));
    }
}

TEST_CASE("requests: a refusal has its sentence in pieces, with the keys apart", "[lab][negative]")
{
    const Json missing = error_of(Json{{"collective", "send"}});
    CHECK(missing["key"] == "peer");
    CHECK(missing["subject"] == true);
    CHECK(missing["why"] == Json({"is missing: send goes from ", {{"key", "root"}}, " to another node"}));
    const Json large = error_of(Json{{"collective", "broadcast"}, {"root", 16}});
    CHECK(large["subject"] == false);
    CHECK(large["why"] == Json({"16 is too large: 0 to 15 are allowed"}));
    const Json whole = error_of(Json{{"collective", "broadcast"}, {"faults", "0-3"}});
    CHECK(whole["subject"] == false);
    CHECK(whole["why"] == Json({"hypercube:4 has no link 0-3"}));
}

TEST_CASE("requests: an error names the run that it is in", "[lab][negative]")
{
    const auto run_of = [](const char* request) { return error_of(std::string_view(request))["run"]; };
    CHECK(run_of("17") == 0);
    CHECK(run_of(R"({"collective": "broadcast", "root": 16, "versus": {"root": 1}})") == 0);
    CHECK(run_of(R"({"collective": "broadcast", "root": 1, "versus": {"root": 16}})") == 1);
    CHECK(run_of(R"({"collective": "broadcast", "root": true, "versus": {"root": 1}})") == 0);
    CHECK(run_of(R"({"collective": "broadcast", "root": 1, "versus": {"root": true}})") == 1);
    CHECK(run_of(R"({"collective": "broadcast", "root": 7, "versus": {"topology": "ring:4"}})") == 1);
    const Json lost = error_of(
        Json{{"collective", "broadcast"}, {"algorithm", "recursive-doubling"}, {"versus", {{"failing", "0-1@1"}}}});
    CHECK(lost["rule"] == "packet-lost");
    CHECK(lost["run"] == 1);
}

TEST_CASE("requests: keys that are left out or null have their defaults", "[lab]")
{
    const Json usual = answer({{"collective", "broadcast"}}, "report");
    CHECK(usual["topology"] == "hypercube:4");
    CHECK(usual["ports"] == "all");
    CHECK(usual["bytes"] == 64);
    CHECK(usual["seed"] == 1);
    Json nulls{{"collective", "broadcast"}, {"versus", nullptr}, {"program", nullptr}, {"graph", nullptr}};
    for (const dcube::Key& key : dcube::question_keys())
        nulls.emplace(std::string(key.key), nullptr);
    CHECK(answer(nulls, "report")["result_digest"] == usual["result_digest"]);
}

TEST_CASE("requests: numbers may be texts, lists may be texts, and sizes have units", "[lab]")
{
    CHECK(answer({{"collective", "scatter"}, {"bytes", "4KiB"}, {"root", "3"}}, "report")["bytes"] == 4096);
    const Json list{{"collective", "permute"}, {"topology", "ring:3"}, {"permutation", {1, 2, 0}}};
    Json text = list;
    text["permutation"] = "1 2 0";
    CHECK(answer(list, "report")["permutation"] == Json({1, 2, 0}));
    CHECK(answer(text, "report")["permutation"] == Json({1, 2, 0}));
    const Json lists{{"collective", "broadcast"}, {"faults", {"0-1", 9}}, {"failing", {"2-3@5", "5@6"}}};
    const Json report = answer(lists, "report");
    CHECK(report["topology"] == "hypercube:4 without 0-1,9");
    CHECK(report["failing"] == Json({"2-3@5", "5@6"}));
    const Json links{{"collective", "broadcast"}, {"tau_ns_per_byte", 0.5}, {"beta_ns", "7/3"}};
    CHECK(answer(links, "report")["tau_ns_per_byte"] == "1/2");
    CHECK(answer(links, "report")["beta_ns"] == "7/3");
}

TEST_CASE("requests: only files in the request can be read", "[lab]")
{
    const Json graph{{"triangle", "0 1\n1 2\n2 0\n"}};
    const Json network = answer({{"what", "network"}, {"topology", "graph:triangle"}, {"graph", graph}}, "network");
    CHECK(network["nodes"] == 3);
    CHECK(network["links"] == 3);
    const Json permute{{"collective", "permute"},
                       {"topology", "graph:triangle"},
                       {"permutation", "@turn"},
                       {"graph", {{"triangle", graph["triangle"]}, {"turn", "1 2 0"}}}};
    CHECK(answer(permute, "report")["permutation"] == Json({1, 2, 0}));
    CHECK_THAT(error_of(Json{{"what", "network"}, {"topology", "graph:square"}, {"graph", graph}})["message"],
               Contains("square"));
}

TEST_CASE("requests: the second run has the keys under versus, and the rest from the first", "[lab]")
{
    const Json request{{"collective", "all-to-all"},
                       {"topology", "torus:3x3"},
                       {"bytes", 8},
                       {"seed", 5},
                       {"versus", {{"topology", "complete:9"}, {"bytes", nullptr}}}};
    const Json first = answer(request, "report");
    const Json second = answer(request, "versus");
    CHECK(first["topology"] == "torus:3x3");
    CHECK(first["bytes"] == 8);
    CHECK(second["topology"] == "complete:9");
    CHECK(second["bytes"] == 64);
    CHECK(second["seed"] == 5);
}
