// The reference of the public headers: that Doxygen has nothing to complain of, and what it does not look for. Every
// public name has a comment and belongs to a group, words in backticks are names, and names in texts are linked; a
// function that is declared can be called in the shared library, which exports no others.

#include "tests/docs/documents.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/on_path.hpp"
#include "tests/support/process.hpp"

#include <dcube/version.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace dcube::test;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;
using Names = std::set<std::string>;
const std::string top = DCUBE_SOURCE_DIR "/";

// Makes it from the headers and pages of a folder, or from dcube's.
Outcome made(const TemporaryFolder& folder, const std::optional<std::string>& from = {})
{
    Start cmake{.program = {"cmake"}};
    Words arguments{"-D",     "VERSION=" + std::string(dcube::version()), "-D", "OUTPUT=" + folder.file("made"), "-D",
                    "XML=YES"};
    if (from)
        for (const std::string kind : {"HEADERS", "PAGES"})
            arguments.insert(arguments.end(), {"-D", kind + "=" + *from});
    arguments.insert(arguments.end(), {"-P", top + "docs/reference/make.cmake"});
    return dcube_program(arguments, cmake);
}

// The elements of that name, none of which has another one in it; of a nested one nothing else is asked.
Words elements(const std::string& text, const std::string& name)
{
    Words found;
    for (std::size_t begin = text.find("<" + name); begin != std::string::npos;
         begin = text.find("<" + name, begin + 1)) {
        const char next = text[begin + name.size() + 1];
        if (next != '>' && next != ' ')
            continue;
        const std::size_t end = text.find("</" + name + ">", begin);
        if (end == std::string::npos)
            break;
        found.push_back(text.substr(begin, end - begin));
        begin = end;
    }
    return found;
}

std::string without(std::string text, const std::string& name)
{
    for (const std::string& element : elements(text, name))
        text.replace(text.find(element), element.size(), " ");
    return text;
}

std::string value(const std::string& text, const std::string& name)
{
    const Words found = elements(text, name);
    return found.empty() ? "" : found[0].substr(found[0].find('>') + 1);
}

bool is_public(const std::string& element)
{
    return element.substr(0, element.find('>')).find("prot=\"public\"") != std::string::npos;
}

// A page of Doxygen's: a class, a namespace or a group.
struct Compound {
    std::string kind;
    std::string id;
    std::string name;
    std::string text;

    [[nodiscard]] bool is_type() const { return kind == "class" || kind == "struct" || kind == "concept"; }
};

std::vector<Compound> compounds(const std::string& folder)
{
    std::vector<Compound> all;
    for (const auto& file : fs::directory_iterator(folder)) {
        const std::string name = file.path().stem().string();
        const std::string text = read_text(file.path().string());
        const Words head = all_matches(text, std::regex(R"re(<compounddef ([^>]*)>)re"));
        const bool is_private = !head.empty() && head[0].find("prot=\"private\"") != std::string::npos;
        const Words kind = head.empty() ? Words() : all_matches(head[0], std::regex(R"re(kind="(\w+)")re"));
        if (!kind.empty() && !is_private &&
            (kind[0] == "group" || kind[0] == "namespace" || kind[0] == "concept" || kind[0] == "class" ||
             kind[0] == "struct"))
            all.push_back({kind[0], name, value(text, "compoundname"), text});
    }
    std::ranges::sort(all, {}, &Compound::id);
    return all;
}

// The description of a member or a class itself, not of its members.
std::string description(const std::string& element)
{
    const std::string own = without(without(element, "enumvalue"), "sectiondef");
    return value(own, "briefdescription") + " " + value(own, "detaileddescription");
}

// Words in backticks that are single names: parameters, or members of the same class.
void check_words(const Compound& compound, const std::string& member, Words& problems)
{
    std::set<std::string> own;
    for (const std::string& name : elements(member, "declname"))
        own.insert(name.substr(name.find('>') + 1));
    for (const std::string& name :
         all_matches(value(member, "type") + value(member, "argsstring"), std::regex(R"((\w+))")))
        own.insert(name);
    if (compound.is_type())
        for (const std::string& name : elements(compound.text, "name"))
            own.insert(name.substr(name.find('>') + 1));
    for (const std::string& word :
         all_matches(description(member), std::regex("<computeroutput>([a-z_]+)</computeroutput>")))
        if (!own.contains(word))
            problems.push_back(value(member, "name") + " has no parameter `" + word + "`");
}

// Names in a text to which no link leads.
void check_links(const std::string& where, std::string text, Words& problems)
{
    for (const char* const element : {"ref", "computeroutput", "programlisting", "verbatim", "preformatted"})
        text = without(text, element);
    for (const std::string& name : all_matches(text, std::regex(R"(\b([A-Z]\w*::\w+|[a-z]\w*\(\)))")))
        if (name != "exit()")
            problems.push_back(where + " names " + name + ", which is not found");
}

