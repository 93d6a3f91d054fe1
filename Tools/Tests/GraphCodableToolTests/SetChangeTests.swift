import Foundation
import GraphCodable
import Testing

@testable import GraphCodableTool

/// Sets that others replace and remove while they are checked.
@Suite("sets that change")
struct SetChangeTests {
  @Test func progressIsThatOfAllParts() throws {
    let folder = try Folder()
    for set in [try folder.set(), try GraphArchiveSet(#require(folder.setSeries().first))] {
      let progress = Progress(totalUnitCount: Int64(set.byteCount))
      var parts = PartVerification()
      try #expect(parts.problems(of: set, nil, progress).isEmpty)
      #expect(progress.fractionCompleted == 1)
      // Files that several sets have are not read again.
      try #expect(parts.problems(of: set, nil, progress).isEmpty)
    }
  }

  /// It is not damaged: only, nobody can say more of it.
  @Test func setThatWasReplacedIsNotDamaged() throws {
    let folder = try Folder()
    let old = try folder.set()
    try folder.set()
    let problems = try SetVerification("checkpoint", byteCount: old.byteCount).problems(of: old)
    #expect(problems.map(\.isUnreadable) == [true])
    #expect(problems.map(\.message) == ["the set was replaced or removed while it was checked"])
  }

  @Test func setsThatWereRemovedAreNotMissed() throws {
    let folder = try Folder()
    let series = try folder.setSeries(setCount: 4)
    let name = folder.file("checkpoints").path
    try GraphArchiveSetSeries.Writer(folder.file("checkpoints")).retain(last: 3)
    let check = SetVerification(name, byteCount: series.byteCount)
    try #expect(check.problems(of: series).isEmpty)
    #expect(check.setCount == 3)
    // Nobody has taken this one out of the index.
    try FileManager.default.removeItem(at: folder.file(Folder.set(2)))
    let later = SetVerification(name, byteCount: series.byteCount)
    let problems = try later.problems(of: series)
    #expect(later.setCount == 2)
    #expect(problems.map(\.code) == ["damaged"])
    #expect(problems.allSatisfy { $0.message.hasSuffix("step 200, is gone") })
  }
}
