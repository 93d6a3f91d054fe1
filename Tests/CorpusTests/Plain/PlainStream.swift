import GraphCodable

/// The graph stream of an archive, with its object index.
struct PlainStream {
  let contents: PlainContents
  private let bulk: [PlainSegment]
  private let archive: Bytes
  var input: PlainBytes
  /// Where values begin, behind their kinds.
  private(set) var starts: Set<Int> = []
  /// What is left of a path that is looked for.
  var steps: ArraySlice<PlainStep> = []
  /// By number; nil for objects that are not stored.
  private var offsets: [Int?]
  /// Where each object ends, by where it begins; the root begins at 0.
  private var ends: [Int: Int] = [:]
  private var mentionedSegments: Set<UInt64> = []
  /// Objects that are boxes of a reference, and what that leads to.
  private var boxes: [Int: Int] = [:]

  private static let names: [UInt8: String] = [
    0x00: "nil", 0x01: "absent", 0x02: "tagged", 0x03: "record", 0x04: "reference",
    0x05: "conditional reference", 0x06: "nested packed array", 0x07: "packed optionals", 0x08: "array",
    0x09: "set",
    0x0A: "dictionary", 0x0B: "packed array",
    0x0C: "binary", 0x0D: "fixed", 0x0E: "packed structs", 0x0F: "opaque", 0x10: "string", 0x11: "bool",
    0x12: "int8", 0x13: "int16", 0x14: "int32", 0x15: "int64", 0x16: "uint8", 0x17: "uint16", 0x18: "uint32",
    0x19: "uint64", 0x1A: "float16", 0x1B: "float32", 0x1C: "float64", 0x22: "tagged if present",
    0x42: "tagged identity", 0x62: "tagged conditional",
  ]
  private static let tags: Set<UInt8> = [0x02, 0x22, 0x42, 0x62]

  static func name(_ kind: UInt8) -> String { names[kind] ?? "0x\(String(kind, radix: 16, uppercase: true))" }

  /// Whether a kind may stand where values must take bytes.
  static func takesBytes(_ kind: UInt8) -> Bool { kind > 1 && names[kind] != nil || kind >= 0x80 }

  init(_ contents: PlainContents, stream: Bytes, index: Bytes, archive: Bytes) throws {
    (self.contents, self.archive, bulk) = (contents, archive, contents.bulk)
    input = PlainBytes(stream, rule: "G1")
    offsets = Array(repeating: nil, count: contents.objectCount)
    var list = PlainBytes(index, rule: "I3")
    var (stored, last): ([Int], Int) = ([], 0)
    for _ in 0..<contents.storedCount {
      let distance = try list.varint()
      try list.check(distance > 0 && distance < UInt64(stream.count - last), "I1")
      ends[last] = last + Int(distance)
      last += Int(distance)
      stored.append(last)
    }
    ends[last] = stream.count
    for (place, offset) in stored.enumerated() {
      let number = contents.isInOrder ? UInt64(place) : try list.varint()
      try list.check(number < UInt64(offsets.count) && offsets[Int(number)] == nil, "I2")
      offsets[Int(number)] = offset
    }
    try list.check(list.left == 0, "I3")
  }

  /// The root, and the objects by number.
  mutating func graph() throws -> (root: JSON, objects: [JSON]) {
    let kind = try outerKind()
    let root = try value(kind, depth: 0)
    try input.check(input.place == ends[0], "G2")
    var objects: [JSON] = []
    for number in offsets.indices {
      guard let offset = offsets[number] else {
        objects.append(.null)
        continue
      }
      input.place = offset
      starts.insert(offset)
      let object = try record(depth: 0, object: number)
      try input.check(input.place == ends[offset], "G2")
      objects.append(.object(object))
    }
    try checkBoxes()
    return (root, objects)
  }

  private func checkBoxes() throws {
    for start in boxes.keys {
      var (number, count) = (start, 0)
      while let next = boxes[number] {
        count += 1
        try input.check(count <= boxes.count, "G4")
        number = next
      }
    }
  }

  // MARK: Values

  /// The kind of a value that is not in a field or a container, and must take bytes.
  private mutating func outerKind() throws -> UInt8 {
    let kind = try input.byte()
    try input.check(Self.takesBytes(kind), "G5")
    return kind
  }

  private mutating func value(_ kind: UInt8, depth: Int) throws -> JSON {
    .object([("kind", .string(Self.name(kind)))] + (try members(kind, depth)))
  }

  /// Moves behind a value.
  mutating func pass(_ kind: UInt8) throws { _ = try members(kind, 0) }

  /// Lets values be read once more.
  mutating func forgetMentions() { mentionedSegments = [] }

  func offset(ofObject number: UInt64) throws -> Int {
    guard number < UInt64(offsets.count), let offset = offsets[Int(number)] else { throw input.refuse("G4") }
    return offset
  }

