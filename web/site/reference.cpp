#include "web/site/reference.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>
#include <string_view>

namespace dcube::site {

namespace {

std::string with_letters(std::string text)
{
    for (const auto& [reference, letter] :
         {std::pair{"&lt;", "<"}, std::pair{"&gt;", ">"}, std::pair{"&quot;", "\""}, std::pair{"&amp;", "&"}})
        for (std::size_t at = text.find(reference); at != std::string::npos; at = text.find(reference, at + 1))
            text.replace(at, std::string_view(reference).size(), letter);
    return text;
}

// Doxygen writes one element in a line: <name>run</name>, or the beginning or the end of a larger one.
struct Line {
    std::string element;
    std::string value;  // between the element's marks; of a larger one its kind
};

Line line_of(const std::string& text)
{
    const std::size_t begin = text.find('<');
    if (begin == std::string::npos)
        return {};
    const std::size_t end = text.find_first_of(" >", begin);
    const std::string element = text.substr(begin + 1, end - begin - 1);
    constexpr std::string_view kind = "kind=\"";
    if (const std::size_t at = text.find(kind);
        at != std::string::npos && (element == "member" || element == "compound"))
        return {element, text.substr(at + kind.size(), text.find('"', at + kind.size()) - at - kind.size())};
    const std::size_t from = text.find('>', begin) + 1;
    const std::size_t close = text.rfind("</");
    return {element, close == std::string::npos || close < from ? "" : with_letters(text.substr(from, close - from))};
}

// A name in a group has no namespace before it: those of namespaces and classes are taken first.
int rank_of(const std::string& kind)
{
    static const std::map<std::string, int> ranks{{"class", 0},     {"struct", 0}, {"union", 0}, {"concept", 0},
                                                  {"namespace", 1}, {"group", 2},  {"page", 3}};
    const auto found = ranks.find(kind);
    return found == ranks.end() ? -1 : found->second;
}

class Reader {
public:
    void take(const Line& line)
    {
        if (line.element == "compound")
            compound_ = {.name = "", .kind = line.value, .address = ""};
        else if (line.element == "member")
            member_ = {.name = "", .kind = line.value, .address = ""};
        else if (line.element == "/member")
            end_member();
        else if (line.element == "/compound")
            found_[rank_of(compound_.kind)].push_back(compound_);
        else
            take_value(line);
    }

    std::vector<Name> names()
    {
        std::vector<Name> all;
        std::set<std::string> known;
        found_.erase(-1);
        for (const auto& [rank, names] : found_)
            for (const Name& name : names)
                if (!name.name.empty() && !name.address.empty() && known.insert(name.address).second)
                    all.push_back(name);
        std::ranges::sort(all, {}, [](const Name& name) { return std::pair(name.name, name.address); });
        return all;
    }

private:
    void take_value(const Line& line)
    {
        Name& now = member_.kind.empty() ? compound_ : member_;
        if (line.element == "name")
            now.name = line.value;
        else if (line.element == "title")
            now.name = line.value;  // of a group
        else if (line.element == "filename" || line.element == "anchorfile")
            now.address = line.value.ends_with(".html") ? line.value : line.value + ".html";
        else if (line.element == "anchor" && !member_.kind.empty())
            now.address += "#" + line.value;
        else if (line.element == "arglist")
            now.arguments = line.value;
    }

    void end_member()
    {
        const int rank = rank_of(compound_.kind);
        if (rank == 0 || rank == 1)
            member_.name = compound_.name + "::" + member_.name;
        found_[rank].push_back(member_);
        member_ = {};
    }

    Name compound_{};
    Name member_{};
    std::map<int, std::vector<Name>> found_{};  // by rank
};

}  // namespace

std::vector<Name> names_of(const std::string& tag_file)
{
    std::istringstream lines(tag_file);
    Reader reader;
    for (std::string line; std::getline(lines, line);)
        reader.take(line_of(line));
    return reader.names();
}

}  // namespace dcube::site
