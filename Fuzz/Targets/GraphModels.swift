import Foundation
import GraphCodable

/// The keys of all models, so that a field of one is found by another.
enum Key: String { case a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p }

enum Colour: String, GCodable { case red, green, other }

/// Fields of many kinds, decoded in another order than encoded.
struct Sink: GCodable {
  var number = -7
  var text = "text of more than fifteen bytes"
  var list: [String] = ["a", ""]
  var packed: [Double] = [1, 2]
  var set: Set<Int16> = [5]
  var table: [String: [Int]] = ["key": [1, 2]]
  var data = Data([1, 2, 3])
  var url = URL(string: "https://example.org")
  var date = Date(timeIntervalSinceReferenceDate: 1e8)
  var vector = SIMD3<Float>(1, 2, 3)
  var object: Animal?
  var objects: [Animal] = []
  var nested: [Sink] = []

  static var sample: Sink {
    var inner = Sink()
    let shared = Dog(name: "shared", tricks: 3)
    inner.object = shared
    var outer = inner
    outer.objects = [shared, Cat(name: "cat"), shared]
    outer.nested = [inner, Sink()]
    return outer
  }

  init() {}

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number)
    try encoder.encode(text, for: Key.a)
    try encoder.encode(list, for: Key.b)
    try encoder.encode(packed, for: Key.c)
    try encoder.encode(set, for: Key.d)
    try encoder.encode(table, for: Key.e)
    try encoder.encode(data, for: Key.f)
    try encoder.encodeIfPresent(url, for: Key.g)
    try encoder.encode(date, for: Key.h)
    try encoder.encode(vector, for: Key.i)
    try encoder.encode(object, for: Key.j)
    try encoder.encode(objects, for: Key.k)
    try encoder.encode(nested, for: Key.l)
  }

  init(from decoder: GDecoder) throws {
    nested = try decoder.decode(for: Key.l)
    object = try decoder.decode(for: Key.j)
    objects = try decoder.decode(for: Key.k)
    text = try decoder.decode(for: Key.a)
    number = try decoder.decode()
    list = try decoder.decode(for: Key.b)
    if try decoder.contains(Key.i) { vector = try decoder.decode(for: Key.i) }
    packed = try decoder.decode(for: Key.c)
    set = try decoder.decode(for: Key.d)
    table = (try? decoder.decode(for: Key.e)) ?? [:]
    data = try decoder.decode(for: Key.f)
    url = try decoder.decodeIfPresent(for: Key.g)
    date = try decoder.decode(for: Key.h)
  }
}

final class Tree: GCodable {
  let name: String
  let children: [Tree]
  weak var parent: Tree?

  init(_ name: String, _ children: [Tree] = []) {
    (self.name, self.children) = (name, children)
    for child in children { child.parent = self }
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.n)
    children = try decoder.decode(for: Key.c)
    try decoder.deferDecode(for: Key.p) { self.parent = $0 }
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encodeConditional(parent, for: Key.p)
    try encoder.encode(name, for: Key.n)
    try encoder.encode(children, for: Key.c)
  }
}

/// Strong references in a circle.
final class Ring: GCodable {
  private var next: Ring?
  private var others: [Ring] = []

  init() {}
  init(from decoder: GDecoder) throws {
    try decoder.deferDecode(for: Key.n) { self.next = $0 }
    try decoder.deferDecode { self.others = $0 }
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(next, for: Key.n)
    try encoder.encode(others)
  }

  static func ofThree() -> Ring {
    let (first, second) = (Ring(), Ring())
    (first.next, second.next) = (second, first)
    first.others = [first, second]
    return first
  }

  /// Takes all cycles apart, so that millions of decoded ones do not fill the memory.
  func breakUp() {
    var left = [self]
    while let ring = left.popLast() {
      if let next = ring.next { left.append(next) }
      left += ring.others
      (ring.next, ring.others) = (nil, [])
    }
  }
}

class Animal: GCodable {
  let name: String
  init(name: String) { self.name = name }
  required init(from decoder: GDecoder) throws { name = try decoder.decode(for: Key.n) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: Key.n) }
}

final class Dog: Animal {
  let tricks: Int
  init(name: String, tricks: Int) {
    self.tricks = tricks
    super.init(name: name)
  }
  required init(from decoder: GDecoder) throws {
    tricks = try decoder.decode(for: Key.c)
    try super.init(from: decoder)
  }
  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(tricks, for: Key.c)
  }
}

final class Cat: Animal {}

/// A generic class: its name has arguments.
final class Box<Value: GCodable>: GCodable {
  let value: Value
  init(value: Value) { self.value = value }
  init(from decoder: GDecoder) throws { value = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(value) }
}

