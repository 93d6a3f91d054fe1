// Opens files that somebody has sent: cut, changed, forged, of another class, or all right. The program says what it thinks of each, and goes on.
//
//   swift run --package-path Examples HostileFile

import Foundation
import GraphCodable

/// What the program expects.
final class Letter: GCodable {
  let text: String
  let copies: [String]

  init(text: String, copies: [String]) { (self.text, self.copies) = (text, copies) }

  private enum Key: String { case text, copies }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(text, for: Key.text)
    try encoder.encode(copies, for: Key.copies)
  }

  init(from decoder: GDecoder) throws {
    text = try decoder.decode(for: Key.text)
    copies = try decoder.decode(for: Key.copies)
    // The bytes are sound; whether the values are is the program's to say.
    guard copies.count <= 100 else {
      throw GCodableError(.invalidValue, "\(copies.count) copies are too many")
    }
  }
}

/// What it also has, and no stranger may make instances of.
final class Eraser: GCodable {
  init() {}
  func encode(to encoder: GEncoder) throws {}
  init(from decoder: GDecoder) throws { print("an eraser was made") }
}

@main enum HostileFile {
  /// A decoder for files of strangers: one class, and limits far below the defaults.
  static func decoder() -> GraphDecoder {
    let decoder = GraphDecoder(allowing: [Letter.self])
    decoder.limits.archiveByteCount = 1_000_000
    decoder.limits.expandedByteCount = 4_000_000
    decoder.limits.objectCount = 1_000
    return decoder
  }

  /// What the program tells its user.
  static func verdict(on file: Bytes) -> String {
    do {
      let letters = try decoder().decode([Letter].self, from: file)
      return "fine: \(letters.count) letters"
    } catch let error as GCodableError {
      return "\(error.code)"
    } catch {
      return "\(error)"
    }
  }

  static func files() throws -> [(name: String, bytes: Bytes)] {
    let letters = [Letter(text: "Dear all", copies: ["Ann", "Ben"])]
    let good = try GraphEncoder().encode(letters) as Bytes
    var changed = good
    changed[good.count / 2] ^= 4
    let plain = GraphEncoder()
    plain.compression = .none
    let long = [Letter(text: String(repeating: "Dear all. ", count: 200_000), copies: [])]
    let greedy = [Letter(text: "Dear all", copies: Array(repeating: "Ann", count: 10_000))]
    return [
      ("as it was sent", good), ("cut off", Bytes(good.prefix(good.count - 5))), ("one bit changed", changed),
      ("something else", Bytes("%PDF-1.7 and so on, and so on, and so on".utf8)), ("empty", []),
      ("another class", try GraphEncoder().encode([Eraser()])),
      ("too many copies", try GraphEncoder().encode(greedy)),
      ("too large", try plain.encode(long)),
    ]
  }

  static func main() throws {
    for (name, bytes) in try files() { print("\(name): \(verdict(on: bytes))") }
  }
}
