import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

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
  /// Long names that have been shown in full: of keys by their numbers, of classes by theirs with the highest bit.
  private var shownNames: Set<UInt32> = []
  private var depth = 0
  /// How many lines of values may still be printed: a compressed archive of a few bytes may have millions of empty ones.
  private var linesLeft: UInt64
  /// Of the values that have been begun, whether a line with a dot ends them.
  private var endsWithDot: [Bool] = []

  private static let maximumDepth = 100
  private static let (freeLineCount, linesPerByte): (UInt64, UInt64) = (1 << 16, 16)
  /// Longer names are shown in full once: a name that stands in the archive once may be that of a million values.
  private static let maximumNameByteCount = 80
  static let width = 88

  /// The dump of an archive in memory.
  static func text(of bytes: Bytes, _ options: GraphDumpOptions, unitTexts: UnitTexts?) throws -> String {
    try unsafe bytes.withUnsafeBytes {
      try unsafe text(of: ArchiveReader(ArchiveSource($0)), options, unitTexts: unitTexts)
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
    // A dump of a root is made of what has just been encoded.
    if unitTexts == nil { try reader.check() }
  }

  private init(
    _ reader: ArchiveReader, _ options: GraphDumpOptions, _ unitTexts: UnitTexts?,
    _ take: @escaping (String) throws -> Void
  ) throws {
    self.reader = reader
    self.options = options
    self.unitTexts = unitTexts
    self.take = take
    let (lineCount, isLarge) = reader.header.byteCount.multipliedReportingOverflow(by: Self.linesPerByte)
    linesLeft = isLarge ? .max : max(lineCount, lineCount &+ Self.freeLineCount)
    let classes = ClassResolver(reader.contents.classes, chosen: [:])
    decoder = GDecoder(try DecoderTables(reader, classes: classes), userInfo: nil)
  }

  private mutating func run() throws {
    if options.contains(.showHelp) { try section("HELP", help) }
    if options.contains(.showHeader) { try section("HEADER", header) }
    if !options.isDisjoint(with: [.readable, .showBody]) {
      try rule("BODY")
      try value(decoder.readOuterKind(), prefix: "- ")
      try parts()
      try decoder.checkRootEnd()
      while let number = postponed.popLast() {
        try show(object(number, prefix: "- "))
        try parts()
      }
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

  mutating func line(_ text: String) throws {
    guard linesLeft > 0 else {
      throw GCodableError(
        .limitExceeded,
        "the archive has many more values than its size accounts for, so they are not all shown")
    }
    linesLeft -= 1
    try take(String(repeating: "\t", count: min(depth, Self.maximumDepth)) + text)
  }

  var cursor: GraphCursor {
    get { decoder.state.pointee.cursor }
    nonmutating _modify { yield &decoder.state.pointee.cursor }
  }

  // MARK: Values

  /// The parts of what has been begun, until all of it has ended.
  private mutating func parts() throws {
    while cursor.levelCount > 0 {
      guard let part = try cursor.next() else {
        try end()
        continue
      }
      try value(part.kind, prefix: prefix(of: part))
    }
  }

  private mutating func prefix(of part: GraphCursor.Part) -> String {
    if part.keyNumber == 0 { return "- " }
    let code = "KEY\(code(UInt64(part.keyNumber)))"
    guard options.contains(.readable) else { return "+ \(code): " }
    let name = decoder.tables.keys[Int(part.keyNumber) - 1]
    return "+ \(shortened(name, part.keyNumber, code) { String(reflecting: $0) }): "
  }

  /// A name or, from the second time on, how it begins and its code, where that is shorter.
  private mutating func shortened(
    _ name: String, _ number: UInt32, _ code: String, _ text: (String) -> String
  ) -> String {
    guard name.utf8.count > Self.maximumNameByteCount, !shownNames.insert(number).inserted else {
      return text(name)
    }
    // Characters may be of any length, their scalars are not.
    let start = String(String.UnicodeScalarView(name.unicodeScalars.prefix(Self.maximumNameByteCount / 4)))
    return "\(text(start + "…")) \(code)"
  }

  /// Begins a value with parts.
  mutating func begin(_ text: String) throws {
    try line(text)
    depth += 1
    endsWithDot.append(true)
  }

  mutating func end() throws {
    guard endsWithDot.popLast() == true else { return }
    depth -= 1
    try line(".")
  }

  /// A value that is to be shown.
  private struct Value {
    let kind: GraphKind
    let prefix: String
    /// The code of a value that is one unit.
    var unit = "BIV "
    /// The code of a container of others.
    var other = "VAL"
  }

  /// A value, or what it begins with.
  private mutating func value(_ kind: GraphKind, prefix: String) throws {
    try show(Value(kind: kind, prefix: prefix))
  }

  /// A value, and what it is a box of: boxes may stand in boxes, as deep as the archive likes.
  private mutating func show(_ value: Value?) throws {
    var next = value
    while let value = next { next = try showOutside(value) }
  }

  /// A value, or what it begins with.
  ///
  /// - Returns: what is in it, if it is a box.
  private mutating func showOutside(_ value: Value) throws -> Value? {
    let (prefix, unit, other) = (value.prefix, value.unit, value.other)
    let kind = try decoder.state.pointee.stream.readTagged(value.kind)
    let start = decoder.streamOffset
    switch try cursor.read(kind) {
    case .null: try line(prefix + "NIL")
    case .reference(let number, .conditional): try line(prefix + "PTC" + code(number))
    case .reference(let number, _): return try reference(number, prefix: prefix)
    case .record(let shape): return try record(shape, number: nil, prefix: prefix)
    case .list(let kind, let count):
      guard kind.isScalar else {
        try begin(prefix + other)
        break
      }
      try line(prefix + unit + scalars(count: count, perElement: 1, from: start + 1))
    case .pairs(let first, let second, let count):
      guard first.isScalar, second.isScalar else {
        try begin(prefix + other)
        break
      }
      try line(prefix + unit + scalars(count: count, perElement: 2, from: start + 2))
    case .packed(let array):
      try line(prefix + unit + sized(ValueText.shortened(ValueText(decoder).text(array)), from: start))
    case .nested(let array) where array.shape.levels.count > 1 && array.elements.isText:
      try begin(prefix + other)
      try decoder.noteMention(of: array.elements)
      if let all = PackedTexts(array) { try texts(array, 0, at: 0, PackedTextReader(all, decoder)) }
      try end()
    case .optionals(let optionals):
      try begin(prefix + other)
      try elements(optionals)
      try end()
    case .nested(let array):
      try line(prefix + unit + sized(ValueText.shortened(ValueText(decoder).text(array)), from: start))
    case .leaf(.binary(let bytes)):
      let text = options.contains(.readable) ? unitTexts?[start] : nil
      try line(prefix + unit + (text ?? "{ \(bytes.count) bytes }"))
    case .leaf(let leaf): try line(prefix + unit + sized(ValueText(decoder).text(leaf), from: start))
    }
    return nil
  }

  /// The text of a unit or, where the dump is not readable, its size.
  func sized(_ text: String, from start: UInt64) -> String {
    options.contains(.readable) ? text : "{ \(decoder.streamOffset - start) bytes }"
  }

  // MARK: Objects and records

  private mutating func reference(_ number: UInt32, prefix: String) throws -> Value? {
    if met.contains(number) || depth >= Self.maximumDepth {
      try line(prefix + "PTS" + code(number))
      if met.insert(number).inserted { postponed.append(number) }
      return nil
    }
    return try object(number, prefix: prefix)
  }

  private mutating func object(_ number: UInt32, prefix: String) throws -> Value? {
    met.insert(number)
    try decoder.checkIsStored(number)
    return try record(try cursor.enter(object: number), number: number, prefix: prefix)
  }

  /// A record whose fields come next.
  ///
  /// - Returns: what is in it, if it is a box.
  private mutating func record(
    _ shape: Pinned<DecoderShape>, number: UInt32?, prefix: String
  ) throws -> Value? {
    let id = number.map(code) ?? ""
    let className =
      decoder.tables.className(shape.pointee.classNumber).map {
        " \(self.className($0, shape.pointee.classNumber))"
      } ?? ""
    guard shape.pointee.isBoxed, let boxed = try cursor.next() else {
      try begin(prefix + (shape.pointee.isClass ? "REF" : "VAL") + id + className)
      return nil
    }
    if boxed.kind.isShownInside {
      try begin(prefix + "VAL" + id)
      return Value(kind: boxed.kind, prefix: "- ")
    }
    // The box shows as what it holds.
    endsWithDot.append(false)
    let unit = boxed.kind.isContainer ? "BIV" + id : (shape.pointee.isClass ? "BIR" : "BIV") + id + className
    return Value(kind: boxed.kind, prefix: prefix, unit: unit + " ", other: "VAL" + id)
  }

  private mutating func className(_ stored: String, _ number: UInt32) -> String {
    let code = "TYPE\(code(UInt64(number)))"
    return options.contains(.readable) ? shortened(stored, number | 1 << 31, code, name) : code
  }

  /// The name of a class without what would end its line: it is whatever the writer of the archive liked.
  func name(_ stored: String) -> String { String(String(reflecting: stored).dropFirst().dropLast()) }

  /// The number of an object, counted from 1.
  private func code(_ number: UInt32) -> String { code(UInt64(number) + 1) }

  /// A number with four digits at least.
  @inline(never)
  func code(_ number: UInt64) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}

extension GraphKind {
  /// Whether a value of the kind in a box shows as a part of the box.
  fileprivate var isShownInside: Bool {
    switch self {
    case .null, .absent, .record, .tagged, .reference, .conditional: true
    default: false
    }
  }

  fileprivate var isContainer: Bool { self == .array || self == .set || self == .dictionary }
}
