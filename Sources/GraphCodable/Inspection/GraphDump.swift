/// Prints an archive as an indented list, following references to where objects are first met.
struct GraphDump {
  let reader: ArchiveReader
  let decoder: GDecoder
  let options: GraphDumpOptions
  /// Set where a root is shown and not an archive, which has only the units' bytes.
  let unitTexts: UnitTexts?
  /// Takes the lines as they come, without their ends.
  private let take: (String) throws -> Void
  /// Objects that have been printed, or will be.
  private var met: Set<UInt32> = []
  /// Objects whose place is too deep to be indented.
  private var postponed: [UInt32] = []
  private var depth = 0

  private static let maximumDepth = 100
  static let width = 88

  /// The dump of an archive in memory.
  static func text(of bytes: Bytes, _ options: GraphDumpOptions, unitTexts: UnitTexts?) throws -> String {
    try bytes.withUnsafeBytes {
      try text(of: ArchiveReader(ArchiveSource($0)), options, unitTexts: unitTexts)
    }
  }

  /// The dump of an archive.
  static func text(
    of reader: ArchiveReader, _ options: GraphDumpOptions, unitTexts: UnitTexts? = nil
  ) throws -> String {
    var text = ""
    try lines(of: reader, options, unitTexts: unitTexts) {
      text += $0
      text += "\n"
    }
    return text
  }

  /// Calls a closure for each line of the dump of an archive.
  static func lines(
    of reader: ArchiveReader, _ options: GraphDumpOptions, unitTexts: UnitTexts? = nil,
    _ take: (String) throws -> Void
  ) throws {
    try withoutActuallyEscaping(take) { take in
      var dump = try Self(reader, options, unitTexts, take)
      try dump.run()
    }
  }

  private init(
    _ reader: ArchiveReader, _ options: GraphDumpOptions, _ unitTexts: UnitTexts?,
    _ take: @escaping (String) throws -> Void
  ) throws {
    self.reader = reader
    self.options = options
    self.unitTexts = unitTexts
    self.take = take
    let classes = ClassResolver(reader.contents.classes, chosen: [:])
    decoder = GDecoder(try DecoderTables(reader, classes: classes), userInfo: [:])
  }

  private mutating func run() throws {
    if options.contains(.showHelp) { try section("HELP", help) }
    if options.contains(.showHeader) { try section("HEADER", header) }
    if !options.isDisjoint(with: [.readable, .showBody]) {
      try rule("BODY")
      try value(GraphKind(rawValue: try decoder.readByte()), prefix: "- ")
      while let number = postponed.popLast() { try object(number, prefix: "- ") }
    }
    if options.contains(.showReferenceMap) { try section("REFERENCEMAP", referenceMap) }
    try take(String(repeating: "=", count: Self.width))
  }

  private func rule(_ title: String) throws {
    let start = "== \(title) "
    try take(start + String(repeating: "=", count: Self.width - start.count))
  }

  private func section(_ title: String, _ body: [String]) throws {
    try rule(title)
    for line in body { try take(line) }
  }

  private func line(_ text: String) throws {
    try take(String(repeating: "\t", count: min(depth, Self.maximumDepth)) + text)
  }

  // MARK: Values

  private mutating func value(_ kind: GraphKind, prefix: String) throws {
    switch kind {
    case .null, .absent: try line(prefix + "NIL")
    case .tagged:
      var inner = kind
      while inner == .tagged { inner = GraphKind(rawValue: try decoder.readByte()) }
      try value(inner, prefix: prefix)
    case .record: try record(try decoder.readShape(), number: nil, prefix: prefix)
    case .reference: try reference(UInt32(try objectNumber()), prefix: prefix)
    case .conditional: try line(prefix + "PTC\(code(try objectNumber() + 1))")
    case .array, .set:
      try elements([GraphKind(rawValue: try decoder.readByte())], number: nil, prefix: prefix)
    case .dictionary:
      let keyKind = GraphKind(rawValue: try decoder.readByte())
      try elements([keyKind, GraphKind(rawValue: try decoder.readByte())], number: nil, prefix: prefix)
    default: try line(prefix + "BIV " + (try unit(kind)))
    }
  }

  /// A data unit: its text, or its size.
  private func unit(_ kind: GraphKind) throws -> String {
    let start = decoder.streamOffset
    let isReadable = options.contains(.readable)
    if kind == .binary {
      let byteCount = try decoder.readBytes(decoder.readVarint()).count
      return (isReadable ? unitTexts?[start] : nil) ?? "{ \(byteCount) bytes }"
    }
    let text = try ValueText(decoder).text(kind)
    return isReadable ? text : "{ \(decoder.streamOffset - start) bytes }"
  }

  /// The elements of a container of scalars, which is shown as one unit: their text, or their size.
  private func scalars(_ kinds: [GraphKind]) throws -> String {
    let start = decoder.streamOffset
    let count = try decoder.readCount(of: kinds[0], perElement: kinds.count)
    let text = try ValueText(decoder).list(kinds, count: count)
    return options.contains(.readable) ? text : "{ \(decoder.streamOffset - start) bytes }"
  }

