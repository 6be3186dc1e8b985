// The page knows a question's keys and a report's units before the module answers: web/page/src/lab/keys.ts is written
// from the tables by this test, with DCUBE_UPDATE_DOCS=1.

#include "tests/docs/documents.hpp"
#include "tests/web/lab/asked.hpp"

#include <string>

using namespace dcube;
using namespace dcube::test;
using namespace test_support;

namespace {

constexpr const char* tables_of_page = "web/page/src/lab/keys.ts";

std::string written_keys()
{
    std::string text = "// Generated from the tables of a question's and a report's keys, run/question.cpp and "
                       "run/report_fields.cpp, by\n// tests/web/lab/keys_test.cpp.\n\n"
                       "import type { Field } from \"./catalogue\";\n\n"
                       "export const KEYS: readonly Field[] = [\n";
    const Json catalogue = answer({{"what", "catalogue"}}, "catalogue");
    for (const Json& field : catalogue["fields"])
        text += "  " + field.dump() + ",\n";
    text += "];\n\n"
            "/** The units of a report's keys. */\n"
            "export const UNITS: ReadonlyMap<string, string> = new Map([\n";
    for (const Json& key : catalogue["report"])
        if (!key["unit"].is_null())
            text += "  " + Json::array({key["key"], key["unit"]}).dump() + ",\n";
    return text + "]);\n";
}

}  // namespace

TEST_CASE("the lab: the page's tables of keys are the program's", "[lab][docs]")
{
    if (updating_documents())
        write_text(source_path(tables_of_page), written_keys());
    CHECK(read_text(source_path(tables_of_page)) == written_keys());
}
