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

/// Arrays in arrays of packable elements, which are one run with a shape.
@Suite("Values: nested arrays") struct NestedArrayTests {
  private func archive(_ value: some GEncodable) throws -> GraphArchive {
    try GraphArchive(GraphEncoder().encode(value) as Bytes)
  }

  private func again<Value: GCodable & Equatable>(_ value: Value) throws {
    #expect(try archive(value).decode(Value.self) == value)
  }

  @Test func comeBack() throws {
    try again([[1.5, 2], [3, 4], [5, 6]])
    try again([[1, 2, 3], [], [4]])
    try again([[Int]]())
    try again([[], []] as [[Int]])
    try again([[[1, 2]], [[3, 4], [5, 6]], []] as [[[UInt8]]])
    try again([[SIMD3<Float>(1, 2, 3)], [SIMD3(4, 5, 6)]])
    try again([[true, false], [false, true]])
    try again([[UUID(), UUID()]])
    try again([ContiguousArray([1, 2]), ContiguousArray([3])])
    try again([[1, 2][...], [3, 4][...]])
    try again(ContiguousArray([[1.0], [2.0]]))
    try again(["a": [[1, 2], [3]]])
    try again([[1, 2], nil, [3]] as [[Int]?])
    try again([[[[[[[[1, 2]]]]]]]] as [[[[[[[[Int]]]]]]]])
    try again([[[[[[[[[1, 2]]]]]]]]] as [[[[[[[[[Int]]]]]]]]])
  }

  @Test func areOneSegmentWhereTheyAreLarge() throws {
    let rows = (0..<300).map { row in (0..<40).map { Double(row * 40 + $0) } }
    let ragged = (0..<300).map { row in (0..<(row % 70)).map { Float($0) } }
    try again(rows)
    try again(ragged)
    let archive = try archive([rows, rows])
    #expect(try archive.info.segments.filter { $0.kind == .bulk }.count == 1)
    #expect(try archive.item().shape == [2, 300, 40])
    #expect(try archive.decode([Double].self, at: [1, 7]) == rows[7])
    #expect(try archive.decode([[Double]].self, at: [1]) == rows)
    #expect(try archive.decode(Double.self, at: "[1][7][3]") == rows[7][3])
    try archive.verify()
  }

