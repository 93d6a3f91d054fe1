import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Names in archives that match their checksums.
@Suite("Hostile class names")
struct HostileNameTests {
  @Test(arguments: [
    "Si_S2SXLt", "SSyXLSg", "4main1P_pxQp1S_SS1at", "ypq_BV", "Say$n1_G", "", "@", "@@", "@x", "@x@",
    "@@Si_S2SXLt",
    "@x@Si_S2SXLt", "@x@@Si_S2SXLt", "x@y",
  ])
  func aNameOfWhichTheRuntimeDiesIsAnError(name: String) async {
    await #expect(processExitsWith: .success) { [name = name as String] in
      let bytes = try HostileNameTests.archive(named: [name])
      let error = #expect(throws: GCodableError.self) { try GraphDecoder().decode([Item].self, from: bytes) }
      #expect(error?.code == .classNotFound)
      // Readers that do not decode do not look it up.
      _ = try GraphDecoder().dump(from: bytes)
      #expect(try GraphArchive(bytes).info.classes.map(\.mangledName) == [name])
    }
  }

  /// 250 bytes that the runtime would make 2^40 types of.
  @Test func aNameThatExpandsWithoutEndIsAnError() throws {
    let repeated = (0..<40).map { "A\($0 == 0 ? "B" : "\($0)_")G" }.joined()
    let name = "s13KeyValuePairsV" + String(repeating: "yAB", count: 40) + "yS2iG" + repeated
    let bytes = try Self.archive(named: [name])
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().decode([Item].self, from: bytes) }
    #expect(error?.code == .classNotFound)
  }

  /// The runtime looks through all types of the program for each, which may cost what a whole archive does.
  @Test func namesAreLookedUpAThousandTimesButNotWithoutEnd() throws {
    let names = (0..<6_000).map { index in "3App\("Gone\(index)".utf8.count)Gone\(index)C" }
    let resolver = ClassResolver(
      names.map { .init(mangledName: $0, qualifiedName: $0, version: 0) }
        + [
          .init(mangledName: try #require(_mangledTypeName(Item.self)), qualifiedName: "App.Item", version: 0)
        ],
      chosen: [:])
    let reasons = names.indices.map { index -> String in
      do { _ = try resolver.resolve(index) } catch { return "\(error)" }
      return ""
    }
    #expect(reasons.prefix(1_000).allSatisfy { $0.contains("is not in this program") })
    #expect(reasons.suffix(1_000).allSatisfy { $0.contains("is one of too many") })
    #expect(reasons.filter { $0.contains("is not in this program") }.count < 4_096)
    // Names found before are found without the runtime.
    #expect(Item.supportsCodableInheritance)
    #expect(try resolver.resolve(names.count).type == Item.self)
  }

  /// An archive of objects, whose classes get these names.
  static func archive(named names: [String]) throws -> Bytes {
    let bytes = try GraphEncoder().encode([Item(1), Item(2)]) as Bytes
    return try Forge(bytes).changingContents { contents in
      contents.classes = names.map { .init(mangledName: $0, qualifiedName: "App.Node", version: 0) }
    }
  }
}

final class Item: GCodable {
  let number: Int
  init(_ number: Int) { self.number = number }
  init(from decoder: GDecoder) throws { number = try decoder.decode() }
  func encode(to encoder: GEncoder) throws { try encoder.encode(number) }
}
