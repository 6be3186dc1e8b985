#include "web/site/colouring.hpp"

#include "web/lessons/gallery/markdown.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <set>
#include <sstream>
#include <vector>

namespace dcube::site {

namespace {

using gallery::escaped;

struct Language {
    std::string_view comment;  // begins one, up to the end of the line
    std::set<std::string_view> keywords;
};

const std::map<std::string_view, Language>& languages()
{
    static const std::set<std::string_view> python{
        "and",     "as",   "break", "class",  "continue", "def", "elif",  "else",   "except", "False",
        "finally", "for",  "from",  "if",     "import",   "in",  "is",    "lambda", "None",   "not",
        "or",      "pass", "raise", "return", "True",     "try", "while", "with",   "yield"};
    static const std::map<std::string_view, Language> known{
        {"cpp", {"//", {"auto",      "bool",      "break",     "case",     "catch",   "char",   "class",  "co_await",
                        "co_return", "const",     "constexpr", "continue", "default", "delete", "do",     "double",
                        "else",      "enum",      "explicit",  "false",    "float",   "for",    "if",     "int",
                        "long",      "namespace", "new",       "nullptr",  "private", "public", "return", "static",
                        "struct",    "switch",    "template",  "this",     "throw",   "true",   "try",    "typename",
                        "unsigned",  "using",     "void",      "while",    "#include"}}},
        {"python", {"#", python}},
        {"js",
         {"//",
          {"const", "let", "function", "function*", "for", "of", "in", "if", "else", "return", "yield", "new", "while",
           "true", "false", "null"}}},
        {"json", {"", {"true", "false", "null"}}},
        {"cmake", {"#", {"find_package", "add_executable", "target_link_libraries", "add_subdirectory"}}},
        {"sh", {"#", {"for", "do", "done", "if", "then", "fi", "in", "export"}}},
    };
    return known;
}

bool in_word(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string marked(std::string_view kind, std::string_view text)
{
    return "<span class=\"" + std::string(kind) + "\">" + escaped(text) + "</span>";
}

// The length of a string in quotes at the beginning of `text`; 0 if it does not end in its line.
std::size_t quoted_length(std::string_view text)
{
    for (std::size_t i = 1; i < text.size() && text[i] != '\n'; ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == text.front())
            return i + 1;
    }
    return 0;
}

std::size_t word_length(std::string_view text)
{
    const auto* const end = std::find_if_not(text.begin() + 1, text.end(), in_word);
    return static_cast<std::size_t>(end - text.begin());
}

std::string coloured(std::string_view text, const Language& language)
{
    std::string html;
    char before = ' ';
    while (!text.empty()) {
        std::size_t length = 1;
        if (!language.comment.empty() && text.starts_with(language.comment) && !in_word(before)) {
            length = std::min(text.find('\n'), text.size());
            html += marked("comment", text.substr(0, length));
        } else if ((text.front() == '"' || text.front() == '\'') && !in_word(before) && quoted_length(text) != 0) {
            length = quoted_length(text);
            html += marked("string", text.substr(0, length));
        } else if (in_word(text.front()) || (text.front() == '#' && language.comment == "//")) {
            length = word_length(text);
            const std::string_view word = text.substr(0, length);
            if (language.keywords.contains(word))
                html += marked("keyword", word);
            else
                html += std::isdigit(static_cast<unsigned char>(word.front())) != 0 ? marked("number", word)
                                                                                    : escaped(word);
        } else {
            html += escaped(text.substr(0, 1));
        }
        before = text[length - 1];
        text.remove_prefix(length);
    }
    return html;
}

// What one types stands behind one of these.
std::vector<std::string_view> prompts_of(std::string_view language)
{
    if (language == "console")
        return {"$ "};
    if (language == "pycon")
        return {">>> ", "... "};
    return {};
}

std::string session(const std::string& text, const std::vector<std::string_view>& prompts, const Language& typed)
{
    std::istringstream lines(text);
    std::string html;
    bool goes_on = false;  // behind a backslash
    for (std::string line; std::getline(lines, line);) {
        const auto prompt =
            std::ranges::find_if(prompts, [&](std::string_view mark) { return line.starts_with(mark); });
        const std::size_t begin = prompt == prompts.end() ? 0 : prompt->size();
        if (begin != 0)
            html += "<span class=\"prompt\">" + escaped(*prompt) + "</span>";
        if (begin != 0 || goes_on)
            html += "<span class=\"typed\">" + coloured(std::string_view(line).substr(begin), typed) + "</span>\n";
        else
            html += marked("output", line) + "\n";
        goes_on = (begin != 0 || goes_on) && line.ends_with('\\');
    }
    return html;
}

}  // namespace

std::string program_html(const std::string& text, std::string_view language)
{
    const std::vector<std::string_view> prompts = prompts_of(language);
    const std::string_view typed = language == "pycon" ? "python" : language == "console" ? "sh" : language;
    const auto known = languages().find(typed);
    static const Language none{};
    const Language& colours = known == languages().end() ? none : known->second;
    std::string html = "<div class=\"program\"><pre tabindex=\"0\"><code>";
    if (!prompts.empty())
        html += session(text, prompts, colours);
    else
        html += known == languages().end() ? escaped(text) : coloured(text, colours);
    return html + "</code></pre></div>";
}

}  // namespace dcube::site
