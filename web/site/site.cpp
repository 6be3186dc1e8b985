#include "web/site/site.hpp"

#include "web/lessons/gallery/files.hpp"
#include "web/lessons/gallery/lesson.hpp"
#include "web/lessons/gallery/pages.hpp"
#include "web/site/article.hpp"
#include "web/site/contents.hpp"
#include "web/site/frame.hpp"
#include "web/site/index.hpp"
#include "web/site/reference.hpp"

#include <dcube/error.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

namespace dcube::site {

namespace {

namespace fs = std::filesystem;
using gallery::read_file;
using gallery::write_file;

constexpr const char* tag_file = "dcube.tag";

bool is_ours(const fs::path& page)
{
    return fs::is_regular_file(page) && read_file(page).find(made_by_mark) != std::string::npos;
}

// A page that was there before and is no page any more.
void remove_other_pages(const fs::path& folder)
{
    std::set<std::string_view> files;
    for (const Page& page : contents())
        files.insert(page.file);
    std::vector<fs::path> others;
    for (const auto& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".html" && !files.contains(entry.path().filename().string()) &&
            is_ours(entry.path()))
            others.push_back(entry.path());
    for (const fs::path& other : others)
        fs::remove(other);
}

// As it is in `from`; empty: it is not there.
void replace_folder(const fs::path& folder, const fs::path& from)
{
    fs::remove_all(folder);
    if (!from.empty())
        fs::copy(from, folder, fs::copy_options::recursive);
}

void write_pages_of_commands(const fs::path& folder, const Parts& parts)
{
    fs::remove_all(folder / "pages");
    for (const Page& page : contents())
        if (!page.command.empty() && parts.write_page) {
            fs::create_directories((folder / page.file).parent_path());
            parts.write_page(std::string(page.command), folder / page.file);
        }
}

// Colours are those of all pages.
std::string style(const fs::path& root)
{
    const std::string colours = read_file(root / "web/page/src/style.css");
    const std::string light = gallery::between(colours, ":root {", "}");
    const std::string dark = gallery::between(colours, ":root[data-theme=\"dark\"] {", "}");
    return ":root {" + light + "}\n@media screen { :root[data-theme=\"dark\"] {" + dark +
           "} }\n@media screen and (prefers-color-scheme: dark) { :root:not([data-theme]) {" + dark + "} }\n" +
           read_file(root / "web/site/bar.css") + read_file(root / "web/site/site.css");
}

void copy_pictures(const fs::path& root, const fs::path& folder, const std::set<std::string>& pictures)
{
    fs::remove_all(folder);
    fs::create_directories(folder);
    for (const std::string& picture : pictures)
        fs::copy_file(root / picture, folder / fs::path(picture).filename());
}

// Doxygen's tag file also lists what its pages leave out.
std::vector<Name> names_in(const fs::path& reference)
{
    std::map<std::string, std::string> pages;
    std::vector<Name> shown;
    for (const Name& name : names_of(read_file(reference / tag_file))) {
        const std::size_t hash = std::min(name.address.find('#'), name.address.size());
        const std::string file = name.address.substr(0, hash);
        if (!fs::exists(reference / file))
            continue;
        const auto [page, is_new] = pages.try_emplace(file);
        if (is_new)
            page->second = read_file(reference / file);
        if (hash == name.address.size() ||
            page->second.find("id=\"" + name.address.substr(hash + 1) + "\"") != std::string::npos)
            shown.push_back(name);
    }
    return shown;
}

Article read_article(const fs::path& root, const Page& page, const std::function<bool(const Page&)>& exists)
{
    const std::string text = read_file(root / page.source);
    return page.source.ends_with(".md") ? article_of(page, text, exists) : plain_article(page, text);
}

}  // namespace

void claim_folder(const fs::path& folder)
{
    if (fs::exists(folder) && (!fs::is_directory(folder) || (!fs::is_empty(folder) && !is_ours(folder / "index.html"))))
        throw InvalidArgument(folder.string() + " is not empty and holds no site of dcube: name another folder");
    fs::create_directories(folder);
    if (!fs::exists(folder / "index.html"))
        write_file(folder / "index.html", std::string(made_by_mark) + "\nThis site is not complete.\n");
}

void make_site(const fs::path& root, const fs::path& folder, const Parts& parts)
{
    claim_folder(folder);
    remove_other_pages(folder);
    replace_folder(folder / "lessons", parts.lessons);
    replace_folder(folder / "reference", parts.reference);
    write_pages_of_commands(folder, parts);

    const auto exists = [&](const Page& page) {
        return is_document(page) ? fs::exists(root / page.source) : fs::exists(folder / page.file);
    };
    std::vector<const Page*> pages;
    for (const Page& page : contents())
        if (exists(page))
            pages.push_back(&page);

    std::vector<Indexed> index;
    std::set<std::string> pictures;
    for (const Page* const page : pages) {
        if (!is_document(*page))
            continue;
        const Article article = read_article(root, *page, exists);
        write_file(folder / page->file, framed(*page, article, pages));
        index.push_back(indexed(*page, article));
        pictures.insert(article.pictures.begin(), article.pictures.end());
    }
    copy_pictures(root, folder / "pictures", pictures);
    if (!parts.lessons.empty())
        for (const gallery::Lesson& lesson : gallery::read_lessons(root / "web/lessons"))
            index.push_back(indexed(lesson));
    if (fs::exists(folder / "reference" / tag_file))
        index.push_back(indexed(names_in(folder / "reference")));
    write_file(folder / "search.js", search_script(index));
    write_file(folder / "site.js", read_file(root / "web/site/theme.js") + read_file(root / "web/site/site.js"));
    write_file(folder / "site.css", style(root));
}

}  // namespace dcube::site
