import _GraphFiles
import _GraphSupport

// Standard types that are seldom the bulk of a graph, the library's own models, and the fields of both are coded by functions
// that all of them share.
// The compiler would make a copy of the coder for each such type and field otherwise, which once was 9 of 28 MB.

/// A type of the standard libraries, or of this one, that is a record and whose coding need not be as fast as that of numbers.
///
/// Not for use outside the package.
public protocol _GraphRareType: GCodable {}

extension _GraphRareType {
  /// See `GEncodable`.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func _graphKind(_ encoder: GEncoder) -> GraphKind {
    encoder.encoderType(Self.self).pointee.kind
  }

  /// See `GEncodable`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func _graphWrite(_ encoder: GEncoder) throws {
    let type = encoder.encoderType(Self.self)
    switch type.pointee.plan {
    case .record: try encoder.writeRecord(self, type)
    case .reference: try encoder.writeReference(self)
    case .dynamicIdentity: try encoder.writeDynamic(self, type)
    }
  }

  /// See `GEncodable`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func _graphWritePlain(_ encoder: GEncoder) throws {
    try encoder.writeRecord(self, encoder.encoderType(Self.self))
  }

  /// See `GDecodable`.
  @_semantics("optimize.sil.specialize.generic.never")
  public static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    switch kind {
    case .record:
      try decoder.takeBox()
      return try decoder.readRecord(Self.self)
    case .reference, .conditional: return try decoder.readReference(Self.self)
    default: return try decoder.readOther(Self.self, kind)
    }
  }
}

extension GDecoder {
  /// What a value of Foundation takes outside of itself, as a rule: an object or two, a string, a cache.
  ///
  /// On Linux, a `TimeZone` takes some 100 bytes, a `Measurement` 200, a `URL` 300, a `Calendar` 400.
  static var boxByteCount: Int { 256 }

  /// How many steps making one counts as: each takes a microsecond and more.
  static var boxStepCount: Int { 16 }

  /// The same of a set of numbers or characters, which takes some four microseconds.
  static var setStepCount: Int { 32 }

  /// Counts a value of Foundation, before it is made.
  ///
  /// - Throws: `limitExceeded`.
  func takeBox(stepCount: Int = boxStepCount) throws {
    try takeRoom(byteCount: Self.boxByteCount)
    try takeSteps(stepCount)
  }
}

/// The keys of standard types that are records, and of the library's own: one enum for all, since each takes 15 KB of object
/// code.
package enum StandardKey: String {
  // Text, dates and places.
  case text, runs, byteCount, names, values
  case identifier, isAutoupdating, locale, timeZone, firstWeekday, minimumDaysInFirstWeek
  case calendar, era, year, month, day, hour, minute, second, nanosecond, weekday, weekdayOrdinal, quarter
  case weekOfMonth, weekOfYear, yearForWeekOfYear, dayOfYear, isLeapMonth, isRepeatedDay
  case namePrefix, givenName, middleName, familyName, nameSuffix, nickname, phoneticRepresentation
  // URLs and files.
  case relative, base, name, value, scheme, user, password, host, port, path, query, fragment, bytes
  // Others.
  case symbol, unitClass, linear
  case success, failure
  case offset, element, associatedWith, isInsertion
  // Sets of archives, and folders of entries.
  case formatVersion, token, step, time, metadata, partNames, byteCounts, headerHashes, arrays
  case shape, parts, offsets, lengths, paths, pathNumbers
  case globalShape, part, partCount, headerHash
  case nextNumber, numbers, steps, times, hashes, pairCounts, texts
}

extension GEncoder {
  /// `encode(_:for:)` by a function that all callers share.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func encodeOutOfLine<Value: GEncodable>(_ value: Value, for key: StandardKey) throws {
    try encode(value, for: key)
  }

  /// `encodeIfPresent(_:for:)` by a function that all callers share.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func encodeOutOfLine<Value: GEncodable>(ifPresent value: Value?, for key: StandardKey) throws {
    try encodeIfPresent(value, for: key)
  }

  /// `encode(_:)` by a function that all callers share.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func encodeOutOfLine<Value: GEncodable>(_ value: Value) throws { try encode(value) }
}

extension GDecoder {
  /// `decode(for:)` by a function that all callers share.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func decodeOutOfLine<Value: GDecodable>(for key: StandardKey) throws -> Value {
    try decode(for: key)
  }

  /// `decodeIfPresent(for:)` by a function that all callers share.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  func decodeOutOfLine<Value: GDecodable>(ifPresent key: StandardKey) throws -> Value? {
    try decodeIfPresent(for: key)
  }

  /// `decode()` by a function that all callers share.
  @inline(never)
  @_semantics("optimize.sil.specialize.generic.never")
  package func decodeOutOfLine<Value: GDecodable>() throws -> Value { try decode() }
}
