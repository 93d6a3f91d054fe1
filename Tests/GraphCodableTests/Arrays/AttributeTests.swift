import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Attributes of arrays: given by field, kept in the archive, read without the array.
@Suite("Attributes of arrays") struct AttributeTests {
  /// A frame of a simulation, with arrays of all kinds.
  struct Frame: GCodable, Equatable {
    enum Key: String { case positions, velocities, names, charges, children }
    var positions: [[Double]] = [[1, 2, 3], [4, 5, 6]]
    var velocities: [Float]?
    var names: [String] = ["C", "N"]
    var charges: [Double?] = [0.5, nil]
    var children: [Frame] = []

    static let positions: GAttributes = ["units": "nm", "cutoff": 1.25, "count": 2, "is_wrapped": true]
    static let names: GAttributes = ["long_name": "elements"]

    init() {}

    func encode(to encoder: GEncoder) throws {
      var attributes = Self.positions
      attributes.dimensions = ["atom", "xyz"]
      try encoder.encode(positions, for: Key.positions, attributes: attributes)
      try encoder.encode(velocities, for: Key.velocities, attributes: GAttributes(unit: "nm/ps"))
      try encoder.encode(names, for: Key.names, attributes: Self.names)
      try encoder.encode(charges, for: Key.charges, attributes: GAttributes(unit: "e", dimensions: ["atom"]))
      try encoder.encode(children, for: Key.children, attributes: GAttributes(dimensions: ["child"]))
    }

    init(from decoder: GDecoder) throws {
      positions = try decoder.decode(for: Key.positions)
      velocities = try decoder.decode(for: Key.velocities)
      names = try decoder.decode(for: Key.names)
      charges = try decoder.decode(for: Key.charges)
      children = try decoder.decode(for: Key.children)
    }
  }

  /// Enough types that the numbers of some shapes have two bytes, so that records are moved when they end.
  struct Many: GCodable {
    enum Key: String { case frame, rest }
    var frame = Frame()
    var count = 200

    func encode(to encoder: GEncoder) throws {
      try encoder.encode((0..<count).map(Varied.init), for: Key.rest)
      try encoder.encode(frame, for: Key.frame)
    }

    init(_ frame: Frame) { self.frame = frame }
    init(from decoder: GDecoder) throws { frame = try decoder.decode(for: Key.frame) }
  }

  /// A record whose shape depends on its number.
  struct Varied: GCodable {
    struct Key: RawRepresentable { let rawValue: String }
    var number: Int

