import Foundation
import _GraphCoding
import _GraphFiles

/// What a dump of a graph shows.
public struct GraphDumpOptions: OptionSet, Hashable, Sendable {
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public let rawValue: UInt

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// An explanation of the codes in a dump.
  public static let showHelp = Self(rawValue: 1 << 0)
  /// The fields of the archive's header.
  public static let showHeader = Self(rawValue: 1 << 1)
  /// The graph with codes for keys and classes, and sizes in place of values.
  public static let showBody = Self(rawValue: 1 << 2)
  /// The graph with the names of keys and classes, and values.
  public static let readable = Self(rawValue: 1 << 3)
  /// The classes of the archive.
  public static let showReferenceMap = Self(rawValue: 1 << 4)
  /// The mangled names of classes, by which they are found, in the reference map.
  public static let showMangledNamesInReferenceMap = Self(rawValue: 1 << 5)
}

extension GraphEncoder {
  /// Describes how a root would be encoded, in the notation that `.showHelp` explains.
  ///
  /// With `.readable`, values that write their own bytes are described by `String(describing:)`; a dump of an archive
  /// shows only their sizes.
  ///
  /// - Throws: as `encode`.
  /// - Complexity: that of encoding; the text is O(n).
  public func dump<Root: GEncodable>(_ root: Root, options: GraphDumpOptions = .readable) throws -> String {
    try dump(options) { try $0.writeRoot(root) }
  }

  /// Describes how a `Codable` root would be encoded, in the notation that `.showHelp` explains.
  ///
  /// - Throws: as `encode(codable:)`.
  /// - Complexity: that of encoding; the text is O(n).
  public func dump<Root: Encodable>(codable root: Root, options: GraphDumpOptions = .readable) throws
    -> String
  {
    try dump(options) { try $0.writeRoot(codable: root) }
  }

  func dump(_ options: GraphDumpOptions, _ writeRoot: (GEncoder) throws -> Void) throws -> String {
    let encoder = GraphEncoder(self.options, binaryIOVersion: binaryIOVersion)
    encoder.userInfo = userInfo
    encoder.compression = .none
    let (graph, unitTexts) = try encoder.walkNotingUnitTexts(writeRoot)
    let bytes = try encoder.archive(graph) as Bytes
    return try GraphDump.text(of: bytes, options, unitTexts: unitTexts)
  }
}
