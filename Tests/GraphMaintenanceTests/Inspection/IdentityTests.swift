import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// The identity of values survives whatever does not change them, and so do attributes.
@Suite("Identity of values") struct IdentityTests {
  struct Run: GCodable {
    enum Key: String { case names, atoms, frames, rough }
    var names = (0..<2_000).map { "name \($0)" }
    var atoms = (0..<1_000).map { [$0, $0 * 2] }
    // More than a MiB, so that the hash has pieces.
    var frames: [[Double]] = (0..<50).map { frame in (0..<6_000).map { Double($0 / 10 * frame) } }
    var rough = (0..<5_000).map { Double($0) / 7 }

    init() {}
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(names, for: Key.names)
      try encoder.encode(atoms, for: Key.atoms)
      try encoder.encode(frames, for: Key.frames, attributes: GAttributes(unit: "nm"))
      try encoder.encode(rough, for: Key.rough, precision: .absolute(0.01))
    }
    init(from decoder: GDecoder) throws {
      names = try decoder.decode(for: Key.names)
      atoms = try decoder.decode(for: Key.atoms)
      frames = try decoder.decode(for: Key.frames)
      rough = try decoder.decode(for: Key.rough)
    }
  }

  private static func identity(
    _ run: Run, _ change: (GraphEncoder) -> Void = { _ in }
  ) throws -> GraphArchive.Identity {
    let encoder = GraphEncoder()
    change(encoder)
    return try GraphArchive(try encoder.encode(run) as Bytes).identity()
  }

  @Test func otherCompressionLeavesIt() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcodable")
    let first = try GraphArchive(try GraphEncoder().encode(Run()) as Bytes)
    let identity = try first.identity()
    #expect(identity.description.count == 32)
    for compression in [.none, .lz4, .lz4hc(level: 1), .lz4hc(level: 9)] as [GraphEncoder.Compression] {
      let encoder = GraphEncoder()
      encoder.compression = compression
      encoder.storesDirectory = compression == .none
      try encoder.repack(first, to: url)
      let repacked = try GraphArchive(url)
      #expect(try repacked.identity() == identity)
      #expect(try repacked.attributes(at: "frames").unit == "nm")
      try repacked.verify()
    }
  }

  @Test func metadataAndLayoutLeaveIt() throws {
    let identity = try Self.identity(Run())
    let other = try Self.identity(Run()) {
      ($0.metadata, $0.alignment, $0.storesDirectory, $0.compression) = (["a": "b"], 4096, true, .none)
    }
    #expect(other == identity)
  }

  @Test func anyChangeOfAValueChangesIt() throws {
    var found: Set<GraphArchive.Identity> = [try Self.identity(Run())]
    let changes: [(inout Run) -> Void] = [
      { $0.names[7] = "other" }, { $0.names.swapAt(0, 1) }, { $0.atoms[999][1] += 1 },
      { $0.atoms.removeLast() }, { $0.frames[0][0].negate() }, { $0.frames[49][5_999] += 1 },
      { $0.frames[25][3_000] = .nan }, { $0.rough[0] = 1 }, { $0.frames = [$0.frames.flatMap(\.self)] },
    ]
    for change in changes {
      var run = Run()
      change(&run)
      #expect(try found.insert(Self.identity(run)).inserted)
    }
  }

  @Test func entriesOfSeriesHaveIt() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcseries")
    let writer = try GraphArchiveSeries.Writer(url)
    for step in 0..<3 { try GraphEncoder().append(Run(), to: writer, step: step, time: 0) }
    let identity = try Self.identity(Run())
    for entry in try GraphArchiveSeries(url) {
      let archive = try GraphArchive(entry)
      #expect(try archive.identity() == identity)
      #expect(try archive.attributes(at: "frames").unit == "nm")
      let copy = folder.file("copy-\(entry.number).gcodable")
      try entry.extract(to: copy)
      #expect(try GraphArchive(copy).attributes(at: "frames").unit == "nm")
    }
  }

  @Test func theExampleOfTheDocumentHasIts() throws {
    let archive = try GraphArchive(try GraphEncoder().encode(-3) as Bytes)
    #expect(try archive.identity().description == "f6e31d094a6f443b1d59d332c948bce5")
  }
}