  /// The memory through which they are decoded is kept for the next one.
  @Test func ofOneArchiveDoNotGetIntoAnother() async throws {
    let models = (0..<5).map { number in
      (0..<(300 - 50 * number)).map { row in (0..<900).map { Double(number * 7919 + row * 31 + $0) } }
    }
    let archives = try models.map { try GraphEncoder().encode($0) as Bytes }
    var damaged = archives[0]
    damaged[damaged.count / 2] ^= 1
    try await withThrowingTaskGroup(of: Void.self) { [damaged] group in
      for thread in 0..<3 {
        group.addTask {
          for round in 0..<10 {
            let number = (thread + round) % models.count
            let rows = try GraphDecoder().decode([[Double]].self, from: archives[number])
            #expect(rows == models[number])
            let error = #expect(throws: GCodableError.self) {
              try GraphDecoder().decode([[Double]].self, from: damaged)
            }
            #expect(error?.code == .damaged)
          }
        }
      }
      try await group.waitForAll()
    }
  }

  @Test func areListedAndFoundByTheirIndices() throws {
    let archive = try archive([[1, 2], [], [3, 4, 5]])
    let item = try archive.item()
    #expect(item.kind == .nestedPacked)
    #expect(item.shape == [3, nil])
    #expect(item.text == "[[1, 2], [], [3, 4, 5]]")
    #expect(try archive.items().map(\.count) == [2, 0, 3])
    #expect(try archive.items(at: "[2]").map(\.text) == ["3", "4", "5"])
    #expect(try archive.decode([Int].self, at: "[2]") == [3, 4, 5])
    #expect(try archive.decode(Int.self, at: "[2][1]") == 4)
    let error = #expect(throws: GCodableError.self) { try archive.decode(Int.self, at: "[0][2]") }
    #expect(error?.code == .valueNotFound)
    #expect(error?.keyPath == ["[0]"])
    #expect(try archive.dump().contains("[[1, 2], [], [3, 4, 5]]"))
  }

  @Test func decodeAsOtherTypesThatCanHoldTheElements() throws {
    let archive = try archive([[1, 2], [3, 250]] as [[UInt8]])
    #expect(try archive.decode([[Int]].self) == [[1, 2], [3, 250]])
    #expect(try archive.decode([[Int?]].self) == [[1, 2], [3, 250]])
    #expect(try archive.decode([Set<UInt8>].self) == [[1, 2], [3, 250]])
    #expect(try archive.decode(Set<[Int]>.self) == [[1, 2], [3, 250]])
    #expect(try archive.decode([Data].self) == [Data([1, 2]), Data([3, 250])])
    #expect(try archive.decode(ContiguousArray<ArraySlice<UInt8>>.self) == [[1, 2], [3, 250]])
    let error = #expect(throws: GCodableError.self) { try archive.decode([[Int8]].self) }
    #expect(error?.code == .invalidValue)
    #expect(error?.keyPath == ["[1]", "[1]"])
    #expect(throws: GCodableError.self) { try archive.decode([[[UInt8]]].self) }
    #expect(throws: GCodableError.self) { try archive.decode([UInt8].self) }
    #expect(throws: GCodableError.self) { try archive.decode(Int.self) }
  }

  @Test func areReadFromListsOfSeparatelyPackedArrays() throws {
    let archive = try archive([Data([1, 2]), Data([3])])
    #expect(try archive.item().kind == .array)
    #expect(try archive.decode([[UInt8]].self) == [[1, 2], [3]])
    #expect(try self.archive([[1, nil], [2]] as [[Int?]]).decode([[Int?]].self) == [[1, nil], [2]])
  }

  @Test func ofStructsHaveTheirLayout() throws {
    let rows = (0..<100).map { row in (0..<50).map { Sample(time: Double(row), count: Int32($0), flag: 7) } }
    try again(rows)
    try again([rows[0], [], Array(rows[1].prefix(3))])
    #expect(try archive(rows).decode(Int32.self, at: "[99][49].count") == 49)
    #expect(try archive(rows).decode([Sample].self, at: "[2]") == rows[2])
  }

  @Test func keepTheIdentityOfRowsThatHaveOne() throws {
    let encoder = GraphEncoder(.tryHashableIdentityAtFirst)
    let archive = try GraphArchive(encoder.encode([[1, 2], [3], [1, 2]]) as Bytes)
    #expect(try archive.info.objectCount == 3)
    #expect(try archive.decode([[Int]].self) == [[1, 2], [3], [1, 2]])
  }

  @Test func areTheSameFromModelsThatAreCodable() throws {
    let model = Model(matrix: [[1, 2], [3, 4]], ragged: [[1], []], wrapped: [[.init(number: 5)], []])
    let archive = try GraphArchive(GraphEncoder().encode(codable: model) as Bytes)
    #expect(try archive.item(at: "matrix").kind == .nestedPacked)
    #expect(try archive.decode(codable: Model.self) == model)
    #expect(
      try archive.decode(codable: Others.self) == Others(matrix: [[1, 2], [3, 4]], ragged: [[1], []]))
    #expect(try archive.decode(codable: ByHand.self) == ByHand(sums: [3, 7]))
    #expect(throws: DecodingError.self) { try archive.decode(codable: [Data].self, at: "ragged") }
  }

  @Test func takeTheirRoomFromTheLimits() throws {
    // Empty arrays are a byte each, and a slice in memory.
    let encoder = GraphEncoder()
    encoder.compression = .none
    let archive = try GraphArchive(
      encoder.encode([[UInt8]](repeating: [], count: 2_200_000)) as Bytes)
    let decoder = GraphDecoder()
    #expect(try archive.decode([ArraySlice<UInt8>].self, using: decoder).count == 2_200_000)
    decoder.limits.elementByteRatio = 0
    let error = #expect(throws: GCodableError.self) {
      try archive.decode([ArraySlice<UInt8>].self, using: decoder)
    }
    #expect(error?.code == .limitExceeded)
  }
}

private struct Sample: GPackedStruct, Equatable {
  var time: Double
  var count: Int32
  var flag: UInt32
  static let packedLayout = PackedLayout<Self>(\.time, \.count, \.flag).named("time", "count", "flag")
}

private struct Model: Codable, Equatable {
  var matrix: [[Double]]
  var ragged: [[UInt8]]
  var wrapped: [[Wrapped]]

  struct Wrapped: Codable, Equatable {
    var number: Int
    init(number: Int) { self.number = number }
    init(from decoder: any Decoder) throws { number = try decoder.singleValueContainer().decode(Int.self) }
    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }
}

private struct Others: Codable, Equatable {
  var matrix: Set<[Double]>
  var ragged: [[Model.Wrapped]]

  init(matrix: Set<[Double]>, ragged: [[Int]]) {
    self.matrix = matrix
    self.ragged = ragged.map { $0.map { Model.Wrapped(number: $0) } }
  }
}

private struct ByHand: Decodable, Equatable {
  var sums: [Double]

  init(sums: [Double]) { self.sums = sums }
  enum Key: String, CodingKey { case matrix }

  init(from decoder: any Decoder) throws {
    var rows = try decoder.container(keyedBy: Key.self).nestedUnkeyedContainer(forKey: .matrix)
    sums = []
    while !rows.isAtEnd {
      var row = try rows.nestedUnkeyedContainer()
      var sum = 0.0
      while !row.isAtEnd { sum += try row.decode(Double.self) }
      sums.append(sum)
    }
  }
}
