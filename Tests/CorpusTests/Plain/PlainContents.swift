import GraphCodable

/// The contents of an archive.
struct PlainContents {
  private(set) var segments: [PlainSegment] = []
  private var userVersion: UInt64 = 0
  private var metadata: [(String, String)] = []
  private var extensions: [(UInt64, Bytes)] = []
  /// Where they are.
  private(set) var extensionPlaces: [(number: UInt64, range: Range<Int>)] = []
  private(set) var keys: [String] = []
  private var classes: [(mangled: String, qualified: String, version: UInt64)] = []
  private(set) var layouts: [[(key: Int, format: PlainFormat)]] = []
  private(set) var shapes: [Shape] = []
  private(set) var objectCount = 0
  private(set) var storedCount = 0
  private(set) var isInOrder = true
  private(set) var embeddedIndex: Bytes = []
  private(set) var embeddedStream: Bytes = []

  struct Shape {
    let flags: UInt8
    let classNumber: Int
    let typeName: String
    /// The number of the key plus one, and the kind.
    let fields: [(key: Int, kind: UInt8)]
    var isOpen: Bool { flags & 2 != 0 }
    var isBoxed: Bool { flags & 4 != 0 }
  }

  var graph: PlainSegment? { segments.first { $0.kind == 0 } }
  var objectIndex: PlainSegment? { segments.first { $0.kind == 1 } }
  var bulk: [PlainSegment] { segments.filter { $0.kind == 2 } }

  init(_ archive: Bytes, from start: Int) throws {
    var input = PlainBytes(archive, from: start, rule: "C3")
    let flags = try input.byte()
    try input.check(flags & 4 == 0 || flags & 2 != 0, "C2")
    try readSegments(&input, flags, contentsStart: start)
    if flags & 16 != 0 {
      userVersion = try input.varint()
      try input.check((1...65_535).contains(userVersion), "C5")
    }
    if flags & 64 != 0 {
      for _ in 0..<(try input.count(atLeast: 2)) {
        let key = try input.string("C4")
        try input.check(
          metadata.last.map { Bytes($0.0.utf8).lexicographicallyPrecedes(key.utf8) } ?? true, "C6")
        metadata.append((key, try input.string("C4")))
      }
    }
    if flags & 128 != 0 {
      for _ in 0..<(try input.count(atLeast: 2)) {
        let number = try input.varint()
        try input.check(number % 2 == 0, "C16")
        let bytes = try input.take(input.varint())
        let isTwice = extensions.contains { $0.0 == number }
        try input.check(!isTwice || (number != 2 && number != 4), "C17")
        extensions.append((number, Bytes(bytes)))
        extensionPlaces.append((number, (input.place - bytes.count)..<input.place))
      }
    }
    for _ in 0..<(try input.count(atLeast: 1)) { keys.append(try input.string("C4")) }
    try input.check(Set(keys.map { Bytes($0.utf8) }).count == keys.count, "C7")
    if flags & 8 != 0 {
      for _ in 0..<(try input.count(atLeast: 3)) {
        classes.append((try input.string("C4"), try input.string("C4"), try input.varint()))
        try input.check(classes.last.map { $0.version < 1 << 32 } ?? true, "C8")
      }
    }
    if flags & 32 != 0 { try readLayouts(&input) }
    try readShapes(&input)
    try readObjects(&input, flags)
  }

  /// Takes blocks that are made of others, each of which must be one of a segment.
  mutating func take(_ made: [Int: PlainMadeBlock]) throws {
    var left = made
    for index in segments.indices { segments[index].take(&left) }
    if let place = left.keys.min() { throw Refusal(rule: "X8", place: place) }
  }

  private mutating func readSegments(_ input: inout PlainBytes, _ flags: UInt8, contentsStart: Int) throws {
    var (end, rawByteCount) = (40, 0)
    if flags & 1 != 0 {
      for _ in 0..<(try input.count(atLeast: 60)) {
        var segment = try PlainSegment(&input)
        let order: [UInt8] = [0, 2, 1]  // Kinds in the order of the file.
        let rank = order.firstIndex(of: segment.kind) ?? 0
        let last = segments.last.map { order.firstIndex(of: $0.kind) ?? 0 } ?? -1
        try input.check(rank > last || (rank == 1 && last == 1), "S8")
        rawByteCount += segment.rawByteCount
        try input.check(rawByteCount <= 1 << 56, "S2")
        end = segment.place(behind: end)
        segments.append(segment)
        try input.check(end <= contentsStart, "S9")
      }
      try input.check(objectIndex == nil || flags & 2 != 0, "S8")
    }
    try input.check(end == contentsStart, "S9")
  }

  private mutating func readLayouts(_ input: inout PlainBytes) throws {
    for _ in 0..<(try input.count(atLeast: 3)) {
      var layout: [(key: Int, format: PlainFormat)] = []
      for _ in 0..<(try input.count(atLeast: 2)) {
        let key = try input.varint()
        guard key <= UInt64(keys.count), let format = PlainFormat(try input.varint()) else {
          throw input.refuse("C9")
        }
        layout.append((Int(key), format))
      }
      let named = layout.map(\.key).filter { $0 != 0 }
      try input.check(!layout.isEmpty && Set(named).count == named.count, "C9")
      layouts.append(layout)
    }
  }

