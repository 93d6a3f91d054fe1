import _GraphCoding
import _GraphFiles
import _GraphSupport

extension GraphArchive {
  /// A value in an archive, as far as it is known without its Swift type.
  ///
  /// Optionals, references and boxes around it are skipped: an item with an `objectNumber` is the object that a reference
  /// leads to.
  public struct Item: Hashable, Sendable {
    /// The step that leads to it from the value that it is a part of; nil for the root.
    public let step: GraphPath.Step?
    /// The text of its key, in a dictionary whose keys are neither strings nor integers; nil if the key has parts.
    public let keyText: String?
    /// How it is stored.
    ///
    /// An element of an array of numbers is `fixed`. A value that is not in the archive is `null`, `absent` for a field that
    /// was left out, or `conditional` for a reference to an object that nothing else refers to.
    public let kind: GraphKind
    /// The name of its class with its module; nil if none is stored.
    public let className: String?
    /// The object's number; nil if the value is not an object.
    public let objectNumber: Int?
    /// Whether the reference that leads to it is conditional, such as a weak one.
    public let isConditional: Bool
    /// The number of its fields, elements or pairs; nil for single values.
    public let count: Int?
    /// The text of a single value or of a short array of numbers, truncated to 64 characters; nil for other values.
    ///
    /// A record whose only field has no key, such as an enum with raw values, has the text of the field.
    public let text: String?
    /// The length of each dimension of nested arrays that are one packed array, from the outermost; empty for other values.
    ///
    /// Arrays of strings are such arrays, too, whose last dimension, the bytes of a string, is not listed.
    /// nil stands for arrays of different lengths.
    public let shape: [Int?]
    /// The format of the elements of a packed array, or of each field of its structs; empty for other values.
    public let packedFormats: [PackedFormat]
    /// Bytes of the elements of a packed array, or of a value that only its type can read; nil for other values.
    public let byteCount: Int?
    /// The number of the bulk segment with the elements; nil if they are in the graph stream.
    public let bulkSegment: Int?
    /// What the user says of the array; empty for other values.
    public let attributes: GAttributes
  }

  /// What the user says of the array at a path: its unit, the names of its dimensions, and others.
  ///
  /// - Parameter path: where the array is; by default the root.
  /// - Returns: empty attributes for arrays without any, for parts of arrays, and for other values.
  /// - Throws: as `item(at:)`.
  /// - Complexity: as `item(at:)`.
  public func attributes(at path: GraphPath = []) throws -> GAttributes {
    try withWalk(along: path) { walk in
      try path.steps[...].naming { try walk.attributes(of: walk.contents()) }
    }
  }

  /// The value at a path.
  ///
  /// - Parameter path: where the value is; by default the root.
  /// - Throws: `GCodableError`: `keyNotFound` for a missing key, `valueNotFound` for an index out of bounds and for nil on
  ///   the way, `typeMismatch` for a value without such parts, each with the path up to there; `invalidPath` for a text
  ///   that is not a path; `damaged` or `malformed`; `file` when the archive cannot be read.
  /// - Complexity: O(n) in the parts before it, in each object on the way.
  public func item(at path: GraphPath = []) throws -> Item {
    try withWalk(along: path) { walk in
      try path.steps[...].naming { try walk.item(path.steps.last) }
    }
  }

  /// The parts of the value at a path, one level deep: fields, elements, or the values of pairs.
  ///
  /// - Parameters:
  ///   - path: where the value is; by default the root.
  ///   - range: which of its parts, by their places; by default the first 1,000. Places out of bounds are ignored.
  /// - Returns: the parts, in the order in which they are stored; none for nil and for single values.
  /// - Throws: as `item(at:)`.
  /// - Complexity: O(n) in the parts up to the end of the range; O(1) to find those of a packed array.
  public func items(at path: GraphPath = [], in range: Range<Int> = 0..<1_000) throws -> [Item] {
    try withWalk(along: path) { walk in
      try path.steps[...].naming { try walk.items(in: range) }
    }
  }
}

extension ArraySlice<GraphPath.Step> {
  /// Runs `body`, and prepends the steps to the paths of its errors.
  fileprivate func naming<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw leading(to: error) }
  }
}

extension PartWalk {
  fileprivate mutating func items(in range: Range<Int>) throws -> [GraphArchive.Item] {
    var parts = try PartList(&self)
    switch parts.contents.form {
    case .packed(let array): return try items(of: array, 0..<array.count, in: range)
    case .rows(let part):
      if let (texts, places) = part.texts { return try items(of: texts, places, in: range) }
      guard let places = part.elements else { break }
      return try items(of: part.array.elements, places, in: range)
    case .packedFields(let part): return try items(of: part, in: range)
    case .optionals(let optionals, let presence): return try items(of: optionals, presence, in: range)
    default: break
    }
    var items: [GraphArchive.Item] = []
    var index = 0
    while index < range.upperBound, let step = try parts.next(&self) {
      if index >= range.lowerBound {
        let position = position
        do {
          let keyText = try parts.keyPosition.flatMap { try text(ofKeyAt: $0) }
          try move(to: position)
          items.append(try item(step, keyText: keyText))
        } catch { throw CollectionOfOne(step).leading(to: error) }
        try move(to: position)
      }
      try pass()
      index += 1
    }
    return items
  }

