import DocumentTestSupport
import Foundation

/// Where the user guide lies: outside the package, in a folder beside it.
enum GuideLocation {
  /// The path of the guide, seen from the package's root.
  static let path = "../shared/guides/graphcodable-user-guide.md"

  static let guide = PackageFolder.root.appendingPathComponent(path).standardizedFileURL

  static var isGuidePresent: Bool { FileManager.default.isReadableFile(atPath: guide.path) }

  static func readGuide() throws -> MarkdownDocument {
    MarkdownDocument(markdown: try String(contentsOf: guide, encoding: .utf8))
  }
}
