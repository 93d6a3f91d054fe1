import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing
import _GraphCoding
import _GraphFiles

/// A directory leads to arrays in segments without the graph stream.
@Suite("Directory of arrays") struct DirectoryTests {
  /// A graph whose stream takes many blocks, with a few large arrays at its end.
  struct Run: GCodable, Equatable {
    enum Key: String { case names, atoms, frames, again, flags, label, structs }
    var names: [[String: String]] = (0..<60_000).map { ["name \($0)": "\($0 &* 2_654_435_761 % 1_000_003)"] }
    var atoms: [Atom] = (0..<3).map(Atom.init)
    var frames: [[Double]] = (0..<40).map { frame in (0..<300).map { Double(frame * $0) } }
    var flags: [Double?] = (0..<4_000).map { $0 % 7 == 0 ? nil : Double($0) }
    var label = (0..<4_000).map { "atom \($0)" }

    init() {}

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(names, for: Key.names)
      try encoder.encode(atoms, for: Key.atoms)
      try encoder.encode(
        frames, for: Key.frames, attributes: GAttributes(unit: "nm", dimensions: ["time", "x"]))
      try encoder.encode(flags, for: Key.flags)
      try encoder.encode(label, for: Key.label)
      try encoder.encode(atoms, for: Key.again)
    }

    init(from decoder: GDecoder) throws {
      names = try decoder.decode(for: Key.names)
      atoms = try decoder.decode(for: Key.atoms)
      frames = try decoder.decode(for: Key.frames)
      flags = try decoder.decode(for: Key.flags)
      label = try decoder.decode(for: Key.label)
    }

