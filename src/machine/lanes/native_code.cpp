// Straight-line code as machine code, made at run time: AVX-512 with its three-input logic instruction, or AVX2.
//
// No jumps, no calls: a prologue-free function of loads, logic and stores. Inputs are read from memory where they are
// used, as operands of the logic where possible, and kept in a register while one is free.
#include "machine/lanes/code.h"

#if defined(STRATAGEM_NATIVE_LANES)

#include <asmjit/x86.h>

#include "machine/lanes/registers.h"
#include "machine/lanes/two_input.h"

namespace stratagem::machine::lanes {

namespace {

namespace x86 = asmjit::x86;

using Function = void (*)(const void* state, void* next, const void* random, void* results, void* scratch,
                          const void* ones);
using Kind = PlainOperation::Kind;

// One runtime for all code of the process: it owns the executable memory and is safe to use from several threads.
asmjit::JitRuntime& runtime() {
    static asmjit::JitRuntime instance;
    return instance;
}

// False in hardened environments: memory that was written may not be executed there.
bool may_make_code() {
    static const bool allowed = [] {
        asmjit::CodeHolder code;
        code.init(runtime().environment());
        x86::Assembler assembler(&code);
        assembler.ret();
        void (*function)() = nullptr;
        if (runtime().add(&function, &code) != asmjit::kErrorOk) return false;
        runtime().release(function);
        return true;
    }();
    return allowed;
}

class NativeCode final : public Code {
  public:
    NativeCode(Function function, std::size_t passes, std::size_t scratch_bytes, std::size_t size)
        : function_(function), passes_(passes), scratch_bytes_(scratch_bytes), size_(size) {}
    ~NativeCode() override { runtime().release(function_); }
    NativeCode(const NativeCode&) = delete;
    NativeCode& operator=(const NativeCode&) = delete;

    void run(const Frame& frame) const override {
        const std::size_t words = row_words / passes_;
        for (std::size_t word = 0; word < row_words; word += words) {
            function_(frame.state->words.data() + word, frame.next->words.data() + word,
                      frame.random->words.data() + word, frame.results->words.data() + word, frame.scratch, &all_lanes);
        }
    }
    std::size_t scratch_rows() const override { return (scratch_bytes_ + sizeof(Row) - 1) / sizeof(Row); }
    std::size_t size() const override { return size_; }

  private:
    Function function_;
    std::size_t passes_;
    std::size_t scratch_bytes_;
    std::size_t size_;
};

// Times of all uses: operation i at 2i + 1, stores before it at 2i.
template <typename Line, typename InputsOf>
void collect_uses(Uses& uses, const Line& line, InputsOf&& inputs_of) {
    for (const auto& operation : line.operations) {
        for (const Value value : inputs_of(operation)) uses.count(value);
    }
    for (const Store& store : line.stores) uses.count(store.value);
    uses.seal();
    std::size_t store = 0;
    for (std::uint32_t i = 0;; ++i) {
        for (; store < line.stores.size() && line.stores[store].after == i; ++store) {
            uses.add(line.stores[store].value, 2 * i);
        }
        if (i == line.operations.size()) break;
        for (const Value value : inputs_of(line.operations[i])) uses.add(value, 2 * i + 1);
    }
    uses.rewind();
}

// What both instruction sets share: where values are, and moving them there.
class Emitter {
  public:
    Emitter(bool wide, std::uint32_t input_count, std::size_t operation_count, const Binding& binding,
            std::span<const Store> stores, std::span<const std::pair<std::uint32_t, bool>> constants)
        : wide_(wide),
          input_count_(input_count),
          binding_(binding),
          stores_(stores),
          constants_(constants),
          uses_(input_count + operation_count),
          memory_(input_count + operation_count) {
        code_.init(runtime().environment());
        code_.attach(&assembler_);
        for (Value i = 0; i < input_count; ++i) memory_[i] = row(binding.inputs[i]);
    }

  protected:
    // Calls emit_one(i) for each operation, with the stores in between.
    template <typename Line, typename InputsOf, typename EmitOne>
    std::unique_ptr<const Code> emit_line(const Line& line, InputsOf&& inputs_of, EmitOne&& emit_one) {
        collect_uses(uses_, line, inputs_of);
        make_registers();
        for (std::uint32_t i = 0; i < line.operations.size(); ++i) {
            store_before(i);
            emit_one(i);
        }
        store_before(static_cast<std::uint32_t>(line.operations.size()));
        store_constants();
        return finish();
    }

