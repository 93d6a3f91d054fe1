/// The interactions of every species with every other, and what else depends on the species alone.
struct PairTable {
  /// The interaction of species `a` with `b` at `a * speciesCount + b`.
  let interactions: [PairInteraction]
  /// The mass of each species.
  let masses: [Double]

  init(species: [Species]) {
    interactions = species.flatMap { first in species.map { PairInteraction(first, $0) } }
    masses = species.map(\.mass)
  }

  var speciesCount: Int { masses.count }

  /// The longest distance over which any two particles feel each other.
  var longestCutoff: Double {
    (interactions.map(\.squaredCutoff).max() ?? 0).squareRoot()
  }
}
