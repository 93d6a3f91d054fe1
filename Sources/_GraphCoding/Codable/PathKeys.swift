// What `codingPath` is made of besides the names of keys that are in the archive.

/// The integers that coding keys stand for, which the archive does not have.
struct KeyIntValues {
  /// By the token of a key.
  private var byToken: [UInt64: Int] = [:]
  /// For keys without a token, by their numbers: the last used ones.
  private var byNumber: [UInt32: Int] = [:]

  /// - Parameters:
  ///   - number: of the key, plus one.
  ///   - token: 0 for none.
  mutating func note(_ value: Int?, _ number: UInt32, _ token: UInt64) {
    if token != 0 {
      if let value { byToken[token] = value }
    } else if value != nil || !byNumber.isEmpty {
      byNumber[number] = value
    }
  }

  func value(_ number: UInt32, _ token: UInt64) -> Int? { byToken[token] ?? byNumber[number] }
}

/// The coding keys of the elements of the container being coded, if not simply one index each.
class ElementKeys {
  func key(_ index: Int) -> ArchiveKey { ArchiveKey(intValue: index) }
}

/// The keys of the values of a dictionary: its own, if `Codable` makes coding keys from them.
final class PairKeys<Key>: ElementKeys {
  /// Of the pair that is being coded.
  var current: Key?
  /// Whether its value is, and not the key itself.
  var isAtValue = false
  private let isDecoding: Bool

  init(isDecoding: Bool) { self.isDecoding = isDecoding }

  override func key(_ index: Int) -> ArchiveKey {
    guard let key = current as? any CodingKeyRepresentable else {
      return ArchiveKey(intValue: 2 * index + (isAtValue ? 1 : 0))
    }
    let codingKey = key.codingKey
    // Decoders make one from the string alone.
    let isWhole = !isDecoding || key is Int
    return ArchiveKey(
      codingKey.stringValue, intValue: isWhole ? codingKey.intValue : Int(codingKey.stringValue))
  }
}

extension FieldToken {
  /// The token of a field of an encoder as that of its key alone.
  static func withoutKind(_ token: UInt64) -> UInt64 {
    // Bit 47 is set by careful encoders, and never in the address of metadata.
    token & ~(0xFF << 48 | 1 << 47)
  }
}