    std::unique_ptr<const Code> finish() {
        assembler_.vzeroupper();
        assembler_.ret();
        if (failed_) return nullptr;
        Function function = nullptr;
        if (runtime().add(&function, &code_) != asmjit::kErrorOk) return nullptr;
        return std::make_unique<NativeCode>(function, wide_ ? 1 : 2, slots_ * row_bytes(), instructions_);
    }

    std::size_t row_bytes() const { return wide_ ? 64 : 32; }
    std::uint32_t register_count() const { return wide_ ? 32 : 16; }
    x86::Mem row(RowName name) const {
        const auto offset = static_cast<std::int32_t>(name.number * sizeof(Row));
        switch (name.place) {
            case Place::state:
                return memory(x86::rdi, offset);
            case Place::next:
                return memory(x86::rsi, offset);
            case Place::random:
                return memory(x86::rdx, offset);
            default:
                return memory(x86::rcx, offset);
        }
    }
    x86::Mem memory(const x86::Gp& base, std::int32_t offset) const {
        return wide_ ? x86::zmmword_ptr(base, offset) : x86::ymmword_ptr(base, offset);
    }
    x86::Mem slot(std::uint32_t number) const {
        return memory(x86::r8, static_cast<std::int32_t>(number * row_bytes()));
    }

    bool in_memory(Value value) const { return memory_[value].hasBase(); }

    void check(asmjit::Error error) {
        ++instructions_;
        failed_ = failed_ || error != asmjit::kErrorOk;
    }
    void load(Register to, const x86::Mem& from) {
        check(wide_ ? assembler_.vmovdqa64(x86::Zmm(to), from) : assembler_.vmovdqa(x86::Ymm(to), from));
    }
    void save(const x86::Mem& to, Register from) {
        check(wide_ ? assembler_.vmovdqa64(to, x86::Zmm(from)) : assembler_.vmovdqa(to, x86::Ymm(from)));
    }

    void spill(Value value, Register from) {
        std::uint32_t number = slots_;
        if (free_slots_.empty()) {
            ++slots_;
        } else {
            number = free_slots_.back();
            free_slots_.pop_back();
        }
        memory_[value] = slot(number);
        spilled_.resize(memory_.size(), UINT32_MAX);
        spilled_[value] = number;
        save(memory_[value], from);
    }

    void make_registers() {
        registers_ = std::make_unique<Registers>(
            register_count(), memory_.size(), uses_, [this](Value value) { return in_memory(value); },
            [this](Value value, Register from) { spill(value, from); });
    }

    // The value in a register; loads it if necessary.
    Register in_register(Value value, std::span<const Value> kept, std::uint32_t now) {
        if (const Register known = registers_->of(value); known != no_register) return known;
        const Register place = registers_->take(value, kept, now);
        load(place, memory_[value]);
        return place;
    }

    // Forgets values that are not needed any more.
    void done_with(Value value, std::uint32_t time) {
        uses_.pass(value, time);
        if (uses_.next(value) != Uses::not_again) return;
        registers_->release(value);
        if (value < spilled_.size() && spilled_[value] != UINT32_MAX) {
            free_slots_.push_back(spilled_[value]);
            spilled_[value] = UINT32_MAX;
        }
    }

    // Stores that are due before operation i.
    void store_before(std::uint32_t i) {
        for (; store_ < stores_.size() && stores_[store_].after == i; ++store_) {
            const Store& store = stores_[store_];
            const std::array kept{store.value};
            const Register from = in_register(store.value, kept, 2 * i);
            const x86::Mem to = row(binding_.outputs[store.output]);
            save(to, from);
            // From now on it can be read back from there.
            if (!in_memory(store.value)) memory_[store.value] = to;
            done_with(store.value, 2 * i);
        }
    }

    void store_constants() {
        if (constants_.empty()) return;
        for (const bool wanted : {false, true}) {
            if (wide_) {
                check(assembler_.vpternlogd(x86::zmm0, x86::zmm0, x86::zmm0, wanted ? 0xFF : 0x00));
            } else if (wanted) {
                check(assembler_.vpcmpeqd(x86::ymm0, x86::ymm0, x86::ymm0));
            } else {
                check(assembler_.vpxor(x86::ymm0, x86::ymm0, x86::ymm0));
            }
            for (const auto& [output, value] : constants_) {
                if (value == wanted) save(row(binding_.outputs[output]), 0);
            }
        }
    }

