import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Verifying archives")
struct VerifyTests {
  private struct Sample: GCodable {
    var texts: [String]
    var numbers: [Double]
    var bytes: Data

    init() {
      var random = SplitMix64(seed: 3)
      texts = (0..<300).map { "text \($0)" }
      numbers = (0..<3000).map { Double($0) }
      bytes = Data((0..<20_000).map { _ in UInt8(truncatingIfNeeded: random.next()) })
    }
    init(from decoder: GDecoder) throws {
      (texts, numbers, bytes) = (try decoder.decode(), try decoder.decode(), try decoder.decode())
    }
    func encode(to encoder: GEncoder) throws {
      try encoder.encode(texts)
      try encoder.encode(numbers)
      try encoder.encode(bytes)
    }
  }

  @Test(arguments: [GraphEncoder.Compression.none, .lz4, .lz4hc(level: 9)])
  func everyArchiveOfOursIsSound(compression: GraphEncoder.Compression) throws {
    try GraphArchive(encoded(Sample(), compression: compression)).verify()
    try GraphArchive(encoded(1, compression: compression)).verify()
    let objects = (0..<5000).map { ModelNode($0) }
    try GraphArchive(encoded(objects, compression: compression)).verify()
    // Several blocks in a segment.
    try GraphArchive(encoded((0..<500_000).map { Float($0) }, compression: compression)).verify()
  }

  /// Also in places that decoding does not come by.
  @Test(arguments: [GraphEncoder.Compression.none, .lz4])
  func everyChangedByteIsFound(compression: GraphEncoder.Compression) throws {
    let bytes = try encoded(Sample(), compression: compression)
    let url = FileManager.default.temporaryDirectory.appendingPathComponent(
      "graphcodable-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: url) }
    var random = SplitMix64(seed: 8)
    for position in bytes.indices where position < 600 || random.once(in: 20) || position > bytes.count - 600
    {
      var changed = bytes
      changed[position] ^= 1 << UInt8(random.below(8))
      let error = #expect(throws: GCodableError.self, "byte \(position)") {
        try GraphArchive(changed).verify()
      }
      #expect(error.map { [.damaged, .notAnArchive, .malformed].contains($0.code) } == true)
      if random.once(in: 100) {
        try Data(changed).write(to: url)
        #expect(throws: GCodableError.self) { try GraphArchive(url).verify() }
      }
    }
    for count in [0, 5, 63, 64, bytes.count - 1] {
      #expect(throws: GCodableError.self) { try GraphArchive(bytes.prefix(count)).verify() }
    }
    #expect(throws: GCodableError.self) { try GraphArchive(bytes + [0]).verify() }
    try Data(bytes).write(to: url)
    try GraphArchive(url).verify()
  }

  @Test func bytesThatAreNotInOnePieceAreVerified() throws {
    let bytes = try encoded(Sample(), compression: .lz4)
    try GraphArchive(AnyCollection(bytes.lazy.map { $0 })).verify()
    #expect(throws: GCodableError.self) {
      try GraphArchive(AnyCollection(bytes.dropLast().lazy.map { $0 })).verify()
    }
  }

  @Test func whatCannotBeDecodedCanBeVerified() throws {
    // Nothing is decoded.
    let bytes = try encoded([Unknown()], compression: .none)
    try GraphArchive(bytes).verify()
  }

  final class Unknown: GCodable {
    init() {}
    init(from decoder: GDecoder) throws { throw GCodableError(.invalidValue, "cannot be decoded") }
    func encode(to encoder: GEncoder) throws { try encoder.encode(1) }
  }
}
