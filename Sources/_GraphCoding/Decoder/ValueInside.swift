import _GraphSupport

/// The values inside a value that is an object of the archive, through other such values.
///
/// The archive and memory hold each of them once. A walk through the value, to hash or release it, meets them once for each way
/// to them: with 40 that each refer twice to the next one, 2^40 times.
struct ValueInside {
  /// How deep it goes through them, including itself.
  private(set) var height: Int32 = 1
  /// How often they are met.
  private(set) var count = 0

  /// Adds one at a depth.
  ///
  /// - Parameter isCounted: whether it counts how often it is met; a type with an identity expects to be shared.
  /// - Throws: `limitExceeded` where one lies deeper than `maximumDepth`.
  mutating func add(_ other: Self, at depth: Int32, upTo maximumDepth: Int32, isCounted: Bool) throws {
    guard other.height <= maximumDepth - depth else { throw Nesting.tooDeep(maximumDepth) }
    height = max(height, depth + other.height)
    if isCounted { count = min(count + 1 + other.count, .max / 4) }  // No sum of two such numbers overflows.
  }
}

extension GDecoder {
  /// Counts a value that is an object, when the value being made refers to it.
  ///
  /// - Throws: `limitExceeded` where values lie too deep inside each other by such references, or are met too often.
  func takeInside(_ number: UInt32, _ type: Any.Type) throws {
    let inside = tables.inside[number] ?? ValueInside()
    let isCounted = !(subject(of: type) is any GIdentifiable.Type)
    var outer = tables.inside[state.pointee.object] ?? ValueInside()
    do {
      try outer.add(
        inside, at: state.pointee.frame.depth, upTo: state.pointee.maximumDepth, isCounted: isCounted)
      if isCounted { try takeSteps(1 + inside.count) }
    } catch var error as GCodableError {
      error.byteOffset = streamOffset
      throw error
    }
    tables.inside[state.pointee.object] = outer
  }
}

/// `GLazy`, of whatever value.
package protocol AnyLazy {}
