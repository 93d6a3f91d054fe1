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

/// `GraphArchive.array(_:at:)`.
@Suite("Arrays: views") struct ArrayViewTests {
  private static let numbers = (0..<1_000_000).map { Double($0 % 1000) + 0.5 }
  private static let matrix = GArray((0..<600_000).map { Float($0) }, shape: [600, 1000])

  @Test func elementsAreThoseOfTheArray() throws {
    let view = try GraphArchive.encoding(["a": Self.numbers]).array(Double.self, at: "a")
    #expect(view.count == 1_000_000)
    #expect(view.shape == [1_000_000])
    #expect(try view[5] == Self.numbers[5])
    #expect(try view[129_500..<130_500] == Array(Self.numbers[129_500..<130_500]))
    #expect(try view[0..<0].isEmpty)
    #expect(try view.elements() == Self.numbers)
    #expect(throws: GCodableError.self) { try view[999_999..<1_000_001] }
    #expect(throws: GCodableError.self) { try view[-1] }
  }

  @Test func blocksAreExpandedThatHaveTheElements() throws {
    let archive = try GraphArchive.encoding(Self.numbers)
    let view = try archive.array(Double.self)
    func expanded(_ body: () throws -> Void) rethrows -> Int {
      let before = archive.counts.expanded
      try body()
      return archive.counts.expanded - before
    }
    #expect(try expanded { _ = try view[0..<1000] } == 1)
    #expect(try expanded { _ = try view[129_500..<130_500] } == 2)
    #expect(try expanded { _ = try view[999_999] } == 1)
    #expect(try expanded { _ = try view.elements() } == 16)
    #expect(try expanded { _ = try archive.decode([Double].self, at: "[129500..<130500]") } == 2)
    #expect(try view.blockCount(of: 129_500..<130_500) == 2)
  }

  @Test func slicesOfAMatrixSayWhatTheyCost() throws {
    let archive = try GraphArchive.encoding(Self.matrix)
    let view = try archive.array(Float.self)
    #expect(view.shape == [600, 1000])
    let patch = try view.slice(10..<20, 30..<33)
    #expect(patch.shape == [10, 3])
    #expect(patch[9, 2] == 19_032)
    #expect(try view.slice(599..<600).elements == Array(Self.matrix.row(599)))
    let before = archive.counts.expanded
    let column = try view.slice(0..<600, 7..<8)
    let expected: [Float] = (0..<600).map { row in Float(row * 1000 + 7) }
    #expect(column.elements == expected)
    #expect(archive.counts.expanded - before == 3)
    #expect(try view.blockCount(of: 0..<600, 7..<8) == 3)
    #expect(try view.blockCount(of: 0..<1) == 1)
    #expect(try view.slice().elements == Self.matrix.elements)
    #expect(try view.slice(0..<0, 0..<5).shape == [0, 5])
    #expect(throws: GCodableError.self) { try view.slice(0..<601) }
    #expect(throws: GCodableError.self) { try view.slice(0..<1, 0..<1, 0..<1) }
    #expect(try archive.array(Float.self, at: "[5]")[3] == 5003)
    #expect(try archive.array(Float.self, at: "[5..<7]").shape == [2, 1000])
  }

  @Test func chunksAreAllOfIt() throws {
    let view = try GraphArchive.encoding(Self.numbers).array(Double.self)
    var (places, sum) = ([Range<Int>](), 0.0)
    for chunk in view.chunks(of: 300_000) {
      places.append(chunk.places)
      sum += try chunk.elements().reduce(0, +)
    }
    #expect(places == [0..<300_000, 300_000..<600_000, 600_000..<900_000, 900_000..<1_000_000])
    #expect(sum == Self.numbers.reduce(0, +))
  }

  @Test func elementsAreConvertedOrRefusedBeforeAnyIsRead() throws {
    let archive = try GraphArchive.encoding(Self.matrix)
    #expect(try archive.array(Double.self)[1001] == 1001)
    #expect(throws: GCodableError.self) { try archive.array(Int.self) }
    #expect(archive.counts.expanded == 1)
    #expect(try GraphArchive.encoding([1, 2, 300]).array(UInt8.self)[0..<2] == [1, 2])
    #expect(throws: GCodableError.self) { try GraphArchive.encoding([1, 2, 300]).array(UInt8.self)[2] }
    #expect(try GraphArchive.encoding([true, false]).array(Bool.self).elements() == [true, false])
    #expect(try GraphArchive.encoding([[SIMD3<Float>(1, 2, 3)]]).array(SIMD3<Float>.self)[0] == [1, 2, 3])
  }

  @Test func arraysOfDifferentLengthsAreViewedOneByOne() throws {
    let archive = try GraphArchive.encoding(["m": [[1, 2], [3]]])
    let error = #expect(throws: GCodableError.self) { try archive.array(Int.self, at: "m") }
    #expect(error?.code == .typeMismatch)
    #expect(error?.keyPath == ["m"])
    #expect(try archive.array(Int.self, at: "m[1]").elements() == [3])
    #expect(throws: GCodableError.self) { try archive.array(Int.self) }
  }

  @Test func whatIsNotCompressedIsMapped() throws {
    let folder = try TemporaryFolder()
    let encoder = GraphEncoder()
    encoder.compression = .none
    let url = folder.file("numbers.gcodable")
    try encoder.write([Self.numbers, Array(Self.numbers.prefix(5000))], to: url)
    let view = try GraphArchive(url).array(Double.self, at: "[0]")
    #expect(view.isMappable)
    #expect(try view.withMappedSpan { $0.count } == 1_000_000)
    #expect(try view.withMappedSpan(isVerified: false) { $0[999_999] } == Self.numbers[999_999])
    #expect(
      try GraphArchive.encoding(Self.numbers, .none).array(Double.self).withMappedSpan { $0[7] }
        == Self.numbers[7])
    #expect(try GraphArchive.encoding([1.5, 2.5]).array(Double.self).withMappedSpan { $0[1] } == 2.5)
    let compressed = try GraphArchive.encoding(Self.numbers).array(Double.self)
    #expect(!compressed.isMappable)
    #expect(throws: GCodableError.self) { try compressed.withMappedSpan { $0.count } }
    #expect(!(try GraphArchive(url).array(Double?.self, at: "[0]").isMappable))
    // A file that is replaced stays the old one for readers that have it open.
    try encoder.write([1], to: url)
    #expect(try view[17] == Self.numbers[17])
  }

  @Test func damageIsFoundInMappedBlocks() throws {
    let folder = try TemporaryFolder()
    let encoder = GraphEncoder()
    encoder.compression = .none
    let url = folder.file("numbers.gcodable")
    try encoder.write(Self.numbers, to: url)
    var bytes = try Data(contentsOf: url)
    bytes[bytes.count / 2] ^= 1
    try bytes.write(to: url)
    let view = try GraphArchive(url).array(Double.self)
    #expect(try view.withMappedSpan(isVerified: false) { $0.count } == 1_000_000)
    let error = #expect(throws: GCodableError.self) { try view.withMappedSpan { $0.count } }
    #expect(error?.code == .damaged)
  }

  @Test func manyThreadsUseAView() async throws {
    let view = try GraphArchive.encoding(Self.numbers).array(Double.self)
    let sums = try await withThrowingTaskGroup(of: Double.self) { group in
      for start in 0..<8 {
        group.addTask { try view[(start * 125_000)..<((start + 1) * 125_000)].reduce(0, +) }
      }
      return try await group.reduce(0, +)
    }
    #expect(sums == Self.numbers.reduce(0, +))
  }
}
