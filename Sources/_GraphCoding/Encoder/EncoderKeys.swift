import _GraphFiles
import _GraphSupport

/// The keys that an encoder has met, and their numbers.
package struct EncoderKeys {
  /// All of them; the archive renumbers them: see `EncoderTables.tableBytes`.
  package private(set) var names: [String] = []
  private var numbers: [ByteString: UInt32] = [:]
  private var numbersByToken: [UInt64: UInt32] = [:]
  /// Integers of coding keys that fields were encoded with, kept with their tokens for later graphs.
  var intValues = KeyIntValues()
  /// Whether one of them has more combining marks in a row than readers take.
  private(set) var hasRefusedName = false
  /// The keys of overflow fields, in the order of their first use; by their numbers in `names`, plus one.
  private(set) var overflow: [UInt32] = []
  private var overflowNumbers: [UInt32: UInt32] = [:]
  /// Keys have the numbers of their first use: those of a stream of messages are sent once.
  var areCumulative = false

  func number(of token: UInt64) -> UInt32? { numbersByToken[token] }

  mutating func set(_ number: UInt32, of token: UInt64) { numbersByToken[token] = number }

  /// The number of a key, which gets one if it is new.
  package mutating func number(named name: String) -> UInt32 {
    if let known = numbers[ByteString(name)] { return known }
    let number = UInt32(names.count)
    if CombiningMarks.exceed(CombiningMarks.maximumNameCount, in: name) { hasRefusedName = true }
    names.append(name)
    numbers[ByteString(name)] = number
    return number
  }

  /// The number plus one that the archive has for the key of an overflow field.
  ///
  /// - Parameter keyNumber: its number in `names`, plus one.
  mutating func overflowNumber(_ keyNumber: UInt32) -> UInt32 {
    if areCumulative { return keyNumber }
    if let known = overflowNumbers[keyNumber] { return known }
    overflow.append(keyNumber)
    overflowNumbers[keyNumber] = UInt32(overflow.count)
    return UInt32(overflow.count)
  }
}
