import DocumentTestSupport
import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// The corpora of releases, which are folders of Tests/Corpus such as `1.0`, are read as they were.
///
/// `scripts/freeze-corpus.sh` makes them, and checks that no file of them changes.
@Suite("Corpus: releases") struct FrozenCorpusTests {
  private static let releases: [URL] = {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: CorpusFolder.url.path)) ?? []
    return names.filter { $0.wholeMatch(of: /[0-9]+(\.[0-9]+)+/) != nil }.sorted()
      .map { CorpusFolder.url.appendingPathComponent($0) }
  }()

  /// What is read: all releases, and the files of today, by which the test itself is tested.
  private static let folders = releases + [CorpusFolder.url]

  private struct Invalid: Decodable {
    let file: String
    let rule: String
  }

  private static func files(in folder: URL, _ path: String) throws -> [URL] {
    let url = folder.appendingPathComponent(path)
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
    return names.filter { $0.hasSuffix(".gcodable") || $0.hasSuffix(".gcseries") }.map {
      url.appendingPathComponent($0)
    }
  }

  private static func json(_ file: URL) throws -> NSObject? {
    let bytes = Bytes(try Data(contentsOf: file))
    let json = try file.pathExtension == "gcseries" ? PlainSeries(bytes).json : PlainArchive(bytes).json
    return try JSONSerialization.jsonObject(with: Data(json.text.utf8)) as? NSObject
  }

  private static func verify(_ file: URL) throws {
    if file.pathExtension == "gcseries" {
      try GraphDecoder().verify(GraphArchiveSeries(file))
    } else {
      try GraphArchive(Bytes(Data(contentsOf: file))).verify()
    }
  }

  @Test(arguments: folders) func validFilesHaveTheValuesOfTheirJSON(folder: URL) throws {
    let files = try Self.files(in: folder, "valid")
    #expect(files.count > 100)
    try onThread(stackByteCount: 1 << 30) {
      for file in files {
        try Self.verify(file)
        let stored = try Data(contentsOf: file.deletingPathExtension().appendingPathExtension("json"))
        #expect(
          try Self.json(file) == JSONSerialization.jsonObject(with: stored) as? NSObject, "\(file.path)")
      }
    }
  }

  @Test(arguments: folders) func invalidFilesAreRefused(folder: URL) throws {
    let list = try Data(contentsOf: folder.appendingPathComponent("invalid/invalid.json"))
    let items = try JSONDecoder().decode([Invalid].self, from: list)
    #expect(items.count > 300)
    for item in items {
      let file = folder.appendingPathComponent("invalid/\(item.file)")
      #expect(throws: GCodableError.self, "\(file.path)") { try Self.verify(file) }
    }
  }
}
