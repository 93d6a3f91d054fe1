import DocumentTestSupport
import GraphCodable

/// A worked example of bytes: lines of an offset, bytes and a remark, with two spaces between them.
///
///     0008  01 00    format version 1
struct HexListing {
  /// The first offset.
  private(set) var start = 0
  private(set) var bytes: Bytes = []

  /// Reads the listing and checks its offsets against its bytes.
  init(_ block: MarkdownDocument.Block) throws {
    for (index, line) in block.text.split(separator: "\n").enumerated() {
      let columns = line.split(separator: "  ", maxSplits: 2, omittingEmptySubsequences: false)
      guard columns.count >= 2, let offset = Int(columns[0], radix: 16) else {
        throw DocumentProblem("line \(block.line + index) does not begin with an offset")
      }
      if index == 0 { start = offset }
      guard offset == start + bytes.count else {
        throw DocumentProblem(
          "line \(block.line + index) does not begin with the offset \(start + bytes.count)")
      }
      for digits in columns[1].split(separator: " ") {
        guard digits.count == 2, let byte = UInt8(digits, radix: 16) else {
          throw DocumentProblem("line \(block.line + index) holds '\(digits)', which is no byte")
        }
        bytes.append(byte)
      }
    }
  }

  /// The listing of a section of the document about the format, from offset 0 on.
  static func inFormat(_ section: String) throws -> HexListing {
    let listings = try all(inFormat: section)
    guard let listing = listings.first, listings.count == 1, listing.start == 0 else {
      throw DocumentProblem("section '\(section)' has not one listing that begins at offset 0")
    }
    return listing
  }

  /// The listings of a section of the document about the format.
  static func all(inFormat section: String) throws -> [HexListing] {
    let sections = try PackageFolder.formatParts.flatMap { try PackageFolder.document($0).sections }
    return try sections.filter { $0.heading == section }.flatMap(\.blocks).filter { $0.language == "hex" }.map
    {
      try HexListing($0)
    }
  }
}
