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

/// What header and tables say is refused before anything is expanded.
@Suite("Limits of archives")
struct ArchiveLimitTests {
  private struct Sample: Codable, GCodable, Equatable {
    var uncommonName = 1
    var anotherName = "text"
    private enum Key: String { case uncommonName, anotherName }
    init() {}
    init(from decoder: GDecoder) throws {
      uncommonName = try decoder.decode(for: Key.uncommonName)
      anotherName = try decoder.decode(for: Key.anotherName)
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(uncommonName, for: Key.uncommonName)
      try encoder.encode(anotherName, for: Key.anotherName)
    }
  }

  /// What each way of decoding throws.
  private func expectLimit<Root: GCodable>(
    _ name: String, of root: Root, _ set: (inout GraphDecoder.Limits) -> Void
  ) throws {
    let bytes = try encoded(root)
    // An archive like it may be known by then.
    for _ in 0..<3 { _ = try decoded(Root.self, from: bytes) }
    let decoder = GraphDecoder()
    set(&decoder.limits)
    let ways: [() throws -> Void] = [
      { _ = try decoder.decode(Root.self, from: bytes) },
      { _ = try GraphArchive(bytes).decode(Root.self, using: decoder) },
      { _ = try GraphArchive(bytes).decode(Root.self, at: "", using: decoder) },
    ]
    for way in ways {
      let error = #expect(throws: GCodableError.self, performing: way)
      #expect(error?.code == .limitExceeded)
      #expect(error?.description.contains("GraphDecoder.limits.\(name)") == true)
    }
  }

  @Test func archivesOfTooManyBytesAreRefused() throws {
    try expectLimit("archiveByteCount", of: Sample()) { $0.archiveByteCount = 50 }
    try expectLimit("archiveByteCount", of: [UInt8](repeating: 1, count: 100_000)) {
      $0.archiveByteCount = 50
    }
  }

  @Test func archivesOfTooManyNamesAreRefused() throws {
    try expectLimit("nameCount", of: Sample()) { $0.nameCount = 1 }
  }

  @Test func archivesOfTooManyObjectsAreRefused() throws {
    let chain = Link.chain(3)
    defer { chain.breakUp() }
    try expectLimit("objectCount", of: chain) { $0.objectCount = 2 }
  }

  @Test func archivesThatExpandTooMuchAreRefused() throws {
    let zeros = [UInt8](repeating: 0, count: 10 << 20)
    try expectLimit("expandedByteCount", of: zeros) { $0.expandedByteCount = 1 << 20 }
    try expectLimit("expansionRatio", of: zeros) { $0.expansionRatio = 16 }
  }

  @Test func codableArchivesAreRefused() throws {
    let decoder = GraphDecoder()
    decoder.limits.nameCount = 1
    let bytes = try GraphEncoder().encode(codable: Sample()) as Bytes
    let error = #expect(throws: GCodableError.self) { try decoder.decode(codable: Sample.self, from: bytes) }
    #expect(error?.code == .limitExceeded)
  }

  @Test func sufficientLimitsDoNotInterfere() throws {
    let decoder = GraphDecoder()
    decoder.limits.archiveByteCount = 1 << 20
    decoder.limits.expandedByteCount = 1 << 20
    decoder.limits.expansionRatio = 1
    decoder.limits.nameCount = 2
    decoder.limits.objectCount = 0
    try #expect(decoder.decode(Sample.self, from: encoded(Sample())) == Sample())
  }
}
