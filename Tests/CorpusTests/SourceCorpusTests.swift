import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Archives read by ranges are accepted or refused like those in memory or in a file.
@Suite("Corpus by ranges") struct SourceCorpusTests {
  /// What an error says; nil for none.
  private func refusal(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch { return "\(error)" }
  }

  private func check(_ file: String, _ bytes: Bytes, isSeries: Bool) throws {
    let source = TestSource(bytes)
    guard isSeries else {
      for read in [{ try $0.verify() }, { try $0.dumpLines { _ in } }] as [(GraphArchive) throws -> Void] {
        let refusals = (
          refusal { try read(GraphArchive(source: source)) }, refusal { try read(GraphArchive(bytes)) }
        )
        #expect(refusals.0 == refusals.1, "\(file)")
      }
      #expect(source.isWithinBounds)
      return
    }
    let folder = try TemporaryFolder()
    let url = folder.file(file)
    try Data(bytes).write(to: url)
    for isThorough in [false, true] {
      let refusals = (
        refusal { try GraphDecoder().verify(GraphArchiveSeries(source: source, isThorough: isThorough)) },
        refusal { try GraphDecoder().verify(GraphArchiveSeries(url, isThorough: isThorough)) }
      )
      #expect(refusals.0 == refusals.1, "\(file)")
    }
    #expect(source.isWithinBounds)
  }

  @Test func validFilesAreAccepted() throws {
    for item in ValidCase.all { try check(item.file, item.bytes, isSeries: item.isSeries) }
  }

  @Test func invalidFilesAreRefused() throws {
    for item in InvalidCase.all { try check(item.file, item.bytes, isSeries: item.isSeries) }
  }
}
