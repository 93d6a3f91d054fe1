/// W2: many small objects that share one another.
struct NodesWorkload: Workload {
  let id = "W2"
  let unit = "object"
  private let count: Int
  private let peerCount: Int
  private let options: WorkloadOptions

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.count(100_000)
    peerCount = max(1, Int(Double(count) * options.peerShare))
  }

  var title: String {
    "\(grouped(count)) class nodes {Int, String, \(Node.neighbourCount) references to earlier nodes}"
  }

  var unitCount: Int { count }

  var remark: String {
    let part = peerCount < count ? "\(grouped(peerCount)) " : ""
    return "peers get \(part)nodes with neighbour indices, made beforehand: they cannot keep shared objects"
  }

  func cases() -> [MeasuredCase] {
    let count = count
    let fixture = GraphFixture { Node.generate(count: count) }
    let library = GraphCodableCases(
      workload: id, fixture: fixture, scratchFolder: options.scratchFolder, isSame: Node.isSameGraph)
    let limits = Limits(
      workload: id, bytes: { try fixture.archive(.none) }, scratchFolder: options.scratchFolder)
    let peerCount = peerCount
    let peers = FoundationCases(workload: id, share: Double(peerCount) / Double(count)) {
      try fixture.model().prefix(peerCount).map(FlatNode.init)
    }
    return library.cases + peers.cases + limits.cases
  }
}
