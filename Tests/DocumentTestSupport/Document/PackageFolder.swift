import Foundation

/// The folder that holds `Package.swift`.
package enum PackageFolder {
  package static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent()  // Document
    .deletingLastPathComponent()  // DocumentTestSupport
    .deletingLastPathComponent()  // Tests
    .deletingLastPathComponent()

  /// The files of the document about the format.
  package static let formatParts = ["Format.md", "Format-2.md", "Format-3.md"].map { "Documentation/\($0)" }

  /// Reads a document of the package; its path begins at the root.
  package static func document(_ path: String) throws -> MarkdownDocument {
    MarkdownDocument(markdown: try text(path))
  }

  /// Reads a text file of the package; its path begins at the root.
  package static func text(_ path: String) throws -> String {
    try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
