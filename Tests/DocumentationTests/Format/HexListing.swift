import DocumentTestSupport
import GraphCodable

/// A worked example of bytes: lines of an offset, bytes and a remark, with two spaces between them.
///
///     0008  01 00    format version 1
struct HexListing {
  private(set) var bytes: Bytes = []

  /// Reads the listing and checks its offsets against its bytes.
  init(_ block: MarkdownDocument.Block) throws {
    for (index, line) in block.text.split(separator: "\n").enumerated() {
      let columns = line.split(separator: "  ", maxSplits: 2, omittingEmptySubsequences: false)
      guard columns.count >= 2, let offset = Int(columns[0], radix: 16), offset == bytes.count else {
        throw DocumentProblem("line \(block.line + index) does not begin with the offset \(bytes.count)")
      }
      for digits in columns[1].split(separator: " ") {
        guard digits.count == 2, let byte = UInt8(digits, radix: 16) else {
          throw DocumentProblem("line \(block.line + index) holds '\(digits)', which is no byte")
        }
        bytes.append(byte)
      }
    }
  }

  /// The listing of a section of the document about the format.
  static func inFormat(_ section: String) throws -> HexListing {
    let sections = try PackageFolder.formatParts.flatMap { try PackageFolder.document($0).sections }
    let blocks = sections.filter { $0.heading == section }.flatMap(\.blocks)
    guard let block = blocks.first(where: { $0.language == "hex" }) else {
      throw DocumentProblem("section '\(section)' has no block of hexadecimal bytes")
    }
    return try HexListing(block)
  }
}
