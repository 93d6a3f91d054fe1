import ArgumentParser
import Foundation
import GraphCodable

/// Measures what large arrays cost that are not read as a whole: slices, lazy values, and arrays in arrays.
struct ArraysCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "arrays",
    abstract: "Measure slices of a large array, a save with lazy values beside cp, and arrays in arrays.",
    discussion: "Times are medians. Files are warm, and nobody waits for the device, as cp does not.")

  @Option(help: "The size of the large array in MiB.") var size = 2048
  @Option(help: "The folder for files.", completion: .directory) var scratch: String?

  func run() throws {
    let parent = scratch.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = try ScratchFolder(in: parent)
    defer { folder.remove() }
    let url = folder.url.appendingPathComponent("snapshot.gcodable")
    try DeviceSync.skipping {
      try GraphEncoder().write(LazySnapshot(name: "before", elementCount: size << 17), to: url)
      try measureSlices(url)
      try measureCopies(url, in: folder)
    }
    try measureRows()
  }

  // MARK: Slices

  private func measureSlices(_ url: URL) throws {
    let archive = try GraphArchive(url)
    let view = try archive.array(Double.self, at: "positions")
    var noise = SplitMix64(seed: 1)
    let starts = (0..<200).map { _ in noise.below(view.count - 1000) }
    for start in starts { _ = try view[start..<(start + 1000)] }  // The file gets warm.
    let blockCount = try starts.map { try view.blockCount(of: $0..<($0 + 1000)) }.max() ?? 0
    var next = starts.makeIterator()
    let viewed = try median(of: 200) {
      let start = next.next() ?? 0
      _ = try view[start..<(start + 1000)]
    }
    next = starts.makeIterator()
    let decoded = try median(of: 200) {
      let start = next.next() ?? 0
      _ = try archive.decode([Double].self, at: ["positions", .range(start..<(start + 1000))])
    }
    print("1,000 of \(view.count) elements: \(blockCount) blocks at most")
    print("  of a view   \(milliseconds(viewed))")
    print("  by a path   \(milliseconds(decoded))")
  }

  // MARK: Lazy values

  private func measureCopies(_ url: URL, in folder: ScratchFolder) throws {
    let (copied, saved) = (
      folder.url.appendingPathComponent("copy"), folder.url.appendingPathComponent("saved")
    )
    var times = (copy: [Duration](), save: [Duration]())
    for _ in 0..<7 {
      try times.copy.append(time { try Self.copy(url, to: copied) })
      try FileManager.default.removeItem(at: copied)
      try times.save.append(
        time {
          var snapshot = try GraphDecoder().read(LazySnapshot.self, from: url)
          snapshot.name = "after"
          try GraphEncoder().write(snapshot, to: saved)
        })
      guard try GraphDecoder().read(LazySnapshot.self, from: saved).name == "after" else {
        throw ExitCode.failure
      }
      try FileManager.default.removeItem(at: saved)
    }
    let (copy, save) = (times.copy.sorted()[3], times.save.sorted()[3])
    print("load with lazy values, change a name, save: \(milliseconds(save))")
    print("  cp          \(milliseconds(copy)), ratio \(threeDigits(save / copy))")
  }

  private static func copy(_ source: URL, to target: URL) throws {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/cp")
    process.arguments = ["--reflink=never", source.path, target.path]
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw ExitCode.failure }
  }

  // MARK: Arrays in arrays

  /// Beside arrays of optional arrays, which are packed each by itself, as all arrays in arrays once were.
  private func measureRows() throws {
    var noise = SplitMix64(seed: 2)
    func number() -> Double { Double(noise.below(1_000_000)) / 1000 }
    let regular = (0..<1000).map { _ in (0..<1000).map { _ in number() } }
    let ragged = (0..<1000).map { _ in (0..<noise.below(2000)).map { _ in number() } }
    let narrow = (0..<300_000).map { _ in (0..<3).map { _ in number() } }
    let small = (0..<3).map { _ in (0..<3).map { _ in number() } }
    print("arrays in arrays: one run, and packed each by itself")
    for (name, rows, count) in [
      ("1,000 × 1,000", regular, 1), ("1,000 × 0…2,000", ragged, 1), ("300,000 × 3", narrow, 1),
      ("3 × 3, 10,000 times", small, 10_000),
    ] {
      let one = try rowTimes(rows, count)
      let each = try rowTimes(rows.map { Optional($0) }, count)
      print("  \(name): encode \(milliseconds(one.encode)), \(milliseconds(each.encode));")
      print(
        "    decode \(milliseconds(one.decode)), \(milliseconds(each.decode)); bytes \(one.bytes), \(each.bytes)"
      )
    }
  }

  private func rowTimes<Rows: GCodable>(
    _ rows: Rows, _ count: Int
  ) throws -> (encode: Duration, decode: Duration, bytes: Int) {
    let bytes: Bytes = try GraphEncoder().encode(rows)
    let encode = try median(of: 9) {
      for _ in 0..<count { _ = try GraphEncoder().encode(rows) as Bytes }
    }
    let decode = try median(of: 9) {
      for _ in 0..<count { _ = try GraphDecoder().decode(Rows.self, from: bytes) }
    }
    return (encode, decode, bytes.count)
  }

  // MARK: Times

  private func time(_ body: () throws -> Void) rethrows -> Duration { try ContinuousClock().measure(body) }

  private func median(of count: Int, _ body: () throws -> Void) rethrows -> Duration {
    let times = try (0..<count).map { _ in try time(body) }
    return times.sorted()[count / 2]
  }

  private func milliseconds(_ duration: Duration) -> String {
    "\(threeDigits(duration / .milliseconds(1))) ms"
  }
}

/// A model of a name and a large array that waits in its archive.
private struct LazySnapshot: GCodable {
  var name: String
  var positions: GLazy<[Double]>

  private enum Key: String { case name, positions }

  /// Numbers that LZ4 makes some smaller, as those of a simulation.
  init(name: String, elementCount: Int) {
    self.name = name
    var noise = SplitMix64(seed: 3)
    positions = GLazy((0..<elementCount).map { _ in Double(noise.next() >> 40) / 1024 })
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(name, for: Key.name)
    try encoder.encode(positions, for: Key.positions)
  }

  init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    positions = try decoder.decode(for: Key.positions)
  }
}