  private mutating func readShapes(_ input: inout PlainBytes) throws {
    var lastKey = 0
    for _ in 0..<(try input.count(atLeast: 2)) {
      let flags = try input.byte()
      try input.check(flags & 128 == 0, "C10")
      let classNumber = flags & 8 != 0 ? try input.varint() : 0
      try input.check(classNumber <= UInt64(classes.count), "C10")
      try input.check(flags & 8 == 0 || (classNumber > 0 && flags & 1 != 0), "C10")
      let typeName = flags & 64 != 0 ? try input.string("C4") : ""
      try input.check(flags & 64 == 0 || (!typeName.isEmpty && flags & 1 == 0), "C10")
      var fields: [(key: Int, kind: UInt8)] = []
      for index in 0..<(try input.count(atLeast: flags & 16 != 0 ? 1 : 2)) {
        let key = flags & 16 != 0 ? UInt64(lastKey + index + 1) : try input.varint()
        let kind = try input.byte()
        try input.check(key <= UInt64(keys.count) && PlainStream.takesBytes(kind), "C11")
        fields.append((Int(key), kind))
      }
      let named = fields.map(\.key).filter { $0 != 0 }
      try input.check(Set(named).count == named.count, "C11")
      try input.check(flags & 4 == 0 || (fields.isEmpty && flags & 34 == 0), "C12")
      lastKey = max(lastKey, named.max() ?? 0)
      shapes.append(
        Shape(flags: flags, classNumber: Int(classNumber), typeName: typeName, fields: fields))
    }
  }

  private mutating func readObjects(_ input: inout PlainBytes, _ flags: UInt8) throws {
    isInOrder = flags & 2 == 0 || flags & 4 != 0
    if flags & 2 != 0 {
      let count = try input.varint()
      let stored = isInOrder ? count : try input.varint()
      try input.check(count > 0 && stored <= count, "C13")
      try input.check(count <= UInt64(Int.max), "C14")
      (objectCount, storedCount) = (Int(count), Int(stored))
      if objectIndex == nil { embeddedIndex = Bytes(try input.take(input.varint())) }
    }
    if graph == nil { embeddedStream = Bytes(try input.take(UInt64(input.left))) }
    try input.check(input.left == 0 && (graph != nil || !embeddedStream.isEmpty), "C15")
    let stream = graph?.rawByteCount ?? embeddedStream.count
    let inArchive = graph?.byteCount ?? embeddedStream.count
    let index = objectIndex?.rawByteCount ?? embeddedIndex.count
    let varintCount = storedCount * (isInOrder ? 1 : 2)
    try input.check(
      (storedCount == 0 || storedCount < stream) && objectCount - storedCount <= stream / 2 + 1
        && (varintCount...(9 * varintCount)).contains(index) && objectCount / 8 <= inArchive, "C14")
  }
}

extension PlainContents {
  /// The tables as members of the document of an archive.
  var json: [(String, JSON)] {
    var members: [(String, JSON)] = []
    if userVersion != 0 { members.append(("userVersion", .number("\(userVersion)"))) }
    if !metadata.isEmpty { members.append(("metadata", Self.json(metadata))) }
    if !extensions.isEmpty {
      members.append(
        (
          "extensions",
          .list(extensions.map { .object([("number", .integer($0)), ("bytes", .hex($1))]) })
        ))
    }
    members.append(("keys", .list(keys.map(JSON.string))))
    if !classes.isEmpty {
      members.append(
        (
          "classes",
          .list(
            classes.map {
              .object([
                ("mangledName", .string($0.mangled)), ("qualifiedName", .string($0.qualified)),
                ("version", .number("\($0.version)")),
              ])
            })
        ))
    }
    if !layouts.isEmpty {
      members.append(("layouts", .list(layouts.map { .list($0.map(json)) })))
    }
    members.append(("shapes", .list(shapes.map(json))))
    return members
  }

  static func json(_ pairs: [(String, String)]) -> JSON {
    .list(pairs.map { .list([.string($0), .string($1)]) })
  }

  /// A member with a key, if there is one.
  func keyJSON(_ number: Int) -> [(String, JSON)] { number == 0 ? [] : [("key", .string(keys[number - 1]))] }

  private func json(_ field: (key: Int, format: PlainFormat)) -> JSON {
    .object(keyJSON(field.key) + [("format", field.format.json)])
  }

  private func json(_ shape: Shape) -> JSON {
    let names = ["class", "open", "boxed", nil, nil, "list", nil, nil]
    let flags = names.enumerated().compactMap { shape.flags >> UInt8($0) & 1 == 1 ? $1 : nil }
    return .object(
      (flags.isEmpty ? [] : [("flags", .list(flags.map(JSON.string)))])
        + (shape.classNumber == 0 ? [] : [("class", .number("\(shape.classNumber - 1)"))])
        + (shape.typeName.isEmpty ? [] : [("typeName", .string(shape.typeName))])
        + [
          (
            "fields",
            .list(
              shape.fields.map {
                .object(keyJSON($0.key) + [("kind", .string(PlainStream.name($0.kind)))])
              })
          )
        ])
  }
}
