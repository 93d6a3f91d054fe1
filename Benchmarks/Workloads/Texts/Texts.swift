import GraphCodable

/// W5's root: many strings, and a table with strings for keys.
///
/// For the peers it is `Codable`, as the compiler writes it.
struct Texts: Codable, Equatable {
  var strings: [String]
  var counts: [String: Int]
}

extension Texts: GCodable {
  private enum Key: String {
    case strings, counts
  }

  init(from decoder: GDecoder) throws {
    strings = try decoder.decode(for: Key.strings)
    counts = try decoder.decode(for: Key.counts)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(strings, for: Key.strings)
    try encoder.encode(counts, for: Key.counts)
  }
}

extension Texts {
  /// For each key there are so many strings.
  static let stringsPerKey = 4

  /// `count` strings of 5–40 lower-case letters, no two of them equal, and a quarter as many such keys for
  /// numbers below 100,000.
  static func generate(count: Int) -> Texts {
    var random = SplitMix64(seed: 0x5743_0005)
    let strings = distinctWords(count: count, random: &random)
    let keys = distinctWords(count: max(1, count / stringsPerKey), random: &random)
    return Texts(
      strings: strings, counts: Dictionary(uniqueKeysWithValues: keys.map { ($0, random.below(100_000)) }))
  }

  private static func distinctWords(count: Int, random: inout SplitMix64) -> [String] {
    var words: [String] = []
    var known = Set<String>(minimumCapacity: count)
    while words.count < count {
      let word = random.word(length: 5 + random.below(36))
      if known.insert(word).inserted { words.append(word) }
    }
    return words
  }
}
