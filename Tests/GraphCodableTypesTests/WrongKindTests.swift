import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Every supported type, decoded from values of all kinds.
@Suite("Wrong kinds")
struct WrongKindTests {
  /// A value as it is stored.
  private struct Stored {
    let name: String
    let kind: GraphKind
    let bytes: Bytes

    init(_ name: String, _ value: some GEncodable) throws {
      self.name = name
      bytes = try encoded(value, compression: .none)
      kind = try GraphArchive(bytes).withReader { reader in
        guard case .embedded(let stream) = reader.contents.graph else { return .null }
        return GraphKind(rawValue: stream[0])
      }
    }
  }

  private struct Point: GPackedStruct {
    var x: Double
    var y: Int64
    static let packedLayout = PackedLayout<Self>(\.x, \.y)
  }

  private static func stored() throws -> [Stored] {
    let date = Date(timeIntervalSinceReferenceDate: 0.5)
    return try [
      Stored("nil", Int?.none), Stored("some", Int?(1)), Stored("Bool", true), Stored("Int8", Int8(1)),
      Stored("Int16", Int16(1)), Stored("Int32", Int32(1)), Stored("Int", 1), Stored("UInt8", 1 as UInt8),
      Stored("UInt16", 1 as UInt16), Stored("UInt32", 1 as UInt32), Stored("UInt", 1 as UInt),
      Stored("Float", 0.5 as Float), Stored("Double", 0.5), Stored("String", "text"),
      Stored("array", ["a"]), Stored("empty array", [String]()), Stored("set", Set(["a"])),
      Stored("dictionary", ["a": "b"]), Stored("packed", [0.5, 1.5]),
      Stored("packed structs", [Point(x: 1, y: 2)]),
      Stored("record", Script { try $0.encode(1, for: Letter.a) }),
      Stored("unkeyed", Script { try $0.encode(1) }),
      Stored("empty record", Script { _ in }), Stored("object", WrongKindObject()), Stored("UUID", UUID()),
      Stored("Date", date), Stored("SIMD4", SIMD4<Float>(1, 2, 3, 4)), Stored("Int128", Int128(7)),
      Stored("range", 1..<3), Stored("Decimal", Decimal(1)), Stored("Decimals", [Decimal(1)]),
      Stored("DateInterval", DateInterval(start: date, duration: 1)),
      Stored("Calendar", Calendar(identifier: .hebrew)),
      Stored("Data", Data([1, 2])), Stored("IndexSet", IndexSet([1, 5])),
    ]
  }

  /// Of another kind it is a `typeMismatch`; of its own, a record or data unit that says something else may be wrong in
  /// other ways.
  @Test(arguments: SupportedTypesTests.all) func areTypeMismatches(type: TypeCase) throws {
    for stored in try Self.stored() {
      do { try type.decode(stored.bytes) } catch let error as GCodableError {
        let allowed: [GCodableError.Code] =
          switch stored.kind {
          case .null, .absent, .tagged: [.typeMismatch, .valueNotFound]
          case _ where stored.kind.description == type.kind: Self.ofItsKind
          case .record, .reference, .array, .set, .dictionary, .packed, .packedStructs:
            Self.containers.contains(type.kind)
              ? Self.ofItsKind
              : stored.kind == .record ? [.typeMismatch, .valueNotFound] : [.typeMismatch]
          case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32, .uint64:
            [.typeMismatch, .invalidValue]
          default: [.typeMismatch]
          }
        #expect(allowed.contains(error.code), "\(type.name) from \(stored.name): \(error)")
      } catch {
        Issue.record("\(type.name) from \(stored.name): not an error of the library: \(error)")
      }
    }
  }

  /// They are read element by element, and from records without keys, too.
  private static let containers: Set = ["record", "array", "set", "dictionary", "packed"]

  private static let ofItsKind: [GCodableError.Code] = [
    .typeMismatch, .valueNotFound, .keyNotFound, .invalidValue, .malformed,
  ]

  /// They were an error of the bytes.
  @Test func decimalsAreTypeMismatches() throws {
    for stored in try Self.stored() where stored.kind != .null && stored.kind != .tagged {
      guard stored.name != "Decimal" else { continue }
      let error = #expect(throws: GCodableError.self, "\(stored.name)") {
        try decoded(Decimal.self, from: stored.bytes)
      }
      #expect(error?.code == .typeMismatch, "\(stored.name): \(String(describing: error))")
    }
  }
}

/// Where the runtime finds it.
final class WrongKindObject: GEncodable, GDecodable {
  init() {}
  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws { try encoder.encode(1, for: Letter.a) }
}
