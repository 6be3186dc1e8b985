// Workers without threads: none are lent, the caller's is the only one.

#include "emu/workers.hpp"

namespace dcube::detail {

namespace {

class Nobody final : public Workers {
public:
    [[nodiscard]] unsigned most() const override { return 1; }
    void begin(unsigned, const std::function<void()>&) override {}
    void end() override {}
};

}  // namespace

std::shared_ptr<Workers> borrow_workers(unsigned)
{
    return std::make_shared<Nobody>();
}

}  // namespace dcube::detail
