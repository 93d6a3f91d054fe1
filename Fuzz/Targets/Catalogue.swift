import Foundation
import GraphCodable

/// A type as which archives are decoded, without its static type.
struct CatalogueType: Sendable {
  let name: String
  /// Archives of values of the type, whose `binaryIOVersion` is `number`.
  let seeds: @Sendable (_ number: UInt16) throws -> [Bytes]
  /// Decodes an archive as a value of the type, which then goes round again.
  let decode: @Sendable (Bytes) throws -> Void
  /// Decodes what stands at a path.
  let decodePart: @Sendable (GraphArchive, GraphPath) throws -> Void

  init<Value: GCodable & SendableMetatype>(
    _ type: Value.Type = Value.self, release: @escaping @Sendable (Value) -> Void = { _ in },
    _ values: @escaping @Sendable () -> [Value]
  ) {
    name = "\(type)"
    seeds = { number in
      try values().flatMap { value in
        // Stored and compressed, as some bytes are only reached in one of them.
        let seeds = try [GraphEncoder.Compression.none, .lz4, .small].map { compression in
          let encoder = GraphEncoder(binaryIOVersion: number)
          encoder.compression = compression
          return try encoder.encode(value) as Bytes
        }
        release(value)
        return seeds.indices.filter { !seeds[..<$0].contains(seeds[$0]) }.map { seeds[$0] }
      }
    }
    decode = { bytes in
      try decodes(
        "\(type)", ofCodable: false, { try GraphDecoder().decode(type, from: bytes) },
        encode: { try GraphEncoder().encode($0) as Bytes },
        again: { try GraphDecoder().decode(type, from: $0) }, release: release)
    }
    decodePart = { archive, path in
      release(try archive.decode(type, at: path))
      if let value = try? archive.decode(GLazy<Value>.self, at: path) { try release(value.get()) }
    }
  }

  init<Value: Codable & SendableMetatype>(
    codable type: Value.Type, _ values: @escaping @Sendable () -> [Value]
  ) {
    name = "\(type), Codable"
    seeds = { number in
      try values().map {
        let encoder = GraphEncoder(binaryIOVersion: number)
        encoder.compression = .none
        return try encoder.encode(codable: $0) as Bytes
      }
    }
    decode = { bytes in
      try decodes(
        "\(type), Codable", ofCodable: true, { try GraphDecoder().decode(codable: type, from: bytes) },
        encode: { try GraphEncoder().encode(codable: $0) as Bytes },
        again: { try GraphDecoder().decode(codable: type, from: $0) }, release: { _ in })
    }
    decodePart = { archive, path in _ = try archive.decode(codable: type, at: path) }
  }
}

extension CatalogueType {
  static let graph: [CatalogueType] = numbers + containers + foundation + models + bulk

  private static let numbers: [CatalogueType] = [
    .init { [Int.max, -1] }, .init { [UInt8.max] }, .init { [Double.pi, .nan] }, .init { [true, false] },
    .init { ["", "short", "text of more than fifteen bytes", "häöü 🧶"] }, .init { [Character("é")] },
    .init { [Int128.min, 7] }, .init { [1, nil] as [Int?] }, .init { [1, .some(nil), nil] as [Int??] },
    .init { [SIMD4<Float>(1, 2, 3, 4)] }, .init { [Duration.seconds(3)] },
    .init { [Colour.red, .other] },
  ]

  private static let containers: [CatalogueType] = [
    .init { [[1, 2, 3], [], Array(0..<200)] as [[Int]] }, .init { [[0.5, 1.5]] as [[Double]] },
    .init { [Array(repeating: 0.5, count: 300)] as [[Float]] },
    .init { [["a", "", "bc"]] }, .init { [[1, nil, 3]] as [[Int?]] }, .init { [[true, false, true]] },
    .init { [[[1], [], [2, 3]]] as [[[Int]]] }, .init { [[SIMD3<Float>(1, 2, 3)]] },
    .init { [[Decimal(1.5), .nan]] }, .init { [[Date(timeIntervalSinceReferenceDate: 1)]] },
    .init { [[UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))]] },
    .init { [[1, 2, 3]] as [Set<Int>] }, .init { [["a", "b"]] as [Set<String>] },
    .init { [["a": 1, "b": 2], [:]] as [[String: Int]] }, .init { [[1: ["a"], 2: []]] as [[Int: [String]]] },
    .init { [[Decimal(1): Data([1])]] as [[Decimal: Data]] },
    .init { [3..<9] as [Range<Int>] }, .init { [-1.5...2] as [ClosedRange<Double>] },
    .init { [ContiguousArray(["a"])] }, .init { [[1, 2, 4].difference(from: [1, 3, 4])] },
    .init { [Dot.row(40)] },
    .init { [GArray([1.5, 2, 3, 4, 5, 6], shape: [2, 3])] },
    .init { [(0..<80).map { row in (0..<80).map { Float(row + $0) } }] },
    .init { [[Dot.row(2), [], Dot.row(3)]] },
    .init { [GLazy((0..<3_000).map { Double($0) })] }, .init { [GLazy([["a": [1, 2]]])] },
  ]

  private static let foundation: [CatalogueType] = [
    .init { [Data([1, 2, 3]), Data(repeating: 7, count: 90)] },
    .init { [URL(string: "https://example.org/a?b#c")!] },
    .init { [Date(timeIntervalSinceReferenceDate: 1e8)] }, .init { [Decimal(string: "-123.456")!] },
    .init { [DateComponents(calendar: .init(identifier: .hebrew), timeZone: .gmt, year: -5, month: 2)] },
    .init { [DateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 2)] },
    .init { [Calendar(identifier: .iso8601)] }, .init { [TimeZone(secondsFromGMT: -5400)!] },
    .init { [Locale(identifier: "de_CH")] }, .init { [IndexSet([1, 2, 3, 9])] },
    .init { [IndexPath(indexes: [1, 2, 3])] }, .init { [CharacterSet(charactersIn: "aé")] },
    .init { [URLComponents(string: "https://me:pw@example.org:80/a?b=c#d")!] },
    .init { [PersonNameComponents(givenName: "Ada", familyName: "Lovelace")] },
    .init { [Measurement(value: 2.5, unit: UnitLength.meters)] },
    .init { [CGRect(x: 1, y: 2, width: 3, height: 4)] },
    .init { [linked] },
  ]

  private static var linked: AttributedString {
    var text = AttributedString("text")
    text.link = URL(string: "a:b")
    return text
  }

  private static let models: [CatalogueType] = [
    .init { [Sink.sample] },
    .init { [Row.sample] },
    .init { [Row.sample.flatMap(\.d)] },
    .init { [Tree("root", [Tree("a", [Tree("b")]), Tree("c")])] },
    .init(release: { $0.breakUp() }) { [Ring.ofThree()] },
    .init { [[Animal(name: "a"), Dog(name: "d", tricks: 2), Cat(name: "c")]] },
    .init { [[Tagged(id: 1, name: "a"), Tagged(id: 2, name: "b"), Tagged(id: 1, name: "c")]] },
    .init { [Formula.sum(.value(1), .negated(.sum(.value(2), .value(3))))] },
    .init { [Link.list(40)] },
    .init { [Wide.sample] },
    .init { [Trajectory.sample] },
    .init { [[Box(value: 1), Box(value: 2)], []] as [[Box<Int>]] },
    .init { [Place(x: 1, y: 2)] as [Place] },
    .init { [[Place(x: 1, y: 2), Place(x: 3, y: 4)]] },
  ]
}
