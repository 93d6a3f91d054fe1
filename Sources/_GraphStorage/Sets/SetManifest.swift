import Foundation
import _GraphCoding
import _GraphReading
import _GraphSupport

/// What a set consists of: the root of an archive that is written last.
///
/// Its arrays have some 50 bytes for each part of an array, and 60 for each part.
struct SetManifest: Sendable {
  var token: String
  var step: Int
  var time: Double
  var metadata: [String: String]
  /// In the order of their numbers.
  var parts: [Part] = []
  var arrays: [Array] = []

  struct Part: Sendable {
    var name: String
    var byteCount: UInt64
    /// See `ArchiveHeader.hash`.
    var hash: UInt64
  }

  /// An array over several parts.
  struct Array: Sendable {
    var name: String
    var shape: [Int]
    var pieces: [Piece] = []
  }

  /// A part's piece of an array.
  struct Piece: Sendable {
    var part: Int
    var path: String
    var box: ArrayBox
  }

  /// The encoder of manifests.
  static var encoder: GraphEncoder {
    let encoder = GraphEncoder()
    encoder.metadata = ["gcset": "1"]
    return encoder
  }

  init(token: String, step: Int, time: Double, metadata: [String: String]) {
    (self.token, self.step, self.time, self.metadata) = (token, step, time, metadata)
  }

  /// Checks that the parts of each array are the whole of it, and nothing twice.
  ///
  /// - Throws: `invalidValue` or `limitExceeded`.
  func checkArrays() throws {
    for array in arrays {
      func refuse(_ text: String) -> GCodableError {
        GCodableError(.invalidValue, "the array \(array.name) of shape \(array.shape) \(text)")
      }
      guard let count = ArrayBox.count(array.shape) else { throw refuse("is too large") }
      if let (one, other) = try ArrayBox.overlap(of: array.pieces.map(\.box)) {
        let numbers = [one, other].map { array.pieces[$0].part }
        throw refuse("has elements that are in part \(numbers[0]) and in part \(numbers[1])")
      }
      // None is twice, so the sum cannot be larger.
      let found = array.pieces.reduce(0) { $0 &+ ($1.box.count ?? 0) }
      guard found == count else { throw refuse("has \(found) of its \(count) elements in the parts") }
    }
  }
}

extension SetManifest.Array {
  /// - Throws: `malformed`.
  func path(of piece: SetManifest.Piece) throws -> GraphPath {
    guard let path = GraphPath(piece.path) else {
      throw GCodableError(.malformed, "\"\(piece.path)\" of the array \(name) is not a path")
    }
    return path
  }

  /// Compares the lengths of a piece with those that its part has.
  ///
  /// - Throws: `malformed`.
  func check(_ shape: [Int], of piece: SetManifest.Piece) throws {
    guard shape == piece.box.shape else {
      throw GCodableError(
        .malformed, "the array \(name) has shape \(shape) in part \(piece.part), and not \(piece.box.shape)")
    }
  }
}

extension SetManifest: _GraphRareType {
  private static let formatVersion = 1

