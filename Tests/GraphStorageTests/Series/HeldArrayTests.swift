import GraphCodable
import Foundation
import GraphCodableTestSupport
import Testing

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

/// Arrays that a writer of a series holds are not read again, and are what they are all the same.
@Suite("Series: arrays that are held")
struct HeldArrayTests {
  let place: SeriesFolder

  init() throws { place = try SeriesFolder() }

  private func numbers(_ seed: Int) -> [Int64] {
    (0..<40_000).map { Int64(($0 &+ seed) &* 2_654_435_761 & 0xFFFF_FFFF) }
  }

  @Test func arraysMayBeChangedInPlaceAtAnyTime() throws {
    let writer = try GraphArchiveSeries.Writer(place.url)
    var random = SplitMix64(seed: 6)
    var model = (0..<4).map { numbers($0) }
    var states: [[[Int64]]] = []
    for step in 0..<40 {
      for index in model.indices where random.below(4) == 0 {
        let element = random.below(40_000)
        switch random.below(4) {
        case 0: model[index][element] += 1
        case 1: model[index].withUnsafeMutableBufferPointer { $0[element] -= 1 }
        case 2: model[index] = numbers(random.below(3))
        default: model[index].swapAt(element, random.below(40_000))
        }
      }
      try GraphEncoder().append(model, to: writer, step: step, time: 0)
      states.append(model.map { Array($0[...]) })
    }
    for (entry, state) in zip(writer.series, states) {
      try #expect(GraphDecoder().read([[Int64]].self, from: entry) == state)
    }
    try GraphDecoder().verify(writer.series)
  }

  @Test func arraysThatDoNotChangeAreHeld() throws {
    let array = numbers(1)
    func source(_ array: [Int64]) -> SegmentWriter.Source {
      var source = SegmentWriter.Source(.bulk, [])
      source.owner = PackedCollection(elements: array, elementByteCount: 8)
      return source
    }
    let known = KnownArray(
      method: BlockMethod(.lz4), samples: [], contents: [], owner: source(array).owner)
    #expect(known.isHeld(by: source(array)))
    var changed = array
    changed[7] = 1
    #expect(!known.isHeld(by: source(changed)))
    let free = KnownArray(method: BlockMethod(.lz4), samples: [], contents: [], owner: nil)
    #expect(!free.isHeld(by: source(array)))
  }

  /// It is against the rules of Swift, and what C libraries do with the buffers that they were given once.
  @Test func muchThatIsWrittenThroughAPointerThatWasKeptIsSeen() throws {
    let writer = try GraphArchiveSeries.Writer(place.url)
    var array = numbers(1) + numbers(2) + numbers(3) + numbers(4)
    let pointer = array.withUnsafeMutableBufferPointer { $0.baseAddress }
    for step in 0..<5 { try GraphEncoder().append(array, to: writer, step: step, time: 0) }
    for index in 100_000..<160_000 { pointer?[index] += 1 }
    try GraphEncoder().append(array, to: writer, step: 5, time: 0)
    try #expect(GraphDecoder().read([Int64].self, from: #require(writer.series.last)) == array)
    withExtendedLifetime(array) {}
  }

  /// Memory that others may change is read.
  @Test func onlyElementsThatAreCopiedOnWriteAreHeld() {
    func isHeld(_ elements: some Collection) -> Bool {
      PackedCollection(elements: elements, elementByteCount: 8).isCopiedOnWrite
    }
    let array = numbers(1)
    #expect(isHeld(array) && isHeld(ContiguousArray(array)))
    #expect(!isHeld(Data(count: 80)))
    array.withUnsafeBufferPointer { #expect(!isHeld($0)) }
    #expect(!Data(count: 80).isCopiedOnWrite)
  }
}
