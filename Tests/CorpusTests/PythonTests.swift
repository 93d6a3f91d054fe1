import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Tests/Corpus/python, which Tools/Python has written.
@Suite("Corpus: files that Python has written") struct PythonTests {
  private static let folder = CorpusFolder.url.appendingPathComponent("python")

  @Test(arguments: ["simulation", "simulation-stored"])
  func aStructHasTheValuesOfTheJSON(name: String) throws {
    let json = try Data(contentsOf: Self.folder.appendingPathComponent("simulation.json"))
    let expected = try JSONDecoder().decode(Simulation.self, from: json)
    let bytes = try Self.bytes("\(name).gcodable")
    #expect(try GraphDecoder().decode(codable: Simulation.self, from: bytes) == expected)
    #expect(
      try GraphArchive(bytes).decode([SIMD3<Float>].self, at: "positions") == expected.positions)
    #expect(try GraphArchive(bytes).decode([String: Int].self, at: "counts") == expected.counts)
  }

  @Test(arguments: ["simulation", "simulation-stored", "structs", "long-stream"])
  func bothReadersAcceptAnArchive(name: String) throws {
    let bytes = try Self.bytes("\(name).gcodable")
    try GraphArchive(bytes).verify()
    _ = try PlainArchive(bytes)
  }

  @Test func aSeriesHasItsEntries() throws {
    let series = try GraphArchiveSeries(Self.folder.appendingPathComponent("run.gcseries"))
    try GraphDecoder().verify(series)
    #expect(series.map(\.step) == Array(0..<65))
    let last = try GraphDecoder().read(codable: Sample.self, from: #require(series.last))
    #expect(last == Sample(energy: 16))
  }

  private static func bytes(_ name: String) throws -> Bytes {
    try Bytes(Data(contentsOf: folder.appendingPathComponent(name)))
  }
}

private struct Sample: Codable, Equatable {
  var energy: Double
}

private struct Simulation: Codable, Equatable {
  struct Species: Codable, Equatable {
    var name: String
    var mass: Double
    var symbol: String?
  }

  var title: String
  var step: Int
  var large: UInt64
  var time: Double
  var temperature: Float
  var isPeriodic: Bool
  var note: String?
  var date: Date
  var identifier: UUID
  var species: [Species]
  var names: [String]
  var optionals: [Int?]
  var counts: [String: Int]
  var tags: Set<String>
  var bytes: [UInt8]
  var small: [Int16]
  var flags: [Bool]
  var data: Data
  var noNumbers: [Double]
  var noNames: [String]
  var positions: [SIMD3<Float>]
  var energies: [Double]
  var matrix: [[Double]]
  var rows: [[Int]]
  var frames: [[SIMD3<Float>]]
  var indices: [Int32]
}
