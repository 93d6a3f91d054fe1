/// W4: a few very large arrays.
struct FieldsWorkload: Workload {
  let id = "W4"
  let unit = "Double"
  private let count: Int
  private let peerCount: Int
  private let options: WorkloadOptions

  init(_ options: WorkloadOptions) {
    self.options = options
    count = max(1, Int(Double(options.count(4_000_000)) * options.fieldScale))
    peerCount = min(count, 25_000)
  }

  var title: String {
    "struct with \(FieldSet.arrayCount) arrays of \(grouped(count)) Double, a smooth field with noise"
  }

  var unitCount: Int { count * FieldSet.arrayCount }

  var remark: String {
    guard peerCount < count else { return "" }
    return "peers do arrays of \(grouped(peerCount)); their ratios are those of the times per Double"
  }

  func cases() -> [MeasuredCase] {
    let count = count
    let peerCount = peerCount
    let fixture = GraphFixture { FieldSet.generate(count: count) }
    let library = GraphCodableCases(
      workload: id, fixture: fixture, scratchFolder: options.scratchFolder, isSame: { $0 == $1 })
    let limits = Limits(
      workload: id, bytes: { try fixture.archive(.none) }, scratchFolder: options.scratchFolder)
    let peers = FoundationCases(workload: id, share: Double(peerCount) / Double(count)) {
      FieldSet.generate(count: peerCount)
    }
    return library.cases + peers.cases + limits.cases
  }
}