  private mutating func members(_ kind: UInt8, _ depth: Int) throws -> [(String, JSON)] {
    if kind > 1, kind != 4, kind != 5, !Self.tags.contains(kind) { starts.insert(input.place) }
    switch kind {
    case 0x00, 0x01: return []
    case 0x02, 0x22, 0x42, 0x62: return [("value", try tagged(depth))]
    case 0x03: return try record(depth: depth, object: nil)
    case 0x04, 0x05: return [("object", .number("\(try reference(kind))"))]
    case 0x06: return try nested()
    case 0x07: return try optionals(depth)
    case 0x08, 0x09: return try list(depth)
    case 0x0A: return try pairs(depth)
    case 0x0B, 0x0E: return try packed(kind)
    case 0x0C, 0x0F, 0x80...:
      return [("what", .integer(try input.varint())), ("bytes", .hex(try input.take(input.varint())))]
    case 0x0D:
      let format = try format()
      let bytes = try input.take(UInt64(format.byteCount))
      try input.check(format.hasRightBools(bytes), "G9")
      return [("format", format.json), ("scalars", .list(format.scalars(bytes)))]
    default: return [("value", try single(kind))]
    }
  }

  /// What stands behind a tag: nil, a field that was left out, a further tag, or a value.
  private mutating func tagged(_ depth: Int) throws -> JSON {
    var (kinds, kind): ([UInt8], UInt8) = ([], try input.byte())
    while Self.tags.contains(kind) {
      kinds.append(kind)
      kind = try input.byte()
    }
    return try kinds.reversed().reduce(value(kind, depth: depth)) { value, kind in
      .object([("kind", .string(Self.name(kind))), ("value", value)])
    }
  }

  private mutating func single(_ kind: UInt8) throws -> JSON {
    switch kind {
    case 0x10: return .string(try input.string("G11"))
    case 0x11:
      let byte = try input.byte()
      try input.check(byte <= 1, "G9")
      return .bool(byte == 1)
    case 0x12: return .integer(Int8(bitPattern: try input.byte()))
    case 0x13: return .integer(try ranged(input.zigzag(), Int16.self))
    case 0x14: return .integer(try ranged(input.zigzag(), Int32.self))
    case 0x15: return .integer(try input.zigzag())
    case 0x16: return .integer(try input.byte())
    case 0x17: return .integer(try ranged(input.varint(), UInt16.self))
    case 0x18: return .integer(try ranged(input.varint(), UInt32.self))
    case 0x19: return .integer(try input.varint())
    case 0x1A: return PlainFloat.json(UInt64(try input.number(UInt16.self)), 2)
    case 0x1B: return PlainFloat.json(UInt64(try input.number(UInt32.self)), 4)
    case 0x1C: return PlainFloat.json(try input.number(UInt64.self), 8)
    default: throw input.refuse("G5")
    }
  }

  private func ranged<Value: FixedWidthInteger>(
    _ number: some BinaryInteger, _ type: Value.Type
  ) throws -> Value {
    guard let value = Value(exactly: number) else { throw input.refuse("G8") }
    return value
  }

  private mutating func reference(_ kind: UInt8) throws -> Int {
    let number = try input.varint()
    try input.check(number < UInt64(offsets.count), "G4")
    try input.check(kind == 0x05 || offsets[Int(number)] != nil, "G4")
    return Int(number)
  }

  private func deeper(_ depth: Int) throws -> Int {
    try input.check(depth < 1 << 17, "G12")
    return depth + 1
  }

  // MARK: Containers

  private mutating func list(_ depth: Int) throws -> [(String, JSON)] {
    let kind = try outerKind()
    let count = try input.varint()
    try input.check(count <= UInt64(input.left), "G6")
    let depth = try deeper(depth)
    var elements: [JSON] = []
    for _ in 0..<count { elements.append(.object(try members(kind, depth))) }
    return [("elementKind", .string(Self.name(kind))), ("elements", .list(elements))]
  }

  private mutating func pairs(_ depth: Int) throws -> [(String, JSON)] {
    let (keyKind, valueKind) = (try outerKind(), try outerKind())
    let count = try input.varint()
    try input.check(count <= UInt64(input.left / 2), "G6")
    let depth = try deeper(depth)
    var pairs: [JSON] = []
    for _ in 0..<count {
      let key = try members(keyKind, depth)
      pairs.append(.list([.object(key), .object(try members(valueKind, depth))]))
    }
    return [
      ("keyKind", .string(Self.name(keyKind))), ("valueKind", .string(Self.name(valueKind))),
      ("pairs", .list(pairs)),
    ]
  }

  private mutating func format() throws -> PlainFormat {
    guard let format = PlainFormat(try input.varint()) else { throw input.refuse("G10") }
    return format
  }

