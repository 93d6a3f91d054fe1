import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// What types encode that fill their containers in any order: the same as `JSONEncoder` has of them.
@Suite("Codable in archives: containers filled in random order")
struct CodableProgramTests {
  static let programs: [EncodingProgram] =
    (0..<Effort.of(30, thorough: 60)).map {
      EncodingProgram(seed: UInt64($0), goesBack: $0 % 2 == 1, stepCount: [5, 20, 60][$0 % 3])
    } + [
      EncodingProgram(seed: 1_000, goesBack: false, stepCount: 400, keyCount: 400),
      EncodingProgram(seed: 1_001, goesBack: true, stepCount: 400, keyCount: 400),
    ]

  @Test func whatJSONHasOfThemTheArchiveHas() throws {
    for program in Self.programs {
      let json = try JSONDecoder().decode([EncodedTree].self, from: JSONEncoder().encode([program]))
      for options in [[], .canonicalOrder] as [GraphEncoder.Options] {
        #expect(try codableCopy([program], as: [EncodedTree].self, options) == json, "\(program)")
      }
    }
  }

  @Test func theBytesAreThoseOfANewEncoder() throws {
    for program in Self.programs {
      #expect(try GraphEncoder().encode(codable: program) as Bytes == Self.archive(program), "\(program)")
    }
  }

  /// The paths of values that are encoded are compared with those at which JSON has them: what JSONEncoder says of
  /// these itself leaves out the keys of nested containers.
  @Test func codingPathsAreThoseThatJSONHas() throws {
    for program in Self.programs.prefix(Effort.of(30, thorough: 40)) {
      let (inJSON, encoded, decoded) = (PathLog(), PathLog(), PathLog())
      let jsonDecoder = JSONDecoder()
      let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
      jsonDecoder.userInfo[PathLog.key] = inJSON
      encoder.userInfo[PathLog.key] = encoded
      decoder.userInfo[PathLog.key] = decoded
      _ = try jsonDecoder.decode([EncodedTree].self, from: JSONEncoder().encode([program]))
      _ = try decoder.decode(codable: [EncodedTree].self, from: encoder.encode(codable: [program]) as Bytes)
      #expect(decoded.paths == inJSON.paths, "\(program)")
      #expect(encoded.paths.isSubset(of: inJSON.paths), "\(program)")
    }
  }

  @Test func threadsThatShareIdleEncodersMakeTheSameBytes() throws {
    let archives = try Self.programs.map { try GraphEncoder().encode(codable: $0) as Bytes }
    let differing = Counter()
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for index in archives.indices {
        let place = (index * (2 * thread + 1) + thread) % archives.count
        let bytes = try? GraphEncoder().encode(codable: Self.programs[place]) as Bytes
        if bytes != archives[place] { differing.increment() }
      }
    }
    #expect(differing.count == 0)
  }

  private final class Counter: @unchecked Sendable {
    private let lock = NSLock()
    private(set) var count = 0
    func increment() { lock.withLock { count += 1 } }
  }

  private static func archive(_ program: EncodingProgram) throws -> Bytes {
    func archive(containersWait: Bool) throws -> Bytes? {
      let encoder = GEncoder(options: [], userInfo: [:], binaryIOVersion: 0)
      encoder.tables.containersWait = containersWait
      do {
        let index = try encoder.encodeGraph { try $0.writeRoot(codable: program) }
        return try GraphEncoder().archive(EncodedGraph(encoder, index))
      } catch  where encoder.tables.needsWaiting && !containersWait { return nil }
    }
    return try #require(try archive(containersWait: false) ?? archive(containersWait: true))
  }
}
