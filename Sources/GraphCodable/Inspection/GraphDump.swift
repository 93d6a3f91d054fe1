/// Prints an archive as an indented list, following references to where objects are first met.
struct GraphDump {
  private let reader: ArchiveReader
  private let decoder: GDecoder
  private let options: GraphDumpOptions
  private var lines: [String] = []
  /// Objects that have been printed, or will be.
  private var met: Set<UInt32> = []
  /// Objects whose place is too deep to be indented.
  private var postponed: [UInt32] = []
  private var depth = 0

  private static let maximumDepth = 100
  private static let width = 88

  init(_ reader: ArchiveReader, _ options: GraphDumpOptions) throws {
    self.reader = reader
    self.options = options
    let classes = ClassResolver(reader.contents.classes, chosen: [:])
    decoder = GDecoder(try DecoderTables(reader, classes: classes), userInfo: [:])
  }

  mutating func text() throws -> String {
    if options.contains(.showHelp) { section("HELP", help) }
    if options.contains(.showHeader) { section("HEADER", header) }
    if !options.isDisjoint(with: [.readable, .showBody]) {
      rule("BODY")
      try value(GraphKind(rawValue: try decoder.readByte()), prefix: "- ")
      while let number = postponed.popLast() { try object(number, prefix: "- ") }
    }
    if options.contains(.showReferenceMap) { section("REFERENCEMAP", referenceMap) }
    lines.append(String(repeating: "=", count: Self.width))
    return lines.joined(separator: "\n") + "\n"
  }

  private mutating func rule(_ title: String) {
    let start = "== \(title) "
    lines.append(start + String(repeating: "=", count: Self.width - start.count))
  }

  private mutating func section(_ title: String, _ body: [String]) {
    rule(title)
    lines += body
  }

  private mutating func line(_ text: String) {
    lines.append(String(repeating: "\t", count: depth) + text)
  }

  // MARK: Values

  private mutating func value(_ kind: GraphKind, prefix: String) throws {
    switch kind {
    case .null, .absent: line(prefix + "NIL")
    case .tagged:
      var inner = kind
      while inner == .tagged { inner = GraphKind(rawValue: try decoder.readByte()) }
      try value(inner, prefix: prefix)
    case .record: try record(try decoder.readShape(), number: nil, prefix: prefix)
    case .reference: try reference(UInt32(try objectNumber()), prefix: prefix)
    case .conditional: line(prefix + "PTC\(code(try objectNumber() + 1))")
    case .array, .set:
      try elements([GraphKind(rawValue: try decoder.readByte())], number: nil, prefix: prefix)
    case .dictionary:
      let keyKind = GraphKind(rawValue: try decoder.readByte())
      try elements([keyKind, GraphKind(rawValue: try decoder.readByte())], number: nil, prefix: prefix)
    default: line(prefix + "BIV " + (try unit(kind)))
    }
  }

  /// A data unit: its text, or its size.
  private func unit(_ kind: GraphKind) throws -> String {
    let start = decoder.streamOffset
    let text = try ValueText(decoder).text(kind)
    return options.contains(.readable) && kind != .binary ? text : "{ \(decoder.streamOffset - start) bytes }"
  }

  private func objectNumber() throws -> UInt64 {
    let number = try decoder.readVarint()
    guard number < decoder.state.pointee.objectCount else {
      throw decoder.malformed("object \(number) is not there")
    }
    return number
  }

  private mutating func nested(_ body: (inout Self) throws -> Void) throws {
    guard decoder.hasStack else { throw decoder.tooDeep() }
    depth += 1
    try body(&self)
    depth -= 1
    line(".")
  }