    bool wide_;
    std::uint32_t input_count_;
    const Binding& binding_;
    std::span<const Store> stores_;
    std::span<const std::pair<std::uint32_t, bool>> constants_;
    Uses uses_;
    std::vector<x86::Mem> memory_;        // by value: where it is in memory, if it is
    std::vector<std::uint32_t> spilled_;  // by value: its slot
    std::vector<std::uint32_t> free_slots_;
    std::uint32_t slots_ = 0;
    std::size_t store_ = 0;
    std::size_t instructions_ = 0;
    bool failed_ = false;
    std::unique_ptr<Registers> registers_;
    asmjit::CodeHolder code_;
    x86::Assembler assembler_;
};

class Avx512Emitter final : public Emitter {
  public:
    Avx512Emitter(const StraightLine& line, const Binding& binding)
        : Emitter(true, line.input_count, line.operations.size(), binding, line.stores, line.constants), line_(line) {}

    std::unique_ptr<const Code> emit() {
        return emit_line(line_, inputs_of, [this](std::uint32_t i) { emit(i, line_.operations[i]); });
    }

  private:
    static std::span<const Value> inputs_of(const Operation& operation) {
        return std::span(operation.inputs).first(operation.arity);
    }

    // The immediate of vpternlog: bit (first << 2 | second << 1 | third), for inputs in the given order.
    static std::uint32_t immediate(const Operation& operation, std::array<unsigned, 3> order) {
        std::uint32_t result = 0;
        for (unsigned row = 0; row < 8; ++row) {
            unsigned index = 0;
            for (unsigned i = 0; i < 3; ++i) {
                if (order[i] < 3 && (row >> (2 - i) & 1U) != 0) index |= 1U << order[i];
            }
            result |= (operation.table >> index & 1U) << row;
        }
        return result;
    }

    void emit(std::uint32_t i, const Operation& operation) {
        const std::uint32_t time = 2 * i + 1;
        const Value result = input_count_ + i;
        const auto inputs = inputs_of(operation);
        for (const Value value : inputs) uses_.pass(value, time);
        // One operand may come from memory, as the last one, at no cost. Others that are in memory must be loaded:
        // those that are needed again soonest, so that the load serves twice.
        unsigned last = 3;
        unsigned first = 3;
        for (unsigned k = 0; k < inputs.size(); ++k) {
            if (registers_->of(inputs[k]) != no_register) {
                // Overwritten by the result: suits a value that is not needed any more.
                if (uses_.next(inputs[k]) == Uses::not_again) first = k;
            } else if (last == 3 || uses_.next(inputs[k]) > uses_.next(inputs[last])) {
                last = k;
            }
        }
        unsigned loaded = 3;  // straight into the result
        for (unsigned k = 0; k < inputs.size(); ++k) {
            if (k == last || registers_->of(inputs[k]) != no_register) continue;
            if (first == 3 && loaded == 3 && uses_.next(inputs[k]) == Uses::not_again) {
                loaded = k;
            } else {
                in_register(inputs[k], inputs, time);
                if (first == 3 && uses_.next(inputs[k]) == Uses::not_again) first = k;
            }
        }
        std::array<unsigned, 3> order{3, 3, 3};
        if (loaded != 3) {
            first = loaded;
        } else if (inputs.size() == 3 && first == 3 && last != 3) {
            // Nothing to overwrite: read the one from memory into the result, and use that up.
            first = last;
            last = 3;
        } else if (inputs.size() < 3) {
            first = 3;
        }
        Register target = no_register;
        unsigned in_target = 3;  // the operand that is in the register of the result
        if (first != 3 && registers_->of(inputs[first]) != no_register) {
            target = registers_->of(inputs[first]);
            registers_->hand_over(inputs[first], result);
            in_target = first;
        } else {
            target = registers_->take(result, inputs, time);
            in_target = first;
            if (first != 3) {
                load(target, memory_[inputs[first]]);
            } else if (inputs.size() == 3) {
                first = last == 0 ? 1 : 0;
                in_target = first;
                check(assembler_.vmovdqa64(x86::Zmm(target), x86::Zmm(registers_->of(inputs[first]))));
            }
        }
        // An operation of fewer inputs does not look at the first operand, or at the first two.
        const auto in = [&](unsigned k) { return x86::Zmm(k == in_target ? target : registers_->of(inputs[k])); };
        unsigned place = 3 - static_cast<unsigned>(inputs.size());
        if (inputs.size() == 3) order[place++] = first;
        for (unsigned k = 0; k < inputs.size(); ++k) {
            if (k != last && (k != first || inputs.size() < 3)) order[place++] = k;
        }
        if (last != 3) order[2] = last;
        const std::uint32_t table = immediate(operation, order);
        const x86::Zmm to(target);
        const x86::Zmm second = order[1] < 3 ? in(order[1]) : to;
        if (last != 3) {
            check(assembler_.vpternlogq(to, second, memory_[inputs[last]], table));
        } else {
            check(assembler_.vpternlogq(to, second, in(order[2]), table));
        }
        for (const Value value : inputs) done_with(value, time);
        if (uses_.next(result) == Uses::not_again) registers_->release(result);
    }

