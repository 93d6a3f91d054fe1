import Foundation

/// W1: many small structs.
struct RecordsWorkload: GraphWorkload {
  static let id = "W1"
  static let subject = "structs"
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

  func generate() -> [Record] {
    Record.generate(count: count)
  }

  static func isSame(_ model: [Record], _ decoded: [Record]) -> Bool {
    model == decoded
  }

  func cases() -> [MeasuredCase] {
    let fixture = GraphFixture(generate)
    let own = graphCases(fixture) + codableCases { try fixture.model().map(PlainRecord.init) }
    return own + handPacking(fixture)
      + protobufCases(fixture)
      + foundationCases(count: count) { Array(try fixture.model().prefix($0)) }
      + cyclicCases(count: count) { Array(try fixture.model().prefix($0)) }
      + keyedArchiverCases(count: count) {
        try fixture.model().prefix($0).map(ArchivedRecord.init) as NSArray
      } isSame: {
        ($0 as? [ArchivedRecord])?.map(\.record) == ($1 as? [ArchivedRecord])?.map(\.record)
      }
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