  private mutating func packed(_ kind: UInt8) throws -> [(String, JSON)] {
    let formatNumber = try input.varint()
    var (formats, head): ([PlainFormat], [(String, JSON)])
    if kind == 0x0B {
      guard let format = PlainFormat(formatNumber) else { throw input.refuse("G10") }
      (formats, head) = ([format], [("format", format.json)])
    } else {
      try input.check(formatNumber > 0 && formatNumber <= UInt64(contents.layouts.count), "G10")
      formats = contents.layouts[Int(formatNumber) - 1].map(\.format)
      head = [("layout", .number("\(formatNumber)"))]
    }
    let number = try input.varint()
    let byteCount = try byteCount(number >> 1, formats, "G10")
    head.append(("count", .number("\(number >> 1)")))
    guard number & 1 == 1 else { return try head + elements(input.take(byteCount), formats) }
    return try head + bulk(input.varint(), kind == 0x0B ? formatNumber : 0, formats, byteCount)
  }

  private func byteCount(_ count: UInt64, _ formats: [PlainFormat], _ rule: String) throws -> UInt64 {
    let elementByteCount = formats.reduce(0) { $0 + $1.byteCount }
    let (byteCount, overflow) = count.multipliedReportingOverflow(by: UInt64(elementByteCount))
    try input.check(!overflow && byteCount < 1 << 63, rule)
    return byteCount
  }

  private mutating func nested() throws -> [(String, JSON)] {
    let formatNumber = try input.varint()
    let layoutNumber = formatNumber == 0 ? try input.varint() : 0
    var (formats, head): ([PlainFormat], (String, JSON))
    if let format = PlainFormat(formatNumber) {
      (formats, head) = ([format], ("format", format.json))
    } else {
      try input.check(layoutNumber > 0 && layoutNumber <= UInt64(contents.layouts.count), "G10")
      formats = contents.layouts[Int(layoutNumber) - 1].map(\.format)
      head = ("layout", .number("\(layoutNumber)"))
    }
    let dimensionCount = try input.varint()
    try input.check(dimensionCount > 0 && dimensionCount <= UInt64(input.left), "G13")
    var (count, dimensions): (UInt64, [JSON]) = (1, [])
    // Of the last dimension, for strings.
    var ends: [UInt64] = []
    for _ in 0..<dimensionCount {
      let length = try input.varint()
      ends = []
      if length == 1 {
        try input.check(count <= UInt64(input.left), "G13")
        var (sum, lengths): (UInt64, [JSON]) = (0, [])
        for _ in 0..<count {
          let next = try input.varint()
          let (total, overflow) = sum.addingReportingOverflow(next)
          try input.check(!overflow && total < 1 << 63, "G13")
          (sum, lengths) = (total, lengths + [.integer(next)])
          ends.append(total)
        }
        count = sum
        dimensions.append(.list(lengths))
      } else {
        try input.check(length > 0 && length & 1 == 0, "G13")
        let (product, overflow) = count.multipliedReportingOverflow(by: length >> 1)
        try input.check(!overflow && product < 1 << 63, "G13")
        if formats[0].isText, product < 1 << 20 { ends = (0..<count).map { ($0 + 1) * (length >> 1) } }
        count = product
        dimensions.append(.integer(length >> 1))
      }
    }
    let byteCount = try byteCount(count, formats, "G13")
    let place = try input.varint()
    let members: [(String, JSON)] = [
      head, ("lengths", .list(dimensions)), ("count", .integer(count)),
    ]
    let strings = formats.count == 1 && formats[0].isText ? ends.map(Int.init) : nil
    guard place > 0 else { return try members + elements(input.take(byteCount), formats, strings) }
    return try members + bulk(place - 1, formatNumber, formats, byteCount, strings)
  }

  private mutating func optionals(_ depth: Int) throws -> [(String, JSON)] {
    let kind = try input.byte()
    try input.check([0x06, 0x0B, 0x0E].contains(kind), "G14")
    let place = input.place
    try input.check(PlainFormat(try input.varint())?.isByte == true, "G14")
    let head = try input.varint()
    let (bitCount, segment) = (head >> 1, head & 1 == 1 ? try input.varint() : nil)
    input.place = place
    let presence = try packed(0x0B)
    let bits =
      try segment.map { try Bytes(bulk[Int($0)].expanded(archive)) }
      ?? Bytes(input.bytes[(input.place - Int(bitCount))..<input.place])
    let inside = input.place
    let array = try members(kind, depth)
    starts.remove(inside)  // It is a part of the value, and none of its own.
    let lengths = array.first { $0.0 == (kind == 0x06 ? "lengths" : "count") }?.1
    guard let count = lengths?.outermostCount else { throw input.refuse("G14") }
    try input.check(bitCount == 0 || bitCount == (count + 7) / 8, "G14")
    if let last = bits.last, count & 7 != 0 { try input.check(last >> UInt8(count & 7) == 0, "G14") }
    return [("bits", .object(presence)), ("array", .object([("kind", .string(Self.name(kind)))] + array))]
  }