    init(number: Int) { self.number = number }
    init(from decoder: GDecoder) throws { number = 0 }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(
        [Double(number)], for: Key(rawValue: "n\(number)"), attributes: ["number": .integer(number)])
    }
  }

  private func check(_ archive: GraphArchive, at path: GraphPath = []) throws {
    func attributes(_ key: String) throws -> GAttributes {
      try archive.attributes(at: path.appending(.key(key)))
    }
    let positions = try attributes("positions")
    #expect(positions.dimensions == ["atom", "xyz"])
    #expect(positions.unit == "nm")
    #expect(positions.names == ["count", "cutoff", "is_wrapped", "units"])
    #expect(positions["cutoff"] == 1.25 && positions["count"] == 2 && positions["is_wrapped"] == true)
    #expect(try attributes("velocities").isEmpty)
    #expect(try attributes("names") == Frame.names)
    #expect(try attributes("charges") == GAttributes(unit: "e", dimensions: ["atom"]))
    #expect(try attributes("children").dimensions == ["child"])
    #expect(try archive.item(at: path.appending(.key("positions"))).attributes == positions)
    #expect(try archive.attributes(at: path.appending(.key("positions")).appending(.index(0))).isEmpty)
  }

  @Test func arraysOfAllKindsKeepThem() throws {
    var frame = Frame()
    frame.children = [Frame(), Frame()]
    let archive = try GraphArchive(try GraphEncoder().encode(frame) as Bytes)
    try check(archive)
    try check(archive, at: "children[1]")
    try archive.verify()
    #expect(try archive.decode(Frame.self) == frame)
  }

  @Test func optionalArraysHaveThemWhereTheyAreThere() throws {
    var frame = Frame()
    frame.velocities = [1, 2]
    let archive = try GraphArchive(try GraphEncoder().encode(frame) as Bytes)
    #expect(try archive.attributes(at: "velocities").unit == "nm/ps")
    try archive.verify()
  }

  @Test func recordsThatAreMovedTakeThemAlong() throws {
    for count in [60, 100, 126, 127, 128, 200] {
      var many = Many(Frame())
      many.count = count
      let encoder = GraphEncoder()
      // A used encoder expects the shapes of the graph before.
      for _ in 0..<2 {
        let archive = try GraphArchive(try encoder.encode(many) as Bytes)
        try check(archive, at: "frame")
        for number in 0..<count {
          #expect(
            try archive.attributes(at: ["rest", .index(number), .key("n\(number)")])["number"]
              == .integer(number))
        }
        try archive.verify()
      }
    }
  }

  @Test func overflowFieldsHaveThem() throws {
    struct Wide: GCodable {
      struct Key: RawRepresentable { let rawValue: String }
      init() {}
      init(from decoder: GDecoder) throws {}
      func encode(to encoder: GEncoder) throws {
        for number in 0..<300 {
          try encoder.encode([number], for: Key(rawValue: "k\(number)"), attributes: ["n": .integer(number)])
        }
      }
    }
    let archive = try GraphArchive(try GraphEncoder().encode(Wide()) as Bytes)
    for number in [0, 255, 256, 299] {
      #expect(try archive.attributes(at: [.key("k\(number)")])["n"] == .integer(number))
    }
    try archive.verify()
  }

  @Test(arguments: [
    GAttributes.Value.string("é\0"), .integer(.min), .integer(.max), .number(-0.0), .number(.infinity),
    .bool(false),
    .strings(["a", ""]), .strings([]), .integers([-1, 1 << 40]), .numbers([0.1, 2]), .bools([true, false]),
  ]) func valuesAreKept(value: GAttributes.Value) throws {
    struct One: GCodable {
      enum Key: String { case array }
      var attributes = GAttributes()
      init(_ value: GAttributes.Value) { attributes["value"] = value }
      init(from decoder: GDecoder) throws {}
      func encode(to encoder: GEncoder) throws {
        try encoder.encode([1, 2], for: Key.array, attributes: attributes)
      }
    }
    let archive = try GraphArchive(try GraphEncoder().encode(One(value)) as Bytes)
    #expect(try archive.attributes(at: "array")["value"] == value)
  }

  @Test func anEncoderForgetsThem() throws {
    let encoder = GraphEncoder()
    let plain = try encoder.encode([1.5]) as Bytes
    _ = try encoder.encode(Frame()) as Bytes
    #expect(try encoder.encode([1.5]) as Bytes == plain)
  }

  @Test func equalSetsAreStoredOnce() throws {
    var frame = Frame()
    let one = try GraphEncoder().encode(frame) as Bytes
    frame.children = (0..<100).map { _ in Frame() }
    let many = try GraphEncoder().encode(frame) as Bytes
    let archive = try GraphArchive(many)
    #expect(archive.contents.extensions.attributes?.bytes.count ?? .max < 100 * 10 + 200)
    #expect(many.count > one.count)
  }

  @Test func textsThatTakeTooLongToHashAreRefused() throws {
    let name = "a" + String(repeating: "\u{301}", count: 300)
    struct One: GCodable {
      enum Key: String { case array }
      let attributes: GAttributes
      init(_ attributes: GAttributes) { self.attributes = attributes }
      init(from decoder: GDecoder) throws { attributes = .init() }
      func encode(to encoder: GEncoder) throws {
        try encoder.encode([1], for: Key.array, attributes: attributes)
      }
    }
    for attributes in [GAttributes(unit: name), GAttributes(dimensions: [name])] {
      let error = #expect(throws: GCodableError.self) { try GraphEncoder().encode(One(attributes)) as Bytes }
      #expect(error?.code == .invalidValue)
      #expect(error?.keyPath == ["array"])
    }
  }

  @Test func streamsOfMessagesKeepThem() throws {
    let writer = try GraphMessageWriter()
    try writer.write([1.5])
    try writer.write(Frame())
    try writer.write([2.5])
    try writer.close()
    let reader = GraphMessageReader()
    reader.append(try writer.takeBytes())
    reader.finish()
    #expect(try reader.next([Double].self) == [1.5])
    try check(try #require(try reader.nextMessage()).archive())
    #expect(try reader.next([Double].self) == [2.5])
  }
}
