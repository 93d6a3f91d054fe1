import CyclicCoding
import GraphCodable

// A model in two forms, `GCodable` and `Codable`, whose values and paths are the same.

struct Point: GPackedStruct, Codable, Equatable {
  var x: Double
  var y: Double
  static let packedLayout = PackedLayout<Self>(\.x, \.y)
}

enum Cargo: GCodable, Codable, Equatable {
  case empty
  case boxes(count: Int, weight: Double)

  private enum CodingKeys: String, CodingKey { case empty, boxes }
  private enum BoxesCodingKeys: String, CodingKey { case count, weight }
  private struct Boxes: GCodable {
    var count: Int
    var weight: Double
    init(_ count: Int, _ weight: Double) { (self.count, self.weight) = (count, weight) }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(count, for: BoxesCodingKeys.count)
      try encoder.encode(weight, for: BoxesCodingKeys.weight)
    }
    init(from decoder: GDecoder) throws {
      count = try decoder.decode(for: BoxesCodingKeys.count)
      weight = try decoder.decode(for: BoxesCodingKeys.weight)
    }
  }
  private struct Empty: GCodable {
    init() {}
    func encode(to encoder: GEncoder) throws {}
    init(from decoder: GDecoder) throws {}
  }

  func encode(to encoder: GEncoder) throws {
    switch self {
    case .empty: try encoder.encode(Empty(), for: CodingKeys.empty)
    case .boxes(let count, let weight): try encoder.encode(Boxes(count, weight), for: CodingKeys.boxes)
    }
  }
  init(from decoder: GDecoder) throws {
    if try decoder.contains(CodingKeys.boxes) {
      let boxes: Boxes = try decoder.decode(for: CodingKeys.boxes)
      self = .boxes(count: boxes.count, weight: boxes.weight)
    } else {
      self = .empty
    }
  }
}

struct Leg: GCodable, Codable, Equatable {
  var from: String
  var to: String
  var days: [Int]

  enum CodingKeys: String, CodingKey { case from, to, days }
  init(_ from: String, _ to: String, _ days: [Int]) { (self.from, self.to, self.days) = (from, to, days) }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(from, for: CodingKeys.from)
    try encoder.encode(to, for: CodingKeys.to)
    try encoder.encode(days, for: CodingKeys.days)
  }
  init(from decoder: GDecoder) throws {
    from = try decoder.decode(for: CodingKeys.from)
    to = try decoder.decode(for: CodingKeys.to)
    days = try decoder.decode(for: CodingKeys.days)
  }
}

enum ShipKey: String, CodingKey { case name, sister, cargo, legs, berths, depths, tons }
enum FleetKey: String, CodingKey { case flagship, ships, byName, byNumber, byBerth, track, label }

class Ship: GCodable {
  var name = ""
  /// In pairs: each leads to the other.
  var sister: Ship?
  var cargo = Cargo.empty
  var legs: [Leg] = []
  var berths: Set<Int> = []
  init() {}
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: ShipKey.name)
    try encoder.encode(sister, for: ShipKey.sister)
    try encoder.encode(cargo, for: ShipKey.cargo)
    try encoder.encode(legs, for: ShipKey.legs)
    try encoder.encode(berths, for: ShipKey.berths)
  }
  required init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: ShipKey.name)
    try decoder.deferDecode(for: ShipKey.sister) { self.sister = $0 }
    cargo = try decoder.decode(for: ShipKey.cargo)
    legs = try decoder.decode(for: ShipKey.legs)
    berths = try decoder.decode(for: ShipKey.berths)
  }
}

final class Tanker: Ship {
  var tons = 0
  init(tons: Int) {
    self.tons = tons
    super.init()
  }
  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(tons, for: ShipKey.tons)
  }
  required init(from decoder: GDecoder) throws {
    tons = try decoder.decode(for: ShipKey.tons)
    try super.init(from: decoder)
  }
}

struct Fleet: GCodable {
  var flagship: Ship
  var ships: [Ship]
  var byName: [String: Ship]
  var byNumber: [Int: Cargo]
  var byBerth: [Leg?]
  var track: [Point]
  var label: String?

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(flagship, for: FleetKey.flagship)
    try encoder.encode(ships, for: FleetKey.ships)
    try encoder.encode(byName, for: FleetKey.byName)
    try encoder.encode(byNumber, for: FleetKey.byNumber)
    try encoder.encode(byBerth, for: FleetKey.byBerth)
    try encoder.encode(track, for: FleetKey.track)
    try encoder.encode(label, for: FleetKey.label)
  }
  init(from decoder: GDecoder) throws {
    flagship = try decoder.decode(for: FleetKey.flagship)
    ships = try decoder.decode(for: FleetKey.ships)
    byName = try decoder.decode(for: FleetKey.byName)
    byNumber = try decoder.decode(for: FleetKey.byNumber)
    byBerth = try decoder.decode(for: FleetKey.byBerth)
    track = try decoder.decode(for: FleetKey.track)
    label = try decoder.decode(for: FleetKey.label)
  }

  /// Ten ships, of which the odd ones are tankers, and a track of as many points as are asked for.
  init(pointCount: Int = 10) {
    ships = (0..<10).map { index in
      let ship = index % 2 == 0 ? Ship() : Tanker(tons: 1000 * index)
      ship.name = "ship \(index)"
      ship.cargo = index % 3 == 0 ? .empty : .boxes(count: index, weight: Double(index) / 2)
      ship.legs = (0..<index % 4).map { Leg("port \($0)", "port \($0 + 1)", [index, $0]) }
      ship.berths = [index]
      return ship
    }
    for index in ships.indices { ships[index].sister = ships[index ^ 1] }
    flagship = ships[3]
    byName = Dictionary(uniqueKeysWithValues: ships.map { ($0.name, $0) })
    byNumber = [-7: .boxes(count: 7, weight: 0.5), 12: .empty]
    byBerth = [nil, Leg("a", "b", [1, 2, 3])]
    track = (0..<pointCount).map { Point(x: Double($0), y: -Double($0)) }
    label = nil
  }
}

class PlainShip: Codable {
  var name = ""
  var sister = WeakCycleBreaker<PlainShip>()
  var cargo = Cargo.empty
  var legs: [Leg] = []
  var berths: Set<Int> = []
  init() {}
}

final class PlainTanker: PlainShip {
  var tons = 0
  private enum CodingKeys: String, CodingKey { case tons }
  init(tons: Int) {
    self.tons = tons
    super.init()
  }
  override func encode(to encoder: any Encoder) throws {
    try super.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(tons, forKey: .tons)
  }
  required init(from decoder: any Decoder) throws {
    tons = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .tons)
    try super.init(from: decoder)
  }
}

struct PlainFleet: Codable {
  var flagship: PlainShip
  var ships: [PlainShip]
  var byName: [String: PlainShip]
  var byNumber: [Int: Cargo]
  var byBerth: [Leg?]
  var track: [Point]
  var label: String?

  init(_ fleet: Fleet) {
    ships = fleet.ships.map { ship in
      let plain = (ship as? Tanker).map { PlainTanker(tons: $0.tons) } ?? PlainShip()
      (plain.name, plain.cargo, plain.legs, plain.berths) = (ship.name, ship.cargo, ship.legs, ship.berths)
      return plain
    }
    for index in ships.indices { ships[index].sister[] = ships[index ^ 1] }
    flagship = ships[3]
    byName = Dictionary(uniqueKeysWithValues: ships.map { ($0.name, $0) })
    byNumber = fleet.byNumber
    byBerth = fleet.byBerth
    track = fleet.track
    label = fleet.label
  }
}
