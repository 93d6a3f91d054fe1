import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphRepair
@testable import _GraphStorage

/// The parity of files that are saved.
@Suite("Parity of saves") struct ParitySavingTests {
  @Test func anEncoderWritesParityBesideArchives() throws {
    let folder = try TemporaryFolder()
    let (url, plain) = (folder.file("state.gcodable"), folder.file("plain.gcodable"))
    let encoder = GraphEncoder()
    encoder.compression = .none
    encoder.verifiesAfterWrite = true
    try encoder.write(Lost.model(1), to: plain)
    #expect(!ParityFile.exists(for: plain))
    encoder.redundancy = .percent(2)
    try encoder.write(Lost.model(1), to: url)
    let bytes = try Data(contentsOf: url)
    #expect(bytes == (try Data(contentsOf: plain)))
    var damaged = bytes
    damaged.replaceSubrange(0..<2_000, with: Data(count: 2_000))
    try damaged.write(to: url)
    #expect(try GraphArchive.repair(url).restoredSectorCount == 1)
    #expect(try Data(contentsOf: url) == bytes)
  }

  /// Parity of what a file held before must not bring that back.
  @Test func parityOfAnotherFileIsRefused() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("state.gcodable")
    try GraphEncoder().write(Lost.model(1), to: url)
    try GraphArchive.protect(url)
    try GraphEncoder().write(Lost.model(2), to: url)
    var new = try Data(contentsOf: url)
    for isDamaged in [false, true] {
      if isDamaged { new[new.count / 2] ^= 1 }
      try new.write(to: url)
      let error = #expect(throws: GCodableError.self) { try GraphArchive.repair(url) }
      #expect(error?.code == .invalidValue)
      #expect(try Data(contentsOf: url) == new)
    }
  }

  /// Behind a link, `..` is the folder above the one that the link leads to.
  @Test func parityIsBesideTheFileThatAPathLeadsTo() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      at: folder.file("far/inner"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: folder.file("link").path, withDestinationPath: "far/inner")
    let encoder = GraphEncoder()
    encoder.redundancy = .percent(2)
    let url = URL(fileURLWithPath: folder.url.path + "/link/../state.gcodable")
    try encoder.write([1, 2, 3], to: url)
    #expect(FileManager.default.fileExists(atPath: folder.file("far/state.gcodable.gcparity").path))
    #expect(try GraphArchive.checkParity(url).isIntact)
  }

  // MARK: What else may have the name of parity

  /// Saves with parity in some way, at or in a place.
  struct Way: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The names of files that get parity.
    let names: [String]
    let save: @Sendable (URL) throws -> Void

    init(_ name: String, _ names: [String], _ save: @escaping @Sendable (URL) throws -> Void) {
      (testDescription, self.names, self.save) = (name, names, save)
    }
  }

  private static var encoder: GraphEncoder {
    let encoder = GraphEncoder()
    encoder.redundancy = .percent(2)
    return encoder
  }

  /// Those that replace what has the name.
  static let ways = [
    Way("write", ["a.gcodable"]) {
      try encoder.write(Lost.model(1), to: $0.appendingPathComponent("a.gcodable"))
    },
    Way("protect", ["a.gcodable"]) { folder in
      let url = folder.appendingPathComponent("a.gcodable")
      try GraphEncoder().write(Lost.model(1), to: url)
      try GraphArchive.protect(url)
    },
    Way("protect a folder", ["a.gcodable", "b.gcodable"]) { folder in
      for name in ["a", "b"] {
        try GraphEncoder().write(Lost.model(1), to: folder.appendingPathComponent("\(name).gcodable"))
      }
      try GraphArchive.protect(folder)
    },
    Way("repack", ["a.gcodable"]) { folder in
      let url = folder.appendingPathComponent("a.gcodable")
      try GraphEncoder().write(Lost.model(1), to: url)
      try encoder.repack(GraphArchive(url), to: url)
    },
    Way("repack a series", ["a.gcseries"]) { folder in
      let url = folder.appendingPathComponent("a.gcseries")
      try GraphEncoder().append(Lost.model(1), to: GraphArchiveSeries.Writer(url), step: 0, time: 0)
      try encoder.repack(GraphArchiveSeries(url), to: url)
    },
    Way("a part", ["part-00000-of-00001.t.gcodable"]) { folder in
      _ = try GraphArchiveSet.Writer(folder, token: "t").part(0, of: 1).write(Lost.model(1), by: encoder)
    },
    Way("an entry of a folder", ["entry-000000000000.gcodable"]) { folder in
      try encoder.append(Lost.model(1), to: GraphArchiveSeries.Writer(folder: folder), step: 0, time: 0)
    },
  ]

  /// Somebody may have put it there, and what it leads to would be written over.
  @Test(arguments: ways) func aLinkIsReplaced(_ way: Way) throws {
    let place = try TemporaryFolder()
    let (folder, target) = (place.file("folder"), place.file("precious"))
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    try Data("precious".utf8).write(to: target)
    let parities = way.names.map { folder.appendingPathComponent($0 + ".gcparity") }
    for url in parities { try FileManager.default.createSymbolicLink(at: url, withDestinationURL: target) }
    try way.save(folder)
    #expect(try Data(contentsOf: target) == Data("precious".utf8))
    for url in parities {
      #expect(!SystemPath.isLink(url.path))
      #expect(try ParityFile(OpenFile(reading: url)).groups.count == 1)
    }
  }

  /// The error says which name is in the way, and what was saved before is still there.
  @Test(arguments: ways) func aFolderInTheWayLeavesTheOldFile(_ way: Way) throws {
    let place = try TemporaryFolder()
    let folder = place.file("folder")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let parity = folder.appendingPathComponent(way.names[0] + ".gcparity")
    try FileManager.default.createDirectory(at: parity, withIntermediateDirectories: false)
    let error = #expect(throws: GCodableError.self) { try way.save(folder) }
    #expect(error?.code == .file)
    #expect(error?.description.contains(parity.path) == true)
    let url = folder.appendingPathComponent(way.names[0])
    // What the way saves without parity in between is there.
    let isThere = FileManager.default.fileExists(atPath: url.path)
    #expect(
      isThere == ["protect", "protect a folder", "repack", "repack a series"].contains(way.testDescription))
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(!names.contains { $0.hasPrefix(".") && $0.contains("tmp") }, "\(names)")
  }

  /// An entry is appended in its place: there is none, and nothing is written over.
  @Test func aSeriesDoesNotFollowALink() throws {
    let folder = try TemporaryFolder()
    let (url, target) = (folder.file("run.gcseries"), folder.file("precious"))
    try Data("precious".utf8).write(to: target)
    try FileManager.default.createSymbolicLink(
      at: url.appendingPathExtension("gcparity"), withDestinationURL: target)
    let writer = try GraphArchiveSeries.Writer(url)
    #expect { try Self.encoder.append(Lost.model(1), to: writer, step: 1, time: 0) } throws: {
      ($0 as? GCodableError)?.code == .file
    }
    #expect(try Data(contentsOf: target) == Data("precious".utf8))
  }

  /// What links in a folder lead to may be outside of it.
  @Test func aFolderIsProtectedWithoutWhatItsLinksLeadTo() throws {
    let place = try TemporaryFolder()
    let (folder, outside) = (place.file("folder"), place.file("outside"))
    for url in [folder, outside] {
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
    }
    for url in [folder, outside] {
      try GraphEncoder().write(Lost.model(1), to: url.appendingPathComponent("a.gcodable"))
    }
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("b.gcodable"),
      withDestinationURL: outside.appendingPathComponent("a.gcodable"))
    try FileManager.default.createSymbolicLink(
      at: folder.appendingPathComponent("inner"), withDestinationURL: outside)
    try GraphArchive.protect(folder)
    #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["a.gcodable"])
    #expect(ParityFile.exists(for: folder.appendingPathComponent("a.gcodable")))
  }

  /// Renewing needs to know how much there was.
  @Test func parityThatCannotBeReadKeepsAnArchiveFromBeingRepacked() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("state.gcodable")
    try GraphEncoder().write(Lost.model(1), to: url)
    try GraphArchive.protect(url)
    let bytes = try Data(contentsOf: url)
    try FileManager.default.removeItem(at: ParityFile.url(for: url))
    try FileManager.default.createDirectory(
      at: ParityFile.url(for: url), withIntermediateDirectories: false)
    let encoder = GraphEncoder()
    encoder.compression = .lz4hc(level: 9)
    let error = #expect(throws: GCodableError.self) { try encoder.repack(GraphArchive(url), to: url) }
    #expect(
      error?.description.contains("remove \(ParityFile.url(for: url).path), or set a redundancy") == true)
    #expect(try Data(contentsOf: url) == bytes)
  }
}