void check_member(const Compound& compound, const std::string& member, Words& problems)
{
    const std::string name = value(member, "name");
    const std::string arguments = value(member, "argsstring");
    const bool is_friend = member.starts_with("<memberdef kind=\"friend\"");
    if (!is_public(member) || is_friend || arguments.ends_with("=default") || arguments.ends_with("=delete"))
        return;
    if (description(member).find("<para>") == std::string::npos)
        problems.push_back(name + " is not documented");
    for (const std::string& enumerator : elements(member, "enumvalue"))
        if (description(enumerator).find("<para>") == std::string::npos)
            problems.push_back(name + "::" + value(enumerator, "name") + " is not documented");
    check_words(compound, member, problems);
    check_links(name, description(member), problems);
}

// The problems of all files in the folder that Doxygen has written to.
Words problems_in(const std::string& folder)
{
    const std::vector<Compound> all = compounds(folder + "/xml");
    Words problems;
    for (const Compound& compound : all) {
        const bool is_nested = std::ranges::any_of(all, [&](const Compound& outer) {
            return outer.is_type() && compound.name.starts_with(outer.name + "::");
        });
        if (compound.is_type() && !is_nested &&
            read_text(folder + "/" + compound.id + ".html").find("class=\"ingroups\"") == std::string::npos)
            problems.push_back(compound.name + " belongs to no group");
        if (compound.kind == "namespace")  // members of groups stand in their group's file
            for (const std::string& member : elements(compound.text, "memberdef"))
                if (member.find("id=\"" + compound.id) != std::string::npos)
                    problems.push_back(value(member, "name") + " belongs to no group");
        if (compound.kind != "namespace")
            for (const std::string& member : elements(compound.text, "memberdef"))
                check_member(compound, member, problems);
        check_links(compound.name, description(compound.text), problems);
    }
    return problems;
}

// Whether a program that calls this function takes it from libdcube, not from a header or another library.
bool is_in_library(const Compound& compound, const std::string& member)
{
    const std::string tag = member.substr(0, member.find('>'));
    const std::string name = value(member, "name");
    const std::string arguments = value(member, "argsstring");
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    const bool is_of_base = compound.is_type() && std::isupper(name[0]) && !compound.name.ends_with("::" + name);
    const bool is_in_header = has(tag, "inline=\"yes\"") || has(member, "<templateparamlist>") ||
                              value(member, "definition").starts_with("constexpr") || arguments.ends_with("=default") ||
                              is_of_base;
    const bool has_no_code = arguments.ends_with("=0") || arguments.ends_with("=delete");
    const bool is_elsewhere = has(member, "/mpi.hpp\"") || has(member, "/program.hpp\"");
    return tag.starts_with("<memberdef kind=\"function\"") && is_public(member) && !is_in_header && !has_no_code &&
           !is_elsewhere;
}

#ifdef DCUBE_SHARED_LIBRARY
// "dcube::Machine::run": the functions that the shared library exports, but for those that every user of a header
// compiles himself (weak ones), which depend on what a compiler inlines.
Names exported_functions()
{
    const Outcome outcome = dcube_program({"-D", "-C", "--defined-only", DCUBE_SHARED_LIBRARY}, {.program = {"nm"}});
    REQUIRE(outcome.exit_code == 0);
    const Words names = all_matches(outcome.out, std::regex(R"re( T ([^([\n]+(?:\(\)(?=\())?))re"));
    return {names.begin(), names.end()};
}

// Functions of the headers that the shared library does not export.
Names not_exported(const std::vector<Compound>& all)
{
    const Names exported = exported_functions();
    Names missing;
    for (const Compound& compound : all)
        for (const std::string& member : elements(compound.text, "memberdef"))
            if (const std::string name = value(member, "qualifiedname");
                is_in_library(compound, member) && !exported.contains(name))
                missing.insert(name);
    return missing;
}

// Exported functions that are neither documented nor called by the headers themselves, in functions that a user
// compiles: these call private ones, and some of detail.
Names not_needed(const std::vector<Compound>& all)
{
    Names known;
    for (const Compound& compound : all)
        for (const std::string& member : elements(compound.text, "memberdef"))
            if (is_public(member) && description(member).find("<para>") != std::string::npos)
                known.insert(member.starts_with("<memberdef kind=\"friend\"") ? "dcube::" + value(member, "name")
                                                                              : value(member, "qualifiedname"));
    std::map<std::string, int> named;  // "run(": how often
    for (const auto& file : fs::directory_iterator(top + "include/dcube"))
        for (const std::string& name : all_matches(read_text(file.path().string()), std::regex(R"re((\w+)\()re")))
            ++named[name];
    Names others = exported_functions();
    std::erase_if(others, [&](const std::string& one) {
        return known.contains(one) || one.ends_with("operator()") || named[one.substr(one.rfind(':') + 1)] > 1;
    });
    return others;
}
#endif

}  // namespace

