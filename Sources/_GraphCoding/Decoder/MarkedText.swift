import _GraphFiles
import _GraphSupport

// Strings with long runs of combining marks, which take long to hash and to compare. What they cost is noted as they are read, and
// counted where they are about to be hashed or compared.

/// What strings with long runs of combining marks have cost so far, in the order in which they were read.
@usableFromInline
package struct MarkedText {
  /// What hashing each of them once takes.
  @usableFromInline var stepCount = 0
  /// How many of them have more marks in a row than the limit.
  @usableFromInline var refusedCount = 0

  /// The most that one string counts: more than any archive has.
  private static let maximumStepCount = 1 << 40

  /// - Parameter limit: see `GraphDecoder.Limits.combiningMarkCount`.
  mutating func note(_ string: String, limit: Int) {
    let cost = CombiningMarks.cost(of: string, from: limit)
    guard cost.stepCount > 0 else { return }
    stepCount += min(cost.stepCount, Self.maximumStepCount)
    if cost.longestCount > limit { refusedCount += 1 }
  }

  mutating func add(_ other: Self) {
    stepCount += other.stepCount
    refusedCount += other.refusedCount
  }

  /// Steps of what has been read since.
  ///
  /// - Throws: `limitExceeded` where there are more marks in a row than the limit.
  func steps(since earlier: Self, limit: Int) throws -> Int {
    guard refusedCount == earlier.refusedCount else { throw Self.refused(limit) }
    return stepCount - earlier.stepCount
  }

  static func refused(_ limit: Int) -> GCodableError {
    GraphDecoder.Limits.exceeded(
      "a string that is hashed or compared (of an element of a set, a key, a raw value, a range) has more than \(limit) combining "
        + "marks in a row", "combiningMarkCount")
  }
}

extension GDecoder {
  /// What strings have cost so far: to be noted in front of what will be hashed or compared.
  @inlinable
  @inline(__always)
  var markedText: MarkedText { state.pointee.markedText }

  /// Counts what it takes to hash or compare what has been read.
  ///
  /// - Parameters:
  ///   - text: `markedText` in front of it; as it is now, afterwards.
  ///   - leads: whether it may lead to objects, whose strings then count, too, unless they have been counted before.
  /// - Throws: `limitExceeded`.
  @inlinable
  @inline(__always)
  func takeMarks(since text: inout MarkedText, leads: Bool) throws {
    if state.pointee.markedText.stepCount != text.stepCount
      || (leads && state.pointee.markedTextInObjects.stepCount != 0)
    {
      try takeMarksOutOfLine(since: &text, leads: leads)
    }
  }

  @usableFromInline
  @inline(never)
  func takeMarksOutOfLine(since text: inout MarkedText, leads: Bool) throws {
    let limit = state.pointee.combiningMarkCount
    do {
      try takeSteps(state.pointee.markedText.steps(since: text, limit: limit))
      text = state.pointee.markedText
      guard leads else { return }
      try takeSteps(state.pointee.markedTextInObjects.steps(since: MarkedText(), limit: limit))
      state.pointee.markedTextInObjects.stepCount = 0
    } catch var error as GCodableError {
      error.byteOffset = streamOffset
      throw error
    }
  }

  /// Whether values without a kind in front may lead to objects.
  func mayLead<Value>(_ type: Value.Type) -> Bool { !(type is any _GraphLeafDecodable.Type) }

  /// Notes a string that may have long runs.
  func noteMarks(in string: String) {
    var text = MarkedText()
    text.note(string, limit: state.pointee.combiningMarkCount)
    if text.stepCount > 0 { noteMarks(text) }
  }

  /// Notes the strings of a data unit.
  func noteMarks(_ text: MarkedText) {
    state.pointee.markedText.add(text)
    if state.pointee.object != DecoderState.noObject { state.pointee.markedTextInObjects.add(text) }
  }
}

extension BinaryReadBuffer {
  /// What strings of the data unit have cost so far; see `GDecoder.markedText`.
  var markedText: MarkedText { allowance.markedText }

  /// Counts what it takes to hash or compare what has been read.
  ///
  /// - Throws: `limitExceeded`.
  mutating func takeMarks(since text: MarkedText) throws {
    let steps = try allowance.markedText.steps(since: text, limit: allowance.combiningMarkCount)
    try takeSteps(steps)
  }
}
