#include "web/lessons/gallery/schedule.hpp"

#include "web/lessons/gallery/markdown.hpp"

#include <cstddef>
#include <map>
#include <regex>
#include <sstream>
#include <utility>
#include <vector>

namespace dcube::gallery {

namespace {

struct ScheduledHop {
    unsigned step;
    unsigned from;
    unsigned port;
    unsigned target;
};

struct NodeSchedule {
    std::vector<ScheduledHop> hops{};
    bool everybody = false;  ///< the hops of node 0's blocks stand for those of all
};

// Node 0's blocks, wherever they are, if other nodes send their own; else what leaves node 0.
NodeSchedule schedule_in(const std::string& trace)
{
    static const std::regex line(
        R"re("step":(\d+),"from":(\d+),"to":\d+,"port":(\d+),.*"pieces":\[\{"origin":(\d+),"target":(\d+))re");
    std::vector<ScheduledHop> of_node;
    std::vector<ScheduledHop> leaving;
    NodeSchedule schedule;
    std::istringstream lines(trace);
    for (std::string text; std::getline(lines, text);) {
        std::smatch found;
        if (!std::regex_search(text, found, line))
            continue;
        const auto number = [&](std::size_t part) { return static_cast<unsigned>(std::stoul(found[part])); };
        const ScheduledHop hop{number(1), number(2), number(3), number(5)};
        if (number(4) == 0)
            of_node.push_back(hop);
        else
            schedule.everybody = true;
        if (hop.from == 0)
            leaving.push_back(hop);
    }
    schedule.hops = schedule.everybody ? std::move(of_node) : std::move(leaving);
    return schedule;
}

// What the lesson, or else the table, calls ports and packets.
class TableNames {
public:
    TableNames(const View& view, const std::string& trace, bool everybody) : everybody_(everybody)
    {
        static const std::regex network(R"re("topology":"(hypercube|torus):([\dx]+)")re");
        std::smatch found;
        if (std::regex_search(trace, found, network)) {
            is_torus_ = found[1] == "torus";
            sizes_ = numbers_of(found[2]);
        }
        if (const auto names = view.state.find("names"); names != view.state.end())
            ports_ = words_of_ports(names->second);
    }

    [[nodiscard]] std::string port(unsigned port) const
    {
        return port < ports_.size() ? ports_[port] : std::to_string(port);
    }
    [[nodiscard]] std::string whole_port(unsigned number) const
    {
        return number < ports_.size() ? ports_[number] : "port " + std::to_string(number);
    }
    // By its target, or the path to it.
    [[nodiscard]] std::string packet(const ScheduledHop& hop) const
    {
        if (is_torus_)
            return ports_.empty() ? std::to_string(hop.target) : path_to(hop.target);
        std::string bits;
        for (unsigned k = sizes_.empty() ? 0 : sizes_.front(); k-- > 0;)
            bits += (hop.target >> k & 1) != 0 ? '1' : '0';
        return bits.empty() ? std::to_string(hop.target) : bits;
    }
    // In a cell. Of the packets that node 0 sends, "2 for 1" is node 2's for node 1.
    [[nodiscard]] std::string sent(const ScheduledHop& hop) const
    {
        if (is_torus_ || ports_.empty() || !everybody_)
            return packet(hop);
        return std::to_string(hop.from) + " for " + std::to_string(hop.from ^ hop.target);
    }

private:
    static std::vector<unsigned> numbers_of(const std::string& text)
    {
        std::vector<unsigned> numbers;
        std::istringstream parts(text);
        for (std::string part; std::getline(parts, part, 'x');)
            numbers.push_back(static_cast<unsigned>(std::stoul(part)));
        return numbers;
    }

    static std::vector<std::string> words_of_ports(const std::string& text)
    {
        std::vector<std::string> words;
        std::istringstream parts(text);
        for (std::string part; std::getline(parts, part, ',');) {
            for (char& letter : part)
                letter = letter == '_' ? ' ' : letter;
            words.push_back(part);
        }
        return words;
    }

    // "2 left and up"
    [[nodiscard]] std::string path_to(unsigned target) const
    {
        std::string path;
        unsigned first_port = 0;
        for (auto size = sizes_.rbegin(); size != sizes_.rend(); ++size) {
            const unsigned digit = target % *size;
            const bool ahead = 2 * digit <= *size;
            const unsigned hops = ahead ? digit : *size - digit;
            if (hops > 0)
                path += (path.empty() ? "" : " and ") + (hops > 1 ? std::to_string(hops) + " " : "") +
                        port(first_port + (ahead ? 0 : 1));
            target /= *size;
            first_port += *size > 2 ? 2 : 1;
        }
        return path;
    }

    bool everybody_;
    bool is_torus_ = false;
    std::vector<unsigned> sizes_{};  // of a torus; of a hypercube its dimension
    std::vector<std::string> ports_{};
};

// Two of step, port and packet are a table's sides, the third stands in its cells. Headings are in order of numbers.
struct HopTable {
    std::map<unsigned, std::string> rows{};
    std::map<unsigned, std::string> columns{};
    std::map<std::pair<unsigned, unsigned>, std::string> cells{};

    using Heading = std::pair<unsigned, std::string>;
    void add(const Heading& row, const Heading& column, const std::string& text)
    {
        rows.insert(row);
        columns.insert(column);
        std::string& cell = cells[{row.first, column.first}];
        cell += (cell.empty() ? "" : ", ") + text;
    }
};

HopTable table_of_hops(const View& view, const NodeSchedule& schedule, const TableNames& names)
{
    const std::string kind = view.state.at("table");
    const bool steps_are_rows = view.state.contains("rows") && view.state.at("rows") == "steps";
    HopTable table;
    for (const ScheduledHop& hop : schedule.hops) {
        const HopTable::Heading step{hop.step, "step " + std::to_string(hop.step)};
        const HopTable::Heading port{hop.port, names.whole_port(hop.port)};
        const HopTable::Heading packet{hop.target, names.packet(hop)};
        if (kind == "2")
            table.add(packet, step, names.port(hop.port));
        else if (kind == "3")
            table.add(packet, port, std::to_string(hop.step));
        else
            table.add(steps_are_rows ? step : port, steps_are_rows ? port : step, names.sent(hop));
    }
    return table;
}

}  // namespace

std::string schedule_table(const View& view, const std::string& trace)
{
    const NodeSchedule schedule = schedule_in(trace);
    const TableNames names(view, trace, schedule.everybody);
    const HopTable table = table_of_hops(view, schedule, names);
    std::string html = std::string("<table><caption>") +
                       (schedule.everybody ? "What every node does, seen from node 0." : "What node 0 sends.") +
                       "</caption>\n<thead><tr><td></td>";
    for (const auto& [number, words] : table.columns)
        html += "<th scope=\"col\">" + escaped(words) + "</th>";
    html += "</tr></thead>\n<tbody>\n";
    for (const auto& [row, words] : table.rows) {
        html += "<tr><th scope=\"row\">" + escaped(words) + "</th>";
        for (const auto& [column, ignored] : table.columns) {
            const auto cell = table.cells.find({row, column});
            html += "<td>" + (cell == table.cells.end() ? "" : escaped(cell->second)) + "</td>";
        }
        html += "</tr>\n";
    }
    return html + "</tbody>\n</table>\n";
}

}  // namespace dcube::gallery
