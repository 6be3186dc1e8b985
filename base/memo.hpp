#pragma once
// Memo: results that take long to find, kept for the next time they are asked for. Thread-safe.

#include <cstddef>
#include <functional>
#include <memory>

namespace dcube::detail {

// The part of Memo that does not depend on its types. The lock is in memo.cpp, so that users do not include it.
class MemoTable {
public:
    using Pointer = std::shared_ptr<const void>;

    explicit MemoTable(std::size_t most);
    ~MemoTable();
    MemoTable(const MemoTable&) = delete;
    MemoTable& operator=(const MemoTable&) = delete;

    // The value whose key `is_key` recognises, else what make() returns, kept under `key`.
    Pointer get(const Pointer& key, const std::function<bool(const void*)>& is_key,
                const std::function<Pointer()>& make);

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Drops all kept values, so that each is made anew when it is next asked for: for tests of what else is kept.
void forget_memos();

template <class Key, class Value>
class Memo {
public:
    // Keeps as many values as that, and drops the oldest.
    explicit Memo(std::size_t most) : table_(most) {}

    // The value for an equal key, else what make() returns. Callers that ask for the same key wait while the value is
    // made; other callers do not. An exception from make() is rethrown to the caller that ran it; one of the waiting
    // callers makes the value next.
    template <class Make>
    std::shared_ptr<const Value> get(const Key& key, const Make& make)
    {
        const auto is_key = [&](const void* known) { return *static_cast<const Key*>(known) == key; };
        const auto made = [&]() -> MemoTable::Pointer { return std::make_shared<const Value>(make()); };
        return std::static_pointer_cast<const Value>(table_.get(std::make_shared<const Key>(key), is_key, made));
    }

private:
    MemoTable table_;
};

}  // namespace dcube::detail
