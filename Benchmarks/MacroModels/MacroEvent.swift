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

    package init(step: Int, time: Double, particle: UInt32, kind: UInt32, energy: Double) {
      (self.step, self.time, self.particle, self.kind, self.energy) = (step, time, particle, kind, energy)
    }

    /// The step.
    package var number: Int { step }

    /// Writes the events of a range to a log.
    package static func write(_ steps: Range<Int>, to url: URL, _ event: (Int) -> Self) throws {
      let log = try GraphMessageWriter(url)
      for step in steps { try log.write(event(step)) }
      try log.close()
    }

    /// Reads all events of a log.
    package static func read(_ url: URL, _ use: (Self) -> Void) throws {
      let log = try GraphMessageReader(url)
      while let event = try log.next(Self.self) { use(event) }
    }
  }
#endif
