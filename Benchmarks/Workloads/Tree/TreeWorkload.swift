/// W3: a binary tree of instances of three subclasses.
struct TreeWorkload: GraphWorkload {
  static let id = "W3"
  static let subject = "subclasses"
  let unit = "object"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count((1 << 17) - 1)
  }

  var title: String {
    "binary tree of \(grouped(count)) nodes {Int, left, right}, of three subclasses {Double, String, Int}"
  }

  var unitCount: Int { count }

  var remark: String {
    let peerCount = options.peerCount(count)
    let part = peerCount < count ? "\(grouped(peerCount)) " : ""
    return
      "peers get \(part)structs with indices and optional fields, made beforehand: they have no subclasses"
  }

  func generate() -> Branch {
    Branch.generate(count: count)
  }

  static func isSame(_ model: Branch, _ decoded: Branch) -> Bool {
    Branch.isSameTree(model, decoded)
  }

  func cases() -> [MeasuredCase] {
    let fixture = GraphFixture(generate)
    return graphCases(fixture)
      + objectLimits(fixture, walk: Branch.walk, clone: Branch.clone)
      + foundationCases(count: count) { Array(FlatBranch.list(try fixture.model()).prefix($0)) }
      + keyedArchiverCases(count: count) {
        ArchivedBranch.tree(Branch.generate(count: $0))
      } isSame: {
        ArchivedBranch.isSameTree($0, $1)
      }
  }
}
