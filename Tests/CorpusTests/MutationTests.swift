import GraphCodable
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Archives of the corpus with some bytes changed and all hashes corrected: all readers agree on them.
@Suite("Corpus: mutations") struct MutationTests {
  private static let count = Effort.count("GRAPHCODABLE_MUTATIONS", usual: 10_000, thorough: 100_000)
  private static let seeds = 1...8 as ClosedRange<UInt64>

  /// What is changed.
  private enum Part { case header, contents, segment, objectIndex, stream }

  /// Most of it where most rules are.
  private static let parts: [Part] =
    [.header, .objectIndex, .segment, .segment] + Array(repeating: .contents, count: 4)
    + Array(repeating: .stream, count: 8)

  private static let samples = ValidCase.all.filter { !$0.isSeries && $0.bytes.count <= 700 }

  @Test(arguments: seeds) func allSayTheSame(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let forges = try Self.samples.map { try Forge($0.bytes) }
    var (acceptedCount, refusedCount, leftOutCount) = (0, 0, (typed: 0, parts: 0))
    while acceptedCount + refusedCount < Self.count / Self.seeds.count {
      let index = random.below(forges.count)
      let part = Self.parts[random.below(Self.parts.count)]
      guard let bytes = try Self.mutant(of: forges[index], part, &random) else { continue }
      let verdicts = Verdicts(bytes)
      let isAccepted = verdicts.verify == nil
      if isAccepted { acceptedCount += 1 } else { refusedCount += 1 }
      if !isAccepted, verdicts.typed == nil { leftOutCount.typed += 1 }
      if !isAccepted, verdicts.parts == nil { leftOutCount.parts += 1 }
      guard verdicts.areOne(with: (try? PlainArchive(bytes)) != nil) else {
        Issue.record("\(Self.samples[index].name), \(part): \(verdicts), \(hexadecimal(bytes))")
        return
      }
    }
    #expect(acceptedCount > Self.count / 100)
    #expect(refusedCount > Self.count / 100)
    // Objects that nothing refers to; of parts, also what is passed over and not read.
    #expect(leftOutCount.typed * 100 <= refusedCount)
    #expect(leftOutCount.parts * 10 <= refusedCount)
  }

  /// nil where the archive has no such part.
  private static func mutant(
    of forge: Forge, _ part: Part, _ random: inout SplitMix64
  ) throws -> Bytes? {
    switch part {
    case .header:
      var bytes = forge.bytes
      for _ in 0...random.below(2) { bytes[8 + random.below(24)] = UInt8(random.below(256)) }
      bytes.replaceSubrange(32..<40, with: hash(Bytes(bytes[..<32])))
      return bytes
    case .contents:
      var contents = Bytes(forge.bytes[forge.contentsRange])
      contents.change(&random)
      return forge.replacingContents(with: contents)
    case .segment:
      guard forge.contentsRange.lowerBound > 40 else { return nil }
      let offset = 64 + random.below(forge.contentsRange.lowerBound - 64)
      let change = UInt8(1 + random.below(255))
      return try forge.changingSegmentByte(at: offset) { $0 ^= change }
    case .objectIndex:
      guard case .embedded(var index) = forge.contents.objectIndex, !index.isEmpty else { return nil }
      index.change(&random)
      return try forge.changingContents { $0.objectIndex = .embedded(index) }
    case .stream:
      var stream = try forge.stream()
      stream.change(&random)
      return try forge.replacingStream(with: stream)
    }
  }
}

extension Bytes {
  /// Changes one bit, or more than that.
  fileprivate mutating func change(_ random: inout SplitMix64) {
    guard !isEmpty, random.once(in: 2) else { return mutate(&random) }
    self[random.below(count)] ^= 1 << UInt8(random.below(8))
  }
}
