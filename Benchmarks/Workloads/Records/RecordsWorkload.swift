/// W1: many small structs.
struct RecordsWorkload: Workload {
  static let id = "W1"
  let unit = "field"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(100_000)
  }

  var title: String { "\(grouped(count)) structs {Int, String, 3 × Double, Bool} in an array" }

  var unitCount: Int { count * Record.fieldCount }

  var remark: String {
    let peerCount = options.peerCount(count)
    return peerCount < count
      ? "JSON and plist do \(grouped(peerCount)) structs; their ratios are per struct" : ""
  }

  func cases() -> [MeasuredCase] {
    let count = count
    let fixture = GraphFixture { Record.generate(count: count) }
    return graphCases(fixture, isSame: { $0 == $1 }) + handPacking(fixture)
      + foundationCases(count: count) { Array(try fixture.model().prefix($0)) }
  }

  private func handPacking(_ fixture: GraphFixture<[Record]>) -> [MeasuredCase] {
    let encoding = MeasuredCase(label(.encode, .handPacking), prepare: fixture.model) { records in
      HandPacking.encode(records)
    } check: { records, bytes in
      try require(HandPacking.decode(bytes) == records)
      return bytes.count
    }
    let decoding = MeasuredCase(label(.decode, .handPacking)) {
      HandPacking.encode(try fixture.model())
    } work: { bytes in
      HandPacking.decode(bytes)
    } check: { bytes, records in
      try require(records == fixture.model())
      return bytes.count
    }
    return [encoding, decoding]
  }
}
