import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

@Suite("Sets")
struct SetTests {
  let place: SetFolder
  var url: URL { place.url }

  init() throws { place = try SetFolder() }

  @Test func whatSeveralHaveWrittenIsOneState() throws {
    try place.save(4, step: 7)
    let set = try GraphArchiveSet(url)
    #expect((set.step, set.time, set.partCount) == (7, 3.5, 4))
    #expect(set.metadata == ["kind": "test"])
    #expect(set.arrays.map(\.name) == ["positions", "field"])
    #expect(set.arrays.map(\.shape) == [[SetFolder.total], [10, 20]])
    #expect(set.arrays.map(\.partCount) == [4, 4])
    try set.check()
    try set.verify()
    for number in 0..<4 {
      let domain = try set.part(number).decode(Domain.self)
      #expect(domain.cells[0].next === domain.cells[2])
      #expect(domain.cells[1].name == "cell 1 of \(number)")
      try #expect(domain.neighbours[0].value(in: set).name == "cell 2 of \((number + 1) % 4)")
    }
    // Nothing but the parts and the manifest, which is an archive.
    try #expect(place.names().count == 5)
    let manifest = try GraphArchive(url.appendingPathComponent("set.gcodable"))
    try #expect(manifest.decode(Int.self, at: "step") == 7)
  }

  /// As a restart with another number of processes does.
  @Test(arguments: [1, 2, 3, 5, 8])
  func otherNumbersOfProcessesReadTheirRanges(readerCount: Int) throws {
    try place.save(4)
    let set = try GraphArchiveSet(url)
    let positions = try set.array(Double.self, "positions")
    let field = try set.array(Double.self, "field")
    #expect((positions.shape, positions.count) == ([SetFolder.total], SetFolder.total))
    for rank in 0..<readerCount {
      let range = SetFolder.range(rank, of: readerCount)
      let elements = try positions[range]
      #expect(elements.count == range.count)
      #expect(elements.indices.allSatisfy { elements[$0] == Double(range.lowerBound + $0) + 0.5 })
      // Blocks of 65,024 numbers, counted in each part: those that have any of the range.
      let expected = (0..<4).reduce(0) { count, part in
        let own = SetFolder.range(part, of: 4)
        let common = own.clamped(to: range)
        if common.isEmpty { return count }
        let (first, last) = (common.lowerBound - own.lowerBound, common.upperBound - 1 - own.lowerBound)
        return count + last / 65_024 - first / 65_024 + 1
      }
      try #expect(positions.blockCount(of: range) == expected)
      let parts = (0..<4).filter { !SetFolder.range($0, of: 4).clamped(to: range).isEmpty }
      try #expect(positions.parts(of: range) == parts)
      // Rows of an array that is cut along its columns.
      let rows = SetFolder.range(rank, of: readerCount, 10)
      let slice = try field.slice(rows, 3..<17)
      #expect(slice.shape == [rows.count, 14])
      #expect(slice.elements == rows.flatMap { row in (3..<17).map { Double(100 * row + $0) } })
    }
    try #expect(field.elements() == (0..<10).flatMap { row in (0..<20).map { Double(100 * row + $0) } })
    for ranges in [-1..<3, 0..<(SetFolder.total + 1)] {
      let error = #expect(throws: GCodableError.self) { try positions[ranges] }
      #expect(error?.code == .valueNotFound)
    }
    #expect(throws: GCodableError.self) { try set.array(Double.self, "none") }
    #expect(throws: GCodableError.self) { try set.array(String.self, "positions").elements() }
    try #expect(positions[5..<5].isEmpty)
  }

  @Test func theTypeOfElementsIsInferred() throws {
    try place.save(2)
    let set = try GraphArchiveSet(url)
    let positions: GraphSetArrayView<Double> = try set.array("positions")
    let middle: [Double] = try set.array("positions")[500_000..<500_003]
    #expect(middle == [500_000.5, 500_001.5, 500_002.5])
    try #expect(positions[500_000..<500_003] == middle)
    try #expect(set.array(Double.self, "positions")[500_000..<500_003] == middle)
  }

  @Test func aSetIsReplacedWhenTheManifestIs() throws {
    try place.save(3, step: 1)
    let before = try GraphArchiveSet(url)
    let first = try before.part(0)
    let writer = try GraphArchiveSet.Writer(url)
    let receipts = try (0..<2).map { try place.write($0, of: 2, by: writer) }
    try #expect(GraphArchiveSet(url).step == 1)
    try GraphArchiveSet(url).verify()
    try writer.commit(receipts, step: 2, time: 0)
    let after = try GraphArchiveSet(url)
    #expect((after.step, after.partCount) == (2, 2))
    try after.verify()
    try #expect(place.names().count == 3 + 1)  // With the lock.
    // What is open stays, what is not is an error.
    try #expect(first.decode(Domain.self).cells.count == 3)
    let error = #expect(throws: GCodableError.self) { try before.part(1) }
    #expect(error?.code == .file && error?.description.contains("replaced") == true)
  }

