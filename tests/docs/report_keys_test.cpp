// docs/report.md has every key of a report, made from the one list of them.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"

#include <dcube/report.hpp>

#include <fmt/format.h>

using namespace dcube;
using namespace dcube::test;

namespace {

constexpr std::string_view mark = "<!-- report_fields -->\n";

std::string table_of_keys()
{
    std::string table = "| key | unit | meaning | run | dry run | verdict | trace header |\n"
                        "| --- | --- | --- | --- | --- | --- | --- |\n";
    for (const ReportField& field : report_fields()) {
        table += fmt::format("| `{}` | {} | {} |", field.key, field.unit, field.about);
        for (const RecordKind kind : {RecordKind::report, RecordKind::forecast, RecordKind::verdict, RecordKind::trace})
            table += field.stands_in(kind) ? " x |" : " |";
        table += '\n';
    }
    return table;
}

}  // namespace

TEST_CASE("report.md has every key of every record, with its unit and meaning", "[docs]")
{
    const std::string file = source_path("docs/report.md");
    std::string text = read_text(file);
    const std::size_t begin = text.find(mark) + mark.size();
    const std::size_t end = text.find("<!-- end -->", begin);
    REQUIRE(end != std::string::npos);
    if (!updating_documents()) {
        CHECK(text.substr(begin, end - begin) == table_of_keys());
        return;
    }
    text.replace(begin, end - begin, table_of_keys());
    write_text(file, text);
}
