import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

@Suite("Archives from all sources")
struct ArchiveTests {
  /// Bytes that do not lie in one piece.
  private struct Scattered: Collection {
    let bytes: Bytes
    var startIndex: Int { 0 }
    var endIndex: Int { bytes.count }
    subscript(position: Int) -> UInt8 { bytes[position] }
    func index(after index: Int) -> Int { index + 1 }
  }

  private let fleet = Fleet()

  /// Checks all that an archive of `fleet` can do.
  private func check(_ archive: GraphArchive, isCodable: Bool) throws {
    if isCodable {
      try #expect(archive.decode(codable: PlainFleet.self).ships.count == fleet.ships.count)
      try #expect(archive.decode(codable: String.self, at: "ships[1].name") == fleet.ships[1].name)
    } else {
      try #expect(archive.decode(Fleet.self).ships.map(\.name) == fleet.ships.map(\.name))
      try #expect(archive.decode(at: "ships[1].name") as String == fleet.ships[1].name)
    }
    try #expect(archive.info.classes == archive.classes && !archive.classes.isEmpty)
    try #expect(archive.item(at: "ships").count == fleet.ships.count)
    try #expect(archive.items(at: "ships").count == fleet.ships.count)
    try #expect(archive.dump().contains("berths"))
    try archive.verify()
  }

  @Test(arguments: [false, true]) func theyDoTheSame(isCodable: Bool) throws {
    let folder = try TemporaryFolder()
    let url = folder.file("a.graph")
    for compression in [GraphEncoder.Compression.none, .lz4] {
      let encoder = GraphEncoder()
      encoder.compression = compression
      let bytes: Bytes =
        try isCodable ? encoder.encode(codable: PlainFleet(fleet)) : encoder.encode(fleet)
      try Data(bytes).write(to: url)
      try check(GraphArchive(url), isCodable: isCodable)
      try check(GraphArchive(bytes), isCodable: isCodable)
      try check(GraphArchive(([1] + bytes + [2])[1..<(bytes.count + 1)]), isCodable: isCodable)
      try check(GraphArchive(ContiguousArray(bytes)), isCodable: isCodable)
      try check(GraphArchive(Scattered(bytes: bytes)), isCodable: isCodable)
      try check(GraphArchive(Data(bytes)), isCodable: isCodable)
      try check(GraphArchive((Data([1]) + bytes)[1...]), isCodable: isCodable)
      try check(GraphArchive(source: TestSource(bytes)), isCodable: isCodable)
      let writer = try GraphArchiveSeries.Writer(folder.file("\(compression).series"))
      try encoder.append("before", to: writer, step: 0, time: 0)
      if isCodable {
        try encoder.append(codable: PlainFleet(fleet), to: writer, step: 1, time: 1)
      } else {
        try encoder.append(fleet, to: writer, step: 1, time: 1)
      }
      try check(GraphArchive(writer.series[1]), isCodable: isCodable)
    }
  }

  @Test func bytesAreSharedWithTheCallerAndStayWhatTheyWere() throws {
    var bytes = try encoded((0..<1000).map { "text \($0)" })
    let archive = try GraphArchive(bytes)
    let data = Data(bytes)
    let other = try GraphArchive(data)
    bytes.withUnsafeBytes { bytes in
      archive.withReader { #expect($0.source.memory?.baseAddress == bytes.baseAddress) }
    }
    data.withUnsafeBytes { data in
      other.withReader { #expect($0.source.memory?.baseAddress == data.baseAddress) }
    }
    for index in bytes.indices { bytes[index] = 0 }
    try #expect(archive.decode([String].self)[999] == "text 999")
    try #expect(archive.item(at: [999]).text == #""text 999""#)
  }

  @Test func aSpanIsDecodedInPlace() throws {
    struct Small: Codable, Equatable { var number = 5 }
    for text in ["short", String(repeating: "long", count: 100_000)] {
      let bytes = try encoded([text])
      try #expect(GraphDecoder().decode([String].self, from: bytes.span.bytes) == [text])
    }
    let bytes = try GraphEncoder().encode(codable: Small()) as Bytes
    try #expect(GraphDecoder().decode(codable: Small.self, from: bytes.span.bytes) == Small())
  }

  @Test func theDecoderSaysWhatIsMadeOfClasses() throws {
    let archive = try GraphArchive(encoded([Derived(name: "d", size: 5)]))
    let decoder = GraphDecoder()
    decoder.setClass(NameOnly.self, for: .qualifiedName(_typeName(Derived.self, qualified: true)))
    try #expect(archive.decode([NameOnly].self, using: decoder)[0].name == "d")
    try #expect(archive.decode(NameOnly.self, at: [0], using: decoder).name == "d")
    try #expect(archive.decode(Derived.self, at: [0]).size == 5)
  }

  @Test func aPathThatIsNoneIsSaidToBe() throws {
    let archive = try GraphArchive(encoded(["pos": [1.0, 2.0]]))
    for path: GraphPath in ["pos[5..10]", "pos[", "a..b", "pos[0]x"] {
      for body: () throws -> Any in [
        { try archive.item(at: path) }, { try archive.items(at: path) },
        { try archive.decode(Double.self, at: path) },
        { try archive.decode(codable: Double.self, at: path) },
        { try archive.item(at: path.appending("next")) },
      ] {
        let error = #expect(throws: GCodableError.self) { try body() }
        #expect(error?.code == .invalidPath)
        #expect(error?.description.contains("\"\(path)\"") == true)
      }
    }
    var path: GraphPath = "pos["
    path.steps = ["pos", 1]
    try #expect(archive.decode(Double.self, at: path) == 2)
  }
}
