#pragma once
// Peers made up of a few lines of shell, and what they are compared with.

#include "bench/peers/comparison.hpp"
#include "tests/support/process.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace dcube::test {

inline constexpr const char* checksum = "00000000000000aa";

// A folder with peers.
class MadeUp {
public:
    // The script can use $dim, $bytes, $repeat, $variant; each start leaves a line in the log.
    void add(const std::string& name, const std::string& script) const
    {
        const std::string file = folder_.file("peer-" + name);
        write_text(file, "#!/bin/sh\ndim=$2 bytes=$4 repeat=$6 variant=$8\necho \"$*\" >>'" + log(name) + "'\n" +
                             script + "\n");
        std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    }

    // One that prints a line in which `was` is replaced by `is`.
    void add_line(const std::string& name, const std::string& was = "", const std::string& is = "") const
    {
        std::string line = R"({\"peer\": \")" + name +
                           R"(\", \"variant\": \"$variant\", \"dim\": $dim, \"bytes\": $bytes, \"seconds\": [$times], )"
                           R"(\"verified\": true, \"checksum\": \"00000000000000aa\"})";
        if (const std::size_t at = line.find(was); !was.empty() && at != std::string::npos)
            line.replace(at, was.size(), is);
        add(name, "times=$(seq -s, $repeat | sed 's/[0-9]\\{1,\\}/0.002/g')\necho \"" + line + "\"");
    }

    [[nodiscard]] std::vector<std::string> starts(const std::string& name) const
    {
        return std::filesystem::exists(log(name)) ? lines_of(read_text(log(name))) : std::vector<std::string>();
    }

    [[nodiscard]] peers::Question question(const std::vector<std::string>& only) const
    {
        peers::Question question;
        question.size = {3, 16};
        question.repeat = 4;
        question.folder = folder_.file(".");
        question.only = only;
        question.memory = std::size_t{1} << 30;
        return question;
    }

    [[nodiscard]] std::string file(const std::string& name) const { return folder_.file(name); }

private:
    [[nodiscard]] std::string log(const std::string& name) const { return folder_.file(name + ".log"); }

    TemporaryFolder folder_;
};

inline std::vector<peers::OwnVariant> own()
{
    return {{"slots", [](std::size_t repeat) {
                 return peers::OwnVariant::Times{std::vector<double>(repeat, 0.001), checksum};
             }}};
}

}  // namespace dcube::test
