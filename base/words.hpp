#pragma once
// Words of a text, with their lines: numbers as people list them.

#include "base/lines.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace dcube {

/// Text cut into words, which white space and `separator` end; lines are counted, and comments, which # begins, passed
/// over.
class Words {
public:
    explicit Words(std::string_view text, char separator = ' ')
        : text_(without_byte_order_mark(text)), separator_(separator)
    {
    }

    /// The next word; empty at the end.
    std::string_view next()
    {
        while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '#'))
            skip();
        const std::size_t begin = at_;
        while (at_ < text_.size() && !is_space(text_[at_]) && text_[at_] != '#')
            ++at_;
        return text_.substr(begin, at_ - begin);
    }

    [[nodiscard]] std::size_t line() const { return line_; }

private:
    [[nodiscard]] bool is_space(char c) const { return c == ' ' || c == separator_ || (c >= '\t' && c <= '\r'); }

    void skip()
    {
        if (text_[at_] == '#')
            at_ = std::min(text_.find('\n', at_), text_.size());
        else if (text_[at_++] == '\n')
            ++line_;
    }

    std::string_view text_;
    char separator_;
    std::size_t at_ = 0;
    std::size_t line_ = 1;
};

}  // namespace dcube
