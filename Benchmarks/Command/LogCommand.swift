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
      event are packed one behind the other; 'write(contentsOf:)' gets 1,024 events in an array. Each way of writing is \
      compared with the one by hand that hands over as much at once: an event with each call of 'write', so that a process \
      that is killed loses none, or some 64 KiB.
      """)

  @Option(help: "Events.") var events = 10_000_000
  @Option(help: "Events where each is handed over by itself, which takes long.") var singleEvents = 1_000_000
  @Option(help: "Rounds, of which the median counts.") var rounds = 5
  @Option(help: "The folder for files.", completion: .directory) var scratch: String?

  func run() throws {
    let parent = scratch.map { URL(fileURLWithPath: $0) } ?? FileManager.default.temporaryDirectory
    let folder = try ScratchFolder(in: parent)
    defer { folder.remove() }
    let ways = LogWay.all
    var times = ways.map { _ in LogTimes() }
    for _ in 0..<rounds {
      for (place, way) in ways.enumerated() {
        let count = way.policy == .each ? singleEvents : events
        try times[place].measure(way, 0..<count, folder.url.appendingPathComponent("log"))
      }
    }
    print(
      "\(grouped(events)) events of five fields, \(grouped(singleEvents)) where each is handed over by itself:"
    )
    print(
      "nanoseconds, those of processors, and bytes of an event; in brackets the speed beside packing by hand")
    for policy in LogPolicy.allCases {
      print(policy.title)
      let hand = ways.firstIndex { $0.policy == policy && $0.isByHand }.map { times[$0] }
      for (way, times) in zip(ways, times) where way.policy == policy {
        print("  \(way.name): \(times.text(beside: hand))")
      }
    }
  }
}

/// How much is handed over to the system at once.
private enum LogPolicy: CaseIterable {
  case each, buffer

  var title: String {
    switch self {
    case .each: "Each event is handed over, so that a killed process loses none:"
    case .buffer: "64 KiB are handed over at once:"
    }
  }

  /// Of a stream.
  var options: GraphMessageWriter.Options {
    var options = GraphMessageWriter.Options()
    if self == .each { (options.frameByteCount, options.bufferByteCount) = (1, 1) }
    return options
  }
}

/// A way to write a log, and to read it.
private struct LogWay {
  let name: String
  let policy: LogPolicy
  var isByHand = false
  let write: (Range<Int>, URL) throws -> Void
  /// Returns the sum of all steps.
  let read: (URL) throws -> Int

  static var all: [LogWay] {
    var ways = LogPolicy.allCases.flatMap { policy -> [LogWay] in
      [
        LogWay(
          name: "by hand", policy: policy, isByHand: true,
          write: { try HandLog.write($0, to: $1, isEach: policy == .each) }, read: HandLog.read),
        LogWay(name: "stream", policy: policy) { steps, url in
          let log = try GraphMessageWriter(url, options: policy.options)
          for step in steps { try log.write(LoggedEvent(step)) }
          try log.close()
        } read: { url in
          let log = try GraphMessageReader(url)
          var sum = 0
          while let event = try log.next(LoggedEvent.self) { sum &+= event.step }
          return sum
        },
        LogWay(name: "stream, write(contentsOf:)", policy: policy) { steps, url in
          let log = try GraphMessageWriter(url, options: policy.options)
          var events: [LoggedEvent] = []
          for steps in LoggedEvent.parts(of: steps) {
            while events.count < steps.count { events.append(LoggedEvent(0)) }
            for (place, step) in steps.enumerated() { events[place] = LoggedEvent(step) }
            try log.write(contentsOf: events.prefix(steps.count))
          }
          try log.close()
        } read: { url in
          let log = try GraphMessageReader(url)
          var sum = 0
          while let event = try log.next(LoggedEvent.self) { sum &+= event.step }
          return sum
        },
      ]
    }
    #if Macros
      for policy in LogPolicy.allCases {
        ways.append(
          LogWay(name: "stream, by macro", policy: policy) {
            try MacroEvent.write($0, to: $1, policy.options)
          } read: {
            try MacroEvent.read($0)
          })
        ways.append(
          LogWay(name: "stream, by macro, write(contentsOf:)", policy: policy) {
            try MacroEvent.write(LoggedEvent.parts(of: $0), to: $1, policy.options)
          } read: {
            try MacroEvent.read($0)
          })
      }
    #endif
    return ways
  }
}

/// What a way has taken, of an event each.
private struct LogTimes {
  private var written: [Double] = []
  private var processed: [Double] = []
  private var read: [Double] = []
  private var byteCount = 0.0

  mutating func measure(_ way: LogWay, _ steps: Range<Int>, _ url: URL) throws {
    defer { try? FileManager.default.removeItem(at: url) }
    let count = Double(steps.count)
    let start = Self.processorTime
    written.append(try ContinuousClock().measure { try way.write(steps, url) } / .nanoseconds(1) / count)
    processed.append((Self.processorTime - start) / count)
    var sum = 0
    read.append(try ContinuousClock().measure { sum = try way.read(url) } / .nanoseconds(1) / count)
    try require(sum == steps.reduce(0) { $0 &+ $1 })
    byteCount = Double(try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? Int ?? 0) / count
  }

  /// Nanoseconds of all threads of the process.
  private static var processorTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
  }

  func text(beside hand: Self?) -> String {
    func text(_ times: KeyPath<Self, [Double]>) -> String {
      let own = median(self[keyPath: times])
      return "\(threeDigits(own)) (\(threeDigits(median((hand ?? self)[keyPath: times]) / own)))"
    }
    return "write \(text(\.written)), processors \(text(\.processed)), read \(text(\.read)), "
      + "\(threeDigits(byteCount)) bytes"
  }

  private func median(_ times: [Double]) -> Double { times.sorted()[times.count / 2] }
}

/// An event of five fields.
struct LoggedEvent: GCodable {
  /// Steps whose events a simulation has at once.
  static func parts(of steps: Range<Int>) -> some Sequence<Range<Int>> {
    stride(from: steps.lowerBound, to: steps.upperBound, by: 1024).lazy.map {
      $0..<min($0 + 1024, steps.upperBound)
    }
  }

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

  /// - Parameter isEach: whether each event is handed over by itself.
  static func write(_ steps: Range<Int>, to url: URL, isEach: Bool) throws {
    let file = open(url.path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    try require(file >= 0)
    defer { close(file) }
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bufferByteCount, alignment: 16)
    defer { buffer.deallocate() }
    let limit = isEach ? eventByteCount : bufferByteCount
    var count = 0
    for step in steps {
      let event = LoggedEvent(step)
      buffer.storeBytes(of: event.step, toByteOffset: count, as: Int.self)
      buffer.storeBytes(of: event.time, toByteOffset: count + 8, as: Double.self)
      buffer.storeBytes(of: event.particle, toByteOffset: count + 16, as: UInt32.self)
      buffer.storeBytes(of: event.kind, toByteOffset: count + 20, as: UInt32.self)
      buffer.storeBytes(of: event.energy, toByteOffset: count + 24, as: Double.self)
      count += eventByteCount
      if count == limit {
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
