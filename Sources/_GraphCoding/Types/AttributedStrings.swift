import Foundation

// An attributed string is its text and its runs: how many bytes of UTF-8 each has, and the names of its
// attributes with their values as JSON, which is what attributes are made for (their values are `Codable`).
// The attributes are those of Foundation's own scope; others make encoding fail rather than get lost.
// Linux has no `Codable` attributed strings and no markdown attributes (`inlinePresentationIntent`,
// `presentationIntent`), so an archive with these is not decoded there.

/// A stretch of text with the same attributes.
private struct StoredRun: _GraphRareType, BinaryIOType {
  var byteCount: Int
  var names: [String]
  var values: [String]

  init(byteCount: Int, names: [String], values: [String]) {
    self.byteCount = byteCount
    self.names = names
    self.values = values
  }

  /// Steps that making it counts as: each value of an attribute is JSON, which takes microseconds.
  var stepCount: Int {
    values.reduce(64 * (1 + names.count)) { $0 + min(AttributeJSON.cost(of: $1).stepCount, 1 << 40) }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(byteCount, for: .byteCount)
    try encoder.encodeOutOfLine(names, for: .names)
    try encoder.encodeOutOfLine(values, for: .values)
  }

  init(from decoder: GDecoder) throws {
    byteCount = try decoder.decodeOutOfLine(for: .byteCount)
    names = try decoder.decodeOutOfLine(for: .names)
    values = try decoder.decodeOutOfLine(for: .values)
  }

  func write(to wbuffer: inout BinaryWriteBuffer) throws {
    byteCount.write(to: &wbuffer)
    try names.write(to: &wbuffer)
    try values.write(to: &wbuffer)
  }

  init(from rbuffer: inout BinaryReadBuffer) throws {
    byteCount = try Int(from: &rbuffer)
    names = try [String](from: &rbuffer)
    values = try [String](from: &rbuffer)
  }
}

extension AttributedString {
  private var text: String { String(characters) }

  private func storedRuns() throws -> [StoredRun] {
    try runs.map { run in
      // By scalars: characters of a substring are rounded to whole ones, and a run may end inside one.
      let text = String(String.UnicodeScalarView(self.unicodeScalars[run.range]))
      let (names, values) = try AttributeJSON.encode(run.attributes)
      return StoredRun(byteCount: text.utf8.count, names: names, values: values)
    }
  }

  private init(_ text: String, _ runs: [StoredRun]) throws {
    self.init()
    var start = text.utf8.startIndex
    for run in runs {
      guard run.byteCount > 0,
        let end = text.utf8.index(start, offsetBy: run.byteCount, limitedBy: text.utf8.endIndex),
        // Runs are made of scalars, so one may end inside a character (before an accent, say), but not
        // inside the bytes of a scalar.
        end.samePosition(in: text.unicodeScalars) != nil
      else { throw BinaryIOError.invalid(AttributedString.self, "runs that do not fit the text") }
      let attributes = try AttributeJSON.decode(run.names, run.values)
      append(AttributedString(String(text.unicodeScalars[start..<end]), attributes: attributes))
      start = end
    }
    guard start == text.utf8.endIndex else {
      throw BinaryIOError.invalid(AttributedString.self, "runs that do not fit the text")
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AttributedString: _GraphRareType {
  /// - Throws: `invalidValue` for an attribute that is not in Foundation's scope.
  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(text, for: .text)
    try encoder.encodeOutOfLine(try storedRuns(), for: .runs)
  }

  public init(from decoder: GDecoder) throws {
    let text: String = try decoder.decodeOutOfLine(for: .text)
    let runs: [StoredRun] = try decoder.decodeOutOfLine(for: .runs)
    for run in runs { try decoder.takeSteps(run.stepCount) }
    try decoder.takeRoom(byteCount: runs.count * GDecoder.boxByteCount)
    try self.init(text, runs)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension AttributedString: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    text.write(to: &wbuffer)
    try storedRuns().write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let (text, runs) = (try String(from: &rbuffer), try [StoredRun](from: &rbuffer))
    for run in runs { try rbuffer.takeSteps(run.stepCount) }
    try rbuffer.takeRoom(byteCount: runs.count * GDecoder.boxByteCount)
    try self.init(text, runs)
  }
}
