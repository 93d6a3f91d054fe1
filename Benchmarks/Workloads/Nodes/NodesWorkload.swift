/// W2: many small objects that share one another.
struct NodesWorkload: Workload {
  static let id = "W2"
  let unit = "object"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(100_000)
  }

  var title: String {
    "\(grouped(count)) class nodes {Int, String, \(Node.neighbourCount) references to earlier nodes}"
  }

  var unitCount: Int { count }

  var remark: String {
    let peerCount = options.peerCount(count)
    let part = peerCount < count ? "\(grouped(peerCount)) " : ""
    return "peers get \(part)nodes with neighbour indices, made beforehand: they cannot keep shared objects"
  }

  func cases() -> [MeasuredCase] {
    let count = count
    let fixture = GraphFixture { Node.generate(count: count) }
    return graphCases(fixture, isSame: Node.isSameGraph)
      + objectLimits(fixture, walk: Node.walk, clone: Node.clone, isSame: Node.isSameGraph)
      + foundationCases(count: count) { try fixture.model().prefix($0).map(FlatNode.init) }
  }
}
