import ArgumentParser
import Foundation
import GraphCodable
import MacroModels

/// Measures a log of small events in a file beside packing by hand with `write`.
struct LogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log",
    abstract: "Measure writing and reading a log of events of five fields.",
    discussion: """
      All ways take turns in one run; times are medians, without a wait for the device. By hand, the fields of an \
      event are packed one behind the other, and written whenever 64 KiB are there.
      """)

  @Option(help: "Events.") var events = 10_000_000
  @Option(help: "Rounds, of which the median counts.") var rounds = 5
  @Option(help: "The folder for files.", completion: .directory) var scratch: String?

  func run() throws {
    let parent = scratch.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = try ScratchFolder(in: parent)
    defer { folder.remove() }
    var times: [String: (write: [Duration], read: [Duration])] = [:]
    var sizes: [String: Int] = [:]
    for _ in 0..<rounds {
      for way in ways {
        let url = folder.url.appendingPathComponent(way.name)
        defer { try? FileManager.default.removeItem(at: url) }
        let writing = try ContinuousClock().measure { try way.write(url) }
        var sum = 0
        let reading = try ContinuousClock().measure { sum = try way.read(url) }
        try require(sum == (0..<events).reduce(0) { $0 &+ $1 })
        times[way.name, default: ([], [])].write.append(writing)
        times[way.name, default: ([], [])].read.append(reading)
        sizes[way.name] = try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int
      }
    }
    print(
      "\(grouped(events)) events of five fields; nanoseconds and bytes of each, and the speed beside packing by hand"
    )
    let hand = times["by hand"].map { (median($0.write), median($0.read)) } ?? (0, 0)
    for way in ways {
      guard let time = times[way.name] else { continue }
      let (write, read) = (median(time.write), median(time.read))
      print(
        "\(way.name): write \(threeDigits(write)) (\(threeDigits(hand.0 / write))), read \(threeDigits(read)) "
          + "(\(threeDigits(hand.1 / read))), \(threeDigits(Double(sizes[way.name] ?? 0) / Double(events))) bytes"
      )
    }
  }

  private func median(_ times: [Duration]) -> Double {
    times.sorted()[times.count / 2] / .nanoseconds(1) / Double(events)
  }

  private struct Way {
    let name: String
    let write: (URL) throws -> Void
    /// Returns the sum of all steps.
    let read: (URL) throws -> Int
  }

  private var ways: [Way] {
    let range = 0..<events
    var ways = [
      Way(name: "by hand", write: { try HandLog.write(range, to: $0) }, read: HandLog.read),
      Way(name: "stream") { url in
        let log = try GraphMessageWriter(url)
        for step in range { try log.write(LoggedEvent(step)) }
        try log.close()
      } read: { url in
        let log = try GraphMessageReader(url)
        var sum = 0
        while let event = try log.next(LoggedEvent.self) { sum &+= event.step }
        return sum
      },
    ]
    #if Macros
      ways.append(
        Way(name: "stream, by macro") { url in
          try MacroEvent.write(range, to: url) { step in
            let event = LoggedEvent(step)
            return MacroEvent(
              step: step, time: event.time, particle: event.particle, kind: event.kind, energy: event.energy)
          }
        } read: { url in
          var sum = 0
          try MacroEvent.read(url) { sum &+= $0.number }
          return sum
        })
    #endif
    return ways
  }
}

/// An event of five fields.
struct LoggedEvent: GCodable {
  var step: Int
  var time: Double
  var particle: UInt32
  var kind: UInt32
  var energy: Double

  private enum Key: String { case step, time, particle, kind, energy }

  init(_ step: Int) {
    (self.step, time) = (step, Double(step) * 0.001)
    (particle, kind) = (UInt32(truncatingIfNeeded: step &* 7919) & 0xFFFF, UInt32(step & 7))
    energy = Double(step ^ 0x5555) * 1e-6
  }

  init(from decoder: GDecoder) throws {
    step = try decoder.decode(for: Key.step)
    time = try decoder.decode(for: Key.time)
    particle = try decoder.decode(for: Key.particle)
    kind = try decoder.decode(for: Key.kind)
    energy = try decoder.decode(for: Key.energy)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(step, for: Key.step)
    try encoder.encode(time, for: Key.time)
    try encoder.encode(particle, for: Key.particle)
    try encoder.encode(kind, for: Key.kind)
    try encoder.encode(energy, for: Key.energy)
  }
}

/// The same events packed by hand: 32 bytes each, without names, checksums and a way to add a field.
private enum HandLog {
  private static let eventByteCount = 32
  private static let bufferByteCount = 64 << 10

  static func write(_ steps: Range<Int>, to url: URL) throws {
    let file = open(url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try require(file >= 0)
    defer { close(file) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 16)
    defer { buffer.deallocate() }
    var count = 0
    for step in steps {
      let event = LoggedEvent(step)
      buffer.storeBytes(of: event.step, toByteOffset: count, as: Int.self)
      buffer.storeBytes(of: event.time, toByteOffset: count + 8, as: Double.self)
      buffer.storeBytes(of: event.particle, toByteOffset: count + 16, as: UInt32.self)
      buffer.storeBytes(of: event.kind, toByteOffset: count + 20, as: UInt32.self)
      buffer.storeBytes(of: event.energy, toByteOffset: count + 24, as: Double.self)
      count += eventByteCount
      if count == bufferByteCount {
        try require(Foundation.write(file, buffer.baseAddress, count) == count)
        count = 0
      }
    }
    try require(Foundation.write(file, buffer.baseAddress, count) == count)
  }

  static func read(_ url: URL) throws -> Int {
    let file = open(url.path, O_RDONLY)
    try require(file >= 0)
    defer { close(file) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 16)
    defer { buffer.deallocate() }
    var sum = 0
    while true {
      let count = Foundation.read(file, buffer.baseAddress, bufferByteCount)
      if count <= 0 { return sum }
      for place in stride(from: 0, to: count, by: eventByteCount) {
        sum &+= buffer.load(fromByteOffset: place, as: Int.self)
        sum &+= Int(buffer.load(fromByteOffset: place + 20, as: UInt32.self) >> 8)
      }
    }
  }
}
