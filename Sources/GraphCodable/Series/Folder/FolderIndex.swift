import Foundation

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
    try GraphEncoder().write(self, to: URL(fileURLWithPath: folder + "/" + Self.name))
  }
}

extension FolderIndex: GCodable {
  private enum Key: String {
    case nextNumber, numbers, steps, times, byteCounts, hashes, pairCounts, texts
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(nextNumber, for: Key.nextNumber)
    try encoder.encode(entries.map(\.number), for: Key.numbers)
    try encoder.encode(entries.map(\.step), for: Key.steps)
    try encoder.encode(entries.map(\.time), for: Key.times)
    try encoder.encode(entries.map(\.byteCount), for: Key.byteCounts)
    try encoder.encode(entries.map(\.hash), for: Key.hashes)
    try encoder.encode(entries.map(\.metadata.pairs.count), for: Key.pairCounts)
    try encoder.encode(entries.flatMap { $0.metadata.pairs.flatMap { [$0.key, $0.value] } }, for: Key.texts)
  }

  init(from decoder: GDecoder) throws {
    nextNumber = try decoder.decode(for: Key.nextNumber)
    let numbers: [Int] = try decoder.decode(for: Key.numbers)
    let steps: [Int] = try decoder.decode(for: Key.steps)
    let times: [Double] = try decoder.decode(for: Key.times)
    let byteCounts: [UInt64] = try decoder.decode(for: Key.byteCounts)
    let hashes: [UInt64] = try decoder.decode(for: Key.hashes)
    let pairCounts: [Int] = try decoder.decode(for: Key.pairCounts)
    var texts = try decoder.decode([String].self, for: Key.texts)[...]
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
      entries.append(
        FolderEntry(
          number: numbers[place], step: steps[place], time: times[place],
          metadata: Metadata(Dictionary(pairs) { first, _ in first }), byteCount: byteCounts[place],
          hash: hashes[place]))
    }
  }
}
