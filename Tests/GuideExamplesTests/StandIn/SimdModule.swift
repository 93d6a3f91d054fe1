import DocumentTestSupport

/// The module `simd` for programs that import it where the system has none.
enum SimdModule {
  private static let path = "Tests/GuideExamplesTests/StandIn/Matrix3x3.swift"

  /// What the programs need besides the package.
  static func modules(for programs: [String]) throws -> [ExampleRunner.Module] {
    #if canImport(Darwin)
      return []
    #else
      guard programs.contains(where: { $0.contains("import simd\n") }) else { return [] }
      return [.init(name: "simd", source: try PackageFolder.text(path))]
    #endif
  }
}
