#pragma once
// cli/files/interrupt.hpp where a program has one thread and no signals: its surroundings end it. Nothing is
// half-written then, because they give a file its name when it is whole.

#include <dcube/error.hpp>
#include <dcube/stop.hpp>

namespace dcube::cli {

class Interrupt {
public:
    [[nodiscard]] StopToken token() const { return source_.get_token(); }
    void settle() {}
    void check() const
    {
        if (source_.stop_requested())
            throw Interrupted();
    }

private:
    StopSource source_;
};

inline std::string_view interruption_text()
{
    return "interrupted";
}

}  // namespace dcube::cli
