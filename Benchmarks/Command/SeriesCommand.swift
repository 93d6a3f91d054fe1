import ArgumentParser
import Foundation
import GraphCodable
import MoleculeBenchmarkModel

/// Measures series whose entries share blocks beside series of whole archives.
struct SeriesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "series",
    abstract: "Measure appending to series and reading them, with shared blocks and without.",
    discussion: "Both ways take turns in one run; times are medians, with the wait for the device.")

  @Option(help: "Elements of each of the eight arrays of an entry.") var elements = 4_000_000
  @Option(help: "Entries of a series of which one array changes.") var entries = 100
  @Option(help: "Objects of a graph of which a part changes.") var objects = 1_000_000
  @Option(help: "Entries of a series that is opened.") var openings = 2_000
  @Option(help: "The folder of the molecule's files.", completion: .directory) var molecule: String?
  @Option(help: "The folder for files.", completion: .directory) var scratch: String?

  func run() throws {
    let parent = scratch.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = try ScratchFolder(in: parent)
    defer { folder.remove() }
    if entries > 0 { try measureOneArray(folder) }
    try measureAllNew(folder)
    if objects > 0 { try measureObjects(folder) }
    try measureMolecule(folder)
    try measureDifferences(folder)
    if openings > 0 { try measureOpening(folder) }
  }

  enum Way: String, CaseIterable {
    case shared, whole, differences
    var sharing: GraphArchiveSeries.Writer.Sharing {
      switch self {
      case .shared: .blocks
      case .whole: .none
      case .differences: .differences()
      }
    }
  }

  /// A file of each way, and its writer.
  struct Files {
    let folder: ScratchFolder
    let name: String

    func url(_ way: Way) -> URL { folder.url.appendingPathComponent("\(name)-\(way).gcseries") }

    func writer(_ way: Way) throws -> GraphArchiveSeries.Writer {
      let writer = try GraphArchiveSeries.Writer(url(way))
      writer.sharing = way.sharing
      return writer
    }

    func remove() { for way in Way.allCases { try? FileManager.default.removeItem(at: url(way)) } }
  }

  // MARK: One of eight arrays

  private func measureOneArray(_ folder: ScratchFolder) throws {
    var fields = FieldSet.generate(count: elements)
    let files = Files(folder: folder, name: "one")
    defer { files.remove() }
    let shared = try files.writer(.shared)
    var times = (shared: [Duration](), whole: [Duration]())
    var random = SplitMix64(seed: 19)
    // Whole archives are many times as large: enough of them for a median.
    let wholeCount = min(entries, 10)
    var whole: GraphArchiveSeries.Writer? = try files.writer(.whole)
    var changedByteCount: UInt64 = 0
    for step in 0..<entries {
      if step > 0 { fields.pressure = fields.pressure.map { $0 + Double(random.below(1_000)) / 1e6 } }
      times.shared.append(try time { try GraphEncoder().append(fields, to: shared, step: step, time: 0) })
      if step > 0 {
        let one: Bytes = try GraphEncoder().encode(fields.pressure)
        changedByteCount += UInt64(one.count)
      }
      guard step < wholeCount, let whole else { continue }
      times.whole.append(try time { try GraphEncoder().append(fields, to: whole, step: step, time: 0) })
    }
    whole = nil
    let series = try GraphArchiveSeries(files.url(.shared))
    let first = series[0].storedByteCount
    let size = series.byteCount
    print("\(entries) entries of eight arrays of \(elements) numbers, of which one changes")
    print("  first entry \(first) bytes, what changed \(changedByteCount) bytes, series \(size) bytes")
    print(
      "    series / (first + changed)     \(threeDigits(Double(size) / Double(first + changedByteCount)))")
    let (sharedTime, wholeTime) = (
      median(Array(times.shared.dropFirst())), median(Array(times.whole.dropFirst()))
    )
    print("  append        \(milliseconds(sharedTime)); whole archives \(milliseconds(wholeTime))")
    print("    times as fast                  \(threeDigits(wholeTime / sharedTime))")
    try measureReading(files, last: wholeCount - 1)
  }

  /// Reads the same entry of both series.
  private func measureReading(_ files: Files, last: Int) throws {
    var reading = (shared: [Duration](), whole: [Duration]())
    let entries = (
      shared: try GraphArchiveSeries(files.url(.shared))[last],
      whole: try GraphArchiveSeries(files.url(.whole))[last]
    )
    guard try entries.shared.archive() == entries.whole.archive() else { throw ExitCode.failure }
    for _ in 0..<9 {
      reading.shared.append(try time { _ = try GraphDecoder().read(FieldSet.self, from: entries.shared) })
      reading.whole.append(try time { _ = try GraphDecoder().read(FieldSet.self, from: entries.whole) })
    }
    let (shared, whole) = (median(reading.shared), median(reading.whole))
    print("  read an entry \(milliseconds(shared)); whole archives \(milliseconds(whole))")
    print("    ratio                          \(threeDigits(shared / whole))")
  }

  // MARK: All new

  private func measureAllNew(_ folder: ScratchFolder) throws {
    let files = Files(folder: folder, name: "new")
    defer { files.remove() }
    var fields = FieldSet.generate(count: elements)
    var ratios: [Double] = []
    var times = (shared: [Duration](), whole: [Duration]())
    let writers = (shared: try files.writer(.shared), whole: try files.writer(.whole))
    for step in 0..<16 {
      fields.changeAll(step)
      let ways: [Way] = step.isMultiple(of: 2) ? [.shared, .whole] : [.whole, .shared]
      var pair: [Way: Duration] = [:]
      for way in ways {
        let writer = way == .shared ? writers.shared : writers.whole
        pair[way] = try time { try GraphEncoder().append(fields, to: writer, step: step, time: 0) }
      }
      guard step > 1, let shared = pair[.shared], let whole = pair[.whole] else { continue }
      times.shared.append(shared)
      times.whole.append(whole)
      ratios.append(shared / whole)
    }
    print("entries of all new data")
    print(
      "  append        \(milliseconds(median(times.shared))); whole archives \(milliseconds(median(times.whole)))"
    )
    print("    ratio of medians               \(threeDigits(median(times.shared) / median(times.whole)))")
    print("    median of ratios               \(threeDigits(ratios.sorted()[ratios.count / 2]))")
  }

  // MARK: Objects

  private func measureObjects(_ folder: ScratchFolder) throws {
    let files = Files(folder: folder, name: "objects")
    defer { files.remove() }
    let graph = ObjectField(count: objects)
    let writers = (shared: try files.writer(.shared), whole: try files.writer(.whole))
    var random = SplitMix64(seed: 20)
    for step in 0..<4 {
      if step > 0 {
        for _ in 0..<(objects / 100) { graph.cells[random.below(objects)].value += 1 }
      }
      try GraphEncoder().append(graph, to: writers.shared, step: step, time: 0)
      try GraphEncoder().append(graph, to: writers.whole, step: step, time: 0)
    }
    let entries = (shared: writers.shared.series[3], whole: writers.whole.series[3])
    guard try entries.shared.archive() == entries.whole.archive() else { throw ExitCode.failure }
    print("\(objects) objects of which 1% change, at random")
    print("  entry \(entries.shared.storedByteCount) bytes; whole archives \(entries.whole.storedByteCount)")
    print(
      "    new bytes                      "
        + threeDigits(Double(entries.shared.storedByteCount) / Double(entries.whole.storedByteCount)))
    var reading = (shared: [Duration](), whole: [Duration]())
    for _ in 0..<7 {
      reading.shared.append(try time { _ = try GraphDecoder().read(ObjectField.self, from: entries.shared) })
      reading.whole.append(try time { _ = try GraphDecoder().read(ObjectField.self, from: entries.whole) })
    }
    print(
      "  read an entry \(milliseconds(median(reading.shared))); whole archives \(milliseconds(median(reading.whole)))"
    )
    print("    ratio                          \(threeDigits(median(reading.shared) / median(reading.whole)))")
  }

  // MARK: A molecule

  private func measureMolecule(_ folder: ScratchFolder) throws {
    guard let data = try? MoleculeFiles.find(in: molecule) else {
      return print("the molecule is not there; see make data")
    }
    let files = Files(folder: folder, name: "molecule")
    defer { files.remove() }
    guard let trajectory = try Molecule(psf: data.psf, dcd: data.dcd).trajectory else { return }
    let positions = trajectory.coordinates
    let count = positions.count / trajectory.frameCount
    var state = MoleculeState(molecule: try Molecule(psf: data.psf, dcd: nil))
    let writers = (shared: try files.writer(.shared), whole: try files.writer(.whole))
    var times = (shared: [Duration](), whole: [Duration]())
    var new: UInt64 = 0
    for step in 0..<100 {
      let frame = step % trajectory.frameCount
      state.positions = Array(positions[(frame * count)..<((frame + 1) * count)])
      times.shared.append(
        try time { try GraphEncoder().append(state, to: writers.shared, step: step, time: 0) })
      times.whole.append(
        try time { try GraphEncoder().append(state, to: writers.whole, step: step, time: 0) })
      let alone: Bytes = try GraphEncoder().encode(state.positions)
      if step > 0 { new += UInt64(alone.count) }
    }
    let (shared, whole) = (writers.shared.series, writers.whole.series)
    let first = shared[0].storedByteCount
    print("100 entries of a molecule with new positions")
    print("  first entry \(first) bytes, what changed \(new) bytes, series \(shared.byteCount) bytes")
    print("    series / (first + changed)     \(threeDigits(Double(shared.byteCount) / Double(first + new)))")
    print(
      "    series / whole archives        \(threeDigits(Double(shared.byteCount) / Double(whole.byteCount)))")
    print(
      "  append        \(milliseconds(median(times.shared))); whole archives \(milliseconds(median(times.whole)))"
    )
  }

  // MARK: Opening

  private func measureOpening(_ folder: ScratchFolder) throws {
    let files = Files(folder: folder, name: "opened")
    defer { files.remove() }
    let cells = (0..<2_000).map { Double($0).squareRoot() }
    print("\(openings) entries are opened")
    for way in [Way.shared, .whole] {
      let writer = try files.writer(way)
      for step in 0..<openings { try GraphEncoder().append(cells, to: writer, step: step, time: 0) }
      var (times, counts): ([Duration], [Int]) = ([], [])
      for _ in 0..<9 {
        let before = Self.readByteCount
        times.append(
          try time {
            guard try GraphArchiveSeries(files.url(way)).count == openings else { throw ExitCode.failure }
          })
        counts.append(Self.readByteCount - before)
      }
      print("  \(way)        \(milliseconds(median(times))), \(counts.sorted()[counts.count / 2]) bytes read")
    }
  }

  /// Bytes that the process has read by calls.
  private static var readByteCount: Int {
    let text = (try? String(contentsOfFile: "/proc/self/io", encoding: .utf8)) ?? ""
    return text.split(separator: "\n").first { $0.hasPrefix("rchar: ") }.flatMap { Int($0.dropFirst(7)) } ?? 0
  }

  // MARK: Times

  func time(_ body: () throws -> Void) rethrows -> Duration { try ContinuousClock().measure(body) }

  func median(_ times: [Duration]) -> Duration {
    times.isEmpty ? .zero : times.sorted()[times.count / 2]
  }

  func milliseconds(_ duration: Duration) -> String {
    "\(threeDigits(duration / .milliseconds(1))) ms"
  }
}
