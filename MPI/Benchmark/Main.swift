import Foundation
import GraphCodable
import GraphCodableMPI

/// Saves the eight fields of workload W4 from all ranks, as one set and as unrelated archives by turns.
///
///     mpirun -n 4 mpi-benchmark FOLDER ELEMENTS ROUNDS
///
/// Rank 0 prints a line of JSON: seconds from the moment when all ranks begin to the moment when all have their part on the
/// device, of each round. Each rank leaves its arrays in FOLDER/raw-RANK, for the peers of Benchmarks/compare_parallel.py.
@main
enum Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let count = Int(arguments[2]), let rounds = Int(arguments[3]) else {
      FileHandle.standardError.write(Data("mpi-benchmark FOLDER ELEMENTS ROUNDS\n".utf8))
      exit(64)
    }
    let folder = URL(fileURLWithPath: arguments[1], isDirectory: true)
    try MPICommunicator.withWorld { world in
      try Benchmark(world: world, folder: folder, fields: Fields(count: count, rank: world.rank)).run(rounds)
    }
  }
}

/// The state of one rank.
private struct Fields: GEncodable {
  let arrays: [[Double]]

  enum Key: String, CaseIterable { case density, pressure, temperature, energy, x, y, z, vorticity }

  private static let periods = [900, 1_500, 2_300, 3_100, 4_700, 6_100, 8_900, 700] as [Double]

  /// As those of W4: a sine and its third harmonic about an offset, with small uniform noise.
  init(count: Int, rank: Int) {
    var random = SystemRandomNumberGenerator()
    arrays = Self.periods.map { period in
      (0..<count).map { index in
        let angle = 2 * Double.pi * Double(index + rank * count) / period
        return 2.5 + sin(angle) + 0.2 * sin(3 * angle) + .random(in: -3e-5...3e-5, using: &random)
      }
    }
  }

  func encode(to encoder: GEncoder) throws {
    for (key, array) in zip(Key.allCases, arrays) { try encoder.encode(array, for: key) }
  }

  func raw() -> Data { arrays.reduce(into: Data()) { data, array in array.withUnsafeBytes { data += $0 } } }
}

private struct Benchmark {
  let world: MPICommunicator
  let folder: URL
  let fields: Fields

  private struct Report: Encodable {
    var times: [String: [Double]] = [:]
    var bytes: [String: UInt64] = [:]
  }

  func run(_ rounds: Int) throws {
    try fields.raw().write(to: folder.appendingPathComponent("raw-\(world.rank)"))
    var report = Report()
    for (name, compression) in [("plain", GraphEncoder.Compression.none), ("compressed", .lz4)] {
      let encoder = GraphEncoder()
      encoder.compression = compression
      // As many threads as there are ranks work at once already.
      encoder.threadCount = 1
      for round in 0..<rounds {
        // Nothing is replaced, as with the peers.
        let set = folder.appendingPathComponent("set-\(name)-\(round)", isDirectory: true)
        let alone = folder.appendingPathComponent("alone-\(name)-\(round)-\(world.rank)")
        let ways: [(String, () throws -> Void)] = [
          ("together", { try saveTogether(to: set, step: round, encoder) }),
          ("unrelated", { try encoder.write(fields, to: alone) }),
        ]
        for (way, save) in round.isMultiple(of: 2) ? ways : ways.reversed() {
          report.times["\(way)-\(name)", default: []].append(try time(save))
        }
        if world.rank == 0 {
          report.bytes[name] = try GraphArchiveSet(set).byteCount
          try FileManager.default.removeItem(at: set)
        }
        try FileManager.default.removeItem(at: alone)
      }
    }
    guard world.rank == 0 else { return }
    FileHandle.standardOutput.write(try JSONEncoder().encode(report) + Data("\n".utf8))
  }

  private func saveTogether(to set: URL, step: Int, _ encoder: GraphEncoder) throws {
    let place = try world.place(of: fields.arrays[0].count)
    try world.saveTogether(
      fields, to: set, step: step, time: Double(step),
      arrays: Fields.Key.allCases.map {
        .init($0.rawValue, globalShape: [place.total], offset: [place.offset])
      }, by: encoder)
  }

  /// Seconds until all ranks have done it.
  private func time(_ body: () throws -> Void) throws -> Double {
    try world.agree {}
    let start = ContinuousClock.now
    try body()
    try world.agree {}
    return (ContinuousClock.now - start) / .seconds(1)
  }
}
