// For as long as it lives, the questions to a machine end when a loop is to be left.
#pragma once

#include "machine/machine.h"
#include "machine/stop.h"

namespace stratagem::machine {

class QuestionDeadline {
  public:
    // A deadline the machine has already counts too.
    QuestionDeadline(Machine& machine, const Stop& stop)
        : machine_(machine), before_(machine.set_deadline(stop.as_deadline())) {
        if (!before_.is_never()) machine.set_deadline(Deadline::earlier(stop.as_deadline(), before_));
    }
    ~QuestionDeadline() { machine_.set_deadline(before_); }
    QuestionDeadline(const QuestionDeadline&) = delete;
    QuestionDeadline& operator=(const QuestionDeadline&) = delete;

  private:
    Machine& machine_;
    Deadline before_;
};

}  // namespace stratagem::machine
