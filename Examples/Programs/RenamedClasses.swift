// Classes that were renamed, moved and replaced since their files were written, and how to name the successor.
//
//   swift run --package-path Examples RenamedClasses

import Foundation
import GraphCodable

/// The classes of the program that wrote the file.
class OldShape: GCodable {
  let name: String

  init(name: String) { self.name = name }

  fileprivate enum Key: String { case name }

  func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: Key.name) }

  required init(from decoder: GDecoder) throws { name = try decoder.decode(for: Key.name) }
}

final class OldDisc: OldShape {}
final class OldBox: OldShape {}
final class OldLine: OldShape {}

/// The classes of today.
class Shape: GCodable {
  let name: String

  fileprivate enum Key: String { case name }

  func encode(to encoder: GEncoder) throws { try encoder.encode(name, for: Key.name) }

  required init(from decoder: GDecoder) throws { name = try decoder.decode(for: Key.name) }
}

/// A class may have a name of its own in archives, which stays when Swift's changes, and aliases for those before it.
final class Disc: Shape, GArchiveNamed {
  static var archiveName: String { "disc" }
  static var archiveAliases: [String] { ["RenamedClasses.Disk"] }
}

final class Box: Shape {}
final class Line: Shape {}

@main enum RenamedClasses {
  static func main() throws {
    let old =
      try GraphEncoder().encode([OldDisc(name: "a"), OldBox(name: "b"), OldLine(name: "c")] as [OldShape])
      as Bytes
    for shape in try shapes(in: old) { print("\(shape.name): \(type(of: shape))") }
  }

  /// The decoder is told the successors, by the names with their module.
  ///
  /// Where the old classes are gone from the program, aliases are enough; here they have just written the file.
  static func shapes(in bytes: Bytes) throws -> [Shape] {
    let decoder = GraphDecoder()
    for (name, successor) in [("OldDisc", Disc.self), ("OldBox", Box.self), ("OldLine", Line.self)]
      as [(String, Shape.Type)]
    {
      decoder.setClass(successor, for: .qualifiedName("RenamedClasses.\(name)"))
    }
    return try decoder.decode([Shape].self, from: bytes)
  }
}
