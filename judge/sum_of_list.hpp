#pragma once
// The value of "sum_of": ids and ranges of nodes, [0,3,[5,7]], as it is read. What is wrong is said in one line.

#include <dcube/contributors.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace dcube {

class SumOfList {
public:
    void begin();
    [[nodiscard]] bool in_range() const { return in_range_; }

    /// Each returns what is wrong, or nothing.
    std::string begin_range();
    std::string number(std::uint64_t number);
    std::string end_range();
    /// Stores what was listed, in whatever order. No node may be listed twice.
    std::string end(std::shared_ptr<const Contributors>& nodes);

    /// Something else stands in the list.
    static std::string wrong(std::string_view what);

private:
    std::vector<Contributors::Range> ranges_;
    bool in_range_ = false;
    unsigned numbers_ = 0;  // of the range that is read
};

}  // namespace dcube
