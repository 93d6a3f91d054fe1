/// The potential between two particles: Lennard-Jones, made smooth at a cutoff.
///
/// A potential that is simply cut off makes particles jump in energy when they cross the cutoff, and one that is only
/// shifted makes them jump in force. Following Stoddard and Ford (1973), a term in r² takes away both the
/// value and the slope at the cutoff r_c:
///
///     U(r) = 4ε[(σ/r)¹² − (σ/r)⁶] + a r² + b,    U(r_c) = U′(r_c) = 0
///
/// It needs no square root. For pairs without attraction r_c is the minimum of the well, where the slope
/// is zero anyway: a = 0 and b = ε.
public struct PairInteraction: Equatable, Sendable {
  /// The square of the distance beyond which there is no force.
  public let squaredCutoff: Double
  /// 4εσ¹².
  let repulsion: Double
  /// 4εσ⁶.
  let attraction: Double
  /// The factor of r² in the potential.
  let curvature: Double
  /// The constant in the potential.
  let offset: Double

  /// The cutoff of attracting pairs in units of their σ.
  public static let cutoffInDiameters = 2.5

  /// Makes the interaction of two species by the rules of Lorentz (σ) and Berthelot (ε).
  public init(_ first: Species, _ second: Species) {
    let diameter = (first.diameter + second.diameter) / 2
    let attractionShare = first.attraction(to: second) * second.attraction(to: first)
    var wellDepth = (first.wellDepth * second.wellDepth).squareRoot()
    var cutoff = diameter * 1.122462048309373  // 2^(1/6): the minimum of the well
    if attractionShare > 0 {
      wellDepth *= attractionShare
      cutoff = diameter * Self.cutoffInDiameters
    }
    self.init(diameter: diameter, wellDepth: wellDepth, cutoff: cutoff)
  }

  /// Makes the interaction with the given σ, ε and cutoff.
  public init(diameter: Double, wellDepth: Double, cutoff: Double) {
    let cube = diameter * diameter * diameter
    squaredCutoff = cutoff * cutoff
    attraction = 4 * wellDepth * cube * cube
    repulsion = attraction * cube * cube
    let inverseSquare = 1 / squaredCutoff
    let inverseSixth = inverseSquare * inverseSquare * inverseSquare
    curvature = (6 * repulsion * inverseSixth - 3 * attraction) * inverseSixth * inverseSquare
    offset = -(repulsion * inverseSixth - attraction) * inverseSixth - curvature * squaredCutoff
  }

  /// The potential at the given square of a distance.
  public func potential(squaredDistance: Double) -> Double {
    guard squaredDistance < squaredCutoff else { return 0 }
    let inverseSixth = 1 / (squaredDistance * squaredDistance * squaredDistance)
    return (repulsion * inverseSixth - attraction) * inverseSixth + curvature * squaredDistance + offset
  }

  /// The force on a particle divided by the distance, positive if the pair repels: −U′(r)/r.
  public func forceFactor(squaredDistance: Double) -> Double {
    guard squaredDistance < squaredCutoff else { return 0 }
    let inverseSquare = 1 / squaredDistance
    let inverseSixth = inverseSquare * inverseSquare * inverseSquare
    return (12 * repulsion * inverseSixth - 6 * attraction) * inverseSixth * inverseSquare - 2 * curvature
  }
}
