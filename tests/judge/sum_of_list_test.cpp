// "sum_of" in lines of traces: ids and ranges, in any order, no node twice.

#include "tests/support/catch.hpp"
#include "tests/support/error_of.hpp"

#include "judge/trace_line.hpp"

#include <string>

using namespace dcube;

namespace {

std::string line_of(const std::string& sum_of)
{
    return R"({"step":1,"from":2,"to":3,"port":0,"bytes":7,"pieces":[{"origin":null,"target":4,"sum_of":)" + sum_of +
           R"(,"offset":5,"length":7},{"origin":null,"target":4,"offset":0,"length":1}]})";
}

std::string error(const std::string& sum_of)
{
    Record record;
    return parse_trace_line(line_of(sum_of), record, [](const std::string&) {});
}

std::string read(const std::string& sum_of)
{
    Record record;
    REQUIRE(parse_trace_line(line_of(sum_of), record, [](const std::string& key) { FAIL(key); }).empty());
    REQUIRE(record.pieces.size() == 2);
    CHECK(record.pieces[0].length == 7);
    CHECK_FALSE(record.pieces[1].sum_of);
    return record.pieces[0].sum_of ? to_string(*record.pieces[0].sum_of) : "not told";
}

}  // namespace

TEST_CASE("trace reader: the contributors of a sum are read as ids and ranges", "[judge][sums]")
{
    CHECK(read("[0,3,[5,7]]") == "nodes 0, 3 and 5-7");
    CHECK(read("[ [5, 7] , 0,3 ]") == "nodes 0, 3 and 5-7");
    CHECK(read("[4,[5,5],[0,3]]") == "nodes 0-5");
    CHECK(read("[4294967295]") == "node 4294967295");
    CHECK(read("[]") == "no node");
    CHECK(read("null") == "not told");
}

TEST_CASE("trace reader: wrong contributors of a sum are refused in one line", "[judge][sums][negative]")
{
    const std::string allowed = ": nodes such as 3, from 0 to 4294967295, and ranges such as [5,7] are allowed";
    CHECK(error("3") == "\"sum_of\" is a number: a list or null is allowed");
    CHECK(error("{}") == "\"sum_of\" is an object: a list or null is allowed");
    CHECK(error("[-1]") == "\"sum_of\" has a negative number" + allowed);
    CHECK(error("[1.5]") == "\"sum_of\" has a number with a fraction or too large" + allowed);
    CHECK(error("[4294967296]") == "\"sum_of\" has 4294967296" + allowed);
    CHECK(error("[null]") == "\"sum_of\" has null" + allowed);
    CHECK(error("[\"1\"]") == "\"sum_of\" has a text" + allowed);
    CHECK(error("[{\"a\":1}]") == "\"sum_of\" has an object" + allowed);
    CHECK(error("[[1,[2,3]]]") == "\"sum_of\" has a list in a range" + allowed);
    CHECK(error("[[1]]") == "\"sum_of\" has a range of 1 number" + allowed);
    CHECK(error("[[]]") == "\"sum_of\" has a range of 0 numbers" + allowed);
    CHECK(error("[[1,2,3]]") == "\"sum_of\" has a range of 3 numbers" + allowed);
    CHECK(error("[[7,5]]") == "\"sum_of\" has [7,5]" + allowed);
    CHECK(error("[1,2,1]") == "\"sum_of\" has node 1 twice: once is allowed");
    CHECK(error("[[1,5],[3,9]]") == "\"sum_of\" has node 3 twice: once is allowed");
    CHECK(error("[1],\"sum_of\":[2]") == "\"sum_of\" stands there twice");
    CHECK(error("[1") == "\"sum_of\" has a text" + allowed);
}
