// dcube_gallery [--home LINK] ROOT DIR: makes pages for a browser in the folder DIR, of the lessons in the source tree
// ROOT. The films are made by the program dcube, as a reader would make them. Where they are part of a site, LINK leads
// from their index to its first page. dcube_gallery --exercises ROOT DIR: the exercises of all lessons as two pages to
// print, one with their solutions.

#include "web/lessons/gallery/files.hpp"
#include "web/lessons/gallery/pages.hpp"
#include "web/lessons/gallery/shorter.hpp"

#include <dcube/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <sys/wait.h>
#include <utility>
#include <vector>

using namespace dcube;
using namespace dcube::gallery;
namespace fs = std::filesystem;

namespace {

// `dcube view` and `dcube compare`, run in the source tree, where the lessons' files are found.
class Viewer {
public:
    Viewer(std::string program, fs::path root, const fs::path& folder)
        : program_(std::move(program)), root_(std::move(root)), file_(folder / ".film"), log_(folder / ".log")
    {
    }
    ~Viewer()
    {
        fs::remove(file_);
        fs::remove(log_);
    }
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    [[nodiscard]] std::string document(const std::string& arguments) const
    {
        return between(view(arguments + " --html"), "id=\"view-0\">", "</script>");
    }

    [[nodiscard]] std::string comparison(const std::string& arguments) const
    {
        const std::string words = "compare " + arguments + " --format csv";
        return written_by(words, " >" + quoted(file_.string()) + " 2>" + quoted(log_.string()));
    }

    [[nodiscard]] std::string trace(const std::string& arguments) const
    {
        return written_by("run " + arguments + " --trace",
                          ' ' + quoted(file_.string()) + " >" + quoted(log_.string()) + " 2>&1");
    }

    [[nodiscard]] std::string request(const std::string& arguments) const
    {
        return request_of(
            arguments,
            [&](const std::string& words) {
                return written_by(words, " >" + quoted(file_.string()) + " 2>" + quoted(log_.string()));
            },
            [&](const std::string& file) { return read_file(root_ / file); });
    }

    /// The lab, and its script for the lessons; false: there is no module, and `why` says so.
    [[nodiscard]] bool make_lab(const fs::path& folder, std::string& why) const
    {
        const fs::path page = folder / "lab.html";
        const fs::path script = folder / "lab.js";
        const std::string line = quoted(program_) + " lab --html " + quoted(page.string()) + " --script " +
                                 quoted(script.string()) + " >" + quoted(log_.string()) + " 2>&1";
        if (std::system(line.c_str()) == 0)  // NOLINT(concurrency-mt-unsafe): this program has one thread
            return true;
        why = read_file(log_);
        fs::remove(page);
        fs::remove(script);
        return false;
    }

    [[nodiscard]] std::string figure(const View& shown, Captions captions) const
    {
        const auto told = [&](const char* key, const char* option) {
            const auto found = shown.state.find(key);
            return found == shown.state.end() ? "" : std::string(option) + found->second;
        };
        const std::string time = told("time", " --at ");
        return shorter(view(shown.arguments + (time.empty() ? told("step", " --at ") : time + "ns") +
                            told("show", " --origin ") + (captions == Captions::none ? " --no-legend" : "") +
                            " --svg"));
    }

private:
    // The output of the command, which writes to the file that is named last. It fails for traces that break a rule,
    // and plays them.
    [[nodiscard]] std::string view(const std::string& arguments) const
    {
        return written_by("view " + arguments, ' ' + quoted(file_.string()) + " >" + quoted(log_.string()) + " 2>&1");
    }

    [[nodiscard]] std::string written_by(const std::string& words, const std::string& outputs) const
    {
        fs::remove(file_);
        const std::string line = "cd " + quoted(root_.string()) + " && " + quoted(program_) + " " + words + outputs;
        const int status = std::system(line.c_str());  // NOLINT(concurrency-mt-unsafe): this program has one thread
        if (!WIFEXITED(status) || WEXITSTATUS(status) > 1 || !fs::exists(file_))
            throw InvalidArgument("dcube " + words + " says: " + read_file(log_));
        return read_file(file_);
    }

    std::string program_;
    fs::path root_;
    fs::path file_;
    fs::path log_;
};

void make_gallery(const fs::path& root, const fs::path& folder, const std::string& home)
{
    const std::vector<Lesson> lessons = read_lessons(root / "web/lessons");
    const std::string player = read_file(root / "web/page/dist/viewer.html");
    fs::create_directories(folder);
    const Viewer viewer(DCUBE_PROGRAM, root, fs::absolute(folder));
    std::map<std::string, std::string> documents;  // by their arguments: lessons share some
    const Films films{.document =
                          [&](const std::string& arguments) {
                              const auto [place, is_new] = documents.try_emplace(arguments);
                              if (is_new)
                                  place->second = viewer.document(arguments);
                              return place->second;
                          },
                      .figure = [&](const View& view, Captions captions) { return viewer.figure(view, captions); },
                      .comparison = [&](const std::string& arguments) { return viewer.comparison(arguments); },
                      .trace = [&](const std::string& arguments) { return viewer.trace(arguments); },
                      .request = [&](const std::string& arguments) { return viewer.request(arguments); }};
    for (const Lesson& lesson : lessons) {
        const std::string page = lesson_page(lesson, lessons, player, films, home);
        write_file(folder / (lesson.name + ".html"), page);
        if (page.size() >= most_page_bytes)
            throw InvalidArgument(lesson.name + ".html has " + std::to_string(page.size()) + " bytes, and " +
                                  std::to_string(most_page_bytes) + " are the most: mark values of its sliders with +");
    }
    write_file(folder / "index.html", index_page(lessons, player, films, home));
    if (std::string why; !viewer.make_lab(folder, why))
        std::fprintf(stderr, "dcube: the lessons are complete but for running dcube in them: %s", why.c_str());
}

void make_sheets(const fs::path& root, const fs::path& folder)
{
    const std::vector<Lesson> lessons = read_lessons(root / "web/lessons");
    fs::create_directories(folder);
    for (const auto& [file, solutions] :
         {std::pair{"exercises.html", Solutions::none}, std::pair{"solutions.html", Solutions::below}}) {
        write_file(folder / file, exercises_page(lessons, solutions));
        std::printf("%s\n", (folder / file).c_str());
    }
}

}  // namespace

int main(int count, char** words)
{
    std::vector<std::string> arguments(words + 1, words + count);
    const bool sheets = !arguments.empty() && arguments.front() == "--exercises";
    const bool has_home = arguments.size() > 1 && arguments.front() == "--home";
    const std::string home = has_home ? arguments[1] : "";
    arguments.erase(arguments.begin(), arguments.begin() + (sheets ? 1 : has_home ? 2 : 0));
    if (arguments.size() != 2) {
        std::fputs("usage: dcube_gallery [--exercises | --home LINK] ROOT DIR\n", stderr);
        return 2;
    }
    try {
        if (sheets) {
            make_sheets(arguments[0], arguments[1]);
            return 0;
        }
        make_gallery(arguments[0], arguments[1], home);
        std::printf("%s\n", (fs::path(arguments[1]) / "index.html").c_str());
        return 0;
    } catch (const std::exception& wrong) {  // also the file system's errors
        std::fprintf(stderr, "dcube: %s\n", wrong.what());
        return 2;
    }
}