  /// The text of a key of a dictionary; nil where it has parts.
  private mutating func text(ofKeyAt position: Position) throws -> String? {
    try move(to: position)
    return try item(nil).text
  }

  /// Describes the value that it stands at.
  @inline(never)
  mutating func item(_ step: GraphPath.Step?, keyText: String? = nil) throws -> GraphArchive.Item {
    var parts = try PartList(&self)
    let contents = parts.contents
    let details = try details(&parts)
    return GraphArchive.Item(
      step: step, keyText: keyText, kind: contents.kind,
      className: decoder.tables.className(contents.classNumber),
      objectNumber: contents.objectNumber.map { Int($0) }, isConditional: contents.isConditional,
      count: details.count, text: details.text,
      shape: details.shape, packedFormats: details.formats, byteCount: details.byteCount,
      bulkSegment: details.bulkSegment, attributes: try attributes(of: contents))
  }

  private struct Details {
    var count: Int?
    var text: String?
    var shape: [Int?] = []
    var formats: [PackedFormat] = []
    var byteCount: Int?
    var bulkSegment: Int?
  }

  private mutating func details(_ parts: inout PartList) throws -> Details {
    switch parts.contents.form {
    case .fields(let shape):
      if let kind = shape.pointee.wrappedKind, kind.isScalar || kind == .string,
        let part = try nextPart(), case .leaf(let leaf) = try decoder.state.pointee.cursor.read(part.kind)
      {
        return Details(count: 1, text: try ValueText(decoder).text(leaf))
      }
      try parts.countAll(&self)
      return Details(count: parts.count)
    case .elements(_, let count), .pairs(_, _, let count): return Details(count: count)
    case .packed(let array): return try details(array)
    case .rows(let part): return try details(part)
    case .optionals(let optionals, _):
      let elements = optionals.array.elements
      var details = Details(count: optionals.count, formats: elements.formats, byteCount: elements.byteCount)
      if case .segment(let number) = elements.place { details.bulkSegment = number }
      return details
    case .text(let part):
      let bytes = try decoder.gather(part.extent.runs, of: part.array.elements)
      return try withExtendedLifetime(bytes) {
        Details(text: try unsafe ValueText(decoder).text(.string(bytes.buffer)))
      }
    case .packedFields(let part): return Details(count: part.formats.count, formats: part.formats)
    case .packedSingle(let part):
      let text = try unsafe decoder.withBytes(part.range, of: part.array) {
        unsafe ValueText(decoder).text(part.formats[0], $0, of: 1, isArray: false)
      }
      return Details(text: ValueText.shortened(text), formats: part.formats)
    case .single(.binary(let bytes)): return Details(byteCount: bytes.count)
    case .single(let leaf): return Details(text: try ValueText(decoder).text(leaf))
    case .nothing: return Details(text: "nil")
    }
  }

  private func details(_ array: PackedElements) throws -> Details {
    var details = Details(count: array.count, formats: array.formats, byteCount: array.byteCount)
    switch array.place {
    case .segment(let number): details.bulkSegment = number
    case .stream(let bytes):
      try unsafe decoder.checkBools(bytes, from: 0, of: array)
      guard array.layout == nil else { break }
      details.text = unsafe ValueText.shortened(
        ValueText(decoder).text(array.format, bytes, of: array.count, isArray: true))
    }
    return details
  }
}

extension PartWalk {
  /// The details of one of the arrays of a nested array.
  private func details(_ part: ArrayPart) throws -> Details {
    let (shape, runs) = part.extent
    let elements = part.array.elements
    var details = Details(
      // A string is not a dimension.
      count: part.count, shape: elements.isText ? shape.lengths.dropLast() : shape.lengths,
      formats: elements.formats,
      byteCount: shape.count * elements.elementByteCount)
    switch elements.place {
    case .segment(let number): details.bulkSegment = number
    case .stream:
      // Strings are listed, one by one.
      guard !elements.isText else { break }
      let bytes = try decoder.gather(runs, of: elements)
      guard elements.layout == nil else { break }
      withExtendedLifetime(bytes) {
        let part = unsafe NestedArray(elements.part(of: shape.count, at: bytes.buffer), shape)
        details.text = ValueText.shortened(ValueText(decoder).text(part))
      }
    }
    return details
  }
}

extension GraphArchive.Item: CustomStringConvertible {
  /// One line with the step and what is known of the value.
  public var description: String {
    var parts: [String] = []
    if let step { parts.append("\(GraphPath([step])):") }
    if let keyText { parts.append("\(keyText):") }
    if let className { parts.append(className) } else if text == nil { parts.append("\(kind)") }
    if let objectNumber { parts.append("#\(objectNumber)") }
    if let text { parts.append(text) }
    if !shape.isEmpty {
      parts.append("{ \(ArrayShape.text(shape)) }")
    } else if let count {
      parts.append("{ \(count) }")
    }
    if !packedFormats.isEmpty, count != nil {
      parts.append("of \(packedFormats.map(\.description).joined(separator: ", "))")
    }
    if let byteCount { parts.append("\(byteCount) bytes") }
    if let bulkSegment { parts.append("in segment \(bulkSegment)") }
    return parts.joined(separator: " ")
  }
}