    static func == (one: Self, other: Self) -> Bool {
      one.names == other.names && one.frames == other.frames && one.flags == other.flags
        && one.label == other.label
        && one.atoms.map(\.density) == other.atoms.map(\.density)
    }
  }

  final class Atom: GCodable, Sendable {
    enum Key: String { case density }
    let density: [Int]
    init(_ number: Int) { density = (0..<3_000).map { $0 &* number } }
    func encode(to encoder: GEncoder) throws { try encoder.encode(density, for: Key.density) }
    required init(from decoder: GDecoder) throws { density = try decoder.decode(for: Key.density) }
  }

  /// Made once, since the many names take longer than what they are for.
  private static let run = Run()

  private static let bytes: Bytes = {
    let encoder = GraphEncoder()
    encoder.storesDirectory = true
    return (try? encoder.encode(run) as Bytes) ?? []
  }()

  private func check(_ archive: GraphArchive) throws {
    let run = Self.run
    #expect(try archive.array(Double.self, at: "frames").shape == [40, 300])
    #expect(try archive.array(Double.self, at: "frames").elements() == Array(run.frames.joined()))
    #expect(try archive.array(Double.self, at: "frames[3]").elements() == run.frames[3])
    #expect(try archive.decode([[Double]].self, at: "frames") == run.frames)
    #expect(
      try archive.decode([Double].self, at: "frames[1..<3][2]") == [run.frames[1][2], run.frames[2][2]])
    #expect(try archive.decode([Int].self, at: "atoms[2].density") == run.atoms[2].density)
    #expect(try archive.decode([Int].self, at: "again[2].density") == run.atoms[2].density)
    #expect(try archive.decode(Int.self, at: "atoms[1].density[17]") == 17)
    #expect(try archive.decode([Double?].self, at: "flags") == run.flags)
    #expect(try archive.decode([String].self, at: "label") == run.label)
    #expect(try archive.items(at: "frames").count == 40)
    #expect(try archive.item(at: "frames").bulkSegment != nil)
    #expect(try archive.item(at: "names[7]").count == 1)
  }

  @Test func arraysAreFoundByIt() throws {
    let archive = try GraphArchive(Self.bytes)
    try check(archive)
    #expect(try archive.attributes(at: "frames").unit == "nm")
    #expect(try archive.item(at: "frames").attributes.dimensions == ["time", "x"])
    try archive.verify()
    #expect(try archive.decode(Run.self) == Self.run)
    let directory = try ArrayDirectory(parsing: try #require(archive.contents.extensions.directory))
    #expect(
      Set(directory.entries.map { GraphPath($0.steps).description })
        == ["atoms[0].density", "atoms[1].density", "atoms[2].density", "frames"])
  }

  @Test func anArrayTakesThreeRequests() throws {
    let stream = try GraphArchive(Self.bytes).contents.graph.segment
    let placed = try #require(stream)
    #expect(placed.segment.blocks.count >= 2)
    let source = TestSource(Self.bytes)
    let archive = try GraphArchive(source: source)
    #expect(try archive.array(Double.self, at: "frames").elements() == Array(Self.run.frames.joined()))
    #expect(source.requests.count <= 3)
    // Without it, the blocks of the graph stream have to be read.
    let plain = TestSource(try GraphEncoder().encode(Self.run) as Bytes)
    let other = try GraphArchive(source: plain)
    #expect(try other.array(Double.self, at: "frames").elements() == Array(Self.run.frames.joined()))
    #expect(plain.requests.reduce(0) { $0 + $1.count } > 2 * source.requests.reduce(0) { $0 + $1.count })
  }

  @Test func missingPathsAreLookedForInTheStream() throws {
    let archive = try GraphArchive(Self.bytes)
    for path in ["framez", "frames[40]", "frames[0][300]", "atoms[3].density", "atoms[0]", "frames.x"]
      as [GraphPath]
    {
      let plain = try GraphArchive(try GraphEncoder().encode(Self.run) as Bytes)
      let one = #expect(throws: GCodableError.self) { try archive.decode(Double.self, at: path) }
      let other = #expect(throws: GCodableError.self) { try plain.decode(Double.self, at: path) }
      #expect(one?.code == other?.code)
      #expect(one?.keyPath == other?.keyPath)
    }
  }

  @Test func repackingKeepsItAndMakesIt() throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.gcodable")
    let encoder = GraphEncoder()
    encoder.compression = .lz4hc(level: 4)
    try encoder.repack(GraphArchive(Self.bytes), to: url)
    var archive = try GraphArchive(url)
    try check(archive)
    #expect(
      archive.contents.extensions.directory?.bytes
        == (try GraphArchive(Self.bytes)).contents.extensions.directory?.bytes)
    #expect(try archive.attributes(at: "frames").unit == "nm")
    encoder.storesDirectory = true
    try encoder.repack(GraphArchive(try GraphEncoder().encode(Self.run) as Bytes), to: url)
    archive = try GraphArchive(url)
    try check(archive)
    try archive.verify()
    #expect(
      archive.contents.extensions.directory?.bytes
        == (try GraphArchive(Self.bytes)).contents.extensions.directory?.bytes)
  }

  @Test func nothingIsStoredWithoutArraysInSegments() throws {
    let encoder = GraphEncoder()
    encoder.storesDirectory = true
    #expect(try encoder.encode([1.5, 2]) as Bytes == GraphEncoder().encode([1.5, 2]) as Bytes)
  }

  @Test func theRootMayBeOne() throws {
    let encoder = GraphEncoder()
    encoder.storesDirectory = true
    let numbers = (0..<5_000).map(Double.init)
    let archive = try GraphArchive(try encoder.encode(numbers) as Bytes)
    #expect(archive.contents.extensions.directory != nil)
    #expect(try archive.array(Double.self).elements() == numbers)
    #expect(try archive.decode(Double.self, at: "[77]") == 77)
    try archive.verify()
  }

  // MARK: Forged

  /// The archive with another directory.
  private func forged(_ change: (inout [UInt8]) -> Void) throws -> GraphArchive {
    let archive = try GraphArchive(Self.bytes)
    var contents = archive.contents
    var directory = try #require(contents.extensions.directory).bytes
    change(&directory)
    contents.extensions.setDirectory(directory)
    let offset = Int(archive.header.contentsOffset)
    let sink = BytesSink()
    try unsafe Self.bytes[..<offset].withUnsafeBytes { try unsafe sink.write([$0], at: 0) }
    _ = try ArchiveWriter.write(contents.bytes, at: UInt64(offset), to: sink)
    return try GraphArchive(sink.bytes)
  }

  @Test func changedBytesAreFoundByVerify() throws {
    let count = try #require(try GraphArchive(Self.bytes).contents.extensions.directory).bytes.count
    for place in stride(from: 0, to: count, by: 9) {
      for bit in [0, 4] as [UInt8] {
        let archive = try forged { $0[place] ^= 1 << bit }
        #expect(throws: GCodableError.self, "byte \(place), bit \(bit)") { try archive.verify() }
        // Whatever it says, an array is one that the archive has, of as many elements.
        if let found = try? archive.decode([[Double]].self, at: "frames") {
          #expect(found == Self.run.frames)
        }
        if let found = try? archive.decode([Int].self, at: "atoms[1].density") {
          #expect(Self.run.atoms.map(\.density).contains(found))
        }
      }
    }
  }
}
