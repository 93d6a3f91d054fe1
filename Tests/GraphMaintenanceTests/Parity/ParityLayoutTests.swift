import GraphCodable
import Testing

@testable import _GraphFiles

/// How many losses a layout restores, and what it takes.
@Suite("Layout of parity") struct ParityLayoutTests {
  private static let sector = UInt64(ParityLayout.sectorByteCount)

  private static func layouts() -> [ParityLayout] {
    (1...3_000).map { ParityLayout(byteCount: $0 * sector - 7, .percent(2)) }
      + stride(from: 3_001, to: 300_000, by: 997).map { ParityLayout(byteCount: $0 * sector, .percent(2)) }
  }

  @Test func aBurstOfOnePercentCostsNoWordMoreThanItsParity() {
    for layout in Self.layouts() {
      #expect(layout.isValid, "\(layout)")
      // It begins and ends within sectors.
      let burst = Int(layout.byteCount / 100 / Self.sector) + 2
      let hits = (min(burst, layout.sectorCount) + layout.wordCount - 1) / layout.wordCount
      #expect(hits <= layout.paritiesPerWord, "\(layout)")
    }
  }

  @Test func itTakesNoMoreThanItMay() {
    for layout in Self.layouts() {
      let table = ParityTable(
        layout: layout, start: 0, redundancy: .percent(2), startHash: 0, checksums: [])
      let most = Double(layout.sectorCount) * 0.022 + 6
      #expect(Double(table.groupByteCount / Self.sector) <= most, "\(layout)")
    }
    let large = ParityLayout(byteCount: 1 << 30, .percent(2))
    let table = ParityTable(layout: large, start: 0, redundancy: .percent(2), startHash: 0, checksums: [])
    #expect(Double(table.groupByteCount) / Double(1 << 30) < 0.022)
  }

  @Test func percentagesAreBroughtIntoTheirRange() {
    #expect(ArchiveRedundancy.percent(0) == .none)
    #expect(ArchiveRedundancy.percent(-.infinity) == .none && ArchiveRedundancy.percent(.nan) == .none)
    #expect(ArchiveRedundancy.percent(0.1) == .percent(0.5))
    #expect(ArchiveRedundancy.percent(1_000) == .percent(100))
    for percent in [0.5, 1, 2, 5, 10, 50, 100] {
      for sectors in [1, 2, 100, 200, 255, 256, 257, 1_000, 5_000] as [UInt64] {
        let layout = ParityLayout(byteCount: sectors * Self.sector, .percent(percent))
        #expect(layout.isValid, "\(percent)%, \(layout)")
        #expect(Double(layout.paritySectorCount) >= Double(sectors) * percent / 100 * 0.97 - 3)
      }
    }
  }
}
