// Clauses as straight code for the engine.
//
// A clause is compiled once for each way it is called (which columns are given, wanted or of no interest). Which
// variables are bound at which place is then known beforehand: the code has no unification and no trail, only
// look-ups with given values and copies into slots of a frame. Backtracking never has to undo anything.
#pragma once

#include <cstdint>
#include <vector>

#include "gdl/term.h"
#include "machine/interpreter/rulebook.h"

namespace stratagem::machine::interpreter {

// How a call uses a column: its value is known, wanted, or does not matter as long as there is one.
enum class ColumnUse : std::uint8_t { given, wanted, any };

// A slot of the frame or a ground term.
class Operand {
  public:
    static Operand slot(std::uint32_t number) { return Operand{number}; }
    static Operand constant(gdl::Term term) { return Operand{gdl::index(term) | constant_bit}; }

    bool is_constant() const { return (raw_ & constant_bit) != 0; }
    std::uint32_t number() const { return raw_; }
    gdl::Term value(const gdl::Term* frame) const {
        return is_constant() ? gdl::Term{raw_ & ~constant_bit} : frame[raw_];
    }

  private:
    explicit Operand(std::uint32_t raw) : raw_(raw) {}

    static constexpr std::uint32_t constant_bit = 0x80000000U;
    std::uint32_t raw_;
};

// What to do with one column of a row that was found: keep it in a slot, or demand that it equals something.
struct Action {
    std::uint32_t column;
    bool bind;
    Operand operand;  // bind: the slot
};

enum class Op : std::uint8_t {
    enter,      // match the given values of the call with the head; actions on the key
    scan,       // rows of relation `target` by index `extra`, key = operands; actions on each row
    test,       // the same, but it only matters whether there is a row
    test_not,   // ... whether there is none
    call,       // answers to call pattern `target`, key = operands; actions on each answer
    call_test,  // the same, when the pattern wants no column
    call_not,   // ... and there must be no answer
    distinct,   // the two operands differ
    same,       // the two operands are equal
    build,      // slot `extra` = functor `target` applied to the operands
    open,       // operand 0 must be functor `target` with `extra` arguments; actions on the arguments
    either,     // try `extra` branches one by one; their places start at branches[target]
    jump,       // to `target`
    commit,     // forget choices made by instructions after `culprit`: others would lead to the same
    unless,     // run what follows up to `proved`; when that fails, go on at `target`
    proved,     // end of the body of the `unless` at `target`: it succeeded, so fail
    fail,
    unsafe,  // a variable that the clause gives no value was needed
    emit,    // an answer: the operands
};

struct Instruction {
    Op op = Op::fail;
    bool negative = false;        // a call below a negation: what it asks must not depend on who asks
    bool negative_twice = false;  // ... below a negation that itself stands below one
    std::uint32_t target = 0;
    std::uint32_t extra = 0;
    std::uint32_t first_operand = 0;
    std::uint32_t operand_count = 0;
    std::uint32_t first_action = 0;
    std::uint32_t action_count = 0;
    // When this fails at the first try, choices made by instructions after `culprit` cannot help: they did not
    // provide any of its operands. Of emit: choices after it would only give the same answer again.
    std::int32_t culprit = -1;
};

struct Code {
    std::vector<Instruction> instructions;
    std::vector<Operand> operands;
    std::vector<Action> actions;
    std::vector<std::uint32_t> branches;
    std::uint32_t frame_size = 0;
};

// One way of calling a derived predicate. Tables are kept by pattern and given values.
struct CallPattern {
    Predicate predicate{};
    std::vector<ColumnUse> columns;
    std::uint32_t given = 0;
    std::uint32_t wanted = 0;
    Level level = Level::fixed;
    std::uint32_t component = 0;
    bool recursive = false;
    bool compiled = false;  // compiled at the first call: most patterns that could be are never used
    std::vector<Code> clauses;
};

}  // namespace stratagem::machine::interpreter
