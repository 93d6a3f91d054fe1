import Foundation
import GraphCodable

/// Writes any value of an archive as JSON on one line.
///
/// Records and dictionaries are objects, whose fields without keys have their numbers; what JSON has no form for is a string. An
/// object that was written before is `{"$ref": "its path"}`.
struct ValueJSON {
  private let archive: GraphArchive
  private var writtenObjects: [Int: GraphPath] = [:]

  /// Deeper values are for `dump`, which does not recurse.
  private static let maximumDepth = 256
  private static let pageCount = 4096

  init(_ archive: GraphArchive) { self.archive = archive }

  /// The text of the value at a path.
  mutating func text(at path: GraphPath) throws -> String {
    var text = ""
    try write(archive.item(at: path), path, depth: 0, to: &text)
    return text
  }

  private mutating func write(
    _ item: GraphArchive.Item, _ path: GraphPath, depth: Int, to text: inout String
  ) throws {
    guard depth < Self.maximumDepth else {
      throw Failure("values nest deeper than \(Self.maximumDepth) levels at \(path); see dump")
    }
    if let number = item.objectNumber {
      if let first = writtenObjects[number] {
        text += "{\"$ref\": \(try Self.quoted(first.description))}"
        return
      }
      writtenObjects[number] = path
    }
    switch item.kind {
    case .string: text += try Self.quoted(archive.decode(String.self, at: path))
    case .packed, .packedStructs, .nestedPacked:
      if let array = try? archive.rawArray(at: path) {
        text += try ArrayJSON(array).text
      } else {
        try writeList(path, depth: depth, to: &text)
      }
    case .array, .set, .packedOptionals: try writeList(path, depth: depth, to: &text)
    case .dictionary: try writeFields(path, depth: depth, to: &text)
    case .record where item.isWrapper:
      guard let part = try archive.items(at: path, in: 0..<1).first, let step = part.step else { fallthrough }
      try write(part, path.appending(step), depth: depth + 1, to: &text)
    case .record: try writeFields(path, depth: depth, to: &text)
    case .binary, .opaque: text += "\"\(count(item.byteCount ?? 0, "byte", "bytes"))\""
    case .null, .absent: text += "null"
    case .conditional where item.count == nil: text += "null"
    case .fixed where item.count != nil: try writeList(path, depth: depth, to: &text)
    default:
      if item.text == nil, item.count != nil { return try writeFields(path, depth: depth, to: &text) }
      text += Self.scalar(item.text ?? "null")
    }
  }

  private mutating func writeList(_ path: GraphPath, depth: Int, to text: inout String) throws {
    text += "["
    try forEachPart(of: path) { this, part, step, isFirst in
      if !isFirst { text += ", " }
      try this.write(part, path.appending(step), depth: depth + 1, to: &text)
    }
    text += "]"
  }

  private mutating func writeFields(_ path: GraphPath, depth: Int, to text: inout String) throws {
    text += "{"
    try forEachPart(of: path) { this, part, step, isFirst in
      if !isFirst { text += ", " }
      let name: String
      switch step {
      case .key(let key): name = key
      case .index(let index): name = part.keyText ?? "\(index)"
      case .range: name = ""
      }
      text += "\(try Self.quoted(name)): "
      try this.write(part, path.appending(step), depth: depth + 1, to: &text)
    }
    text += "}"
  }

  /// Calls `body` for each part, by pages: the way to a page is walked again.
  private mutating func forEachPart(
    of path: GraphPath, _ body: (inout Self, GraphArchive.Item, GraphPath.Step, Bool) throws -> Void
  ) throws {
    var start = 0
    while true {
      let parts = try archive.items(at: path, in: start..<(start + Self.pageCount))
      for (place, part) in parts.enumerated() {
        guard let step = part.step else { continue }
        try body(&self, part, step, start + place == 0)
      }
      guard parts.count == Self.pageCount else { return }
      start += Self.pageCount
    }
  }

  /// A number, true, false, or a string.
  static func scalar(_ text: String) -> String {
    if ["true", "false"].contains(text) || text.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?(e[+-]?[0-9]+)?/) != nil {
      return text
    }
    return text == "nil" ? "null" : (try? quoted(text)) ?? "\"\""
  }

  static func quoted(_ text: String) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(text), as: UTF8.self).visibleJSON
  }
}

extension GraphArchive.Item {
  /// Whether it is one value without a key of its own, as an enum with a raw value.
  var isWrapper: Bool { kind == .record && count == 1 && text != nil }
}
