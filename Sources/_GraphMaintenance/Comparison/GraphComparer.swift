import _GraphCoding
import _GraphFiles
import _GraphReading
import _GraphSupport

/// Walks through two graphs side by side.
final class GraphComparer {
  let first: GDecoder
  let second: GDecoder
  let tolerance: Tolerance
  let progress: ProgressReport?
  private let maximumCount: Int
  private var differences: [GraphDifference] = []
  private var differenceCount = 0
  /// The objects of each graph that correspond to those of the other one.
  private var partners: [UInt32: UInt32] = [:]
  private var partnersOfSecond: [UInt32: UInt32] = [:]
  private var waiting: [Pair] = []
  /// Where the walk is: the place in `waiting` of the objects whose values are compared, -1 for the root.
  private var owner = -1
  /// From there on.
  private var path: [GraphPath.Step] = []
  private var depth = 0

  /// Two objects that correspond, and where they were first met.
  private struct Pair {
    let first: UInt32
    let second: UInt32
    let owner: Int
    let path: [GraphPath.Step]
  }

  init(
    _ first: ArchiveReader, _ second: ArchiveReader, _ tolerance: Tolerance, atMost maximumCount: Int,
    _ progress: ProgressReport?
  ) throws {
    self.first = try first.walkingDecoder(isPartial: false)
    self.second = try second.walkingDecoder(isPartial: false)
    (self.tolerance, self.maximumCount, self.progress) = (tolerance, maximumCount, progress)
  }

  func compare() throws -> GraphComparison {
    try compareValues(
      try first.state.pointee.stream.readOuterKind(), try second.state.pointee.stream.readOuterKind())
    var place = 0
    while place < waiting.count {
      if place % 1024 == 0 { try progress?.checkCancellation() }
      let pair = waiting[place]
      (owner, path) = (place, [])
      place += 1
      let shapes = (
        try first.state.pointee.cursor.enter(object: pair.first),
        try second.state.pointee.cursor.enter(object: pair.second)
      )
      try compareRecords(shapes.0, shapes.1)
    }
    return GraphComparison(differences: differences, differenceCount: differenceCount)
  }

  // MARK: Differences

  func note(
    _ kind: GraphDifference.Kind, _ first: String?, _ second: String?, elementCount: Int? = nil,
    distance: Double? = nil
  ) {
    differenceCount += 1
    guard differences.count < maximumCount else { return }
    differences.append(
      GraphDifference(
        path: fullPath, kind: kind, first: first, second: second, elementCount: elementCount,
        maximumDistance: distance))
  }

  /// From the root on.
  private var fullPath: GraphPath {
    var (parts, place) = ([path], owner)
    while place >= 0 {
      parts.append(waiting[place].path)
      place = waiting[place].owner
    }
    return GraphPath(parts.reversed().joined())
  }

  func at(_ step: GraphPath.Step?, _ body: () throws -> Void) rethrows {
    if let step { path.append(step) }
    defer { if step != nil { path.removeLast() } }
    try body()
  }

  // MARK: Values

  /// Compares the values at both cursors, which are moved behind them.
  func compareValues(_ firstKind: GraphKind, _ secondKind: GraphKind) throws {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Nesting.defaultDepth else {
      throw GCodableError(.limitExceeded, "values that lie deeper than \(depth) are not compared")
    }
    let base = (first.state.pointee.cursor.levelCount, second.state.pointee.cursor.levelCount)
    let events = (
      try first.state.pointee.cursor.read(firstKind), try second.state.pointee.cursor.read(secondKind)
    )
    switch events {
    case (.null, .null): return
    case (.leaf(let left), .leaf(let right)): return try compare(left, right)
    case (.reference(let left, let leftKind), .reference(let right, let rightKind)):
      return compareReferences(left, leftKind, right, rightKind)
    case (.record(let left), .record(let right)): return try compareRecords(left, right)
    case (.list(let kind, let left), .list(let other, let right)):
      if firstKind == .set, secondKind == .set, left == right, kind == other, try setsAreEqual(kind, left) {
        return
      }
      return try compareLists(left, right)
    case (.pairs(_, _, let left), .pairs(_, _, let right)): return try comparePairs(left, right)
    case (.packed(let left), .packed(let right)): return try compare(left, right)
    case (.nested(let left), .nested(let right))
    where left.shape.levels.count == 2 && right.shape.levels.count == 2 && left.elements.isText
      && right.elements.isText:
      return try compareTexts(left, right)
    case (.nested(let left), .nested(let right)):
      guard left.shape.levels == right.shape.levels else {
        return note(.count, left.shape.description, right.shape.description)
      }
      return try compare(left.elements, right.elements)
    case (.optionals(let left), .optionals(let right)): return try compare(left, right)
    // A conditional reference to an object that is not stored is nil.
    case (.reference(let number, .conditional), .null) where !first.isStored(number): return
    case (.null, .reference(let number, .conditional)) where !second.isStored(number): return
    default: note(.type, try text(events.0, first), try text(events.1, second))
    }
    try leave(first, base.0)
    try leave(second, base.1)
  }