    const StraightLine& line_;
};

class Avx2Emitter final : public Emitter {
  public:
    Avx2Emitter(const PlainLine& line, const Binding& binding)
        : Emitter(false, line.input_count, line.operations.size(), binding, line.stores, line.constants), line_(line) {}

    std::unique_ptr<const Code> emit() {
        return emit_line(line_, inputs_of, [this](std::uint32_t i) { emit(i, line_.operations[i]); });
    }

  private:
    static std::array<Value, 2> inputs_of(const PlainOperation& operation) { return {operation.a, operation.b}; }

    void emit(std::uint32_t i, const PlainOperation& operation) {
        const std::uint32_t time = 2 * i + 1;
        const Value result = input_count_ + i;
        const std::array<Value, 2> inputs = inputs_of(operation);
        Value a = operation.a;
        Value b = operation.b;
        // The second operand may come from memory; and-not negates its first.
        if (operation.kind == Kind::left_only) std::swap(a, b);
        const bool may_swap = operation.kind != Kind::left_only;
        if (may_swap && registers_->of(a) == no_register && registers_->of(b) != no_register) std::swap(a, b);
        const Register first = in_register(a, inputs, time);
        uses_.pass(b, time);
        const Register second = registers_->of(b);
        uses_.pass(a, time);
        const x86::Mem from = memory_[b];
        // The operands are read before the result is written, so their registers may be used again.
        Register target = no_register;
        if (uses_.next(a) == Uses::not_again && registers_->of(a) != no_register) {
            registers_->hand_over(a, result);
            target = first;
        } else {
            target = registers_->take(result, inputs, time);
        }
        const x86::Ymm to(target);
        const x86::Ymm left(first);
        const auto with = [&](auto&& instruction) {
            if (second != no_register) {
                check(instruction(x86::Ymm(second)));
            } else {
                check(instruction(from));
            }
        };
        switch (operation.kind) {
            case Kind::both:
                with([&](auto right) { return assembler_.vpand(to, left, right); });
                break;
            case Kind::left_only:
                with([&](auto right) { return assembler_.vpandn(to, left, right); });
                break;
            case Kind::either:
                with([&](auto right) { return assembler_.vpor(to, left, right); });
                break;
            case Kind::differ:
                with([&](auto right) { return assembler_.vpxor(to, left, right); });
                break;
            case Kind::invert:
                check(assembler_.vpxor(to, left, memory(x86::r9, 0)));
                break;  // by all ones
        }
        done_with(operation.a, time);
        done_with(operation.b, time);
        if (uses_.next(result) == Uses::not_again) registers_->release(result);
    }

    const PlainLine& line_;
};

}  // namespace

bool native_is_available(Width width) {
    if (!may_make_code()) return false;
    const auto& features = asmjit::CpuInfo::host().features().x86();
    switch (width) {
        case Width::avx512:
            return features.hasAVX512_F();
        case Width::avx2:
            return features.hasAVX2();
        default:
            return false;
    }
}

std::unique_ptr<const Code> make_native_code(const StraightLine& line, const Binding& binding, Width width) {
    if (!native_is_available(width)) return nullptr;
    if (width == Width::avx512) return Avx512Emitter(line, binding).emit();
    const PlainLine plain = plain_line(line);
    return Avx2Emitter(plain, binding).emit();
}

}  // namespace stratagem::machine::lanes

#else

namespace stratagem::machine::lanes {

bool native_is_available(Width) { return false; }
std::unique_ptr<const Code> make_native_code(const StraightLine&, const Binding&, Width) { return nullptr; }

}  // namespace stratagem::machine::lanes

#endif
