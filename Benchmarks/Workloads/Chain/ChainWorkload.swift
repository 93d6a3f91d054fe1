/// W7: a chain, as long as a program may happen to make it.
struct ChainWorkload: GraphWorkload {
  static let id = "W7"
  static let subject = "a chain"
  static let sizes = [0.001, 0.01, 0.1, 1, 10]
  static let quickSizes = [0.001, 0.01, 0.1]
  let unit = "object"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(1_000_000)
  }

  var title: String { "a chain of \(grouped(count)) nodes {Int, next}, also on a thread with a small stack" }

  var unitCount: Int { count }

  var remark: String { "no peer: they recurse along the chain and end the program at some thousand nodes" }

  func generate() -> Link {
    Link.generate(count: count)
  }

  static func isSame(_ model: Link, _ decoded: Link) -> Bool {
    Link.isSameChain(model, decoded)
  }

  func cases() -> [MeasuredCase] {
    let fixture = GraphFixture(generate)
    let library = GraphCodableCases(
      workload: name, fixture: fixture, scratchFolder: options.scratchFolder, isSame: Self.isSame)
    return library.codingCases([.none, .smallStack, .lz4])
      + objectLimits(fixture, walk: Link.walk, clone: Link.clone)
  }
}
