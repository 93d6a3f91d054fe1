import _GraphSupport

/// Pairs of text that the user says of an archive or an entry, in ascending order of the bytes of the keys.
package struct Metadata: Sendable {
  package private(set) var pairs: [(key: String, value: String)] = []

  package init() {}

  package init(_ dictionary: [String: String]) {
    pairs = dictionary.map { ($0.key, $0.value) }.sortedOutOfLine {
      $0.key.utf8.lexicographicallyPrecedes($1.key.utf8)
    }
  }

  /// The same, which may be stored.
  ///
  /// - Throws: `invalidValue` for a key with more than 256 combining marks in a row.
  package func checked() throws -> Self {
    guard !pairs.contains(where: { Self.isRefused($0.key) }) else {
      throw GCodableError(.invalidValue, "a key of metadata has more than 256 combining marks in a row")
    }
    return self
  }

  /// Whether a key takes too long to hash, as dictionaries do.
  package static func isRefused(_ key: String) -> Bool {
    CombiningMarks.exceed(CombiningMarks.maximumNameCount, in: key)
  }

  var isEmpty: Bool { pairs.isEmpty }

  /// Sets the value of a key.
  package mutating func set(_ key: String, _ value: String) {
    let place = pairs.partitioningIndex { !$0.key.utf8.lexicographicallyPrecedes(key.utf8) }
    if place < pairs.count, pairs[place].key.utf8.elementsEqual(key.utf8) {
      pairs[place].value = value
    } else {
      pairs.insert((key, value), at: place)
    }
  }

  /// Of keys that differ only in their normalization, and so are one for a dictionary, the first one.
  package var dictionary: [String: String] {
    Dictionary(pairs.lazy.map { ($0.key, $0.value) }, uniquingKeysWith: { first, _ in first })
  }
}

extension Collection<String> {
  /// Whether two of them have the same bytes.
  package var hasOneTwice: Bool { Set(map { Array($0.utf8) }).count < count }
}

extension ByteBuilder {
  package mutating func metadata(_ metadata: Metadata) {
    varint(UInt64(metadata.pairs.count))
    for (key, value) in metadata.pairs {
      string(key)
      string(value)
    }
  }
}

extension Metadata {
  /// - Throws: `malformed` where the keys do not ascend, or one has too many combining marks in a row.
  package init(_ parser: inout ByteParser) throws {
    for _ in 0..<(try parser.count(of: "pairs of metadata", atLeast: 2)) {
      let key = try parser.string()
      if let before = pairs.last?.key, !before.utf8.lexicographicallyPrecedes(key.utf8) {
        throw parser.malformed("has metadata whose keys are not in order")
      }
      guard !Self.isRefused(key) else {
        throw parser.malformed("has a key of metadata with more than 256 combining marks in a row")
      }
      pairs.append((key, try parser.string()))
    }
  }
}
