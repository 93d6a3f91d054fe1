import Foundation
import GraphCodable
import GraphCodableTestSupport

/// A small archive, and what is done with it.
struct HostileAttack: Sendable {
  let name: String
  /// Made outside of that process, where several attacks share what takes long to make.
  let bytes: @Sendable () throws -> Bytes
  let work: @Sendable (Bytes) throws -> Void

  #if os(Linux)
    /// Ends the process unless the attack is an error and costs little.
    ///
    /// In a process of its own, whose memory nobody else takes.
    ///
    /// - Parameters:
    ///   - bytes: those of the attack.
    ///   - mostRounds: processor time in rounds of plain work on the same machine, in the same build.
    func check(_ bytes: Bytes, mostRounds: Double) throws {
      guard bytes.count < 200_000 else { exit(2) }
      ProcessMemory.keepNoErrors()
      var failure: (any Error)?
      var rounds = 0.0
      // So that the program's own pages do not count, of which a debug build has many.
      _ = try Work.rounds { _ = try? work(Bytes(bytes.dropLast())) }
      let peak = try ProcessMemory.peak {
        rounds = try Work.rounds { do { try work(bytes) } catch { failure = error } }
      }
      guard let failure, failure is GCodableError || failure is DecodingError else { exit(3) }
      // A `DecodingError` has the standard library's words.
      guard failure is DecodingError || "\(failure)".utf8.count < 1_000 else { exit(4) }
      guard peak << 10 <= bytes.count + 64 << 20 else { exit(5) }
      guard rounds < mostRounds else { exit(6) }
    }
  #endif

  /// A round is what decoding 50,000 records takes.
  private enum Work {
    static func rounds(_ body: () throws -> Void) throws -> Double {
      let bytes = try encoded((0..<10_000).map { Hostile.Round(number: $0) })
      // The first one also makes what is made once; the quicker of two has been disturbed less.
      _ = try decoded([Hostile.Round].self, from: bytes)
      let part = try min(
        time { _ = try decoded([Hostile.Round].self, from: bytes) },
        time { _ = try decoded([Hostile.Round].self, from: bytes) })
      return try time(body) / (5 * part)
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
      let start = clock()
      try body()
      return Double(clock() - start)
    }
  }
}
