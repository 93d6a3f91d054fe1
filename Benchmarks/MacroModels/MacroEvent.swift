#if Macros
  import Foundation
  import GraphCodable
  import GraphCodableMacros

  /// An event of five fields, coded by the macro.
  @GCodable package struct MacroEvent: Equatable {
    var step: Int
    var time: Double
    var particle: UInt32
    var kind: UInt32
    var energy: Double

    private init(_ step: Int) {
      (self.step, time) = (step, Double(step) * 0.001)
      (particle, kind) = (UInt32(truncatingIfNeeded: step &* 7919) & 0xFFFF, UInt32(step & 7))
      energy = Double(step ^ 0x5555) * 1e-6
    }

    /// Writes the events of a range to a log, by a call for each.
    package static func write(_ steps: Range<Int>, to url: URL, _ options: GraphMessageWriter.Options) throws
    {
      let log = try GraphMessageWriter(url, options: options)
      for step in steps { try log.write(Self(step)) }
      try log.close()
    }

    /// Writes the events of each range by one call, from an array that has room for those of any.
    package static func write(
      _ parts: some Sequence<Range<Int>>, to url: URL, _ options: GraphMessageWriter.Options
    ) throws {
      let log = try GraphMessageWriter(url, options: options)
      var events: [Self] = []
      for steps in parts {
        while events.count < steps.count { events.append(Self(0)) }
        for (place, step) in steps.enumerated() { events[place] = Self(step) }
        try log.write(contentsOf: events.prefix(steps.count))
      }
      try log.close()
    }

    /// Reads all events of a log, and returns the sum of their steps.
    package static func read(_ url: URL) throws -> Int {
      let log = try GraphMessageReader(url)
      var sum = 0
      while let event = try log.next(Self.self) { sum &+= event.step }
      return sum
    }
  }
#endif
