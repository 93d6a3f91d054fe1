/// W5: strings, and a dictionary.
struct TextsWorkload: Workload {
  static let id = "W5"
  let unit = "string"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(200_000)
  }

  private var keyCount: Int { max(1, count / Texts.stringsPerKey) }

  var title: String {
    "\(grouped(count)) strings of 5–40 letters, and a [String: Int] of \(grouped(keyCount))"
  }

  /// Keys are strings, too.
  var unitCount: Int { count + keyCount }

  var remark: String {
    let peerCount = options.peerCount(count)
    return peerCount < count ? "JSON and plist do \(grouped(peerCount)) strings; ratios are per string" : ""
  }

  func cases() -> [MeasuredCase] {
    let count = count
    let fixture = GraphFixture { Texts.generate(count: count) }
    return graphCases(fixture, isSame: { $0 == $1 })
      + foundationCases(count: count) { $0 == count ? try fixture.model() : Texts.generate(count: $0) }
  }
}
