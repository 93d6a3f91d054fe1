/// The library's own types in the names of classes: `App.Box<GArray<Double>>` has one.
///
/// Archives know each of them as a type of the module `GraphCodable`, wherever it lives in a release of the library. So a
/// type may move from module to module, and archives made before are still decoded.
package struct LibraryTypes: Sendable {
  /// The modules of the types that a program has, by the types' names.
  package let modules: [String: String]

  /// The module that archives name.
  static let archiveModule = "GraphCodable"

  /// Those of this release.
  package static let current = LibraryTypes(modules: [
    "AllowedClasses": "_GraphCoding", "ArchiveCompression": "_GraphFiles", "ArchiveRedundancy": "_GraphFiles",
    "BinaryIType": "_GraphCoding",
    "BinaryOType": "_GraphCoding", "BinaryReadBuffer": "_GraphCoding", "BinaryWriteBuffer": "_GraphCoding",
    "ClassName": "_GraphCoding", "GArchiveNamed": "_GraphCoding", "GArray": "_GraphCoding",
    "GAttributes": "_GraphFiles",
    "GBinaryDecodable": "_GraphCoding", "GBinaryEncodable": "_GraphCoding", "GCodableError": "_GraphSupport",
    "GDecodable": "_GraphCoding", "GDecoder": "_GraphCoding", "GEncodable": "_GraphCoding",
    "GEncoder": "_GraphCoding", "GIdentifiable": "_GraphCoding", "GInheritance": "_GraphCoding",
    "GLazy": "_GraphReading", "GObject": "_GraphCoding", "GObsolete": "_GraphCoding",
    "GPackable": "_GraphCoding", "GPackedStruct": "_GraphCoding", "GPartReference": "_GraphStorage",
    "GPrecision": "_GraphFiles", "GTypesRepository": "_GraphCoding", "GraphArchive": "_GraphReading",
    "GraphArchiveLock": "_GraphFiles", "GraphArchiveSeries": "_GraphStorage",
    "GraphArchiveSet": "_GraphStorage", "GraphArchiveSetSeries": "_GraphStorage",
    "GraphArrayView": "_GraphReading", "GraphCodableUti": "_GraphMaintenance",
    "GraphComparison": "_GraphMaintenance", "GraphDamage": "_GraphMaintenance",
    "GraphDecoder": "_GraphCoding", "GraphDifference": "_GraphMaintenance",
    "GraphDumpOptions": "_GraphMaintenance", "GraphEncoder": "_GraphCoding", "GraphKind": "_GraphFiles",
    "GraphMessage": "_GraphStorage", "GraphMessageDamage": "_GraphStorage",
    "GraphMessageNoChunks": "_GraphStorage",
    "GraphMessageReader": "_GraphStorage", "GraphMessageSequence": "_GraphStorage",
    "GraphMessageWriter": "_GraphStorage",
    "GraphPath": "_GraphCoding", "GraphRawArrayView": "_GraphReading", "GraphRecovery": "_GraphMaintenance",
    "GraphRepair": "_GraphRepair",
    "GraphSetArrayView": "_GraphStorage", "GraphSetStore": "_GraphStorage", "GraphSource": "_GraphFiles",
    "GraphSourceBytes": "_GraphFiles", "GraphStatistics": "_GraphMaintenance", "PackedFormat": "_GraphFiles",
    "PackedLayout": "_GraphCoding",
  ])

  /// What a type's module is replaced by in a mangled name.
  ///
  /// - Parameters:
  ///   - module: the module, as an identifier of a mangled name: `12GraphCodable`.
  ///   - type: the type's name likewise.
  /// - Returns: nil where the name stays as it is.
  package func replacement(for module: [UInt8], of type: [UInt8], _ direction: Direction) -> [UInt8]? {
    switch direction {
    case .toArchive: home(of: type) == module ? Self.mangled(Self.archiveModule) : nil
    case .toProgram: module == Self.mangled(Self.archiveModule) ? home(of: type) : nil
    }
  }

  package enum Direction { case toArchive, toProgram }

  private func home(of type: [UInt8]) -> [UInt8]? {
    modules[String(decoding: type.drop { $0 >= 0x30 && $0 <= 0x39 }, as: UTF8.self)].map(Self.mangled)
  }

  private static func mangled(_ identifier: String) -> [UInt8] {
    Array("\(identifier.utf8.count)\(identifier)".utf8)
  }

  /// A qualified name as archives have it: `GraphCodable.GArray` for a type of any of the library's modules.
  package func qualifiedInArchive(_ name: String) -> String {
    guard name.contains("_Graph") else { return name }
    let modules = Set(modules.values)
    return name.replacing(/\b_Graph\w+\./) { match in
      modules.contains(String(match.output.dropLast())) ? "\(Self.archiveModule)." : String(match.output)
    }
  }

  /// A mangled name that is compared and never parsed, likewise.
  package func mangledInArchive(_ name: String) -> String {
    guard name.contains("_Graph") else { return name }
    return Set(modules.values).reduce(name) {
      $0.replacing("\($1.utf8.count)\($1)", with: "\(Self.archiveModule.utf8.count)\(Self.archiveModule)")
    }
  }
}
