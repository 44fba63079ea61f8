// Which order the values of an argument of a fluent have, if any.
#pragma once

#include <optional>
#include <vector>

#include "analysis/argument_domains.h"
#include "analysis/families.h"
#include "analysis/orders.h"
#include "analysis/samples.h"

namespace stratagem::analysis {

// By family and argument: the number of the order.
class ArgumentOrders {
  public:
    // One for each argument, for the family after those there are.
    void add_family(std::vector<std::optional<std::size_t>> orders) { orders_.push_back(std::move(orders)); }
    // Also none where nobody looked: who asks may know families whose orders were never found for want of time.
    std::optional<std::size_t> of(std::size_t family, std::size_t argument) const;
    // Empty where nobody looked.
    const std::vector<std::optional<std::size_t>>& of_family(std::size_t family) const;
    std::size_t families() const { return orders_.size(); }

  private:
    std::vector<std::vector<std::optional<std::size_t>>> orders_;
};

// Of the orders that the rules connect with the argument, by a variable or by neighbours written out, the one that
// knows all its values and fewest others. Of one and its reverse, the one along which the game begins at the lower end.
// None where there is no more time.
ArgumentOrders find_argument_orders(const ground::Program& program, std::span<const Family> families,
                                    std::span<const Order> orders, const ArgumentDomains& domains,
                                    const Samples& samples, const machine::Stop& stop = {});

}  // namespace stratagem::analysis
