import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Manifests that somebody else has made.
@Suite("Manifests of sets")
struct SetManifestTests {
  /// The fields of a manifest, as `Format.md` says.
  private struct Forged: GEncodable {
    var formatVersion = 1
    var token = "abc"
    var metadata = ["kind", "forged"]
    var partNames = ["part-00000-of-00002.abc.gcodable", "part-00001-of-00002.abc.gcodable"]
    var byteCounts: [UInt64] = [100, 100]
    var headerHashes: [UInt64] = [1, 2]
    var arrayNames = ["x"]
    var shape = [10, 4]
    var parts = [0, 1]
    var offsets = [0, 0, 5, 0]
    var lengths = [5, 4, 5, 4]
    var paths = ["x"]
    var pathNumbers = [0, 0]

    private enum Key: String {
      case formatVersion, token, step, time, metadata, partNames, byteCounts, headerHashes, arrays
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(formatVersion, for: Key.formatVersion)
      try encoder.encode(token, for: Key.token)
      try encoder.encode(3, for: Key.step)
      try encoder.encode(1.5, for: Key.time)
      try encoder.encode(metadata, for: Key.metadata)
      try encoder.encode(partNames, for: Key.partNames)
      try encoder.encode(byteCounts, for: Key.byteCounts)
      try encoder.encode(headerHashes, for: Key.headerHashes)
      try encoder.encode(arrayNames.map { ForgedArray(name: $0, manifest: self) }, for: Key.arrays)
    }
  }

  private struct ForgedArray: GEncodable {
    let name: String
    let manifest: Forged

    private enum Key: String { case name, shape, parts, offsets, lengths, paths, pathNumbers }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(name, for: Key.name)
      try encoder.encode(manifest.shape, for: Key.shape)
      try encoder.encode(manifest.parts, for: Key.parts)
      try encoder.encode(manifest.offsets, for: Key.offsets)
      try encoder.encode(manifest.lengths, for: Key.lengths)
      try encoder.encode(manifest.paths, for: Key.paths)
      try encoder.encode(manifest.pathNumbers, for: Key.pathNumbers)
    }
  }

  /// The error of opening a set with a manifest that `change` makes.
  private func code(_ change: (inout Forged) -> Void) throws -> GCodableError.Code? {
    let folder = try TemporaryFolder()
    var manifest = Forged()
    change(&manifest)
    try GraphEncoder().write(manifest, to: folder.file("set.gcodable"))
    do {
      let set = try GraphArchiveSet(folder.url)
      #expect((set.step, set.time, set.metadata) == (3, 1.5, ["kind": "forged"]))
      return nil
    } catch { return (error as? GCodableError)?.code }
  }

  @Test func whatTheFormatSaysIsOne() throws { try #expect(code { _ in } == nil) }

  @Test func anotherVersionIsRefused() throws { try #expect(code { $0.formatVersion = 2 } == .unsupported) }

  @Test(arguments: 0..<28)
  func whatDoesNotFitTogetherIsRefused(number: Int) throws {
    let changes: [(inout Forged) -> Void] = [
      { $0.token = "../abc" }, { $0.token = "" }, { $0.token = "abd" }, { $0.metadata = ["kind"] },
      { $0.partNames[0] = "../a.gcodable" }, { $0.partNames.swapAt(0, 1) }, { $0.partNames.removeLast() },
      { $0.byteCounts.removeLast() }, { $0.headerHashes.append(1) },
      { ($0.partNames, $0.byteCounts, $0.headerHashes) = ([], [], []) }, { $0.shape = [] },
      { $0.shape = [10] }, { $0.shape = [10, 5] }, { $0.shape = [9, 4] }, { $0.shape = [.max, .max] },
      { $0.shape = [-10, -4] }, { $0.shape = [0, -1] }, { $0.parts[1] = 2 }, { $0.parts[1] = -1 },
      { $0.parts.removeLast() },
      { $0.offsets[2] = 4 }, { $0.offsets[2] = .max }, { $0.lengths[0] = -5 }, { $0.pathNumbers[0] = 1 },
      { $0.pathNumbers[0] = -1 }, { $0.metadata = ["kind", "a", "other", "b", "kind", "c"] },
      { $0.arrayNames = ["x", "x"] }, { $0.arrayNames = ["x", "y", "x"] },
    ]
    try #expect(code(changes[number]) == .malformed)
  }
}