/// A value with an identity.
struct Tagged: GCodable, GIdentifiable {
  let gcodableID: Int?
  var name: String
  init(id: Int, name: String) { (gcodableID, self.name) = (id, name) }
  init(from decoder: GDecoder) throws {
    gcodableID = nil
    name = try decoder.decode()
  }
  func encode(to encoder: GEncoder) throws { try encoder.encode(name) }
}

indirect enum Formula: GCodable {
  case value(Double), negated(Formula), sum(Formula, Formula)

  init(from decoder: GDecoder) throws {
    if let value = try decoder.decodeIfPresent(Double.self, for: Key.a) {
      self = .value(value)
    } else if try decoder.contains(Key.b) {
      self = .negated(try decoder.decode(for: Key.b))
    } else {
      self = .sum(try decoder.decode(for: Key.c), try decoder.decode(for: Key.d))
    }
  }

  func encode(to encoder: GEncoder) throws {
    switch self {
    case .value(let value): try encoder.encode(value, for: Key.a)
    case .negated(let formula): try encoder.encode(formula, for: Key.b)
    case .sum(let one, let other):
      try encoder.encode(one, for: Key.c)
      try encoder.encode(other, for: Key.d)
    }
  }
}

/// A list of objects, each of which holds the next one.
final class Link: GCodable {
  let number: Int
  let next: Link?
  init(_ number: Int, _ next: Link?) { (self.number, self.next) = (number, next) }
  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Key.a)
    next = try decoder.decode(for: Key.n)
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Key.a)
    try encoder.encode(next, for: Key.n)
  }
  static func list(_ count: Int) -> Link? { (0..<count).reduce(nil) { Link($1, $0) } }
}

/// Records of one type with different fields, some of them unkeyed.
struct Wide: GCodable {
  var records: [Record]

  static var sample: Wide {
    Wide(
      records: (0..<12).map {
        Record(numbers: Array(0..<($0 % 5)), names: Array(repeating: "n", count: $0 % 3))
      })
  }

  init(records: [Record]) { self.records = records }
  init(from decoder: GDecoder) throws { records = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(records) }

  struct Record: GCodable {
    var numbers: [Int]
    var names: [String]
    init(numbers: [Int], names: [String]) { (self.numbers, self.names) = (numbers, names) }
    init(from decoder: GDecoder) throws {
      numbers = []
      while decoder.unkeyedCount > 0 { numbers.append(try decoder.decode()) }
      names = []
      for key in [Key.a, .b, .c, .d] {
        if let name = try decoder.decodeIfPresent(String.self, for: key) { names.append(name) }
      }
    }
    func encode(to encoder: GEncoder) throws {
      for (name, key) in zip(names, [Key.c, .a, .b, .d]) { try encoder.encode(name, for: key) }
      for number in numbers { try encoder.encode(number) }
    }
  }
}

/// A struct of numbers, packed in arrays.
struct Dot: GPackedStruct {
  var x: Float
  var y: Float
  var charge: Int32
  static let packedLayout = PackedLayout<Self>(\.x, \.y, \.charge)
  static func row(_ count: Int) -> [Dot] {
    (0..<count).map { Dot(x: Float($0), y: 0, charge: Int32($0)) }
  }
}

/// Arrays to a precision, large enough for segments, which compress to little.
struct Trajectory: GCodable {
  enum Key: String { case frames, weights }
  var frames: [[SIMD3<Float>]]
  var weights: GLazy<[Double]>

  static var sample: Self {
    Self(
      frames: (0..<16).map { frame in (0..<100).map { SIMD3(Float(frame), Float($0), 0.125) } },
      weights: GLazy((0..<2_500).map { Double($0 % 5) }))
  }

  init(frames: [[SIMD3<Float>]], weights: GLazy<[Double]>) { (self.frames, self.weights) = (frames, weights) }
  init(from decoder: GDecoder) throws {
    frames = try decoder.decode(for: Key.frames)
    weights = try decoder.decode(for: Key.weights)
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(frames, for: Key.frames, precision: .absolute(0.01))
    try encoder.encode(weights, for: Key.weights)
  }
}

/// A value that writes its own bytes.
struct Place: GBinaryCodable {
  var x: Double
  var y: Double
  var name: String? = "place"
  init(x: Double, y: Double) { (self.x, self.y) = (x, y) }
  init(from buffer: inout BinaryReadBuffer) throws {
    x = try Double(from: &buffer)
    y = try Double(from: &buffer)
    name = try String?(from: &buffer)
  }
  func write(to buffer: inout BinaryWriteBuffer) throws {
    x.write(to: &buffer)
    y.write(to: &buffer)
    try name.write(to: &buffer)
  }
}
