// Command lines, one after the other, in one launch: rank_lines FILE executes those of the file. Before each, the line
// stands on standard output; behind it, its exit code.

#include "cli/output.hpp"
#include "cli/program.hpp"
#include "cli/ranks.hpp"

#include <exception>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace {

using namespace dcube::cli;

int execute_line(const std::string& line)
{
    std::istringstream stream("dcube " + line);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(word);
    std::vector<const char*> pointers;
    for (const std::string& word : words)
        pointers.push_back(word.c_str());
    pointers.push_back(nullptr);
    print("$ " + line + "\n");
    const End end = execute(static_cast<int>(words.size()), pointers.data(), [] {});
    print((end.why.empty() ? "" : "dcube: " + end.why + "\n") + "exit " + std::to_string(end.code) + "\n");
    return end.code;
}

void execute_all(const char* file)
{
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);)
        execute_line(line);
}

}  // namespace

int main(int argc, char** argv)
{
    Ranks ranks;
    int code = 0;
    try {
        ranks.find(argc, argv);
        execute_all(argv[1]);
    } catch (const std::exception& error) {
        complain(error.what());
        code = 1;
    }
    return ranks.leave(code, "");
}
