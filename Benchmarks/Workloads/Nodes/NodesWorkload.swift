/// W2: many small objects that share one another.
struct NodesWorkload: GraphWorkload {
  static let id = "W2"
  static let subject = "shared objects"
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

  func generate() -> [Node] {
    Node.generate(count: count)
  }

  static func isSame(_ model: [Node], _ decoded: [Node]) -> Bool {
    Node.isSameGraph(model, decoded)
  }

  func cases() -> [MeasuredCase] {
    let fixture = GraphFixture(generate)
    return graphCases(fixture)
      + objectLimits(fixture, walk: Node.walk, clone: Node.clone)
      + foundationCases(count: count) { try fixture.model().prefix($0).map(FlatNode.init) }
      + keyedArchiverCases(count: count) {
        ArchivedNode.list(try fixture.model().prefix($0))
      } isSame: {
        ArchivedNode.isSameGraph($0, $1)
      }
  }
}
