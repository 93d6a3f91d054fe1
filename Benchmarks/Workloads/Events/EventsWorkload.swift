/// W10: enums with payloads, which ask for containers inside each other.
struct EventsWorkload: Workload {
  static let id = "W10"
  static let subject = "enums, Codable"
  static let sizes = [0.1, 1.0]
  let unit = "enum"
  let options: WorkloadOptions
  private let count: Int

  init(_ options: WorkloadOptions) {
    self.options = options
    count = options.size.count(25_000)
  }

  var title: String { "\(grouped(count)) structs {Int, 2 × enum with payloads} in an array, all Codable" }

  var unitCount: Int { 2 * count }

  func cases() -> [MeasuredCase] {
    let count = count
    return codableCases { Event.generate(count: count) }
      + containerCases(unitCount: \.count) { Event.generate(count: count) }
      + foundationCases(count: count) { Event.generate(count: $0) }
  }
}
