import Foundation

extension ModelCase {
  static let standardTypes: [ModelCase] = [
    ModelCase("bools", true, false),
    ModelCase("integers", Int.min, -1, 0, .max),
    ModelCase("unsigned integers", UInt64.max, 0, 1 << 63),
    ModelCase("bytes", UInt8.max, 0),
    ModelCase(
      "128-bit integers", Int128.min, .max, by: Way.exact.union([.flattened, .flattenedJSON, .json])),
    ModelCase("doubles", 0.1, .pi, 1e300, -5, .leastNonzeroMagnitude),
    ModelCase("floats", Float(0.1), -1.5e-30, .greatestFiniteMagnitude),
    ModelCase("infinity", Double.infinity, -.infinity, by: Way.exact.union([.flattened, .strict])),
    ModelCase("strings", "", "häöü 🧶", "line\nbreak", "a:b:s"),
    ModelCase("data", Data([0, 255]), Data()),
    ModelCase("dates", Date(timeIntervalSinceReferenceDate: 3_600), Date(timeIntervalSinceReferenceDate: -1)),
    ModelCase("addresses", URL(string: "https://example.org/a?b=c#d")!),
    ModelCase("decimals", Decimal(string: "-12345678901234.123456789")!, 0, by: .init(Way.allCases)),
    ModelCase("UUIDs", UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!),
    ModelCase("ranges", 3..<9, 0..<0),
    ModelCase("closed ranges", -1.5...2),
    ModelCase("open ranges", PartialRangeFrom<Int>.Box(3...)),
    ModelCase("SIMD", SIMD3<Double>(1, 2, -3)),
    ModelCase("SIMD of bytes", SIMD16<UInt8>(repeating: 7)),
    ModelCase("durations", Duration.milliseconds(1_500), .seconds(-3)),
    ModelCase("date components", DateComponents(year: 2_024, month: 2, day: 29)),
    ModelCase("intervals", DateInterval(start: Date(timeIntervalSinceReferenceDate: 5), duration: 2)),
    ModelCase("locales", Locale(identifier: "de_CH")),
    ModelCase("time zones", TimeZone(identifier: "Europe/Zurich")!),
    ModelCase("calendars", Calendar(identifier: .iso8601)),
    ModelCase("index sets", IndexSet([1, 2, 3, 9])),
    ModelCase("index paths", IndexPath(indexes: [1, 2])),
    ModelCase("characters", CharacterSet(charactersIn: "abc")),
    ModelCase("measurements", Measurement(value: 2.5, unit: UnitLength.meters)),
    ModelCase("names", PersonNameComponents(givenName: "Ada", familyName: "Lovelace")),
    ModelCase("points", CGPoint(x: 1.5, y: -2)),
    ModelCase("rectangles", CGRect(x: 1, y: 2, width: 3, height: 4)),
    ModelCase("differences", [1, 2, 4].difference(from: [1, 3, 4])),
  ]
}

extension PartialRangeFrom where Bound == Int {
  /// The range has no `==`.
  struct Box: Codable, Equatable {
    var range: PartialRangeFrom<Int>
    init(_ range: PartialRangeFrom<Int>) { self.range = range }
    static func == (one: Self, other: Self) -> Bool { one.range.lowerBound == other.range.lowerBound }
  }
}