  private mutating func elements(_ kinds: [GraphKind], number: UInt32?, prefix: String) throws {
    line(prefix + "VAL" + (number.map { code(UInt64($0) + 1) } ?? ""))
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
      line(prefix + "PTS\(code(UInt64(number) + 1))")
      if met.insert(number).inserted { postponed.append(number) }
      return
    }
    try object(number, prefix: prefix)
  }

  private mutating func object(_ number: UInt32, prefix: String) throws {
    met.insert(number)
    let slot = decoder.state.pointee.objects + Int(number)
    guard slot.pointee.offset != ObjectSlot.notStored else {
      return line(prefix + "PTS\(code(UInt64(number) + 1))")
    }
    let cursor = decoder.state.pointee.input.cursor
    defer { decoder.state.pointee.input.cursor = cursor }
    decoder.state.pointee.input.cursor = decoder.state.pointee.input.base + Int(slot.pointee.offset)
    try record(try decoder.readShape(), number: number, prefix: prefix)
  }

  private mutating func record(
    _ shape: UnsafeMutablePointer<DecoderShape>, number: UInt32?, prefix: String
  ) throws {
    let id = number.map { code(UInt64($0) + 1) } ?? ""
    if shape.pointee.isBoxed { return try boxed(GraphKind(rawValue: try decoder.readByte()), number, prefix) }
    let className = decoder.tables.className(shape.pointee.classNumber).map {
      options.contains(.readable) ? " \($0)" : " TYPE\(code(UInt64(shape.pointee.classNumber)))"
    }
    line(prefix + (shape.pointee.isClass ? "REF" : "VAL") + id + (className ?? ""))
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

  private mutating func boxed(_ kind: GraphKind, _ number: UInt32?, _ prefix: String) throws {
    switch kind {
    case .array, .set:
      try elements([GraphKind(rawValue: try decoder.readByte())], number: number, prefix: prefix)
    case .dictionary:
      let keyKind = GraphKind(rawValue: try decoder.readByte())
      try elements([keyKind, GraphKind(rawValue: try decoder.readByte())], number: number, prefix: prefix)
    default: line(prefix + "BIV\(number.map { code(UInt64($0) + 1) } ?? "") " + (try unit(kind)))
    }
  }

  private mutating func field(_ keyNumber: UInt32, _ kind: GraphKind) throws {
    if keyNumber == 0 { return try value(kind, prefix: "- ") }
    let key =
      options.contains(.readable)
      ? "\"\(decoder.tables.keys[Int(keyNumber) - 1])\"" : "KEY\(code(UInt64(keyNumber)))"
    try value(kind, prefix: "+ \(key): ")
  }

  /// A number with four digits at least.
  private func code(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }

  // MARK: Other sections

  private var header: [String] {
    let header = reader.header
    return [
      "- FileType  = 'gcodable' {8 bytes}",
      "- Version   = \(ArchiveHeader.formatVersion) {2 bytes}",
      "- Flags     = 0 {2 bytes}",
      "- Size      = \(header.byteCount) bytes, contents from \(header.contentsOffset)",
      "- BinaryIO " + String(repeating: "-", count: Self.width - 11),
      "- Version   = \(header.userVersion) {2 bytes}",
      "- Data size = \(decoder.tables.stream.buffer.count) bytes, \(reader.contents.bulk.count) bulk segments",
    ]
  }

  private var referenceMap: [String] {
    reader.contents.classes.enumerated().flatMap { index, stored in
      var entry = ["TYPE\(code(UInt64(index) + 1)):\tQualifiedName  = \(stored.qualifiedName)"]
      if options.contains(.showMangledNamesInReferenceMap) {
        entry.append("\t\t\tMangledName    = \(stored.mangledName)")
      }
      entry.append("\t\t\tEncodedVersion = \(stored.version)")
      return entry
    }
  }

  private var help: [String] {
    """
    Codes:
    \tVAL<objID?>   = value that is encoded part by part
    \tREF<objID?>   = instance of a class, encoded part by part
    \tBIV<objID?>   = value that is one unit of data
    \tBIR<objID?>   = instance of a class that is one unit of data
    \tNIL           = nil
    \tPTS<objID>    = strong pointer to an object
    \tPTC<objID>    = conditional pointer to an object
    The parts of VAL and REF follow, up to a line with '.':
    \t+ "key" or KEY<keyID>   before a part that has a key
    \t-                       before a part that has none
    objID tells objects apart; TYPE<typeID> tells classes apart, see REFERENCEMAP.
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
