#pragma once
// A word of plain memory that is read and written as an atomic one.

#include <atomic>
#include <cstdint>

namespace dcube::detail {

// std::atomic_ref for words, which libc++ has from version 19 on; by the compiler's atomics.
class OwnAtomicWord {
public:
    [[gnu::always_inline]] explicit OwnAtomicWord(std::uint64_t& word) : word_(word) {}

    [[nodiscard, gnu::always_inline]] std::uint64_t load(std::memory_order order) const
    {
        return __atomic_load_n(&word_, static_cast<int>(order));
    }
    [[gnu::always_inline]] void store(std::uint64_t value, std::memory_order order) const
    {
        __atomic_store_n(&word_, value, static_cast<int>(order));
    }
    // `expected` becomes what was found. Only for orders that a load may have.
    bool compare_exchange_strong(std::uint64_t& expected, std::uint64_t wanted, std::memory_order order) const
    {
        return __atomic_compare_exchange_n(&word_, &expected, wanted, false, static_cast<int>(order),
                                           static_cast<int>(order));
    }

private:
    std::uint64_t& word_;
};

#ifdef __cpp_lib_atomic_ref
using AtomicWord = std::atomic_ref<std::uint64_t>;
#else
using AtomicWord = OwnAtomicWord;
#endif

}  // namespace dcube::detail
