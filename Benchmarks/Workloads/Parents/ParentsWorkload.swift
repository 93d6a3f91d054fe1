/// W6: a tree whose nodes have weak references to their parents.
struct ParentsWorkload: GraphWorkload {
  static let id = "W6"
  static let subject = "weak parents"
  let unit = "object"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(100_000)
  }

  var title: String {
    "tree of \(grouped(count)) nodes {Int, String, \(Member.childCount) children, weak parent}"
  }

  var unitCount: Int { count }

  var remark: String {
    let peerCount = options.peerCount(count)
    let part = peerCount < count ? "\(grouped(peerCount)) " : ""
    return
      "peers get \(part)structs with the index of the parent alone, made beforehand: they cannot keep cycles"
  }

  func generate() -> Member {
    Member.generate(count: count)
  }

  static func isSame(_ model: Member, _ decoded: Member) -> Bool {
    Member.isSameTree(model, decoded)
  }

  func cases() -> [MeasuredCase] {
    let fixture = GraphFixture(generate)
    return graphCases(fixture)
      + objectLimits(fixture, walk: Member.walk, clone: Member.clone)
      + foundationCases(count: count) { Array(FlatMember.list(try fixture.model()).prefix($0)) }
  }
}
