import Foundation
import GraphCodable

extension FuzzTarget {
  /// Archives decoded as the types of the catalogue; an archive's `binaryIOVersion` says which.
  static let graph = FuzzTarget(
    name: "graph", form: .archive, seeds: { try seeds(of: CatalogueType.graph) },
    run: { try decode($0, as: CatalogueType.graph) })

  /// The same by way of `Codable`.
  static let codable = FuzzTarget(
    name: "codable", form: .archive, seeds: { try seeds(of: CatalogueType.codable) },
    run: { try decode($0, as: CatalogueType.codable) })

  /// Archives decoded as types that they were not encoded from.
  static let confusion = FuzzTarget(
    name: "confusion", form: .archive,
    seeds: { try seeds(of: CatalogueType.graph) + seeds(of: CatalogueType.codable) },
    run: { bytes in
      let types = CatalogueType.graph + CatalogueType.codable
      var number = bytes.checksum
      for _ in 0..<4 {
        try types[Int(number % UInt64(types.count))].decode(bytes)
        number /= UInt64(types.count)
      }
    })

  /// All that is done with an archive without the user's types.
  static let inspection = FuzzTarget(
    name: "inspection", form: .archive, seeds: { try seeds(of: CatalogueType.graph) },
    run: { bytes in
      try accepts("inspection") {
        let archive = try GraphArchive(bytes)
        _ = archive.classes
        _ = archive.resolvedClasses()
        try accepts("info") { _ = try archive.info }
        let isVerified = try accepts("verify") { try archive.verify() }
        try accepts("damage") {
          let damage = try archive.damage()
          for block in damage.blocks { _ = block.description }
          guard !isVerified || damage.isEmpty else { throw Finding("what is verified is damaged") }
        }
        let all: GraphDumpOptions = [
          .showHelp, .showHeader, .showBody, .readable, .showReferenceMap, .showMangledNamesInReferenceMap,
        ]
        for options in [GraphDumpOptions.readable, all] {
          try accepts("dump") {
            // A few bytes can stand for a long text.
            var count = 0
            try archive.dumpLines(options) {
              count += $0.utf8.count
              if count > 1 << 20 { throw GCodableError(.limitExceeded, "that is enough") }
            }
          }
        }
      }
    })

  /// Items and parts along the paths that an archive has.
  static let parts = FuzzTarget(
    name: "parts", form: .archive,
    seeds: { try seeds(of: CatalogueType.graph) + seeds(of: CatalogueType.codable) },
    run: { bytes in
      try accepts("parts") {
        let archive = try GraphArchive(bytes)
        let types = CatalogueType.graph + CatalogueType.codable
        var number = bytes.checksum
        var left = 40
        var paths: [GraphPath] = [[]]
        while let path = paths.popLast(), left > 0 {
          left -= 1
          number = number &* 6_364_136_223_846_793_005 &+ 1
          try accepts("\(path)") { try types[Int(number >> 33) % types.count].decodePart(archive, path) }
          try accepts("\(path)") {
            let array = try archive.array(Double.self, at: path)
            let start = Int(number >> 40) % (array.count + 1)
            _ = try array[start..<min(start + 3, array.count)]
          }
          try accepts("\(path)") {
            for item in try archive.items(at: path, in: 0..<5) {
              if let step = item.step { paths.append(path.appending(step)) }
            }
          }
        }
      }
    })

  private static func seeds(of types: [CatalogueType]) throws -> [Bytes] {
    try types.enumerated().flatMap { try $1.seeds(UInt16($0)) }
  }

  private static func decode(_ bytes: Bytes, as types: [CatalogueType]) throws {
    var number = 0
    try accepts("header") { number = Int(try GraphArchive(bytes).info.userVersion) }
    try types[number % types.count].decode(bytes)
  }
}
