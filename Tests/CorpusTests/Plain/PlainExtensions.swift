import GraphCodable

/// The extensions of contents: attributes and the directory.
struct PlainExtensions {
  /// Where values with attributes begin in the graph stream.
  private(set) var attributes: [Int] = []
  private(set) var entries: [Entry] = []
  /// Where the bytes of both lie in the archive, for what the graph stream has otherwise.
  private var places: [UInt64: Int] = [:]

  struct Entry {
    let steps: [PlainStep]
    let offset: Int
    let value: Bytes
  }

  /// - Parameter parts: numbers of extensions, and where their bytes are in the archive.
  init(_ parts: [(number: UInt64, range: Range<Int>)], in archive: Bytes) throws {
    for (number, range) in parts where number == 2 || number == 4 {
      var input = PlainBytes(archive, from: range.lowerBound, to: range.upperBound, rule: "C17")
      places[number] = range.lowerBound
      if number == 2 { try readAttributes(&input) } else { try readDirectory(&input) }
      try input.check(input.left == 0, "C17")
    }
  }

  private mutating func readAttributes(_ input: inout PlainBytes) throws {
    let setCount = try input.varint()
    for _ in 0..<setCount {
      for _ in 0..<(try input.varint()) { _ = try input.string("C17") }
      var last: String?
      for _ in 0..<(try input.varint()) {
        let name = try input.string("C17")
        try input.check(last.map { Bytes($0.utf8).lexicographicallyPrecedes(name.utf8) } ?? true, "C17")
        last = name
        try readValue(&input, input.byte())
      }
    }
    var last = 0
    for _ in 0..<(try input.varint()) {
      let (distance, number) = (try input.varint(), try input.varint())
      let (sum, overflow) = last.addingReportingOverflow(Int(clamping: distance))
      try input.check(distance > 0 && !overflow && number < setCount, "C17")
      last = sum
      attributes.append(last)
    }
  }

  private func readValue(_ input: inout PlainBytes, _ kind: UInt8) throws {
    switch kind {
    case 0x10: _ = try input.string("C17")
    case 0x11: try input.check(input.byte() <= 1, "C17")
    case 0x15: _ = try input.varint()
    case 0x1C: _ = try input.take(8)
    case 0x08:
      let kind = try input.byte()
      try input.check(kind != 0x08, "C17")
      for _ in 0..<(try input.varint()) { try readValue(&input, kind) }
    default: throw input.refuse("C17")
    }
  }

  private mutating func readDirectory(_ input: inout PlainBytes) throws {
    for _ in 0..<(try input.varint()) {
      var steps: [PlainStep] = []
      for _ in 0..<(try input.varint()) {
        let number = try input.varint()
        steps.append(number == 0 ? .key(try input.string("C17")) : .index(Int(clamping: number - 1)))
      }
      let offset = try input.varint()
      let value = Bytes(try input.take(input.varint()))
      try input.check(value.count > 1 && [0x06, 0x07, 0x0B, 0x0E].contains(value[0]), "C17")
      try input.check(!entries.contains { $0.steps == steps }, "C18")
      entries.append(Entry(steps: steps, offset: Int(clamping: offset), value: value))
    }
  }

  /// Compares them with the graph stream, which has been read.
  func check(_ stream: inout PlainStream) throws {
    for offset in attributes where !stream.starts.contains(offset) {
      throw Refusal(rule: "C17", place: places[2] ?? 0)
    }
    for entry in entries where try !stream.leads(to: entry) {
      throw Refusal(rule: "C18", place: places[4] ?? 0)
    }
  }
}

/// A step of a path.
enum PlainStep: Equatable {
  case key(String)
  case index(Int)
}

extension PlainStream {
  /// Whether a path leads to a value, of these bytes and at this place.
  mutating func leads(to entry: PlainExtensions.Entry) throws -> Bool {
    guard let (kind, place) = try find(entry.steps[...]) else { return false }
    let bytes = input.bytes[min(place, input.bytes.count)...].prefix(entry.value.count - 1)
    return place == entry.offset && [kind] + bytes == entry.value
  }

  /// The kind of the value that a path leads to, and where it begins.
  private mutating func find(_ path: ArraySlice<PlainStep>) throws -> (kind: UInt8, place: Int)? {
    forgetMentions()
    (input.place, steps) = (0, path)
    var kind = try input.byte()
    while true {
      kind = try resolved(kind)
      let place = input.place
      guard let step = steps.popFirst() else { return (kind, place) }
      guard let next = try enter(kind, step) else { return nil }
      kind = next
    }
  }

  /// Moves through tags, references and boxes.
  private mutating func resolved(_ kind: UInt8) throws -> UInt8 {
    var kind = kind
    while true {
      switch kind {
      case 0x02, 0x22, 0x42, 0x62: kind = try input.byte()
      case 0x04:
        input.place = try offset(ofObject: input.varint())
        kind = 0x03
      case 0x03:
        let place = input.place
        guard contents.shapes[Int(try input.varint()) - 1].isBoxed else {
          input.place = place
          return kind
        }
        kind = try input.byte()
      default: return kind
      }
    }
  }

  /// Moves to a part of a value, and returns its kind.
  private mutating func enter(_ kind: UInt8, _ step: PlainStep) throws -> UInt8? {
    switch kind {
    case 0x03:
      let shape = contents.shapes[Int(try input.varint()) - 1]
      var unkeyed = 0
      for field in shape.fields {
        let own = field.key == 0 ? PlainStep.index(unkeyed) : .key(contents.keys[field.key - 1])
        if field.key == 0 { unkeyed += 1 }
        if own == step { return field.kind }
        try pass(field.kind)
      }
      return nil
    case 0x08, 0x09:
      let (kind, count) = (try input.byte(), try input.varint())
      guard case .index(let index) = step, index < Int(count) else { return nil }
      for _ in 0..<index { try pass(kind) }
      return kind
    default: return nil  // No valid file has other ones.
    }
  }
}
