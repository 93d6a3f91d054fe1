import Foundation
import GraphCodable

/// Writes an array as lists in lists, one for each dimension; vectors are lists, and structs objects or, without names,
/// lists.
struct ArrayJSON {
  private let elements: ArrayElements
  private let shape: [Int]
  /// Of structs all of whose fields have names.
  private let names: [String]?

  init(_ array: GraphRawArrayView) throws {
    elements = try ArrayElements(array)
    shape = array.shape
    let keys = array.fields.compactMap(\.key)
    names = try keys.count == array.fields.count ? keys.map { try Self.json($0) } : nil
  }

  func write(to output: Output) throws { try forEachLine { try output.line($0) } }

  /// All of it on one line.
  var text: String {
    get throws {
      var lines: [String] = []
      try forEachLine { lines.append($0) }
      return lines.joined(separator: " ")
    }
  }

  private func forEachLine(_ body: (String) throws -> Void) throws {
    guard elements.array.count > 0 else { return try body(Self.empty(shape[...])) }
    // How many rows each list of a dimension has, from the innermost of those that rows lie in.
    var sizes: [Int] = []
    for length in shape.dropLast(shape.count > 1 ? 1 : 0).reversed() {
      sizes.append(length * (sizes.last ?? 1))
    }
    try elements.forEachRow(Self.text) { row, elements in
      let begun = sizes.count { row.isMultiple(of: $0) }
      let ended = sizes.count { (row + 1).isMultiple(of: $0) }
      let values = elements.map(value).joined(separator: ", ")
      let list = shape.count > 1 ? "[\(values)]" : values
      let end = String(repeating: "]", count: ended) + (ended < sizes.count ? "," : "")
      try body(String(repeating: "[", count: begun) + list + end)
    }
  }

  /// An element of its scalars.
  private func value(_ scalars: [String]) -> String {
    let fields = elements.array.fields
    if fields.count == 1, names == nil { return Self.list(scalars) }
    var (texts, next) = ([String](), 0)
    for (index, field) in fields.enumerated() {
      let lanes = Array(scalars[next..<(next + field.format.laneCount)])
      next += lanes.count
      texts.append((names.map { "\($0[index]): " } ?? "") + Self.list(lanes))
    }
    let text = texts.joined(separator: ", ")
    return names == nil ? "[\(text)]" : "{\(text)}"
  }

  private static func list(_ scalars: [String]) -> String {
    scalars.count == 1 ? scalars[0] : "[\(scalars.joined(separator: ", "))]"
  }

  /// Lists without elements.
  ///
  /// Behind a dimension of length 0 an archive may say any other lengths.
  private static func empty(_ shape: ArraySlice<Int>) -> String {
    guard let length = shape.first, length > 0, shape.count > 1 else { return "[]" }
    return "[\(Array(repeating: empty(shape.dropFirst()), count: length).joined(separator: ", "))]"
  }

  /// A scalar; what JSON has no number for is a string.
  private static func text(_ type: PackedFormat.Scalar, _ bytes: ArraySlice<UInt8>) -> String {
    let text = ArrayElements.text(type, bytes)
    switch type {
    case .bool: return text
    case .uuid, .int128, .uint128, .duration, .continuousInstant, .suspendingInstant: return "\"\(text)\""
    default: return Double(text)?.isFinite == true ? text : "\"\(text)\""
    }
  }

  private static func json(_ text: String) throws -> String {
    String(decoding: try JSONEncoder().encode(text), as: UTF8.self).visibleJSON
  }
}
