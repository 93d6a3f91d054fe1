import Foundation
import GraphCodable
import Testing

@testable import GraphCodableTool

@Suite("numbers")
struct NumbersTests {
  private struct Particle: GPackedStruct {
    var mass: Double
    var velocity: SIMD2<Float>
    static let packedLayout = PackedLayout<Self>(\.mass, \.velocity).named("mass", "velocity")
  }

  private struct Report: Decodable {
    let columns: [Column]
    let shape: [Int]

    struct Column: Decodable {
      let name: String?
      let count: Int
      let minimum, maximum: String?
      let mean, deviation: Double?
      let nan, infinite: Int
      let distinct: Int?
      let histogram: Histogram?
      let sparkline: String
    }

    struct Histogram: Decodable {
      let lower, upper: Double
      let counts: [Int]
    }
  }

  private func report(_ value: some GEncodable, at path: String = "") async throws -> Report {
    let folder = try Folder()
    try GraphEncoder().write(value, to: folder.file("value.gcodable"))
    let result = try await Tool.run(["stats", "value.gcodable", path, "--json"], in: folder)
    #expect(result.status == 0, "\(result.diagnostics)")
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    return try decoder.decode(Report.self, from: Data(result.output.utf8))
  }

  @Test func numbersAreCounted() async throws {
    let column = try await report([1, 2.5, -3, .nan, .infinity, 1] as [Double]).columns[0]
    #expect(column.name == nil)
    #expect((column.count, column.nan, column.infinite) == (6, 1, 1))
    #expect((column.minimum, column.maximum) == ("-3", "inf"))
    #expect(abs((column.mean ?? 0) - 0.375) < 1e-12)
    #expect(abs((column.deviation ?? 0) - 2.0425) < 1e-3)
    #expect(column.distinct == 4)
    #expect(column.histogram?.counts.reduce(0, +) == 4)
    #expect((column.histogram?.lower, column.histogram?.upper) == (-3, 2.5))
  }

  @Test func numbersOfNothingAreNone() async throws {
    let empty = try await report([Double]()).columns[0]
    #expect((empty.count, empty.minimum, empty.mean, empty.distinct) == (0, nil, nil, 0))
    #expect(empty.histogram == nil && empty.sparkline == "")
    let unknown = try await report([Double](repeating: .nan, count: 3)).columns[0]
    #expect((unknown.nan, unknown.maximum, unknown.deviation) == (3, nil, nil))
  }

  @Test func equalNumbersAreInOnePart() async throws {
    let column = try await report([Int32](repeating: 7, count: 5_000)).columns[0]
    #expect(column.histogram?.counts == [5_000])
    #expect((column.deviation, column.distinct) == (0, 1))
  }

  @Test func deviationsOfHugeAndTinyNumbersAreNumbers() async throws {
    for unit in [1e308, 1e200, 1e-200, 1e-300, .leastNonzeroMagnitude * 1024] {
      let deviation = try #require(try await report([0, unit, -unit, 0]).columns[0].deviation)
      #expect(abs(deviation / unit - 0.5.squareRoot()) < 1e-3, "\(unit)")
    }
    // The largest number comes last.
    let late = try #require(try await report([1e-300, 1, 1e300]).columns[0].deviation)
    #expect(abs(late / 1e300 - 2.0.squareRoot() / 3) < 1e-6)
  }

  @Test func integersOf64BitsAreExact() async throws {
    let signed = try await report([Int.min, .min + 1, .max - 1, .max]).columns[0]
    #expect((signed.minimum, signed.maximum) == ("\(Int.min)", "\(Int.max)"))
    #expect(signed.distinct == 4)
    let unsigned = try await report([UInt64.max, .max - 1, 0]).columns[0]
    #expect((unsigned.minimum, unsigned.maximum) == ("0", "\(UInt64.max)"))
  }

  @Test func theLargestNumbersDoNotOverflow() async throws {
    let limit = Double.greatestFiniteMagnitude
    let column = try await report([limit, -limit, limit, -limit]).columns[0]
    #expect(column.mean.map { abs($0) < 1e293 } == true)
    #expect(column.histogram?.counts.first == 2 && column.histogram?.counts.last == 2)
    #expect(column.sparkline == "█▁█▁")
  }

