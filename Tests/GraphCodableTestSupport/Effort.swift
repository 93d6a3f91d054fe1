import Foundation

/// How much the tests try.
///
/// Some repeat their work with more sizes, seeds or stacks when `GRAPHCODABLE_THOROUGH` is 1, as `make soak` sets it;
/// `make test` leaves these out, so that it takes minutes.
package enum Effort {
  /// Whether time does not matter.
  package static let isThorough = ProcessInfo.processInfo.environment["GRAPHCODABLE_THOROUGH"] == "1"

  /// What to try, and what to try where time does not matter.
  package static func of<Choice>(_ usual: Choice, thorough: Choice) -> Choice {
    isThorough ? thorough : usual
  }

  /// A number that a variable of the environment may set.
  package static func count(_ name: String, usual: Int, thorough: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? of(usual, thorough: thorough)
  }
}
