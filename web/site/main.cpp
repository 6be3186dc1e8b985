// dcube_site --claim DIR: makes the folder DIR for a site, or refuses to write to it.
// dcube_site [--lessons DIR] [--reference DIR] ROOT DIR: makes the site of the documents in the source tree ROOT in the
// folder DIR, with copies of the lessons' pages and of Doxygen's.

#include "web/lessons/gallery/files.hpp"
#include "web/site/site.hpp"

#include <dcube/error.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

namespace fs = std::filesystem;

namespace {

constexpr const char* usage =
    "usage: dcube_site [--lessons DIR] [--reference DIR] ROOT DIR\n       dcube_site --claim DIR\n";

void write_page(const std::string& arguments, const fs::path& file)
{
    using dcube::gallery::quoted;
    const fs::path log = file.string() + ".log";
    const std::string line = quoted(DCUBE_PROGRAM) + " " + arguments + " --html " + quoted(file.string()) + " >" +
                             quoted(log.string()) + " 2>&1";
    const bool failed = std::system(line.c_str()) != 0;  // NOLINT(concurrency-mt-unsafe): this program has one thread
    const std::string said = dcube::gallery::read_file(log);
    fs::remove(log);
    if (failed)
        throw dcube::InvalidArgument("dcube " + arguments + " says: " + said);
}

int make(std::vector<std::string> words)
{
    dcube::site::Parts parts{.write_page = write_page};
    while (words.size() > 2 && (words[0] == "--lessons" || words[0] == "--reference")) {
        (words[0] == "--lessons" ? parts.lessons : parts.reference) = words[1];
        words.erase(words.begin(), words.begin() + 2);
    }
    if (words.size() != 2) {
        std::fputs(usage, stderr);
        return 2;
    }
    if (words[0] == "--claim") {
        dcube::site::claim_folder(words[1]);
        return 0;
    }
    dcube::site::make_site(words[0], words[1], parts);
    std::printf("%s\n", (fs::path(words[1]) / "index.html").c_str());
    return 0;
}

}  // namespace

int main(int count, char** words)
{
    try {
        return make({words + 1, words + count});
    } catch (const std::exception& wrong) {  // also the file system's errors
        std::fprintf(stderr, "dcube: %s\n", wrong.what());
        return 2;
    }
}
