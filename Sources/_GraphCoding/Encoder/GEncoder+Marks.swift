import _GraphFiles
import _GraphSupport

// Strings with very long runs of combining marks are refused where decoders hash or compare them: they take long, so decoders
// refuse them. See `MarkedText`.

/// What an encoder has met of such strings.
@usableFromInline
struct OverlongText {
  /// How many strings have more marks in a row than decoders hash.
  @usableFromInline var count: UInt32 = 0
  /// Whether one of them is a part of an object.
  var isInObject = false
  /// Whether elements or keys have been written that may lead to objects.
  @usableFromInline var isHashedByObjects = false
}

extension GEncoder {
  /// Notes a string that may have very long runs.
  func noteMarks(in string: String) {
    if CombiningMarks.exceed(CombiningMarks.maximumTextCount, in: string) { noteOverlongTexts(1) }
  }

  func noteOverlongTexts(_ count: UInt32) {
    guard count > 0 else { return }
    state.pointee.overlongText.count += count
    if state.pointee.object != .max { state.pointee.overlongText.isInObject = true }
  }

  /// Writes what decoders hash or compare.
  ///
  /// - Throws: `limitExceeded` for a string with very long runs of combining marks.
  @inlinable
  @inline(__always)
  func hashed(_ kind: GraphKind = .string, _ body: () throws -> Void) throws {
    let count = state.pointee.overlongText.count
    try body()
    try checkMarks(since: count, kind)
  }

  /// How many overlong texts there are, in front of what will be hashed or compared.
  ///
  /// - Parameter kind: its kind.
  @inlinable
  @inline(__always)
  func markCount(inFrontOf kind: GraphKind) -> UInt32 {
    if kind.mayLeadToObjects { state.pointee.overlongText.isHashedByObjects = true }
    return state.pointee.overlongText.count
  }

  /// Checks what has been written and will be hashed or compared.
  ///
  /// - Parameters:
  ///   - count: of overlong texts in front of it.
  ///   - kind: its kind.
  @inlinable
  @inline(__always)
  func checkMarks(since count: UInt32, _ kind: GraphKind) throws {
    if kind.mayLeadToObjects { state.pointee.overlongText.isHashedByObjects = true }
    if state.pointee.overlongText.count != count { throw tooManyMarks() }
  }

  /// A kind that says of values without a kind in front whether they may lead to objects.
  func hashedKind<Value>(of type: Value.Type) -> GraphKind {
    type is any _GraphLeafEncodable.Type ? .string : .tagged
  }

  @usableFromInline
  @inline(never)
  func tooManyMarks() -> GCodableError {
    failed(OverlongText.refused("an element of a set, a key, a raw value, a range"))
  }

  /// - Throws: `limitExceeded` where hashing elements may reach a string with very long runs by the objects that they lead to; also
  ///   for the name of a key.
  func checkMarks() throws {
    if state.pointee.overlongText.isInObject && state.pointee.overlongText.isHashedByObjects {
      throw OverlongText.refused("an object, which elements of sets or keys may lead to")
    }
    if tables.keys.hasRefusedName {
      throw GCodableError(
        .limitExceeded,
        "the name of a key has more than \(CombiningMarks.maximumNameCount) combining marks in a row; use another name"
      )
    }
  }
}

extension OverlongText {
  /// The error of a string that is not in the right place.
  static func refused(_ place: String) -> GCodableError {
    GCodableError(
      .limitExceeded,
      "a string of \(place) has more than \(CombiningMarks.maximumTextCount) combining marks in a row, which takes too long to hash "
        + "and to compare; encode it as Data")
  }
}
