#include "base/memo.hpp"

#include "base/threads.hpp"

#include <algorithm>
#include <atomic>
#include <list>

namespace dcube::detail {

namespace {

struct Entry {
    MemoTable::Pointer key;
    MemoTable::Pointer value;  // null while it is being made
};

std::atomic<unsigned> times_forgotten = 0;

}  // namespace

struct MemoTable::State {
    std::size_t most;
    Mutex mutex{};
    Condition changed{};
    std::list<Entry> entries{};  // oldest first
    unsigned forgotten = times_forgotten;

    static bool is_made(const Entry& entry) { return entry.value != nullptr; }

    void drop_forgotten()
    {
        if (forgotten != times_forgotten)
            entries.remove_if(is_made);
        forgotten = times_forgotten;
    }

    void drop_oldest()
    {
        while (static_cast<std::size_t>(std::ranges::count_if(entries, is_made)) > most)
            entries.erase(std::ranges::find_if(entries, is_made));
    }
};

MemoTable::MemoTable(std::size_t most) : state_(std::make_unique<State>(most)) {}

MemoTable::~MemoTable() = default;

MemoTable::Pointer MemoTable::get(const Pointer& key, const std::function<bool(const void*)>& is_key,
                                  const std::function<Pointer()>& make)
{
    State& state = *state_;
    Lock lock(state.mutex);
    state.drop_forgotten();
    const auto find = [&] {
        return std::ranges::find_if(state.entries, [&](const Entry& entry) { return is_key(entry.key.get()); });
    };
    for (auto known = find(); known != state.entries.end(); known = find()) {
        if (known->value)
            return known->value;
        state.changed.wait(lock);
    }

    const auto own = state.entries.insert(state.entries.end(), {key, nullptr});
    lock.unlock();
    Pointer value;
    try {
        value = make();
    } catch (...) {
        lock.lock();
        state.entries.erase(own);
        state.changed.notify_all();
        throw;
    }
    lock.lock();
    own->value = value;
    state.drop_oldest();
    state.changed.notify_all();
    return value;
}

void forget_memos()
{
    ++times_forgotten;
}

}  // namespace dcube::detail
