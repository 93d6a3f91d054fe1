import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Tests/Corpus/folders, which readers in other languages are tested with.
@Suite("Corpus: folders") struct FolderCorpusTests {
  /// Lists and verifies a folder.
  static func verify(_ item: FolderCase) throws {
    let folder = try TemporaryFolder()
    for (name, bytes) in item.files { try Data(bytes).write(to: folder.file(name)) }
    if item.isSet {
      try GraphArchiveSet(folder.url).verify()
    } else {
      let series = try GraphArchiveSeries(folder: folder.url)
      #expect(item.rule != nil || series.map(\.number) == [0, 7])
      try GraphDecoder().verify(series)
    }
  }

  @Test(arguments: FolderCase.all.filter { $0.rule == nil }) func aValidFolderIsAccepted(item: FolderCase)
    throws
  {
    try Self.verify(item)
  }

  @Test(arguments: FolderCase.all.filter { $0.rule != nil }) func anInvalidFolderIsRefused(item: FolderCase) {
    let error = #expect(throws: GCodableError.self) { try Self.verify(item) }
    #expect((error?.code == .unsupported) == (item.rule == "P1"))
    #expect(error?.code != .internalInconsistency)
  }

  @Test func namesOfFoldersAreUnique() {
    #expect(Set(FolderCase.all.map(\.folder)).count == FolderCase.all.count)
  }
}
