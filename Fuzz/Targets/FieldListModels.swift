import GraphCodable

/// What the macro writes for a struct of plain properties, but for the list of fields.
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

/// Numbers, strings, references, and a struct with the same keys: a shape of one may be asked for as the other.
struct Row: Fieldwise {
  var a: Int
  var b: String
  var c: Animal?
  var d: [Part]
  var e: UInt8
  var f: [Row]
  var g: Colour?

  struct Part: Fieldwise {
    var a: UInt64
    var b: String
    var c: Animal?
    var d: [Part]
    var e: Double
    var f: [Row]
    var g: [Int]

    static func _graphAddFields(to list: inout _GraphFieldList) throws {
      list.add("a", \Self.a)
      list.add("b", \Self.b)
      list.addOptional("c", \Self.c)
      list.add("d", \Self.d)
      try list.add("e", \Self.e, missing: 1.5)
      list.add("f", \Self.f)
      try list.add("g", \Self.g, missing: [7])
    }
  }

  static func _graphAddFields(to list: inout _GraphFieldList) throws {
    list.add("a", \Self.a)
    list.add("b", \Self.b)
    list.addOptional("c", \Self.c)
    list.add("d", \Self.d)
    try list.add("e", \Self.e, missing: 3)
    list.add("f", \Self.f)
    list.addOptional("g", \Self.g)
  }

  static var sample: [Row] {
    let dog = Dog(name: "a name of more than fifteen bytes", tricks: 1)
    let part = Part(a: .max, b: "part", c: dog, d: [], e: .pi, f: [], g: [1, 2])
    let parts = [part, Part(a: 0, b: "", c: nil, d: [part, part], e: -0.0, f: [], g: [])]
    let inner = Row(a: .min, b: "row", c: dog, d: parts, e: 9, f: [], g: .green)
    return [Row(a: 1, b: "outer", c: nil, d: [], e: 255, f: [inner, inner], g: nil), inner]
  }
}
