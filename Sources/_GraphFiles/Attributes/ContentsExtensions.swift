import _GraphSupport

/// The extensions of contents that this version knows: their bytes, which are parsed where they are needed.
package struct ContentsExtensions: Sendable {
  /// An extension, and where its bytes lie in the archive.
  package struct Part: Sendable {
    package let bytes: [UInt8]
    package let origin: UInt64
  }

  /// See `AttributeTable`.
  package var attributes: Part?
  /// See `ArrayDirectory`.
  package var directory: Part?

  package init() {}

  package var isEmpty: Bool { attributes == nil && directory == nil }

  package static let directoryNumber: UInt64 = 4

  /// The attributes of arrays.
  ///
  /// - Throws: `malformed`.
  package func attributeTable() throws -> AttributeTable {
    try attributes.map { try AttributeTable(parsing: $0.bytes, origin: $0.origin) } ?? AttributeTable()
  }

  /// Replaces the attributes of arrays.
  package mutating func setAttributes(_ table: AttributeTable) {
    attributes = table.isEmpty ? nil : Part(bytes: table.bytes, origin: 0)
  }

  /// Replaces the directory.
  package mutating func setDirectory(_ bytes: [UInt8]?) {
    directory = bytes.map { Part(bytes: $0, origin: 0) }
  }
}

extension ByteBuilder {
  mutating func extensions(_ extensions: ContentsExtensions) {
    let parts = [
      (AttributeTable.number, extensions.attributes),
      (ContentsExtensions.directoryNumber, extensions.directory),
    ]
    varint(UInt64(parts.count { $0.1 != nil }))
    for case (let number, let part?) in parts {
      varint(number)
      varint(UInt64(part.bytes.count))
      append(part.bytes)
    }
  }
}

extension ContentsExtensions {
  /// Reads the extensions of contents, and passes over what later versions may have added, unless its number is odd: that must
  /// be understood.
  ///
  /// - Throws: `unsupported`; `malformed`, also for an extension of this version that is there twice.
  init(_ parser: inout ByteParser) throws {
    for _ in 0..<(try parser.count(of: "extensions", atLeast: 2)) {
      let (start, number) = (parser.offset, try parser.varint())
      guard number & 1 == 0 else {
        throw GCodableError(
          .unsupported,
          "the archive needs extension \(number), which this package does not know: update it to read the file",
          byteOffset: start)
      }
      let count = try parser.count(of: "bytes of an extension")
      let origin = parser.offset
      let bytes = try unsafe parser.bytes(count)
      switch number {
      case AttributeTable.number where attributes == nil:
        attributes = unsafe Part(bytes: Array(bytes), origin: origin)
      case Self.directoryNumber where directory == nil:
        directory = unsafe Part(bytes: Array(bytes), origin: origin)
      case AttributeTable.number, Self.directoryNumber:
        throw parser.malformed("has extension \(number) twice")
      default: break
      }
    }
  }
}
