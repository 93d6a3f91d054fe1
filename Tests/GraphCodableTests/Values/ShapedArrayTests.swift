import Foundation
import GraphCodable
import Testing

/// `GArray`, an array of any number of dimensions.
@Suite("Values: GArray") struct ShapedArrayTests {
  private func again<Element: GCodable & _GraphPackable & Equatable>(_ array: GArray<Element>) throws {
    let archive = try GraphArchive(GraphEncoder().encode(array) as Bytes)
    #expect(try archive.decode(GArray<Element>.self) == array)
  }

  @Test func elementsAreFoundByTheirIndices() {
    var array = GArray(Array(0..<24), shape: [2, 3, 4])
    #expect(array[1, 2, 3] == 23)
    array[1, 0, 2] = -1
    #expect(array.elements[14] == -1)
    #expect(array.row(1).first == 12)
    #expect(array.reshaped(to: [6, 4])[5, 3] == 23)
    var matrix = GArray(repeating: 0, shape: [3, 2])
    matrix[2, 1] = 7
    #expect(matrix.description == "[[0, 0], [0, 0], [0, 7]]")
    matrix.withMutableSpan { $0[0] = 5 }
    #expect(matrix.withSpan { $0[0] } == 5)
    #expect(GArray(rows: [[1, 2], [3, 4]]) == GArray([1, 2, 3, 4], shape: [2, 2]))
    #expect(GArray(rows: [[1, 2], [3]]) == nil)
  }

  @Test func comesBackWithItsShape() throws {
    try again(GArray([1.5, 2, 3], shape: [3]))
    try again(GArray(Array(0..<6), shape: [2, 3]))
    try again(GArray<Int>([], shape: [0, 3]))
    try again(GArray<Int>([], shape: [3, 0]))
    try again(GArray<Int>([], shape: [2, 0, 4]))
    try again(GArray(repeating: SIMD3<Float>(1, 2, 3), shape: [98, 33, 2]))
  }

  @Test func isReadAsArraysInArraysAndTheOtherWayRound() throws {
    let encoder = GraphEncoder()
    let matrix = GArray(Array(0..<6), shape: [2, 3])
    #expect(
      try GraphArchive(encoder.encode(matrix) as Bytes).decode([[Int]].self) == [[0, 1, 2], [3, 4, 5]])
    #expect(try GraphArchive(encoder.encode([[0, 1, 2], [3, 4, 5]]) as Bytes).decode() == matrix)
    let list = GArray([1, 2, 3] as [Int32], shape: [3])
    #expect(try GraphArchive(encoder.encode(list) as Bytes).decode([Int].self) == [1, 2, 3])
    #expect(try GraphArchive(encoder.encode(list) as Bytes).decode(Set<Int32>.self) == [1, 2, 3])
    #expect(try GraphArchive(encoder.encode([1, 2, 3] as [Int32]) as Bytes).decode() == list)
    let ragged = try GraphArchive(encoder.encode([[1], [2, 3]]) as Bytes)
    let error = #expect(throws: GCodableError.self) { try ragged.decode(GArray<Int>.self) }
    #expect(error?.code == .typeMismatch)
  }

  @Test func otherCodersGetShapeAndElements() throws {
    let array = GArray([1, 2, 3, 4], shape: [2, 2])
    let data = try JSONEncoder().encode(array)
    #expect(try JSONDecoder().decode(GArray<Int>.self, from: data) == array)
    let wrong = Data(#"{"shape": [3, 2], "elements": [1]}"#.utf8)
    #expect(throws: DecodingError.self) { try JSONDecoder().decode(GArray<Int>.self, from: wrong) }
  }

  @Test func moreDimensionsThanArchivesHaveAreAnError() throws {
    let array = GArray(repeating: 1, shape: Array(repeating: 1, count: 9))
    #expect(throws: GCodableError.self) { try GraphEncoder().encode(array) as Bytes }
  }
}
