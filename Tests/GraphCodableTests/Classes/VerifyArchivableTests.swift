import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Classes that could not be decoded")
struct VerifyArchivableTests {
  @Test func classesThatAreFoundPass() throws {
    try GraphCodableUti.verifyArchivable(Animal.self, Dog.self, Holder<Int>.self, Residue.self, Plane.self)
    try GraphCodableUti.verifyArchivable(root: [Animal(1), Dog(2)])
    try GraphCodableUti.verifyArchivable(codableRoot: [Plane(), Jet()])
    try GraphCodableUti.verifyArchivable(root: [Lost()], options: .disableInheritance)
  }

  @Test func everyClassThatIsNotFoundIsNamed() throws {
    let error = #expect(throws: GCodableError.self) {
      try GraphCodableUti.verifyArchivable(
        Animal.self, Lost.self, Misnamed.self, OneWay.self, Holder<Lost>.self, ReplacedByValue.self)
    }
    #expect(error?.code == .classNotConstructible)
    let text = error?.description ?? ""
    #expect(text.contains("5 classes"))
    for name in ["Lost: ", "Misnamed: ", "OneWay: ", "Holder<", "ReplacedByValue: "] {
      #expect(text.contains(name), "\(name) in \(text)")
    }
    #expect(!text.contains("Animal"))
  }

  @Test func everyClassOfAGraphIsNamed() throws {
    let root = Pair3(Lost(), [Dog(1)], Holder(Lost()))
    let error = #expect(throws: GCodableError.self) { try GraphCodableUti.verifyArchivable(root: root) }
    #expect(error?.description.contains("2 classes") == true)
    #expect(error?.description.contains("Lost: ") == true)
    #expect(error?.description.contains("Dog") == false)
    let single = #expect(throws: GCodableError.self) { try GraphCodableUti.verifyArchivable(root: [Lost()]) }
    #expect(single?.typeName?.hasSuffix("Lost") == true)
    #expect(throws: GCodableError.self) {
      try GraphCodableUti.verifyArchivable(codableRoot: [LostCodable()])
    }
  }
}

private final class Lost: GCodable {
  init() {}
  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

private final class LostCodable: Codable {}

final class OneWay: GEncodable {
  func encode(to encoder: GEncoder) throws {}
}

final class ReplacedByValue: GCodable {
  static var replacementType: any GDecodable.Type { Int.self }
  init(from decoder: GDecoder) throws {}
  func encode(to encoder: GEncoder) throws {}
}

private struct Pair3: GCodable {
  var parts: (Lost, [Dog], Holder<Lost>)
  init(_ first: Lost, _ second: [Dog], _ third: Holder<Lost>) { parts = (first, second, third) }
  init(from decoder: GDecoder) throws { parts = try (decoder.decode(), decoder.decode(), decoder.decode()) }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(parts.0)
    try encoder.encode(parts.1)
    try encoder.encode(parts.2)
  }
}