TEST_CASE("reference: every public name is documented, in a group, with words and links that mean something",
          "[docs][needs][slow]")
{
    if (!on_path("doxygen"))
        return;
    const TemporaryFolder folder;
    const Outcome outcome = made(folder);
    CHECK(outcome.out == "");
    CHECK(outcome.err == "");
    REQUIRE(outcome.exit_code == 0);
    const std::vector<Compound> all = compounds(folder.file("made/xml"));
    CHECK(std::ranges::count(all, "group", &Compound::kind) >= 6);
    CHECK(problems_in(folder.file("made")) == Words());
#ifdef DCUBE_SHARED_LIBRARY
    CHECK(not_exported(all) == Names());
    CHECK(not_needed(all) == Names());
#endif

    const auto machine = std::ranges::find(all, "dcube::Machine", &Compound::name);
    REQUIRE(machine != all.end());
    CHECK(elements(machine->text, "memberdef").size() > 10);
    for (const Compound& compound : all)
        CHECK(
            (compound.kind != "group" || compound.name == "version" ||
             read_text(folder.file("made/" + compound.id + ".html")).find("class=\"fragment\"") != std::string::npos));
}

TEST_CASE("reference: every public header says what it is for, and puts its names into a group", "[docs]")
{
    for (const auto& file : fs::directory_iterator(top + "include/dcube")) {
        CAPTURE(file.path().string());
        const std::string text = read_text(file.path().string());
        CHECK(text.starts_with("#pragma once\n/// @file\n/// "));
        CHECK((text.find("/// @addtogroup ") != std::string::npos) == (file.path().filename() != "dcube.hpp"));
    }
}

TEST_CASE("reference: the same input gives the same pages", "[docs][needs][slow]")
{
    if (!on_path("doxygen"))
        return;
    const TemporaryFolder one;
    const TemporaryFolder other;
    REQUIRE(made(one).exit_code == 0);
    REQUIRE(made(other).exit_code == 0);
    for (const auto& file : fs::directory_iterator(one.file("made"))) {
        CAPTURE(file.path().filename().string());
        if (file.is_regular_file())
            CHECK(read_text(file.path().string()) == read_text(other.file("made/" + file.path().filename().string())));
    }
}

TEST_CASE("reference: what lacks a comment, a group or a name is found", "[docs][negative][needs][slow]")
{
    if (!on_path("doxygen"))
        return;
    const TemporaryFolder folder;
    const std::string from = folder.file("from");
    const auto said_of = [&](const std::string& code) {
        fs::remove_all(from);
        fs::create_directories(from);
        write_text(from + "/groups.dox", "/** @defgroup here Here\nAll. */\n/** @namespace dcube\nAll. */\n");
        write_text(from + "/one.hpp",
                   "#pragma once\n/// @file\n/// One.\nnamespace dcube {\n" + code + "\n}  // namespace dcube\n");
        const Outcome outcome = made(folder, from);
        Words said{outcome.err};
        if (outcome.exit_code == 0)
            said = problems_in(folder.file("made"));
        return said;
    };
    const auto in_group = [](const std::string& code) {
        return "/// @addtogroup here\n/// @{\n\n" + code + "\n\n/// @}\n";
    };
    const auto complaint = [&](const std::string& code) {
        const Words said = said_of(in_group(code));
        return said.empty() ? std::string() : said[0];
    };

    CHECK(said_of(in_group("/// Adds `a` to `b`.\nint sum(int a, int b);")) == Words());
#ifdef DCUBE_SHARED_LIBRARY
    CHECK(not_exported(compounds(folder.file("made/xml"))) == Names{"dcube::sum"});
    CHECK(not_needed(compounds(folder.file("made/xml"))).contains("dcube::version"));
#endif
    CHECK_THAT(complaint("int sum(int a, int b);"),
               Catch::Contains("sum(int a, int b)") && Catch::Contains("not documented"));
    CHECK_THAT(complaint("/// Adds.\n/// @param c no such\nint sum(int a, int b);"), Catch::Contains("argument 'c'"));
    CHECK(complaint("/// Adds `a` to `c`.\nint sum(int a, int b);") == "sum has no parameter `c`");
    CHECK(complaint("/// Colours.\nenum class Colour { red, ///< as blood\n blue };") ==
          "Colour::blue is not documented");
    CHECK(complaint("/// As less() does.\nint sum(int a, int b);") == "sum names less(), which is not found");
    CHECK(complaint("/// As Colour::green.\nint sum(int a, int b);") == "sum names Colour::green, which is not found");
    CHECK(said_of("/// Adds.\nint sum(int a, int b);") == Words{"sum belongs to no group"});
    CHECK(said_of("/// A sum.\nstruct Sum {};") == Words{"dcube::Sum belongs to no group"});
}
