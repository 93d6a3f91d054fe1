/// W3: a binary tree of instances of three subclasses.
struct TreeWorkload: Workload {
  static let id = "W3"
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

  func cases() -> [MeasuredCase] {
    let count = count
    let fixture = GraphFixture { Branch.generate(count: count) }
    return graphCases(fixture, isSame: Branch.isSameTree)
      + objectLimits(fixture, walk: Branch.walk, clone: Branch.clone, isSame: Branch.isSameTree)
      + foundationCases(count: count) { Array(FlatBranch.list(try fixture.model()).prefix($0)) }
  }
}