  /// Moves past a value whose parts are not compared.
  func leave(_ decoder: GDecoder, _ base: Int) throws {
    let state = decoder.state
    while state.pointee.cursor.levelCount > base {
      if let part = try state.pointee.cursor.next() { try state.pointee.cursor.skip(part.kind) }
    }
  }

  private func compareReferences(
    _ left: UInt32, _ leftKind: GraphKind, _ right: UInt32, _ rightKind: GraphKind
  ) {
    let isThere = (first.isStored(left), second.isStored(right))
    guard isThere.0, isThere.1 else {
      if isThere.0 != isThere.1 {
        note(.value, isThere.0 ? name(left, first) : "nil", isThere.1 ? name(right, second) : "nil")
      }
      return
    }
    switch (partners[left], partnersOfSecond[right]) {
    case (nil, nil):
      (partners[left], partnersOfSecond[right]) = (right, left)
      waiting.append(Pair(first: left, second: right, owner: owner, path: path))
    case (right?, left?): return
    default: note(.identity, name(left, first), name(right, second))
    }
  }

  private func name(_ number: UInt32, _ decoder: GDecoder) -> String {
    "\(decoder.qualifiedClassName(ofObject: number) ?? "object") #\(number)"
  }

  // MARK: Leaves

  private func compare(_ left: GraphLeaf, _ right: GraphLeaf) throws {
    switch (left, right) {
    case (.string(let left), .string(let right)) where unsafe left.elementsEqual(right): return
    case (.binary(let left), .binary(let right)) where unsafe left.elementsEqual(right): return
    case (.opaque(let one, let left), .opaque(let other, let right))
    where unsafe one == other && left.elementsEqual(right):
      return
    case (.fixed(let format, let left), .fixed(let other, let right)) where format == other:
      var distance: Double?
      if unsafe elementsAreEqual(left, right, [format], &distance) { return }
    case (.bool(let left), .bool(let right)) where left == right: return
    default: if let left = left.number, let right = right.number, left.isEqual(right, tolerance) { return }
    }
    note(.value, try ValueText(first).text(left), try ValueText(second).text(right))
  }

  /// A short description of a value.
  private func text(_ event: GraphCursor.Event, _ decoder: GDecoder) throws -> String {
    switch event {
    case .null: "nil"
    case .leaf(let leaf): try ValueText(decoder).text(leaf)
    case .reference(let number, _): name(number, decoder)
    case .record(let shape): decoder.tables.className(shape.pointee.classNumber) ?? "record"
    case .list(_, let count): "array of \(count)"
    case .pairs(_, _, let count): "dictionary of \(count)"
    case .packed(let elements): "\(elements.count) × \(ValueText(decoder).elementText(elements))"
    case .optionals(let optionals):
      "\(optionals.count) × optional \(ValueText(decoder).elementText(optionals.array.elements))"
    case .nested(let array): "\(array.shape) × \(ValueText(decoder).elementText(array.elements))"
    }
  }
}

extension GraphLeaf {
  /// A number, as exactly as possible.
  fileprivate enum Number {
    case signed(Int64)
    case unsigned(UInt64)
    case float(Double)

    private var double: Double {
      switch self {
      case .signed(let number): Double(number)
      case .unsigned(let number): Double(number)
      case .float(let number): number
      }
    }

    func isEqual(_ other: Self, _ tolerance: Tolerance) -> Bool {
      switch (self, other) {
      case (.signed(let left), .signed(let right)): left == right
      case (.unsigned(let left), .unsigned(let right)): left == right
      case (.signed(let left), .unsigned(let right)), (.unsigned(let right), .signed(let left)):
        left >= 0 && UInt64(left) == right
      default: tolerance.accepts(double, other.double)
      }
    }
  }

  fileprivate var number: Number? {
    switch self {
    case .signed(let number): .signed(number)
    case .unsigned(let number): .unsigned(number)
    case .float32(let number): .float(Double(number))
    case .float64(let number): .float(number)
    case .float16(let bits):
      #if os(macOS) && arch(x86_64)
        .unsigned(UInt64(bits))
      #else
        .float(Double(Float16(bitPattern: bits)))
      #endif
    default: nil
    }
  }
}
