import ArgumentParser
import Foundation
import GraphCodable

/// Loses parts of files that have parity, restores them, and measures what parity costs a save.
struct ParityCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "parity",
    abstract: "Restore random losses of archives, series and sets, and measure what parity costs.",
    discussion: """
      A loss is a burst of 1% of a file, 0.1% of its sectors, or both. The smaller a file, the more losses it has. \
      Fails where a file does not come back bit for bit, or has more parity than 2.2% and a few sectors.
      """)

  @Option(help: "How many losses, in all.") var losses = 10_000
  @Option(help: "The size of the largest archive in MiB.") var size = 1024
  @Option(help: "The size in MiB of the archives that are saved to measure processor time; 0 for none.")
  var costSize = 176
  @Option(help: "Where the random numbers begin.") var seed: UInt64 = 46
  @Option(help: "The folder for files.", completion: .directory) var scratch: String?

  mutating func validate() throws {
    guard losses >= 0, size > 0, costSize >= 0 else { throw ValidationError("Numbers may not be negative.") }
  }

  func run() throws {
    let parent = scratch.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = try ScratchFolder(in: parent)
    defer { folder.remove() }
    let isWhole = try losses == 0 || DeviceSync.skipping { try restore(folder) }
    if costSize > 0 { try DeviceSync.skipping { try measureCost(folder) } }
    guard isWhole else { throw ExitCode.failure }
  }

  // MARK: Losses

  /// What is protected, and its part of all losses.
  private struct Kind {
    let name: String
    let share: Double
    /// Writes it with parity, and returns its files.
    let write: (URL) throws -> [URL]
  }

  private var encoder: GraphEncoder {
    let encoder = GraphEncoder()
    (encoder.redundancy, encoder.compression) = (.percent(2), .none)
    return encoder
  }

  /// Each size is four times the one before it.
  private var kinds: [Kind] {
    let byteCounts = (0...).lazy.map { 4_096 << (2 * $0) }.prefix { $0 <= size << 20 }
    return byteCounts.map { byteCount in
      let name = byteCount < 1 << 20 ? "\(byteCount >> 10) KiB" : "\(byteCount >> 20) MiB"
      // The time of a loss grows with the file.
      return Kind(name: "archive of \(name)", share: min(1, (2_097_152 / Double(byteCount)))) { url in
        let file = url.appendingPathExtension("gcodable")
        try encoder.write(Self.numbers(byteCount: byteCount - 400, 1), to: file)
        return [file]
      }
    } + [
      Kind(name: "series", share: 1) { url in
        let file = url.appendingPathExtension("gcseries")
        let writer = try GraphArchiveSeries.Writer(file)
        for step in 0..<12 {
          try encoder.append(
            Self.numbers(byteCount: 300_000, step), to: writer, step: step, time: Double(step))
        }
        return [file]
      },
      Kind(name: "set", share: 1) { url in
        let writer = try GraphArchiveSet.Writer(url)
        let receipts = try (0..<3).map { rank in
          try GraphArchiveSet.Writer(url, token: writer.token).part(rank, of: 3)
            .write(Self.numbers(byteCount: 1_000_000, rank), by: encoder)
        }
        try writer.commit(receipts, step: 0, time: 0)
        try GraphArchive.protect(url)
        return try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
          .filter { $0.hasSuffix(".gcodable") }.map { url.appendingPathComponent($0) }
      },
    ]
  }

  /// Numbers that do not repeat, so that no sector has the bytes of another one.
  private static func numbers(byteCount: Int, _ seed: Int) -> [Double] {
    var random = SplitMix64(seed: UInt64(seed))
    return (0..<(byteCount / 8)).map { _ in random.unit() }
  }

  /// - Returns: whether all came back.
  private func restore(_ folder: ScratchFolder) throws -> Bool {
    let kinds = self.kinds
    let shares = kinds.reduce(0) { $0 + $1.share }
    var random = SplitMix64(seed: seed)
    var total = (losses: 0, sectors: 0, restored: 0, isSmall: true)
    for (number, kind) in kinds.enumerated() {
      let files = try kind.write(folder.url.appendingPathComponent("\(number)")).map(ProtectedFile.init)
      defer { for file in files { file.remove() } }
      let count = max(Int((Double(losses) * kind.share / shares).rounded()), files.count)
      var (sectors, restored) = (0, 0)
      for trial in 0..<count {
        let loss = try files[trial % files.count].lose(.init(trial / files.count), &random)
        sectors += loss.sectorCount
        if loss.isRestored { restored += 1 } else { print("  not restored: \(loss.description)") }
      }
      let (bytes, parity) = files.reduce(into: (0, 0)) {
        $0 = ($0.0 + $1.byteCount, $0.1 + $1.parityByteCount)
      }
      let isSmall = Double(parity) <= 0.022 * Double(bytes) + Double(files.count * 5 * ProtectedFile.sector)
      print(
        "\(kind.name): \(restored) of \(count) losses of \(sectors) sectors restored; parity "
          + "\(threeDigits(100 * Double(parity) / Double(bytes)))%, \(parity / ProtectedFile.sector) sectors"
          + (isSmall ? "" : ", which is too much"))
      fflush(nil)  // The next kind may take long.
      total = (
        total.losses + count, total.sectors + sectors, total.restored + restored, total.isSmall && isSmall
      )
    }
    print("all: \(total.restored) of \(total.losses) losses of \(total.sectors) sectors restored")
    return total.restored == total.losses && total.isSmall
  }

  // MARK: Cost

  /// Measures saves of data that become smaller, and of such as hardly do.
  private func measureCost(_ folder: ScratchFolder) throws {
    print("processor time of a compressed save of \(costSize) MiB, medians of 7, by turns")
    var random = SplitMix64(seed: seed)
    var place = 0.0
    let count = costSize << 17
    try measureCost("positions to 0.005, .small", ChoiceData.positions(count), folder) {
      ($0.precision, $0.compression) = (.absolute(5e-3), .small)
    }
    try measureCost("positions to 0.005", ChoiceData.positions(count), folder) {
      $0.precision = .absolute(5e-3)
    }
    try measureCost("a smooth field", ChoiceData.field(count), folder)
    try measureCost("steps", (0..<count).map { Double($0 / 7) }, folder)
    try measureCost(
      "random walk",
      (0..<count).map { _ in
        place += random.symmetric(1)
        return place
      }, folder)
    try measureCost("noise", (0..<count).map { _ in random.unit() }, folder)
  }

  /// Saves with parity and without by turns.
  private func measureCost(
    _ name: String, _ model: some GCodable, _ folder: ScratchFolder,
    _ choose: (GraphEncoder) -> Void = { _ in }
  ) throws {
    let url = folder.url.appendingPathComponent("cost.gcodable")
    var times: (without: [Double], with: [Double]) = ([], [])
    for _ in 0..<7 {
      let encoder = GraphEncoder()
      choose(encoder)
      try times.without.append(processorTime { try encoder.write(model, to: url) })
      encoder.redundancy = .percent(2)
      try times.with.append(processorTime { try encoder.write(model, to: url) })
    }
    let (without, with) = (times.without.sorted()[3], times.with.sorted()[3])
    let size = try url.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let ratio = Double(costSize << 20) / Double(size)
    print(
      "  \(name), ratio \(threeDigits(ratio)): \(threeDigits(1_000 * without)) ms, with parity "
        + "\(threeDigits(1_000 * with)) ms, \(threeDigits(100 * (with / without - 1)))% more")
  }

  private func processorTime(_ body: () throws -> Void) rethrows -> Double {
    let start = spentProcessorSeconds()
    try body()
    return spentProcessorSeconds() - start
  }
}
