#include "inspect/measure/cell.hpp"

#include "base/numbers.hpp"
#include "inspect/measure/bench_entries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace dcube::measure {

namespace {

std::string values_of(const Json& cell, std::initializer_list<std::string_view> without)
{
    std::string text;
    for (const BenchEntry<BenchCell>& entry : cell_entries())
        if (entry.note.stands == BenchKey::variable && std::ranges::find(without, entry.key) == without.end())
            text += cell.at(std::string(entry.key)).dump() + ' ';
    return text;
}

std::string size_words(const Json& cell)
{
    if (!cell.at("rows").is_null())
        return fmt::format("{} x {} {} elements", cell.at("rows").dump(), cell.at("columns").dump(),
                           cell.at("type").get<std::string>());
    const auto packets = cell.at("packets").get<std::uint64_t>();
    const std::string size = size_text(cell.at("bytes").get<std::uint64_t>());
    return packets == 1 ? size : fmt::format("{} packets of {}", grouped(packets), size);
}

}  // namespace

Json variables_of(const Setup& setup)
{
    const BenchCell cell{setup};
    Json all;
    for (const BenchEntry<BenchCell>& entry : cell_entries())
        if (entry.note.stands == BenchKey::variable)
            all[std::string(entry.key)] = entry.value(cell);
    return all;
}

std::string identity(const Json& cell)
{
    return values_of(cell, {});
}

std::string family(const Json& cell, bool weak)
{
    return weak ? values_of(cell, {"threads", "topology"}) : values_of(cell, {"threads"});
}

std::string same_work(const Json& cell)
{
    return values_of(cell, {"asked", "threads", "channel", "pin"});
}

std::string cell_text(const Json& cell)
{
    const auto text = [&](const char* key) { return cell.at(key).get<std::string>(); };
    std::string words = text("collective");
    const auto add = [&](bool unusual, const std::string& what) {
        if (unusual)
            words += ", " + what;
    };
    add(text("asked") != "auto", "by " + text("asked"));
    add(true, text("topology"));
    add(true, size_words(cell));
    const auto threads = cell.at("threads").get<std::uint64_t>();
    add(true, counted(threads, "thread"));
    add(!cell.at("tau_ns_per_byte").is_null(),
        fmt::format("tau {} ns, beta {} ns", cell.at("tau_ns_per_byte").dump(), cell.at("beta_ns").dump()));
    add(text("ports") == "one", "one port");
    add(cell.at("root") != nullptr && cell.at("root") != 0, "root " + cell.at("root").dump());
    add(cell.at("operation") != nullptr, cell.at("operation").is_null() ? "" : text("operation"));
    add(cell.at("rows").is_null() && !cell.at("type").is_null(), cell.at("type").is_null() ? "" : text("type"));
    add(!text("options").empty(), text("options"));
    add(text("channel") != "slots", text("channel"));
    add(text("pin") != "none", "pinned " + text("pin"));
    return words;
}

}  // namespace dcube::measure
