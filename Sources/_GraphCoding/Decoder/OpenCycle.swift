import _GraphSupport

/// The objects of a cycle that needs itself: the underlying error while the error passes through them.
struct OpenCycle: Error {
  /// The object that needs itself.
  let target: UInt32
  /// The classes and keys that lead there, outermost first.
  var steps: [String] = []
  /// The keys from the outermost of these to where the error was thrown.
  var keyPath: [String] = []

  /// The cycle that an error is about, while it is open.
  init?(_ error: any Error) {
    guard let error = error as? GCodableError, error.code == .cycle,
      let cycle = error.context.underlyingError as? Self
    else { return nil }
    self = cycle
  }

  init(to target: UInt32) { self.target = target }

  /// Continues the cycle that leads on from the target.
  func followed(by next: Self) -> Self {
    var cycle = Self(to: next.target)
    cycle.steps = steps + next.steps
    cycle.keyPath = keyPath + next.keyPath
    cycle.shorten()
    return cycle
  }

  /// Takes the error out of an object.
  mutating func leave(_ className: String, _ keys: [String]) {
    steps.insert(keys.reduce(into: className) { $0 += $1.hasPrefix("[") ? $1 : "." + $1 }, at: 0)
    keyPath.insert(contentsOf: keys, at: 0)
    shorten()
  }

  /// Longer cycles are described by their beginning and their end.
  private mutating func shorten() {
    steps.shorten(to: 16)
    keyPath.shorten(to: GCodableError.maximumKeyPathCount)
  }

  /// The error of the cycle, as long as that is open.
  var error: GCodableError {
    GCodableError(.cycle, "objects need each other to be made", underlyingError: self)
  }

  /// The error of the cycle when it has come back to the target.
  func closedError(_ className: String) -> GCodableError {
    var error = GCodableError(
      .cycle,
      "objects need each other to be made: \(steps.joined(separator: " → ")) → \(className); decode one "
        + "of these with deferDecode (in a type with @GCodable, declare the property weak or @GDeferred) or, in a Codable "
        + "type, by way of a cycle breaker")
    error.keyPath = keyPath
    return error
  }
}
