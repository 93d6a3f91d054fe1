import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphSupport

/// Small archives that would take much memory: an error, at most 64 MiB above the file, and little processor time.
@Suite("Small archives that take much memory")
struct HostileArchiveTests {
  private static let count = 2_000_000

  /// Equal records, without fields, compressed to a byte for 250, as instances of a class of which nothing is stored.
  private static func records(
    _ record: some GEncodable = Hostile.Nothing(), isClass: Bool = false
  ) throws -> Bytes {
    let values = try encoded(Array(repeating: record, count: count))
    return try Forge(values).changingContents { contents in
      for index in contents.shapes.indices where isClass && !contents.shapes[index].isList {
        (contents.shapes[index].isClass, contents.shapes[index].classNumber) = (true, 0)
      }
    }
  }

  private static let values = Result { try records() }
  private static let instances = Result { try records(isClass: true) }
  private static let nothing = Result { try encoded([Int8?](repeating: nil, count: count)) }

  static let attacks: [HostileAttack] = [
    HostileAttack(name: "instances of initial values", bytes: { try instances.get() }) {
      _ = try decoded([Hostile.Initial].self, from: $0)
    },
    HostileAttack(name: "small instances", bytes: { try instances.get() }) {
      _ = try decoded([Hostile.Small].self, from: $0)
    },
    HostileAttack(name: "Codable instances of optionals", bytes: { try values.get() }) {
      _ = try GraphDecoder().decode(codable: [Hostile.Optionals].self, from: $0)
    },
    HostileAttack(name: "Codable instances in line", bytes: { try instances.get() }) {
      _ = try GraphDecoder().decode(codable: [Hostile.Optionals].self, from: $0)
    },
    HostileAttack(name: "Codable values that try one type after another", bytes: { try values.get() }) {
      _ = try GraphDecoder().decode(codable: [Hostile.Anything].self, from: $0)
    },
    HostileAttack(name: "Codable structs of optionals", bytes: { try values.get() }) {
      _ = try GraphDecoder().decode(codable: [Hostile.OptionalValues].self, from: $0)
    },
    HostileAttack(name: "lazy values", bytes: { try values.get() }) {
      _ = try GraphArchive($0).decode([GLazy<Hostile.Nothing>].self)
    },
    HostileAttack(name: "optionals", bytes: { try nothing.get() }) {
      _ = try decoded([SIMD64<Double>?].self, from: $0)
    },
    HostileAttack(name: "date components", bytes: { try values.get() }) {
      _ = try decoded([DateComponents].self, from: $0)
    },
    HostileAttack(name: "names of persons", bytes: { try values.get() }) {
      _ = try decoded([PersonNameComponents].self, from: $0)
    },
    HostileAttack(name: "index sets", bytes: { try encoded([[[Int8]]](repeating: [[]], count: count / 4)) }) {
      _ = try decoded([[IndexSet]].self, from: $0)
    },
    HostileAttack(name: "optional instances", bytes: { try instances.get() }) {
      _ = try decoded([Hostile.Wide?].self, from: $0)
    },
    HostileAttack(name: "deferred fields", bytes: { try records(Hostile.NilNext(), isClass: true) }) {
      _ = try decoded([Hostile.Later].self, from: $0)
    },
    HostileAttack(name: "sets of optionals", bytes: { try nothing.get() }) {
      _ = try decoded(Set<SIMD64<Double>?>.self, from: $0)
    },
    HostileAttack(
      name: "data units of optionals",
      bytes: { try encoded(Hostile.Unit(elements: [Int8?](repeating: nil, count: count))) }
    ) {
      _ = try decoded(Hostile.Unit<SIMD64<Double>?>.self, from: $0)
    },
    HostileAttack(
      name: "many data units and optionals",
      bytes: {
        try encoded((0..<8).map { _ in Hostile.Unit(elements: [Int8?](repeating: nil, count: 100_000)) })
      }
    ) {
      _ = try decoded([Hostile.Unit<SIMD64<Double>?>].self, from: $0)
    },
    HostileAttack(
      name: "measurements",
      bytes: {
        try encoded([Measurement<UnitLength>](repeating: .init(value: 1, unit: .meters), count: count / 10))
      }
    ) {
      _ = try decoded([Measurement<UnitLength>].self, from: $0)
    },
    HostileAttack(name: "a dump", bytes: { try values.get() }) { _ = try GraphArchive($0).dump() },
  ]

  /// Far below what they took before they were bounded, which was thousands.
  private static let mostRounds = 250.0

  #if os(Linux)
    @Test(arguments: attacks.indices) func isAnErrorAndCostsLittle(index: Int) async throws {
      let data = try Data(Self.attacks[index].bytes())
      await #expect(processExitsWith: .success, "\(Self.attacks[index].name)") {
        [index, data = data as Data] in
        try HostileArchiveTests.attacks[index].check(Bytes(data), mostRounds: HostileArchiveTests.mostRounds)
      }
    }
  #endif

  @Test func aDifferenceBeyondAnyCollectionIsRefused() throws {
    for offset in [Int.max, Int.max - 1, Int.max / 2, -1] {
      let bytes = try script { encoder in
        try encoder.encode(
          Script {
            try $0.encode(true, for: StandardKey.isInsertion)
            try $0.encode(offset, for: StandardKey.offset)
            try $0.encode(1, for: StandardKey.element)
          })
      }
      let error = #expect(throws: GCodableError.self) {
        try decoded(CollectionDifference<Int>.self, from: bytes)
      }
      #expect(error?.code == .invalidValue)
    }
  }
}
