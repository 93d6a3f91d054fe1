import GraphCodable
import Testing

/// Every supported type, by the same checks.
@Suite("Supported types")
struct SupportedTypesTests {
  static let all =
    NumberCases.all + VectorCases.all + TextCases.all + TimeCases.all + ContainerCases.all

  @Test(arguments: all) func comesBackFromAGraph(type: TypeCase) throws { try type.checkGraph() }

  @Test(arguments: all) func comesBackFromADataUnit(type: TypeCase) throws { try type.checkBinary() }

  @Test(arguments: all) func comesBackFromContainers(type: TypeCase) throws { try type.checkContainers() }

  @Test(arguments: all) func truncatedBytesAreRefused(type: TypeCase) throws { try type.checkTruncated() }

  @Test(arguments: all) func wrongTypesAreRefused(type: TypeCase) throws { try type.checkWrongType() }

  @Test(arguments: all) func isPassedOver(type: TypeCase) throws { try type.checkSkipped() }

  @Test(arguments: all) func randomBytesNeverTrap(type: TypeCase) throws {
    _ = try type.checkRandom(20_261_121)
  }

  @Test(arguments: all) func bytesStayWhatTheyAre(type: TypeCase) throws {
    let golden = Goldens.all[type.name] ?? []
    #expect(type.golden.count == golden.count, "\(type.name)")
    for (expected, actual) in zip(golden, type.golden) {
      let actual = try actual()
      #expect(actual.graph == expected.graph, "\(type.name)")
      #expect(actual.binary == expected.binary, "\(type.name)")
    }
  }

  @Test func goldenBytesBelongToTypes() {
    #expect(Set(Goldens.all.keys).isSubset(of: Set(Self.all.map(\.name))))
    #expect(Set(Self.all.map(\.name)).count == Self.all.count)
  }
}
