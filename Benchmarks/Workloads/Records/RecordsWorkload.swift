/// W1: many small structs.
struct RecordsWorkload: Workload {
  let id = "W1"
  let unit = "field"
  private let count: Int
  private let peerCount: Int
  private let options: WorkloadOptions

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.count(100_000)
    peerCount = max(1, Int(Double(count) * options.peerShare))
  }

  var title: String { "\(grouped(count)) structs {Int, String, 3 × Double, Bool} in an array" }

  var unitCount: Int { count * Record.fieldCount }

  var remark: String {
    peerCount < count ? "JSON and plist do \(grouped(peerCount)) structs; their ratios are per struct" : ""
  }

  func cases() -> [MeasuredCase] {
    let count = count
    let fixture = GraphFixture { Record.generate(count: count) }
    let library = GraphCodableCases(
      workload: id, fixture: fixture, scratchFolder: options.scratchFolder, isSame: { $0 == $1 })
    let limits = Limits(
      workload: id, bytes: { try fixture.archive(.none) }, scratchFolder: options.scratchFolder)
    let peerCount = peerCount
    let peers = FoundationCases(workload: id, share: Double(peerCount) / Double(count)) {
      Array(try fixture.model().prefix(peerCount))
    }
    return library.cases + handPacking(fixture) + peers.cases + limits.cases
  }

  private func handPacking(_ fixture: GraphFixture<[Record]>) -> [MeasuredCase] {
    func label(_ operation: Operation) -> CaseLabel {
      CaseLabel(workload: id, operation: operation, subject: .handPacking)
    }
    let encoding = MeasuredCase(label(.encode), prepare: fixture.model) { records in
      HandPacking.encode(records)
    } check: { records, bytes in
      try require(HandPacking.decode(bytes) == records)
      return bytes.count
    }
    let decoding = MeasuredCase(label(.decode)) {
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
