import _GraphSupport

/// The attributes of arrays, by where the arrays begin in the graph stream: behind their kind.
package struct AttributeTable: Sendable {
  /// In ascending order of the offsets, once `sort` has been called.
  package private(set) var entries: [(offset: UInt64, attributes: GAttributes)] = []

  package init() {}

  package var isEmpty: Bool { entries.isEmpty }

  /// The attributes of the array at an offset; empty for none.
  package subscript(offset: UInt64) -> GAttributes {
    let place = entries.partitioningIndex { $0.offset >= offset }
    return place < entries.count && entries[place].offset == offset
      ? entries[place].attributes : GAttributes()
  }

  /// Adds those of an array that has none yet.
  package mutating func note(_ attributes: GAttributes, at offset: UInt64) {
    entries.append((offset, attributes))
  }

  /// Follows bytes after an offset that were moved.
  ///
  /// Bytes of arrays are moved only together with all arrays noted since they began.
  ///
  /// - Complexity: O(k) for k arrays that have been moved.
  package mutating func move(behind start: Int, by distance: Int) {
    for index in entries.indices.reversed() {
      guard entries[index].offset > start else { return }
      entries[index].offset = UInt64(Int(entries[index].offset) + distance)
    }
  }

  private var sorted: [(offset: UInt64, attributes: GAttributes)] { entries.sorted { $0.offset < $1.offset } }
}

// MARK: - Bytes

extension AttributeTable {
  /// The number of the extension that has them.
  package static let number: UInt64 = 2

  /// The bytes of the extension.
  package var bytes: [UInt8] {
    var (sets, numbers, places): ([GAttributes], [GAttributes: Int], [(UInt64, Int)]) = ([], [:], [])
    for (offset, attributes) in sorted {
      let number = numbers[attributes] ?? sets.count
      if number == sets.count {
        sets.append(attributes)
        numbers[attributes] = number
      }
      places.append((offset, number))
    }
    var builder = ByteBuilder()
    builder.varint(UInt64(sets.count))
    for attributes in sets { builder.attributes(attributes) }
    builder.varint(UInt64(places.count))
    var last: UInt64 = 0
    for (offset, number) in places {
      builder.varint(offset - last)
      builder.varint(UInt64(number))
      last = offset
    }
    return builder.bytes
  }

  /// Reads the bytes of the extension.
  ///
  /// - Throws: `malformed`.
  package init(parsing bytes: [UInt8], origin: UInt64) throws {
    try unsafe bytes.withUnsafeBytes { bytes in
      var parser = unsafe ByteParser(bytes, origin: origin, subject: "the attributes of arrays")
      var sets: [GAttributes] = []
      for _ in 0..<(try parser.count(of: "sets of attributes", atLeast: 2)) {
        sets.append(try parser.attributes())
      }
      var last: UInt64 = 0
      for _ in 0..<(try parser.count(of: "arrays with attributes", atLeast: 2)) {
        let (distance, number) = (try parser.varint(), try parser.varint())
        let (offset, isTooLarge) = last.addingReportingOverflow(distance)
        guard distance > 0, !isTooLarge, number < UInt64(sets.count) else {
          throw parser.malformed("has set \(number) for an array \(distance) bytes behind the one before")
        }
        entries.append((offset, sets[Int(number)]))
        last = offset
      }
      guard parser.left == 0 else { throw parser.malformed("goes on for \(parser.left) bytes after its end") }
    }
  }
}

extension ByteBuilder {
  fileprivate mutating func attributes(_ attributes: GAttributes) {
    varint(UInt64(attributes.dimensions.count))
    for name in attributes.dimensions { string(name) }
    let names = attributes.names
    varint(UInt64(names.count))
    for name in names {
      string(name)
      if let value = attributes[name] { self.value(value) }
    }
  }

  private mutating func value(_ value: GAttributes.Value) {
    switch value {
    case .string(let value): one(value, .string) { $0.string($1) }
    case .integer(let value): one(value, .int64) { $0.zigzag($1) }
    case .number(let value): one(value, .float64) { $0.fixed($1.bitPattern) }
    case .bool(let value): one(value, .bool) { $0.byte($1 ? 1 : 0) }
    case .strings(let values): list(values, .string) { $0.string($1) }
    case .integers(let values): list(values, .int64) { $0.zigzag($1) }
    case .numbers(let values): list(values, .float64) { $0.fixed($1.bitPattern) }
    case .bools(let values): list(values, .bool) { $0.byte($1 ? 1 : 0) }
    }
  }

  private mutating func one<Value>(
    _ value: Value, _ kind: GraphKind, _ append: (inout ByteBuilder, Value) -> Void
  ) {
    byte(kind.rawValue)
    append(&self, value)
  }

  private mutating func list<Value>(
    _ values: [Value], _ kind: GraphKind, _ append: (inout ByteBuilder, Value) -> Void
  ) {
    byte(GraphKind.array.rawValue)
    byte(kind.rawValue)
    varint(UInt64(values.count))
    for value in values { append(&self, value) }
  }

  private mutating func zigzag(_ value: Int) {
    varint(UInt64(bitPattern: Int64(value << 1 ^ value >> (Int.bitWidth - 1))))
  }
}

extension ByteParser {
  fileprivate mutating func attributes() throws -> GAttributes {
    var attributes = GAttributes()
    for _ in 0..<(try count(of: "names of dimensions")) { attributes.dimensions.append(try name("text")) }
    var before: String?
    for _ in 0..<(try count(of: "attributes", atLeast: 3)) {
      let name = try name("text")
      if let before, !before.utf8.lexicographicallyPrecedes(name.utf8) {
        throw malformed("has names that are not in order")
      }
      before = name
      attributes[name] = try attributeValue()
    }
    return attributes
  }

  private mutating func attributeValue() throws -> GAttributes.Value {
    let kind = GraphKind(rawValue: try byte())
    switch kind {
    case .string: return .string(try name("text"))
    case .int64: return .integer(try integer())
    case .float64: return .number(try number())
    case .bool: return .bool(try truth())
    case .array: return try attributeValues()
    default: throw malformed("has a value of \(kind)")
    }
  }

  private mutating func attributeValues() throws -> GAttributes.Value {
    let kind = GraphKind(rawValue: try byte())
    let count = try count(of: "values", atLeast: kind == .float64 ? 8 : 1)
    switch kind {
    case .string: return .strings(try (0..<count).map { _ in try name("text") })
    case .int64: return .integers(try (0..<count).map { _ in try integer() })
    case .float64: return .numbers(try (0..<count).map { _ in try number() })
    case .bool: return .bools(try (0..<count).map { _ in try truth() })
    default: throw malformed("has values of \(kind)")
    }
  }

  private mutating func integer() throws -> Int {
    let bits = try varint()
    return Int(Int64(bitPattern: bits >> 1)) ^ -Int(bits & 1)
  }

  private mutating func number() throws -> Double { Double(bitPattern: try fixed64()) }

  private mutating func truth() throws -> Bool {
    let byte = try byte()
    guard byte <= 1 else { throw malformed("has a bool of \(byte)") }
    return byte == 1
  }
}
