import Foundation

/// Where the user guide lies: outside the package, in a folder beside it.
enum GuideLocation {
  /// The path of the guide, seen from the package's root.
  static let path = "../shared/guides/graphcodable-user-guide.md"

  /// The folder that holds `Package.swift`.
  static let packageRoot = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()  // Guide
    .deletingLastPathComponent()  // GuideExamplesTests
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()

  static let guide = packageRoot.appendingPathComponent(path).standardizedFileURL

  static var isGuidePresent: Bool { FileManager.default.isReadableFile(atPath: guide.path) }

  static func readGuide() throws -> GuideDocument {
    GuideDocument(markdown: try String(contentsOf: guide, encoding: .utf8))
  }
}
