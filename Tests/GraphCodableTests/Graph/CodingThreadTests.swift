import GraphCodable
import GraphCodableTestSupport
import Testing

/// What the documentation says of threads, task-local values, and of models that are walked again.
@Suite("Where user code runs")
struct CodingThreadTests {
  enum Labels {
    @TaskLocal static var label = "default"
  }

  /// Notes the task-local value that it sees, and how often it is encoded and decoded.
  final class Log {
    var labels: Set<String> = []
    var count = 0
    func note() {
      labels.insert(Labels.label)
      count += 1
    }
    static let key = CodingUserInfoKey(rawValue: "log")!
  }

  private struct Deep: GCodable {
    var inner: [Deep] = []
    init(depth: Int) { for _ in 0..<depth { inner = [Deep(inner)] } }
    private init(_ inner: [Deep]) { self.inner = inner }
    func encode(to encoder: GEncoder) throws {
      (encoder.userInfo[Log.key] as? Log)?.note()
      try encoder.encode(inner, for: Letter.i)
    }
    init(from decoder: GDecoder) throws {
      (decoder.userInfo[Log.key] as? Log)?.note()
      inner = try decoder.decode(for: Letter.i)
    }
  }

  /// The labels seen while values of some depth are encoded, and then decoded.
  private func labels(depth: Int) throws -> [Set<String>] {
    try onThread(stackByteCount: 512 << 10) {
      try Labels.$label.withValue("set") {
        let (encoder, decoder) = (GraphEncoder(), GraphDecoder())
        let (encoding, decoding) = (Log(), Log())
        encoder.userInfo[Log.key] = encoding
        decoder.userInfo[Log.key] = decoding
        let bytes = try encoder.encode(Deep(depth: depth)) as Bytes
        _ = try decoder.decode(Deep.self, from: bytes)
        return [encoding.labels, decoding.labels]
      }
    }
  }

  @Test func userCodeRunsOnTheCallersThread() throws {
    try #expect(labels(depth: 20) == [["set"], ["set"]])
  }

  @Test func deepValuesGoOnWhereTaskLocalValuesHaveTheirDefaults() throws {
    // `userInfo` is there all the same: the labels are noted by what it has.
    try #expect(labels(depth: 500) == [["set", "default"], ["set", "default"]])
  }

  /// More kinds of records than an encoder that is used again has room for.
  @Test func aSmallMessageMayBeWalkedTwice() throws {
    struct Key: RawRepresentable {
      let rawValue: String
      init(rawValue: String) { self.rawValue = rawValue }
    }
    let counts = try (0..<40).map { round in
      let log = Log()
      let message = Script { encoder in
        log.note()
        for number in 0..<100 {
          try encoder.encode(
            Script { try $0.encode(number, for: Key(rawValue: "key \(round) \(number)")) })
        }
      }
      _ = try GraphEncoder().encode(message) as Bytes
      return log.count
    }
    // Other tests use the encoder of another place in the meantime: how often it happens is not known.
    #expect(counts.allSatisfy { (1...2).contains($0) } && counts.contains(1))
  }
}
