import Foundation
import GraphCodable

extension ValidCase {
  /// Archives that the library has made of Swift values.
  static let swift: [ValidCase] = [
    ValidCase("swift-struct", bytes: encoded(Body.sample)),
    ValidCase("swift-struct-with-type-names", bytes: encoded([Body.sample, Body.sample], [.storeTypeNames])),
    ValidCase("swift-classes", bytes: encoded(Garden.sample)),
    ValidCase("swift-optionals", bytes: encoded([1, nil, 3] as [Int?])),
    ValidCase("swift-dictionary-mode", bytes: encoded(Wide())),
    ValidCase(
      "swift-packed-structs",
      bytes: encoded([Particle(mass: 1.5, charge: -1, isFixed: 1), Particle(mass: 2, charge: 1, isFixed: 0)])),
    ValidCase("swift-bulk", bytes: encoded((0..<2_048).map { Double($0) })),
    ValidCase("swift-large-graph", bytes: encoded((0..<400).map { "text \($0)" })),
    ValidCase(
      "swift-user-version-and-metadata",
      encode: { _ in
        let encoder = GraphEncoder(binaryIOVersion: 7)
        encoder.compression = .none
        encoder.metadata = ["author": "N.N.", "title": "\u{E9}"]
        return try encoder.encode(Body.sample)
      }),
    ValidCase("codable-enum", encode: { try $0.encode(codable: Shape.samples) }),
    ValidCase(
      "codable-if-present",
      encode: { try $0.encode(codable: [Present(a: 1, b: nil), Present(a: nil, b: "x")]) }),
  ]

  private init(_ name: String, encode: (GraphEncoder) throws -> Bytes) {
    let encoder = GraphEncoder()
    encoder.compression = .none
    guard let bytes = try? encode(encoder) else { preconditionFailure("\(name) cannot be encoded") }
    self.init(name, bytes: bytes)
  }

  private static func encoded(
    _ value: some GEncodable, _ options: GraphEncoder.Options = []
  ) -> Bytes {
    let encoder = GraphEncoder(options)
    encoder.compression = .none
    guard let bytes: Bytes = try? encoder.encode(value) else {
      preconditionFailure("\(value) cannot be encoded")
    }
    return bytes
  }
}

private enum Key: String { case name, position, velocity, age, flags, next, plants, owner, height }

struct Body: GCodable {
  var name: String
  var position: SIMD3<Float>
  var velocity: [Double]
  var age: Duration
  var flags: ClosedRange<Int>

  static let sample = Body(
    name: "Ceres", position: [1, 2, 3], velocity: [0.5, -0.5], age: .seconds(3), flags: 1...4)

  init(
    name: String, position: SIMD3<Float>, velocity: [Double], age: Duration, flags: ClosedRange<Int>
  ) {
    (self.name, self.position, self.velocity, self.age, self.flags) = (name, position, velocity, age, flags)
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    position = try decoder.decode(for: Key.position)
    velocity = try decoder.decode(for: Key.velocity)
    age = try decoder.decode(for: Key.age)
    flags = try decoder.decode(for: Key.flags)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(position, for: Key.position)
    try encoder.encode(velocity, for: Key.velocity)
    try encoder.encode(age, for: Key.age)
    try encoder.encode(flags, for: Key.flags)
  }
}

/// An object that refers to others, and back.
final class Garden: GCodable, GArchiveNamed {
  static var archiveName: String { "corpus.garden" }
  var plants: [Plant] = []

  static var sample: Garden {
    let garden = Garden()
    let tree = Tree(height: 12.5)
    garden.plants = [Plant(), tree, tree]
    for plant in garden.plants { plant.owner = garden }
    return garden
  }

  init() {}
  init(from decoder: GDecoder) throws { plants = try decoder.decode(for: Key.plants) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(plants, for: Key.plants) }
}

class Plant: GCodable, GArchiveNamed {
  class var archiveName: String { "corpus.plant" }
  weak var owner: Garden?

  init() {}
  required init(from decoder: GDecoder) throws {
    try decoder.deferDecode(for: Key.owner) { [weak self] in self?.owner = $0 }
  }
  func encode(to encoder: GEncoder) throws { try encoder.encodeConditional(owner, for: Key.owner) }
}

final class Tree: Plant {
  override class var archiveName: String { "corpus.tree" }
  let height: Double

  init(height: Double) {
    self.height = height
    super.init()
  }
  required init(from decoder: GDecoder) throws {
    height = try decoder.decode(for: Key.height)
    try super.init(from: decoder)
  }
  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(height, for: Key.height)
  }
}

/// More fields than a shape has.
struct Wide: GEncodable {
  func encode(to encoder: GEncoder) throws {
    for number in 0..<260 { try encoder.encode(UInt8(number % 256)) }
  }
}

struct Particle: GPackedStruct {
  var mass: Double
  var charge: Int32
  var isFixed: UInt32
  static let packedLayout = PackedLayout<Self>(\.mass, \.charge, \.isFixed).named("mass", "charge", "fixed")
}

enum Shape: Codable {
  case circle(radius: Double)
  case polygon([Int], isClosed: Bool)
  case nothing

  static let samples: [Shape] = [.circle(radius: 2), .polygon([1, 2], isClosed: true), .nothing]
}

struct Present: Codable {
  var a: Int?
  var b: String?
}
