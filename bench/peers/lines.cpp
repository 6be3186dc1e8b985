#include "bench/peers/lines.hpp"

#include "base/json.hpp"

#include <dcube/error.hpp>

#include <fmt/format.h>

namespace peers {

Line parse_line(const std::string& text)
{
    try {
        const auto json = nlohmann::json::parse(text);
        Line line{json.at("peer").get<std::string>(),
                  json.at("variant").get<std::string>(),
                  json.at("dim").get<unsigned>(),
                  json.at("bytes").get<std::size_t>(),
                  json.at("seconds").get<std::vector<double>>(),
                  json.at("verified").get<bool>(),
                  json.at("checksum").get<std::string>()};
        if (line.seconds.empty())
            throw dcube::Error("it has no times");
        for (const double seconds : line.seconds)
            if (!(seconds > 0))
                throw dcube::Error(fmt::format("{} s is not a time", seconds));
        return line;
    } catch (const std::exception& error) {
        std::string reason = error.what();
        throw dcube::Error(
            fmt::format("not a line of a peer ({}): '{:.80}'", reason.substr(0, reason.find('\n')), text));
    }
}

}  // namespace peers