  func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(Self.formatVersion, for: .formatVersion)
    try encoder.encodeOutOfLine(token, for: .token)
    try encoder.encodeOutOfLine(step, for: .step)
    try encoder.encodeOutOfLine(time, for: .time)
    try encoder.encodeOutOfLine(
      metadata.sortedOutOfLine { $0.key < $1.key }.flatMap { [$0.key, $0.value] }, for: .metadata)
    try encoder.encodeOutOfLine(parts.map(\.name), for: .partNames)
    try encoder.encodeOutOfLine(parts.map(\.byteCount), for: .byteCounts)
    try encoder.encodeOutOfLine(parts.map(\.hash), for: .headerHashes)
    try encoder.encodeOutOfLine(arrays, for: .arrays)
  }

  init(from decoder: GDecoder) throws {
    let version: Int = try decoder.decodeOutOfLine(for: .formatVersion)
    guard version == Self.formatVersion else {
      throw GCodableError(
        .unsupported,
        "the set has format version \(version); this package reads version \(Self.formatVersion)")
    }
    let token: String = try decoder.decodeOutOfLine(for: .token)
    step = try decoder.decodeOutOfLine(for: .step)
    time = try decoder.decodeOutOfLine(for: .time)
    let texts: [String] = try decoder.decodeOutOfLine(for: .metadata)
    let names: [String] = try decoder.decodeOutOfLine(for: .partNames)
    let byteCounts: [UInt64] = try decoder.decodeOutOfLine(for: .byteCounts)
    let hashes: [UInt64] = try decoder.decodeOutOfLine(for: .headerHashes)
    let arrays: [Array] = try decoder.decodeOutOfLine(for: .arrays)
    guard SetNames.isToken(token), texts.count.isMultiple(of: 2), byteCounts.count == names.count,
      hashes.count == names.count, !names.isEmpty,
      // No other file is opened because a manifest says so.
      names.enumerated().allSatisfy({ $1 == SetNames.part($0, of: names.count, token) }),
      arrays.allSatisfy({ $0.pieces.allSatisfy { names.indices.contains($0.part) } }),
      !stride(from: 0, to: texts.count, by: 2).map({ texts[$0] }).hasOneTwice,
      !arrays.map(\.name).hasOneTwice
    else { throw GCodableError(.malformed, "the manifest of the set does not fit together") }
    (self.token, self.arrays) = (token, arrays)
    let pairs = stride(from: 0, to: texts.count, by: 2).map { (texts[$0], texts[$0 + 1]) }
    metadata = Dictionary(pairs) { first, _ in first }
    parts = names.indices.map { Part(name: names[$0], byteCount: byteCounts[$0], hash: hashes[$0]) }
    do { try checkArrays() } catch let error as GCodableError where error.code == .invalidValue {
      throw GCodableError(.malformed, error.context.debugDescription)
    }
  }
}

extension SetManifest.Array: _GraphRareType {
  func encode(to encoder: GEncoder) throws {
    // Most parts have it at the same path.
    var (paths, numbers): ([String], [String: Int]) = ([], [:])
    let pathNumbers = pieces.map { piece in
      if let known = numbers[piece.path] { return known }
      numbers[piece.path] = paths.count
      paths.append(piece.path)
      return paths.count - 1
    }
    try encoder.encodeOutOfLine(name, for: .name)
    try encoder.encodeOutOfLine(shape, for: .shape)
    try encoder.encodeOutOfLine(pieces.map(\.part), for: .parts)
    try encoder.encodeOutOfLine(pieces.flatMap { $0.box.ranges.map(\.lowerBound) }, for: .offsets)
    try encoder.encodeOutOfLine(pieces.flatMap(\.box.shape), for: .lengths)
    try encoder.encodeOutOfLine(paths, for: .paths)
    try encoder.encodeOutOfLine(pathNumbers, for: .pathNumbers)
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decodeOutOfLine(for: .name)
    shape = try decoder.decodeOutOfLine(for: .shape)
    let parts: [Int] = try decoder.decodeOutOfLine(for: .parts)
    let offsets: [Int] = try decoder.decodeOutOfLine(for: .offsets)
    let lengths: [Int] = try decoder.decodeOutOfLine(for: .lengths)
    let paths: [String] = try decoder.decodeOutOfLine(for: .paths)
    let pathNumbers: [Int] = try decoder.decodeOutOfLine(for: .pathNumbers)
    let rank = shape.count
    let (numberCount, isTooLarge) = parts.count.multipliedReportingOverflow(by: rank)
    guard rank > 0, shape.allSatisfy({ $0 >= 0 }), !isTooLarge, offsets.count == numberCount,
      lengths.count == numberCount, pathNumbers.count == parts.count,
      pathNumbers.allSatisfy(paths.indices.contains)
    else { throw GCodableError(.malformed, "the parts of the array \(name) do not fit together") }
    for place in parts.indices {
      let numbers = (rank * place)..<(rank * (place + 1))
      guard let box = ArrayBox(offset: [Int](offsets[numbers]), shape: [Int](lengths[numbers])),
        zip(box.ranges, shape).allSatisfy({ $0.upperBound <= $1 })
      else { throw GCodableError(.malformed, "a part of the array \(name) is not in it") }
      pieces.append(SetManifest.Piece(part: parts[place], path: paths[pathNumbers[place]], box: box))
    }
  }
}
