import Foundation
import GraphCodableTestSupport

@testable import _GraphFiles

/// What tests lose, and of what.
enum Lost {
  static let sector = ParityLayout.sectorByteCount

  static func noise(_ count: Int, _ random: inout SplitMix64) -> Data {
    var data = Data(capacity: count + 8)
    while data.count < count { withUnsafeBytes(of: random.next()) { data.append(contentsOf: $0) } }
    return data.prefix(count)
  }

  static func lose(_ sector: Int, of data: inout Data, _ random: inout SplitMix64) {
    let range = (sector * Self.sector)..<min((sector + 1) * Self.sector, data.count)
    switch random.below(3) {
    case 0: data.replaceSubrange(range, with: Data(count: range.count))
    case 1: data.replaceSubrange(range, with: noise(range.count, &random))
    default: data[range.lowerBound + random.below(range.count)] ^= 1 << UInt8(random.below(8))
    }
  }

  static func model(_ number: Int) -> [String: [Double]] {
    ["a": (0..<40_000).map { Double($0 * (number + 3) % 1_009) }]
  }
}
