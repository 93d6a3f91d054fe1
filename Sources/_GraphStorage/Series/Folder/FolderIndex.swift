import Foundation
import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// What is known of the entries of a folder without opening them: an archive of its own, which is only a cache.
///
/// Whatever it says is in the archives of the entries, too.
struct FolderIndex: Sendable {
  var entries: [FolderEntry] = []
  /// Above all numbers that entries have had, also those that were removed.
  var nextNumber = 0

  /// The name of its file.
  static let name = "index.gcodable"

  init() {}

  /// Reads an index.
  ///
  /// - Returns: nil if it is none that can be used.
  init?(_ bytes: Data) {
    guard let index = try? GraphDecoder().decode(FolderIndex.self, from: bytes) else { return nil }
    self = index
  }

  /// Reads the index of a folder.
  ///
  /// - Returns: nil if there is none that can be used.
  init?(of folder: String) {
    let url = URL(fileURLWithPath: folder + "/" + Self.name)
    guard let index = try? GraphDecoder().read(FolderIndex.self, from: url) else { return nil }
    self = index
  }

  /// Replaces the index of a folder.
  ///
  /// - Throws: as `GraphEncoder.write`.
  func write(to folder: String) throws {
    let encoder = GraphEncoder()
    try encoder.archiveWriter.write(
      encoder.walk { try $0.writeRoot(self) }, to: URL(fileURLWithPath: folder + "/" + Self.name), nil,
      followsLink: false)
  }
}

extension FolderIndex: _GraphRareType {
  func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(nextNumber, for: .nextNumber)
    try encoder.encodeOutOfLine(entries.map(\.number), for: .numbers)
    try encoder.encodeOutOfLine(entries.map(\.step), for: .steps)
    try encoder.encodeOutOfLine(entries.map(\.time), for: .times)
    try encoder.encodeOutOfLine(entries.map(\.byteCount), for: .byteCounts)
    try encoder.encodeOutOfLine(entries.map(\.hash), for: .hashes)
    try encoder.encodeOutOfLine(entries.map(\.metadata.pairs.count), for: .pairCounts)
    try encoder.encodeOutOfLine(
      entries.flatMap { $0.metadata.pairs.flatMap { [$0.key, $0.value] } }, for: .texts)
  }

  init(from decoder: GDecoder) throws {
    nextNumber = try decoder.decodeOutOfLine(for: .nextNumber)
    let numbers: [Int] = try decoder.decodeOutOfLine(for: .numbers)
    let steps: [Int] = try decoder.decodeOutOfLine(for: .steps)
    let times: [Double] = try decoder.decodeOutOfLine(for: .times)
    let byteCounts: [UInt64] = try decoder.decodeOutOfLine(for: .byteCounts)
    let hashes: [UInt64] = try decoder.decodeOutOfLine(for: .hashes)
    let pairCounts: [Int] = try decoder.decodeOutOfLine(for: .pairCounts)
    let allTexts: [String] = try decoder.decodeOutOfLine(for: .texts)
    var texts = allTexts[...]
    let counts = [steps.count, times.count, byteCounts.count, hashes.count, pairCounts.count]
    // In ascending order, none twice.
    guard counts.allSatisfy({ $0 == numbers.count }), pairCounts.allSatisfy({ 0...texts.count ~= $0 }),
      zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 }), (numbers.first ?? 0) >= 0,
      (numbers.last ?? -1) < nextNumber
    else { throw GCodableError(.malformed, "the index of the folder does not fit together") }
    for place in numbers.indices {
      let own = texts.prefix(2 * pairCounts[place])
      guard own.count == 2 * pairCounts[place] else {
        throw GCodableError(.malformed, "the index of the folder has too few texts")
      }
      texts = texts.dropFirst(own.count)
      let pairs = stride(from: own.startIndex, to: own.endIndex, by: 2).map { (own[$0], own[$0 + 1]) }
      guard !pairs.contains(where: { Metadata.isRefused($0.0) }), !pairs.map(\.0).hasOneTwice else {
        throw GCodableError(
          .malformed,
          "the index of the folder has a key of metadata twice, or with too many combining marks in a row")
      }
      entries.append(
        FolderEntry(
          number: numbers[place], step: steps[place], time: times[place],
          metadata: Metadata(Dictionary(pairs) { first, _ in first }), byteCount: byteCounts[place],
          hash: hashes[place]))
    }
  }
}
