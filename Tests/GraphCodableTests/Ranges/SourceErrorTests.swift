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

/// Sources that fail, change or lie.
@Suite("Sources by ranges: errors")
struct SourceErrorTests {
  private struct Failure: Error, Equatable { let number: Int }

  /// They cannot be compressed.
  private let numbers: [Double] = {
    var random = SplitMix64(seed: 7)
    return (0..<700_000).map { _ in Double(random.below(1 << 52)) / 3 }
  }()

  private func bytes() throws -> Bytes { try encoded(["numbers": numbers, "others": numbers.reversed()]) }

  /// Reads all that is there.
  private func readAll(_ source: TestSource) throws {
    let archive = try GraphArchive(source: source)
    try #expect(archive.decode([String: [Double]].self)["numbers"] == numbers)
    try archive.verify()
  }

  /// Calls `body` with sources that do something else at the first request, the second, and so on up to all.
  private func atEachRequest(
    _ change: @escaping @Sendable (_ number: Int, _ answer: inout GraphSourceBytes) throws -> Void,
    _ body: (TestSource) throws -> Void
  ) throws {
    let bytes = try bytes()
    let all = TestSource(bytes)
    try readAll(all)
    #expect(all.requests.count >= 5)
    for place in all.requests.indices {
      try body(TestSource(bytes) { if $0 >= place { try change($0, &$1) } })
    }
  }

  @Test func anErrorOfItsOwnIsTheCause() throws {
    try atEachRequest { number, _ in
      throw Failure(number: number)
    } _: { source in
      let error = #expect(throws: GCodableError.self) { try readAll(source) }
      #expect(error?.code == .file)
      #expect(error?.context.underlyingError is Failure)
      #expect(error?.context.debugDescription.contains(source.name) == true)
    }
  }

  @Test func errorsOfTheLibraryAndCancellationAreThrownOn() throws {
    try atEachRequest { _, _ in
      throw GCodableError(.locked, "not now")
    } _: { source in
      #expect(throws: GCodableError.self) { try readAll(source) }
    }
    let source = TestSource(try bytes()) { _, _ in throw CancellationError() }
    #expect(throws: CancellationError.self) { try GraphArchive(source: source) }
  }

  @Test func anArchiveIsReadableAgainAfterAnError() throws {
    let bytes = try bytes()
    for place in 1..<6 {
      let source = TestSource(bytes) { number, _ in if number == place { throw Failure(number: number) } }
      let archive = try? GraphArchive(source: source)
      guard let archive else { continue }
      _ = try? archive.decode([String: [Double]].self)
      try #expect(archive.decode([String: [Double]].self)["numbers"] == numbers)
    }
  }

  @Test func anotherVersionOrSizeIsAnError() throws {
    let changes: [@Sendable (inout GraphSourceBytes) -> Void] = [
      { $0.version = "2" }, { $0.version = nil }, { $0.byteCount += 1 }, { $0.byteCount -= 1 },
    ]
    for change in changes {
      let source = TestSource(try bytes()) { number, answer in if number > 0 { change(&answer) } }
      let error = #expect(throws: GCodableError.self) { try readAll(source) }
      #expect(error?.code == .file)
      #expect(error?.context.debugDescription == "\(source.name) was replaced while it was read")
    }
    try readAll(TestSource(bytes()) { _, answer in answer.version = nil })
  }

  @Test func anAnswerOfAnotherLengthIsAnError() throws {
    let changes: [@Sendable (inout GraphSourceBytes) -> Void] = [
      { $0.bytes.removeLast() }, { $0.bytes = Data() }, { $0.bytes.append(0) },
    ]
    for change in changes {
      try atEachRequest { _, answer in
        change(&answer)
      } _: { source in
        let error = #expect(throws: GCodableError.self) { try readAll(source) }
        #expect(error?.code == .file)
      }
    }
  }

  @Test(arguments: [
    0, 1, 39, 40, 1 << 16, UInt64(Int64.max) - 1, UInt64(Int64.max), UInt64(Int64.max) + 1, UInt64.max,
  ])
  func aSizeThatIsNotTrueIsAnError(byteCount: UInt64) throws {
    let folder = try TemporaryFolder()
    let writer = try GraphArchiveSeries.Writer(folder.file("a.series"))
    for step in 0..<3 { try GraphEncoder().append(numbers, to: writer, step: step, time: 0) }
    let series = Bytes(try Data(contentsOf: folder.file("a.series")))
    for bytes in try [bytes(), series] {
      #expect(throws: GCodableError.self) {
        try readAll(TestSource(bytes) { $1.byteCount = byteCount })
      }
      #expect(throws: (any Error).self) {
        let list = try GraphArchiveSeries(
          source: TestSource(bytes) { $1.byteCount = byteCount }, isThorough: true)
        try GraphDecoder().verify(list)
        if list.isEmpty { throw Failure(number: 0) }
      }
    }
  }

  @Test func dataThatBeginsElsewhereIsTakenAsItIs() throws {
    try readAll(
      TestSource(bytes()) { _, answer in answer.bytes = (Data([1, 2, 3]) + answer.bytes).dropFirst(3) })
  }

  @Test func damageIsFoundWhereItIs() throws {
    var bytes = try bytes()
    let block = try GraphArchive(bytes).damagePlace()
    bytes[Int(block)] ^= 1
    let error = #expect(throws: GCodableError.self) { try readAll(TestSource(bytes)) }
    #expect(error?.code == .damaged && error?.byteOffset == block)
    let other = #expect(throws: GCodableError.self) { try GraphArchive(bytes).verify() }
    #expect(other?.byteOffset == block)
  }

  @Test func cancellingEndsTheWork() throws {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let source = TestSource(try bytes()) { number, _ in if number == 3 { progress.cancel() } }
    let archive = try GraphArchive(source: source)
    #expect(throws: CancellationError.self) {
      for _ in 0..<2 { _ = try archive.decode([String: [Double]].self, progress: progress) }
    }
  }
}

extension GraphArchive {
  /// Where the third block of the first large array is.
  fileprivate func damagePlace() throws -> UInt64 {
    try withReader { try $0.open(contents.bulk[0]).blockOffsets[2] }
  }
}