  private func objectNumber() throws -> UInt64 {
    let number = try decoder.readVarint()
    guard number < decoder.state.pointee.objectCount else {
      throw decoder.malformed("object \(number) is not there")
    }
    return number
  }

  private mutating func nested(_ body: (inout Self) throws -> Void) throws {
    depth += 1
    try decoder.nested { try body(&self) }
    depth -= 1
    try line(".")
  }

  private mutating func elements(_ kinds: [GraphKind], number: UInt32?, prefix: String) throws {
    if kinds.allSatisfy(\.isScalar) {
      let id = number.map { code(UInt64($0) + 1) } ?? ""
      return try line(prefix + "BIV\(id) " + (try scalars(kinds)))
    }
    try line(prefix + "VAL" + (number.map { code(UInt64($0) + 1) } ?? ""))
    let count = try decoder.readCount(of: kinds[0], perElement: kinds.count)
    try nested { dump in
      for _ in 0..<count {
        for kind in kinds { try dump.value(kind, prefix: "- ") }
      }
    }
  }

  // MARK: Objects and records

  private mutating func reference(_ number: UInt32, prefix: String) throws {
    if met.contains(number) || depth >= Self.maximumDepth {
      try line(prefix + "PTS\(code(UInt64(number) + 1))")
      if met.insert(number).inserted { postponed.append(number) }
      return
    }
    try object(number, prefix: prefix)
  }

  private mutating func object(_ number: UInt32, prefix: String) throws {
    met.insert(number)
    let slot = decoder.state.pointee.objects + Int(number)
    guard slot.pointee.offset != ObjectSlot.notStored else {
      return try line(prefix + "PTS\(code(UInt64(number) + 1))")
    }
    let state = decoder.state
    let (cursor, depth) = (state.pointee.input.cursor, state.pointee.frame.depth)
    defer {
      state.pointee.input.cursor = cursor
      state.pointee.frame.depth = depth
    }
    state.pointee.frame.depth = 0
    try record(try decoder.readShape(ofObject: number), number: number, prefix: prefix)
  }

  private mutating func record(
    _ shape: UnsafeMutablePointer<DecoderShape>, number: UInt32?, prefix: String
  ) throws {
    let id = number.map { code(UInt64($0) + 1) } ?? ""
    let className =
      decoder.tables.className(shape.pointee.classNumber).map {
        options.contains(.readable) ? " \(name($0))" : " TYPE\(code(UInt64(shape.pointee.classNumber)))"
      } ?? ""
    if shape.pointee.isBoxed {
      let unitPrefix = prefix + (shape.pointee.isClass ? "BIR" : "BIV") + id + className + " "
      return try boxed(GraphKind(rawValue: try decoder.readByte()), number, prefix, unitPrefix: unitPrefix)
    }
    try line(prefix + (shape.pointee.isClass ? "REF" : "VAL") + id + className)
    try nested { dump in
      for index in 0..<shape.pointee.fieldCount {
        let field = shape.pointee.fields[index]
        try dump.field(field.keyNumber, field.kind)
      }
      guard shape.pointee.isOpen else { return }
      for _ in 0..<(try dump.decoder.readTailHeader().fieldCount) {
        let kind = GraphKind(rawValue: try dump.decoder.readByte())
        let keyNumber = try dump.decoder.readVarint()
        guard keyNumber <= UInt64(dump.decoder.tables.keys.count) else {
          throw dump.decoder.malformed("key \(keyNumber) is not in the table")
        }
        try dump.field(UInt32(keyNumber), kind)
      }
    }
  }

  private mutating func boxed(
    _ kind: GraphKind, _ number: UInt32?, _ prefix: String, unitPrefix: String
  ) throws {
    switch kind {
    case .array, .set:
      try elements([GraphKind(rawValue: try decoder.readByte())], number: number, prefix: prefix)
    case .dictionary:
      let keyKind = GraphKind(rawValue: try decoder.readByte())
      try elements([keyKind, GraphKind(rawValue: try decoder.readByte())], number: number, prefix: prefix)
    case .null, .absent, .record, .tagged, .reference, .conditional:
      try line(prefix + "VAL" + (number.map { code(UInt64($0) + 1) } ?? ""))
      try nested { dump in try dump.value(kind, prefix: "- ") }
    default: try line(unitPrefix + (try unit(kind)))
    }
  }

  private mutating func field(_ keyNumber: UInt32, _ kind: GraphKind) throws {
    if keyNumber == 0 { return try value(kind, prefix: "- ") }
    let key =
      options.contains(.readable)
      ? String(reflecting: decoder.tables.keys[Int(keyNumber) - 1]) : "KEY\(code(UInt64(keyNumber)))"
    try value(kind, prefix: "+ \(key): ")
  }

  /// The name of a class without what would end its line: it is whatever the writer of the archive liked.
  func name(_ stored: String) -> String { String(String(reflecting: stored).dropFirst().dropLast()) }

  /// A number with four digits at least.
  @inline(never)
  func code(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
