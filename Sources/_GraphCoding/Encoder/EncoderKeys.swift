import _GraphFiles
import _GraphSupport

/// The keys that an encoder has met, and their numbers.
package struct EncoderKeys {
  /// All of them; the archive numbers them anew: see `EncoderTables.tableBytes`.
  package private(set) var names: [String] = []
  private var numbers: [ByteString: UInt32] = [:]
  private var numbersByToken: [UInt64: UInt32] = [:]
  /// Integers of coding keys that fields have been encoded with: kept with the tokens of these, for the graphs to come.
  var intValues = KeyIntValues()
  /// The keys of overflow fields, in the order of their first use; by their numbers in `names`, plus one.
  private(set) var overflow: [UInt32] = []
  private var overflowNumbers: [UInt32: UInt32] = [:]

  /// The number of a key, which gets one if it is new.
  @_semantics("optimize.sil.specialize.generic.never")
  mutating func number<Key: RawRepresentable>(of key: Key) -> UInt32 where Key.RawValue == String {
    let token = FieldToken.of(key)
    if let token, let number = numbersByToken[token] { return number }
    let number = number(named: key.rawValue)
    if let token { numbersByToken[token] = number }
    return number
  }

  package mutating func number(named name: String) -> UInt32 {
    if let known = numbers[ByteString(name)] { return known }
    let number = UInt32(names.count)
    names.append(name)
    numbers[ByteString(name)] = number
    return number
  }

  /// The number plus one that the archive has for the key of an overflow field.
  ///
  /// - Parameter keyNumber: its number in `names`, plus one.
  mutating func overflowNumber(_ keyNumber: UInt32) -> UInt32 {
    if let known = overflowNumbers[keyNumber] { return known }
    overflow.append(keyNumber)
    overflowNumbers[keyNumber] = UInt32(overflow.count)
    return UInt32(overflow.count)
  }
}
