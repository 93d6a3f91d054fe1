import DocumentTestSupport
import Foundation

/// A guide whose examples are run: a document outside the package, in a folder beside it.
enum Guide: String, Sendable {
  /// The guide to everything that the library does.
  case user = "graphcodable-user-guide.md"
  /// A guide to an older interface, of which only the registration of classes is left.
  case early = "graphcodable-early-guide.md"
  /// The guide to identity and cycles in plain `Codable` models.
  case cyclicCoding = "cycliccoding-readme.md"
  /// The guide to polymorphic classes in plain `Codable` models.
  case polyCodable = "polycodable-readme.md"

  /// The folder of the guides, seen from the package's root.
  static let folder = "../shared/guides"

  private var url: URL {
    PackageFolder.root.appendingPathComponent("\(Self.folder)/\(rawValue)").standardizedFileURL
  }

  var isPresent: Bool { FileManager.default.isReadableFile(atPath: url.path) }

  func read() throws -> MarkdownDocument {
    MarkdownDocument(
      markdown: try String(contentsOf: url, encoding: .utf8),
      unmarkedLanguage: self == .polyCodable ? "swift" : "")
  }
}
