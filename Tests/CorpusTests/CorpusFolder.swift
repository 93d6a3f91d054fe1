import DocumentTestSupport
import Foundation
import GraphCodable
import GraphCodableTestSupport

/// The files of Tests/Corpus, and what they should be.
enum CorpusFolder {
  static let url = PackageFolder.root.appendingPathComponent("Tests/Corpus")

  /// Whether to regenerate the files: `write` missing ones, or `replace` others as well.
  static let writingMode = ProcessInfo.processInfo.environment["GRAPHCODABLE_CORPUS"]

  /// What the generator makes, by path.
  static func generated() throws -> [String: Bytes] {
    // Some are nested as deeply as a graph may be.
    try onThread(stackByteCount: 1 << 30) {
      var files: [String: Bytes] = [:]
      for item in ValidCase.all {
        files["valid/\(item.file)"] = item.bytes
        files["valid/\(item.name).json"] = try Bytes(json(of: item).text.utf8)
      }
      for item in InvalidCase.all { files["invalid/\(item.file)"] = item.bytes }
      files["invalid/invalid.json"] = Bytes(JSON.list(InvalidCase.all.map(entry)).text.utf8)
      return files.merging(try MessagesCase.files()) { one, _ in one }
        .merging(FolderCase.corpusFiles) { one, _ in one }
    }
  }

  static func json(of item: ValidCase) throws -> JSON {
    item.isSeries ? try PlainSeries(item.bytes).json : try PlainArchive(item.bytes).json
  }

  /// What the reader that knows only the document says about a file; nil if it accepts it.
  static func refusal(of item: InvalidCase) -> Refusal? {
    do {
      if item.isSeries { _ = try PlainSeries(item.bytes) } else { _ = try PlainArchive(item.bytes) }
      return nil
    } catch { return error as? Refusal }
  }

  private static func entry(_ item: InvalidCase) -> JSON {
    let refusal = refusal(of: item)
    let place =
      switch item.rule.first {
      case "G": "graphStreamOffset"
      case "I": "objectIndexOffset"
      default: "offset"
      }
    return .object([
      ("file", .string(item.file)), ("rule", .string(item.rule)), ("reason", .string(item.reason)),
      (place, .number("\(refusal?.place ?? 0)")),
    ])
  }

  /// The files that are there, by path.
  static func stored() throws -> [String: Bytes] {
    var files: [String: Bytes] = [:]
    for folder in ["valid", "invalid", "streams", "folders"] {
      let names =
        (try? FileManager.default.subpathsOfDirectory(atPath: url.appendingPathComponent(folder).path))
      for name in names ?? [] {
        let file = url.appendingPathComponent("\(folder)/\(name)")
        if !file.hasDirectoryPath, try file.resourceValues(forKeys: [.isRegularFileKey]).isRegularFile == true
        {
          files["\(folder)/\(name)"] = Bytes(try Data(contentsOf: file))
        }
      }
    }
    return files
  }
}
