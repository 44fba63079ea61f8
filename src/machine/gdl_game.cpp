#include "machine/gdl_game.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "gdl/check.h"
#include "gdl/print.h"
#include "gdl/rules_text.h"
#include "ground/ground.h"
#include "machine/check_machine.h"
#include "machine/interpreter_machine.h"
#include "machine/single_playouts.h"
#include "util/contract.h"

namespace stratagem::machine {

namespace {

double seconds_since(Deadline::Clock::time_point start) {
    return std::chrono::duration<double>(Deadline::Clock::now() - start).count();
}

}  // namespace

GdlGame::GdlGame(std::shared_ptr<const gdl::Description> description, const MachineOptions& options)
    : description_(std::move(description)),
      interpreter_limits_(options.interpreter),
      kind_(options.kind),
      numbers_(std::make_shared<SharedNumbers>()) {
    STRATAGEM_EXPECTS(gdl::passes_check(*description_));
    for (const gdl::Term role : description_->roles()) roles_.push_back(gdl::to_kif(description_->terms, role));
    statistics_.roles = roles_.size();
    if (kind_ == MachineKind::interpreter) return;
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    compile(options);
    if (kind_ == MachineKind::lanes && compiled_ && !compiled_->lane_game(false, options.interrupt)) {
        note_ = fmt::format("no lanes, the circuit is used: {}", compiled_->lanes_note());
        kind_ = MachineKind::circuit;
    }
    statistics_.build_seconds = seconds_since(start);
    if (!compiled_) kind_ = MachineKind::interpreter;
}

std::shared_ptr<const GdlGame> GdlGame::at_once(std::shared_ptr<const gdl::Description> description) {
    MachineOptions options;
    options.kind = MachineKind::interpreter;
    return std::make_shared<const GdlGame>(std::move(description), options);
}

void GdlGame::compile(const MachineOptions& options) {
    const Deadline::Clock::time_point start = Deadline::Clock::now();
    ground::GroundLimits limits;
    limits.deadline =
        Deadline::after(std::chrono::duration<double>(options.build_limit_seconds)).or_when(options.interrupt);
    limits.max_bytes = options.build_limit_bytes;
    ground::GroundResult grounded = ground::ground(*description_, limits);
    const double ground_seconds = statistics_.ground_seconds = seconds_since(start);
    if (!grounded.program) {
        note_ = fmt::format("no circuit, the interpreter is used: {}", grounded.failure);
        limit_hit_ = grounded.limit_hit;
        return;
    }
    const auto program = std::make_shared<const ground::Program>(std::move(*grounded.program));
    statistics_.fluents = program->fluents.size();
    statistics_.moves = program->moves.size();
    statistics_.ground_rules = program->rule_count();
    try {
        compiled_ = std::make_unique<const CompiledProgram>(program, options, limits.deadline);
    } catch (const std::runtime_error& fault) {
        note_ = fmt::format("no circuit, the interpreter is used: {}", fault.what());
        limit_hit_ = limits.deadline.expired();
        return;
    }
    statistics_ = compiled_->statistics();
    statistics_.ground_seconds = ground_seconds;
}

std::unique_ptr<Machine> GdlGame::make() const {
    const auto interpreter = [this] {
        return std::make_unique<InterpreterMachine>(*description_, interpreter_limits_, numbers_);
    };
    if (!compiled_) return interpreter();
    if (kind_ == MachineKind::check) return std::make_unique<CheckMachine>(compiled_->make(), interpreter());
    return compiled_->make();
}

std::unique_ptr<Playouts> GdlGame::make_playouts(std::uint64_t seed, std::uint64_t stream, bool statistics,
                                                 const std::atomic<bool>* interrupt) const {
    std::unique_ptr<Playouts> lanes;
    if (compiled_) lanes = compiled_->make_playouts(seed, stream, statistics, interrupt);
    return lanes ? std::move(lanes) : make_single_playouts(*this, seed, stream);
}

std::optional<Fingerprint> GdlGame::fingerprint() const {
    return compiled_ ? std::optional(compiled_->fingerprint()) : std::nullopt;
}

std::optional<std::string> GdlGame::rules() const { return gdl::rules_text(*description_); }

std::shared_ptr<const Game> GdlGame::remade(const MachineOptions& options) const {
    return std::make_shared<const GdlGame>(description_, options);
}

}  // namespace stratagem::machine
