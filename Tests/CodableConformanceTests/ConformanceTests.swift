import Testing

/// One list of models from real use, taken through everything that stores `Codable` values.
@Suite("Codable models by all ways")
struct ConformanceTests {
  @Test(arguments: ModelCase.all, Way.allCases)
  func modelsComeBack(model: ModelCase, way: Way) throws { try model.run(way) }
}

extension ModelCase {
  static let all =
    structs + enums + standardTypes + containers + wrappers + asymmetric + classes
    + anyJSON + choices
}
