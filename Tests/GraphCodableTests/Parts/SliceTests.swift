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

/// Paths with ranges.
@Suite("Parts: slices") struct SliceTests {
  private struct Model: GCodable {
    var positions: [Double]
    var frames: [[Float]]
    var ragged: [[Int]]
    var small: [[Int32]]
    var names: [String]

    enum Key: String { case positions, frames, ragged, small, names }

    init() {
      positions = (0..<500_000).map(Double.init)
      frames = (0..<200).map { frame in (0..<4000).map { Float(frame * 4000 + $0) } }
      ragged = [[1, 2, 3], [4], [5, 6]]
      small = [[1, 2, 3], [4, 5, 6]]
      names = ["a", "b"]
    }

    func encode(to encoder: GEncoder) throws {
      try encoder.encode(positions, for: Key.positions)
      try encoder.encode(frames, for: Key.frames)
      try encoder.encode(ragged, for: Key.ragged)
      try encoder.encode(small, for: Key.small)
      try encoder.encode(names, for: Key.names)
    }

    init(from decoder: GDecoder) throws { self.init() }
  }

  private static let model = Model()
  private let archive: GraphArchive

  init() throws { archive = try GraphArchive(GraphEncoder().encode(Self.model) as Bytes) }

  @Test func textAndStepsAreTheSamePath() throws {
    let path: GraphPath = "frames[10..<20][0..<100]"
    #expect(path == ["frames", .range(10..<20), .range(0..<100)])
    #expect(path.description == "frames[10..<20][0..<100]")
    #expect(GraphPath("a[0..<0]") == ["a", .range(0..<0)])
    for text in [
      "a[1..2]", "a[1...2]", "a[2..<1]", "a[-1..<1]", "a[01..<2]", "a[..<2]", "a[1..<]", "a[1 ..<2]",
    ] {
      #expect(GraphPath(text) == nil)
    }
  }

  @Test func partsOfAnArrayAreDecoded() throws {
    let positions = Self.model.positions
    #expect(try archive.decode([Double].self, at: "positions[1000..<2000]") == Array(positions[1000..<2000]))
    #expect(try archive.decode([Double].self, at: "positions[130047..<130049]") == [130_047, 130_048])
    #expect(try archive.decode([Double].self, at: "positions[7..<7]").isEmpty)
    #expect(try archive.decode(Set<Double>.self, at: "positions[0..<2]") == [0, 1])
    #expect(try archive.decode(codable: [Double].self, at: "positions[3..<5]") == [3, 4])
  }

  @Test func stepsAfterARangeApplyToEachElement() throws {
    let frames = Self.model.frames
    #expect(
      try archive.decode([[Float]].self, at: "frames[10..<20][0..<100]")
        == frames[10..<20].map { Array($0[..<100]) })
    #expect(try archive.decode([Float].self, at: "frames[10..<20][7]") == frames[10..<20].map { $0[7] })
    #expect(try archive.decode([Double].self, at: "frames[3][2..<4]") == [12_002, 12_003])
    #expect(try archive.decode([[Float]].self, at: "frames[198..<200]") == Array(frames[198..<200]))
    #expect(try archive.decode([[Int]].self, at: "ragged[0..<2]") == [[1, 2, 3], [4]])
    #expect(try archive.decode([Int].self, at: "ragged[0..<3][0]") == [1, 4, 5])
    #expect(try archive.decode([[Int]].self, at: "ragged[0..<3][0..<1]") == [[1], [4], [5]])
    #expect(try archive.decode([[Int]].self, at: "ragged[0..<3][0..<0]") == [[], [], []])
    #expect(try archive.decode([[Int32]].self, at: "small[0..<2][1..<3]") == [[2, 3], [5, 6]])
    #expect(try archive.decode(GArray<Int32>.self, at: "small[0..<2][1..<3]").shape == [2, 2])
  }

  @Test func itemsOfSlicesHaveTheirShape() throws {
    let item = try archive.item(at: "frames[10..<20][0..<100]")
    #expect(item.shape == [10, 100])
    #expect(item.kind == .nestedPacked)
    #expect(item.byteCount == 4000)
    #expect(try archive.item(at: "ragged[1..<3]").shape == [2, nil])
    #expect(try archive.item(at: "ragged[0..<3][0]").kind == .packed)
    #expect(try archive.item(at: "small[0..<2][1..<3]").text == "[[2, 3], [5, 6]]")
    #expect(try archive.items(at: "small[0..<2]").isEmpty)
  }

  @Test func whatIsNotThereIsAnError() throws {
    func code(_ path: GraphPath) throws -> GCodableError.Code? {
      let error = #expect(throws: GCodableError.self) { try archive.decode([Int].self, at: path) }
      return error?.code
    }
    #expect(try code("positions[499999..<500001]") == .valueNotFound)
    #expect(try code("ragged[0..<4]") == .valueNotFound)
    #expect(try code("ragged[0..<3][1]") == .valueNotFound)
    #expect(try code("positions[0..<2][0]") == .typeMismatch)
    #expect(try code("ragged[0..<3][0][0]") == .typeMismatch)
    #expect(try code("names[0..<1]") == .typeMismatch)
    #expect(try code("ragged[0..<2].x") == .typeMismatch)
  }
}