  @Test func smallTypesAreNumbers() async throws {
    #expect(try await report([true, false, true, true]).columns[0].mean == 0.75)
    #expect(try await report([Float16(0.5), -2]).columns[0].minimum == "-2")
    #expect(try await report([Float(0.1)]).columns[0].maximum == "0.1")
    #expect(try await report([UInt8.max, 1]).columns[0].maximum == "255")
    #expect(try await report([Int16.min, 1]).columns[0].minimum == "-32768")
  }

  @Test func lanesAndFieldsAreColumns() async throws {
    let lanes = try await report([SIMD3<Double>(1, 2, 3), [3, 2, 1]])
    #expect(lanes.columns.map(\.name) == ["0", "1", "2"])
    #expect(lanes.columns.map(\.mean) == [2, 2, 2])
    let fields = try await report([Particle(mass: 2, velocity: [3, 4])])
    #expect(fields.columns.map(\.name) == ["mass", "velocity.0", "velocity.1"])
    #expect(fields.columns.map(\.maximum) == ["2", "3", "4"])
  }

  @Test func rowsAndFieldsOfRecordsAreNumbers() async throws {
    let matrix: [[Double]] = [[1, 2], [3, 4]]
    #expect(try await report(matrix).shape == [2, 2])
    #expect(try await report(matrix, at: "[1]").columns[0].mean == 3.5)
    let folder = try Folder()
    try folder.archive()
    let masses = try await Tool.run(["stats", "state.gcodable", "species[0..<3].mass"], in: folder)
    #expect(masses.lines.contains { $0.hasPrefix("maximum") && $0.hasSuffix(" 39.95") })
    let single = try await Tool.run(["stats", "state.gcodable", "species[1].charge"], in: folder)
    #expect(single.lines.contains { $0.hasPrefix("count") && $0.hasSuffix(" 1") })
  }

  @Test func whatIsNoNumberIsRefused() async throws {
    let folder = try Folder()
    try folder.archive()
    for (path, reason) in [
      ("title", "no number"), ("species", "no number"), ("nothing", "nothing"),
      ("species[0..<2]", "no number"),
    ] {
      let result = try await Tool.run(["stats", "state.gcodable", path], in: folder)
      #expect(result.status == 1)
      #expect(result.diagnostics.contains(reason), "\(path)")
    }
    try GraphEncoder().write([UUID()], to: folder.file("names.gcodable"))
    #expect(try await Tool.run(["stats", "names.gcodable", ""], in: folder).status == 1)
  }

  @Test func allEntriesAreLines() async throws {
    let folder = try Folder()
    try folder.series(entryCount: 3)
    let result = try await Tool.run(["stats", "run.gcodable", "velocities", "--all-entries"], in: folder)
    #expect(result.status == 0)
    #expect(result.lines.count == 5)
    #expect(result.lines[3].hasPrefix("    2   200     1"))
    for arguments in [["--all-entries"], ["velocities", "--all-entries", "--entry", "1"]] {
      #expect(try await Tool.run(["stats", "run.gcodable"] + arguments, in: folder).status == 64)
    }
    try folder.archive()
    #expect(
      try await Tool.run(["stats", "state.gcodable", "velocities", "--all-entries"], in: folder).status == 64)
  }

  @Test func aDamagedEntryHidesNoOther() async throws {
    let folder = try Folder()
    try folder.makeDocumentFiles()
    let result = try await Tool.run(["stats", "damaged.gcodable", "positions", "--all-entries"], in: folder)
    #expect(result.status == 1)
    #expect(result.lines.count == 5)
    #expect(result.lines[2].contains("damaged"))
    #expect(result.lines[3].contains("10,000"))
  }

  @Test func barsAreMeans() {
    #expect(Sparkline([0, 1, 2, 3, 4, 5, 6, 7]).text == "▁▂▃▄▅▆▇█")
    #expect(Sparkline([1, nil, 1]).text == "▁ ▁")
    #expect(Sparkline([]).text == "")
    #expect(Sparkline((0..<1000).map { Double($0) }, width: 8).text == "▁▂▃▄▅▆▇█")
  }
}
