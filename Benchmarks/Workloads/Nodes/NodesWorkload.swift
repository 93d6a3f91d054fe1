/// W2: many small objects that share one another.
struct NodesWorkload: Workload {
  let id = "W2"
  let unit = "object"
  let remark = "peers get nodes with neighbour indices, made beforehand: they cannot keep shared objects"
  private let count: Int
  private let options: WorkloadOptions

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.count(100_000)
  }

  var title: String {
    "\(grouped(count)) class nodes {Int, String, \(Node.neighbourCount) references to earlier nodes}"
  }

  var unitCount: Int { count }

  func cases() -> [MeasuredCase] {
    let count = count
    let fixture = GraphFixture { Node.generate(count: count) }
    let library = GraphCodableCases(
      workload: id, fixture: fixture, scratchFolder: options.scratchFolder, isSame: Node.isSameGraph)
    let limits = Limits(
      workload: id, bytes: { try fixture.archive(.none) }, scratchFolder: options.scratchFolder)
    let peers = FoundationCases(workload: id) { try fixture.model().map(FlatNode.init) }
    return library.cases + peers.cases + limits.cases
  }
}
