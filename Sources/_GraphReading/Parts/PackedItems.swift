import _GraphCoding
import _GraphFiles
import _GraphSupport

/// Packed elements, whose bytes are read at once for all that are listed.
extension PartWalk {
  /// The elements of a packed array at `places`, which count from 0.
  mutating func items(
    of array: PackedElements, _ places: Range<Int>, in range: Range<Int>
  ) throws -> [GraphArchive.Item] {
    let range = range.clamped(to: 0..<places.count)
    guard !range.isEmpty else { return [] }
    let elements = (places.lowerBound + range.lowerBound)..<(places.lowerBound + range.upperBound)
    // A struct is listed without the text of its fields.
    guard array.layout == nil else { return try items(of: array, elements, from: range.lowerBound) }
    return try unsafe decoder.withBytes(array.byteRange(of: elements), of: array) { bytes in
      let listed = unsafe array.part(of: range.count, at: bytes)
      return try items(of: listed, 0..<range.count, from: range.lowerBound)
    }
  }

  /// The elements at some places of a packed array, whose indices begin with `first`.
  private mutating func items(
    of array: PackedElements, _ places: Range<Int>, from first: Int
  ) throws -> [GraphArchive.Item] {
    try places.map { place in
      stand(at: .packed(PackedPart(array: array, index: place)))
      return try item(.index(first + place - places.lowerBound))
    }
  }

  /// Some of the elements of an array of optionals.
  mutating func items(
    of optionals: PackedOptionals, _ presence: PackedOptionals.Presence, in range: Range<Int>
  ) throws -> [GraphArchive.Item] {
    let (range, all) = (range.clamped(to: 0..<optionals.count), 0..<optionals.count)
    let items: [GraphArchive.Item]
    if let (texts, places) = ArrayPart(optionals.array).texts {
      items = try self.items(of: texts, places, in: range)
    } else if optionals.kind == .nestedPacked {
      items = try range.map { index in
        stand(at: ArrayPart(optionals.array).part(index))
        return try item(.index(index))
      }
    } else {
      items = try self.items(of: optionals.array.elements, all, in: range)
    }
    return zip(range, items).map { index, item in presence[index] ? item : .init(.index(index), .null, "nil")
    }
  }

  /// The strings at `places` among all, which count from 0.
  func items(
    of texts: PackedTexts, _ places: Range<Int>, in range: Range<Int>
  ) throws -> [GraphArchive.Item] {
    let range = range.clamped(to: 0..<places.count)
    var items: [GraphArchive.Item] = []
    let strings = (places.lowerBound + range.lowerBound)..<(places.lowerBound + range.upperBound)
    try unsafe texts.forEach(in: strings, decoder) { index, bytes in
      let step = GraphPath.Step.index(index - places.lowerBound)
      do {
        items.append(.init(step, .string, try unsafe ValueText(decoder).text(.string(bytes))))
      } catch { throw CollectionOfOne(step).leading(to: error) }
    }
    return items
  }

  /// Some of the fields of a struct in a packed array.
  mutating func items(of part: PackedPart, in range: Range<Int>) throws -> [GraphArchive.Item] {
    let range = range.clamped(to: 0..<part.formats.count)
    guard !range.isEmpty else { return [] }
    return try unsafe decoder.withBytes(part.range, of: part.array) { bytes in
      let array = unsafe part.array.part(of: 1, at: bytes)
      return try range.map { field in
        stand(at: .packed(PackedPart(array: array, index: 0, field: field)))
        return try item(key(ofField: field, in: array) ?? .index(field))
      }
    }
  }
}

extension GraphArchive.Item {
  /// A string in an array of these, or an optional without a value.
  fileprivate init(_ step: GraphPath.Step, _ kind: GraphKind, _ text: String) {
    self.init(
      step: step, keyText: nil, kind: kind, className: nil, objectNumber: nil, isConditional: false,
      count: nil, text: text, shape: [], packedFormats: [], byteCount: nil, bulkSegment: nil,
      attributes: GAttributes())
  }
}
