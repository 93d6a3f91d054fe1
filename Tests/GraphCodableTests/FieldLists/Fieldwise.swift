import GraphCodable

/// What `@GCodable` writes for a struct of plain properties, but for the list: these tests build no macros.
protocol Fieldwise: GCodable {}

extension Fieldwise {
  static var _graphIsFieldwise: Bool { true }
  static var _graphFieldwise: (any GEncodable.Type)? { Self.self }
  func encode(to encoder: GEncoder) throws { try _GraphFieldList.encode(self, to: encoder) }
  func _graphWrite(_ encoder: GEncoder) throws { try _GraphFieldList.write(self, encoder) }
  func _graphWritePlain(_ encoder: GEncoder) throws { try _GraphFieldList.writePlain(self, encoder) }
  init(from decoder: GDecoder) throws { self = try _GraphFieldList.decode(from: decoder) }
  static func _graphRead(_ decoder: GDecoder, _ kind: GraphKind) throws -> Self {
    try _GraphFieldList.read(decoder, kind)
  }
}

/// One property of each operation, and others.
struct Listed: Fieldwise, Equatable {
  var int: Int
  var int64: Int64
  var uint: UInt
  var uint64: UInt64
  var int32: Int32
  var uint32: UInt32
  var int8: Int8
  var byte: UInt8
  var flag: Bool
  var float: Float
  var double: Double
  var name: String
  var maybe: Int?
  var list: [Int]
  var inner: Inner
  var inners: [Inner]
  var choice: [String: Inner]

  struct Inner: Fieldwise, Hashable {
    var x: Double
    var label: String

    static func _graphAddFields(to list: inout _GraphFieldList) throws {
      list.add("x", \Self.x)
      list.add("label", \Self.label)
    }
  }

  static func _graphAddFields(to list: inout _GraphFieldList) throws {
    list.add("int", \Self.int)
    list.add("int64", \Self.int64)
    list.add("uint", \Self.uint)
    list.add("uint64", \Self.uint64)
    list.add("int32", \Self.int32)
    list.add("uint32", \Self.uint32)
    list.add("int8", \Self.int8)
    list.add("byte", \Self.byte)
    list.add("flag", \Self.flag)
    list.add("float", \Self.float)
    list.add("double", \Self.double)
    list.add("name", \Self.name)
    list.addOptional("maybe", \Self.maybe)
    list.add("list", \Self.list)
    list.add("inner", \Self.inner)
    list.add("inners", \Self.inners)
    list.add("choice", \Self.choice)
  }

  init(_ number: Int) {
    int = number % 2 == 0 ? .min + number : .max - number
    int64 = Int64(number) &* 0x1E37_79B9_7F4A_7C15
    uint = .max - UInt(number)
    uint64 = UInt64(number)
    int32 = .min + Int32(number)
    uint32 = .max - UInt32(number)
    int8 = Int8(truncatingIfNeeded: number)
    byte = UInt8(truncatingIfNeeded: number)
    flag = number % 3 == 0
    float = number % 5 == 0 ? -.zero : Float(number) / 3
    double = number % 7 == 0 ? Double(bitPattern: 0x7FF8_0000_0000_1234) : Double(number) / 3
    name = String(repeating: number % 4 == 0 ? "é" : "n", count: number % 40)
    maybe = number % 2 == 0 ? nil : number
    list = Array(0..<(number % 5))
    inner = Inner(x: double, label: name)
    inners = (0..<(number % 4)).map { Inner(x: Double($0), label: "\($0)") }
    choice = number % 3 == 0 ? [:] : [name: inner]
  }

  /// NaN is the same as itself here.
  static func == (left: Self, right: Self) -> Bool {
    "\(left.bits)" == "\(right.bits)"
  }

  private var bits: [Any] {
    [
      int, int64, uint, uint64, int32, uint32, int8, byte, flag, float.bitPattern, double.bitPattern, name,
      maybe as Any, list, inner.x.bitPattern, inner.label, inners, choice.map { [$0, $1.label] },
    ]
  }
}

/// `Listed` by hand.
struct ListedByHand: GCodable {
  var value: Listed

  private enum Key: String {
    case int, int64, uint, uint64, int32, uint32, int8, byte, flag, float, double, name, maybe, list, inner,
      inners, choice
  }

  struct Inner: GCodable {
    var value: Listed.Inner
    private enum Key: String { case x, label }

    init(_ value: Listed.Inner) { self.value = value }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(value.x, for: Key.x)
      try encoder.encode(value.label, for: Key.label)
    }

    init(from decoder: GDecoder) throws {
      value = .init(x: try decoder.decode(for: Key.x), label: try decoder.decode(for: Key.label))
    }
  }

  init(_ value: Listed) { self.value = value }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(value.int, for: Key.int)
    try encoder.encode(value.int64, for: Key.int64)
    try encoder.encode(value.uint, for: Key.uint)
    try encoder.encode(value.uint64, for: Key.uint64)
    try encoder.encode(value.int32, for: Key.int32)
    try encoder.encode(value.uint32, for: Key.uint32)
    try encoder.encode(value.int8, for: Key.int8)
    try encoder.encode(value.byte, for: Key.byte)
    try encoder.encode(value.flag, for: Key.flag)
    try encoder.encode(value.float, for: Key.float)
    try encoder.encode(value.double, for: Key.double)
    try encoder.encode(value.name, for: Key.name)
    try encoder.encode(value.maybe, for: Key.maybe)
    try encoder.encode(value.list, for: Key.list)
    try encoder.encode(Inner(value.inner), for: Key.inner)
    try encoder.encode(value.inners.map(Inner.init), for: Key.inners)
    try encoder.encode(value.choice.mapValues(Inner.init), for: Key.choice)
  }

  init(from decoder: GDecoder) throws {
    // From the last one to the first one.
    value = Listed(0)
    value.choice = try decoder.decode([String: Inner].self, for: Key.choice).mapValues(\.value)
    value.inners = try decoder.decode([Inner].self, for: Key.inners).map(\.value)
    value.inner = try decoder.decode(Inner.self, for: Key.inner).value
    value.list = try decoder.decode(for: Key.list)
    value.maybe = try decoder.decodeIfPresent(for: Key.maybe)
    value.name = try decoder.decode(for: Key.name)
    value.double = try decoder.decode(for: Key.double)
    value.float = try decoder.decode(for: Key.float)
    value.flag = try decoder.decode(for: Key.flag)
    value.byte = try decoder.decode(for: Key.byte)
    value.int8 = try decoder.decode(for: Key.int8)
    value.uint32 = try decoder.decode(for: Key.uint32)
    value.int32 = try decoder.decode(for: Key.int32)
    value.uint64 = try decoder.decode(for: Key.uint64)
    value.uint = try decoder.decode(for: Key.uint)
    value.int64 = try decoder.decode(for: Key.int64)
    value.int = try decoder.decode(for: Key.int)
  }
}
