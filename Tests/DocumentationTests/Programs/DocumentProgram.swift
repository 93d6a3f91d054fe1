import DocumentTestSupport

/// The Swift blocks of a document, put together to one program.
struct DocumentProgram: Sendable {
  let text: String

  /// What the program must print: the texts behind `// prints: `, in order.
  let expectedLines: [String]

  init(text: String, expectedLines: [String]) { (self.text, self.expectedLines) = (text, expectedLines) }

  init(_ path: String) throws {
    let sections = try PackageFolder.document(path).sections
    text = sections.flatMap(\.swiftBlocks).map(\.text).joined(separator: "\n")
    expectedLines = text.split(separator: "\n").compactMap { line in
      let parts = line.split(separator: "// prints: ", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? parts[1].trimmed : nil
    }
  }
}
