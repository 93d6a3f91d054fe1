import GraphCodable
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Private classes, which Swift does not find by name.
@Suite("Registration")
struct RegistrationTests {
  @Test func privateClassIsRefusedUntilItIsRegistered() throws {
    #expect(throws: GCodableError.self) { try GraphEncoder().encode([Unregistered()]) as Bytes }
    #expect(!Unregistered().supportsCodableInheritance)
    Registered.register()
    #expect(Registered.supportsCodableInheritance)
    let bytes = try GraphEncoder().encode([Registered()]) as Bytes
    #expect(try GraphDecoder().decode([Registered].self, from: bytes).count == 1)
  }

  @Test func decoderFindsClassThatWasRegisteredWithItAlone() {
    let decoder = GraphDecoder()
    decoder.register(Unregistered.self)
    let name = ClassName.mangledName("17GraphCodableTests1$yXZ12UnregisteredC")
    #expect(decoder.chosenClasses[name] == Unregistered.self)
    #expect(!Unregistered.supportsCodableInheritance)
  }

  /// What Swift calls the scope of a private class is an address, another one in each process.
  @Test func archiveNamesRegisteredClassWithoutAddresses() throws {
    Registered.register()
    let bytes = try GraphEncoder().encode([Registered()]) as Bytes
    let options: GraphDumpOptions = [.showReferenceMap, .showMangledNamesInReferenceMap]
    let map = try GraphDecoder().dump(from: bytes, options: options)
    #expect(map.contains("QualifiedName  = GraphCodableTests.(unknown context).Registered\n"))
    #expect(map.contains("MangledName    = 17GraphCodableTests1$yXZ10RegisteredC\n"))
    let code = try GraphDecoder().help(from: bytes)
    #expect(code.contains("\tGraphCodableTests.Registered.register()\n"))
    #expect(GTypesRepository.shared.help().contains("\tGraphCodableTests.Registered.register()\n"))
  }

  @Test(arguments: [
    ("3App13$55886a370370yXZ5DraftC", "3App1$yXZ5DraftC"),
    // The module's name ends with a digit.
    ("4App213$55886a370370yXZ5DraftC", "4App21$yXZ5DraftC"),
    ("3App13$55886a370370yXZ5DraftC9$5588aabbyXZ3TipC", "3App1$yXZ5DraftC1$yXZ3TipC"),
    // Not an identifier of the length that stands in front of it.
    ("3App5$55886a370370yXZ5DraftC", "3App5$55886a370370yXZ5DraftC"),
    ("3App5DraftC", "3App5DraftC"),
  ])
  func addressesAreReplacedInMangledNames(name: String, stable: String) {
    #expect(StableName.mangled(name) == stable)
  }
}

private final class Registered: GCodable {
  init() {}
  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

private final class Unregistered: GCodable {
  init() {}
  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}
