// The page knows a question's keys before the module answers: web/page/src/lab/keys.ts is written from the table by
// this test, with DCUBE_UPDATE_DOCS=1.

#include "tests/docs/documents.hpp"
#include "tests/web/lab/asked.hpp"

#include <string>

using namespace dcube;
using namespace dcube::test;
using namespace test_support;

namespace {

constexpr const char* table_of_page = "web/page/src/lab/keys.ts";

std::string written_keys()
{
    std::string text = "// Generated from the table of a question's keys, run/question.cpp, by "
                       "tests/web/lab/keys_test.cpp.\n\n"
                       "import type { Field } from \"./catalogue\";\n\n"
                       "export const KEYS: readonly Field[] = [\n";
    const Json catalogue = answer({{"what", "catalogue"}}, "catalogue");
    for (const Json& field : catalogue["fields"])
        text += "  " + field.dump() + ",\n";
    return text + "];\n";
}

}  // namespace

TEST_CASE("the lab: the page's table of keys is the program's", "[lab][docs]")
{
    if (updating_documents())
        write_text(source_path(table_of_page), written_keys());
    CHECK(read_text(source_path(table_of_page)) == written_keys());
}
