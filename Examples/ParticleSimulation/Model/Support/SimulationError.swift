/// What can be wrong with the parameters or the state of a simulation.
public enum SimulationError: Error, Equatable, CustomStringConvertible {
  /// The parameters make no sense; the text says which and why.
  case invalidParameter(String)
  /// The box has room for fewer than three cells along a side.
  ///
  /// With fewer, a cell would meet the same neighbour twice across the periodic boundary.
  case boxTooSmall(side: Double, needed: Double)
  /// A particle left the box by more than one box length, or has no position at all: the time step is too long.
  case unstable(step: Int)
  /// The state that was loaded contradicts itself; the text says where.
  case invalidState(String)

  /// A sentence for people.
  public var description: String {
    switch self {
    case .invalidParameter(let text):
      "invalid parameter: \(text)"
    case .boxTooSmall(let side, let needed):
      "the box has a side of \(side), but three cells as wide as the longest cutoff need \(needed): "
        + "use more particles or a lower density"
    case .unstable(let step):
      "the simulation became unstable in step \(step): use a shorter time step"
    case .invalidState(let text):
      "the loaded state contradicts itself: \(text)"
    }
  }
}
