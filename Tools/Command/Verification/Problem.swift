import Foundation
import GraphCodable

/// Something in a file that is not as it was written, or cannot be read; its properties are the keys in JSON.
struct Problem: Encodable {
  /// The name of a `GCodableError.Code`.
  let code: String
  let message: String
  /// From the start of the file; where the problem is in a part of a set, of that.
  let byteOffset: UInt64?
  /// The number of an entry or a message, where the problem is in one.
  var entry: Int?
  /// The number of a part of a set, where the problem is in one.
  var part: Int?

  /// The damaged blocks of the archive; absent where the error is about something else.
  var damage: [DamagedBlock]?
  /// How many there are; fewer may be listed.
  var damagedBlocks: Int?

  /// - Parameter entry: the entry of a series whose archive the error is about.
  init(_ error: GCodableError, in entry: GraphArchiveSeries.Entry? = nil) {
    code = error.code.name
    message = error.reason
    byteOffset = error.byteOffset.map { entry?.place(ofByte: $0) ?? $0 }
    self.entry = entry?.number
    part = nil
  }

  /// A part of a stream of messages that cannot be read.
  init(_ damage: GraphMessageDamage) {
    let lost = damage.lostMessages
    code = GCodableError.Code.damaged.name
    message =
      switch lost.count {
      case 0: damage.reason
      case 1: "\(damage.reason); message \(lost.lowerBound) is lost"
      default: "\(damage.reason); messages \(lost.lowerBound) to \(lost.upperBound - 1) are lost"
      }
    byteOffset = damage.range.lowerBound
    (entry, part) = (nil, nil)
  }

  /// - Parameter number: of the message that the error is about.
  init(_ error: GCodableError, inMessage number: Int) {
    (code, message, byteOffset) = (error.code.name, error.reason, nil)
    (entry, part) = (number, nil)
  }

  /// - Parameters:
  ///   - entry: the number of the set in its series.
  ///   - part: the number of the part that the error is about.
  init(_ error: GCodableError, inSet entry: Int?, part: Int? = nil) {
    (code, message, byteOffset) = (error.code.name, error.reason, error.byteOffset)
    (self.entry, self.part) = (entry, part)
  }

  /// What is wrong with the index of a series that is a folder, which readers can do without.
  static func ofIndex(in folder: String) throws -> Problem? {
    do { try GraphArchive(fileURL(folder).appendingPathComponent(SetNames.index)).verify() } catch let error
      as GCodableError
    { return error.isAboutMissingFile ? nil : Problem(error.about(SetNames.index)) }
    return nil
  }

  /// Adds what the archive's damage is.
  mutating func add(_ damage: GraphDamage, in entry: GraphArchiveSeries.Entry? = nil) {
    guard !damage.isEmpty else { return }
    self.damage = damage.blocks.map { DamagedBlock($0, in: entry) }
    damagedBlocks = damage.blockCount
  }

  /// The file could not be looked at.
  var isUnreadable: Bool { code == GCodableError.Code.file.name }

  /// Which part of the file it is in, behind the file's name.
  func place(in kind: FileKind?) -> String {
    let noun = kind == .messages ? "message" : "entry"
    return (entry.map { ", \(noun) \($0)" } ?? "") + (part.map { ", part \($0)" } ?? "")
  }

  var text: String { "\(code): \(message)" + (byteOffset.map { " (byte \($0))" } ?? "") }

  /// A line for each damaged block.
  var damageLines: [String] {
    guard let damage else { return [] }
    let left = (damagedBlocks ?? damage.count) - damage.count
    return damage.map(\.text) + (left > 0 ? [count(left, "more block", "more blocks")] : [])
  }
}
