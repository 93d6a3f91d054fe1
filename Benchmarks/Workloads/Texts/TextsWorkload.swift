import Foundation

/// W5: strings, and a dictionary.
struct TextsWorkload: GraphWorkload {
  static let id = "W5"
  static let subject = "strings"
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

  func generate() -> Texts {
    Texts.generate(count: count)
  }

  static func isSame(_ model: Texts, _ decoded: Texts) -> Bool {
    model == decoded
  }

  func cases() -> [MeasuredCase] {
    let fixture = GraphFixture(generate)
    let library = GraphCodableCases(
      workload: name, fixture: fixture, scratchFolder: options.scratchFolder, isSame: Self.isSame)
    return graphCases(fixture) + [library.encoding(.canonical)]
      + protobufCases(fixture)
      + foundationCases(count: count) { $0 == count ? try fixture.model() : Texts.generate(count: $0) }
      + keyedArchiverCases(count: count) {
        let texts = Texts.generate(count: $0)
        return [texts.strings as NSArray, texts.counts as NSDictionary] as NSArray
      } isSame: {
        $0 == $1
      }
  }
}