  /// Strings, by their ends.
  private func strings(_ bytes: ArraySlice<UInt8>, _ ends: [Int]) throws -> [(String, JSON)] {
    var (start, strings) = (bytes.startIndex, [JSON]())
    for end in ends.map({ bytes.startIndex + $0 }) {
      guard let text = String(validating: bytes[start..<end], as: UTF8.self) else {
        throw input.refuse("G11")
      }
      strings.append(.string(text))
      start = end
    }
    return bytes.count <= 256
      ? [("strings", .list(strings))]
      : [("xxh3", .hex(hash(Bytes(bytes)).reversed()))]
  }

  private func elements(
    _ elements: ArraySlice<UInt8>, _ formats: [PlainFormat], _ ends: [Int]? = nil
  ) throws -> [(String, JSON)] {
    if let ends { return try strings(elements, ends) }
    var scalars: [JSON] = []
    var place = elements.startIndex
    while place < elements.endIndex {
      for format in formats {
        let bytes = elements[place..<(place + format.byteCount)]
        try input.check(format.hasRightBools(bytes), "G9")
        if elements.count <= 256 { scalars += format.scalars(bytes) }
        place += format.byteCount
      }
    }
    return elements.count <= 256
      ? [("scalars", .list(scalars))]
      : [("xxh3", .hex(hash(Bytes(elements)).reversed()))]
  }

  /// The elements of an array in a segment.
  private mutating func bulk(
    _ number: UInt64, _ format: UInt64, _ formats: [PlainFormat], _ byteCount: UInt64, _ ends: [Int]? = nil
  ) throws -> [(String, JSON)] {
    try input.check(number < UInt64(bulk.count), "G10")
    let segment = bulk[Int(number)]
    try input.check(
      UInt64(segment.rawByteCount) == byteCount && UInt64(segment.format) == format
        && segment.elementByteCount == formats.reduce(0) { $0 + $1.byteCount }
        && mentionedSegments.insert(number).inserted, "G10")
    do { return try elements(segment.expanded(archive)[...], formats, ends) } catch let error as Unknown {
      return [("unknown", .string(error.what))]
    }
  }

  // MARK: Records

  /// - Parameter object: the number of the object that it is.
  private mutating func record(depth: Int, object: Int?) throws -> [(String, JSON)] {
    let number = try input.varint()
    try input.check(number > 0 && number <= UInt64(contents.shapes.count), "G3")
    let shape = contents.shapes[Int(number) - 1]
    let depth = try deeper(depth)
    let head = ("shape", JSON.number("\(number)"))
    if shape.isBoxed { return [head, ("boxed", try box(depth, object))] }
    var fields: [JSON] = []
    for field in shape.fields {
      fields.append(.object(contents.keyJSON(field.key) + (try members(field.kind, depth))))
    }
    return [head, ("fields", .list(fields))] + (shape.isOpen ? [("overflow", try overflow(depth))] : [])
  }

  private mutating func box(_ depth: Int, _ object: Int?) throws -> JSON {
    let kind = try outerKind()
    guard let object else { return try value(kind, depth: depth) }
    let place = input.place
    // What is behind the tags may be a reference.
    var inner = kind
    while Self.tags.contains(inner) { inner = try input.byte() }
    if inner == 0x04 || inner == 0x05 {
      let target = try reference(inner)
      if offsets[target] != nil { boxes[object] = target }
    }
    input.place = place
    return try value(kind, depth: depth)
  }

  private mutating func overflow(_ depth: Int) throws -> JSON {
    let (count, unkeyed) = (try input.number(UInt32.self), try input.number(UInt32.self))
    let byteCount = try input.number(UInt64.self)
    try input.check(byteCount <= UInt64(input.left) && UInt64(count) <= byteCount / 2, "G7")
    let end = input.place + Int(byteCount)
    var (fields, unkeyedCount): ([JSON], UInt32) = ([], 0)
    for _ in 0..<count {
      let kind = try outerKind()
      let key = try input.varint()
      try input.check(key <= UInt64(contents.keys.count), "G7")
      if key == 0 { unkeyedCount += 1 }
      fields.append(
        .object(
          contents.keyJSON(Int(key)) + [("kind", .string(Self.name(kind)))] + (try members(kind, depth))))
    }
    try input.check(input.place == end && unkeyedCount == unkeyed, "G7")
    return .list(fields)
  }
}

extension JSON {
  /// A number, or that of the first of some lengths.
  fileprivate var outermostCount: UInt64? {
    switch self {
    case .number(let text), .string(let text): UInt64(text)
    case .list(let parts): parts.first?.outermostCount
    default: nil
    }
  }
}
