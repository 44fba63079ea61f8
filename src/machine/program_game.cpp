#include "machine/program_game.h"

#include <fmt/format.h>

#include <chrono>
#include <stdexcept>
#include <utility>

#include "gdl/print.h"
#include "machine/single_playouts.h"

namespace stratagem::machine {

ProgramGame::ProgramGame(std::string name, std::shared_ptr<const ground::Program> program,
                         const MachineOptions& options)
    : name_(std::move(name)),
      compiled_(std::move(program), options,
                Deadline::after(std::chrono::duration<double>(options.build_limit_seconds)).or_when(options.interrupt)),
      statistics_(compiled_.statistics()) {
    const ground::Program& known = *compiled_.program();
    for (const gdl::Term role : known.roles) roles_.push_back(gdl::to_kif(known.terms, role));
}

std::shared_ptr<const ProgramGame> ProgramGame::make_from(std::string name, ground::Program program,
                                                          const MachineOptions& options) {
    if (!program.is_consistent()) {
        throw std::invalid_argument(fmt::format("{}: the ground program is not consistent", name));
    }
    auto shared = std::make_shared<const ground::Program>(std::move(program));
    // The constructor is private, out of the reach of make_shared.
    return std::shared_ptr<const ProgramGame>(new ProgramGame(std::move(name), std::move(shared), options));
}

std::unique_ptr<Playouts> ProgramGame::make_playouts(std::uint64_t seed, std::uint64_t stream, bool statistics,
                                                     const std::atomic<bool>* interrupt) const {
    std::unique_ptr<Playouts> lanes = compiled_.make_playouts(seed, stream, statistics, interrupt);
    return lanes ? std::move(lanes) : make_single_playouts(*this, seed, stream);
}

}  // namespace stratagem::machine
