import _GraphCoding
import _GraphFiles
import _GraphSupport

/// The sections around the body.
extension GraphDump {
  var header: [String] {
    let header = reader.header
    var lines = [
      "- FileType  = 'gcodable' {8 bytes}",
      "- Version   = \(aligned(ArchiveHeader.formatVersion)) {2 bytes}",
      "- Flags     = \(aligned(0)) {2 bytes}",
    ]
    // A dump of a root is made without compression, so these would not be the sizes of its archive.
    let isArchive = unitTexts == nil
    if isArchive {
      lines.append("- Size      = \(aligned(header.byteCount)) bytes, contents from \(header.contentsOffset)")
    }
    lines.append("- BinaryIO " + String(repeating: "-", count: Self.width - 11))
    lines.append("- Version   = \(aligned(reader.contents.userVersion)) {2 bytes}")
    if isArchive {
      let bulk = reader.contents.bulk.count
      lines.append(
        "- Data size = \(aligned(decoder.tables.streamBytes.count)) bytes, \(bulk) bulk segments")
    }
    return lines
  }

  private func aligned(_ number: some BinaryInteger) -> String {
    let digits = String(number)
    return String(repeating: " ", count: max(0, 10 - digits.count)) + digits
  }

  var referenceMap: [String] {
    reader.contents.classes.enumerated().flatMap { index, stored in
      var entry = ["TYPE\(code(UInt64(index) + 1)):\tQualifiedName  = \(name(stored.qualifiedName))"]
      if options.contains(.showMangledNamesInReferenceMap) {
        entry.append("\t\t\tMangledName    = \(name(stored.mangledName))")
      }
      entry.append("\t\t\tEncodedVersion = \(stored.version)")
      return entry
    }
  }

  var help: [String] {
    """
    Codes:
    \tVAL<objID?>   = value that is encoded part by part
    \tREF<objID?>   = instance of a class, encoded part by part
    \tBIV<objID?>   = value that is one unit of data
    \tBIR<objID?>   = instance of a class that is one unit of data
    \tNIL<objID?>   = nil in place of any of these
    \tPTS<objID>    = strong pointer to an object
    \tPTC<objID>    = conditional pointer to an object
    The parts of VAL and REF follow, up to a line with '.':
    \t+ "key" or KEY<keyID>   before a part that has a key
    \t-                       before a part that has none
    Other codes:
    \tobjID         = tells apart what has an identity
    \tTYPE<typeID>  = class of a REF or BIR, see REFERENCEMAP; its name where the dump is readable
    \tKEY<keyID>    = key of a part; its name where the dump is readable
    """.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