  @Test func whatWasNotCommittedIsRemoved() throws {
    try place.save(2, step: 1)
    let committed = try place.names()
    do {
      let writer = try GraphArchiveSet.Writer(url)
      _ = try place.write(0, of: 2, by: writer)
      try #expect(place.names().count == committed.count + 2)
      try writer.abort()
      try #expect(place.names().count == committed.count + 1)
      _ = try place.write(1, of: 2, by: writer)
    }
    try #expect(place.names().count == committed.count + 1)
    do { _ = try GraphArchiveSet.Writer(url) }
    try #expect(place.names() == committed)
    try GraphArchiveSet(url).verify()
  }

  /// Also of processes of other hosts.
  @Test func whatIsLeftOfPartsThatWereNotFinishedIsRemoved() throws {
    try place.save(1)
    let names = try place.names()
    let own = try #require(names.first { $0.hasPrefix("part-") })
    let remains = [
      ".part-00001-of-00002.abc.gcodable-tmp", ".\(own)-tmp", ".\(own)-1x9k2-tmp",
      "part-00001-of-00002.abc.gcodable",
    ]
    for name in remains {
      try Data([1]).write(to: url.appendingPathComponent(name))
    }
    let others = [
      "part-1.txt", ".part.gcodable-tmp", "part-00001.gcodable", "part-list.v2.gcodable",
      "part-00001-of-2.a.gcodable",
      "part-00001-of-00002.A.gcodable", ".part-00001-of-00002.a.gcodable",
    ]
    for name in others { try Data([1]).write(to: url.appendingPathComponent(name)) }
    do { _ = try GraphArchiveSet.Writer(url) }
    try #expect(place.names() == (names + others).sorted())
    try GraphArchiveSet(url).verify()
  }

  @Test func aWriterDoesNotAbortACommittedSet() throws {
    let writer = try GraphArchiveSet.Writer(url)
    try writer.commit([place.write(0, of: 1, by: writer)], step: 0, time: 0)
    try writer.abort()
    try GraphArchiveSet(url).verify()
  }

  @Test func partsCanBeWrittenElsewhereFirst() throws {
    let disk = place.place.file("disk")
    try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: false)
    let writer = try GraphArchiveSet.Writer(url)
    let receipts = try (0..<2).map { try place.write($0, of: 2, by: writer, staging: disk) }
    try #expect(FileManager.default.contentsOfDirectory(atPath: disk.path).isEmpty)
    try writer.commit(receipts, step: 0, time: 0)
    try GraphArchiveSet(url).verify()
  }

  @Test func receiptsAreSentAsTextOrArchives() throws {
    let writer = try GraphArchiveSet.Writer(url)
    let receipt = try place.write(0, of: 1, by: writer)
    let json = try JSONEncoder().encode(receipt)
    try #expect(JSONDecoder().decode(GraphArchiveSet.Receipt.self, from: json) == receipt)
    let bytes: [UInt8] = try GraphEncoder().encode(receipt)
    try #expect(GraphDecoder().decode(GraphArchiveSet.Receipt.self, from: bytes) == receipt)
    #expect(bytes.count < 1_000)
  }

  @Test func aModelOfPlainValuesIsAPart() throws {
    struct Plain: Codable, Equatable { var values = [1.5, 2.5] }
    let writer = try GraphArchiveSet.Writer(url)
    let receipt = try writer.part(0, of: 1).write(codable: Plain())
    try writer.commit([receipt], step: 0, time: 0)
    try #expect(GraphArchiveSet(url).part(0).decode(codable: Plain.self) == Plain())
  }

  /// Some 100 bytes for each part of an array, so that 10,000 processes have a manifest of a few megabytes.
  @Test func theManifestIsSmall() throws {
    func manifestByteCount(_ count: Int) throws -> Int {
      let writer = try GraphArchiveSet.Writer(url)
      let receipts = try (0..<count).map { rank in
        try writer.part(rank, of: count).write(
          [Double(rank)], arrays: [.init("x", at: [], globalShape: [count], offset: [rank])])
      }
      try writer.commit(receipts, step: 0, time: 0)
      return try Data(contentsOf: url.appendingPathComponent("set.gcodable")).count
    }
    let perPart = Double(try manifestByteCount(400) - manifestByteCount(100)) / 300
    #expect(perPart < 100)
  }
}
