import DocumentTestSupport
import Foundation
import GraphCodable
import GraphCodableTestSupport
import Testing

/// Tests/Corpus, which readers in other languages are tested with.
@Suite("Corpus") struct CorpusTests {
  @Test func theFilesAreThoseThatTheGeneratorMakes() throws {
    let (generated, stored) = (try CorpusFolder.generated(), try CorpusFolder.stored())
    for path in Set(generated.keys).union(stored.keys).sorted() where generated[path] != stored[path] {
      Issue.record("\(path) is not what the generator makes: see Tests/Corpus/README.md")
    }
  }

  @Test func itIsLargeEnoughAndSmall() throws {
    #expect(ValidCase.all.count >= 60)
    #expect(InvalidCase.all.count >= 120)
    #expect(Set(ValidCase.all.map(\.name)).count == ValidCase.all.count)
    #expect(Set(InvalidCase.all.map(\.file)).count == InvalidCase.all.count)
    try #expect(CorpusFolder.stored().values.reduce(0) { $0 + $1.count } < 1 << 20)
  }

  @Test func everyRuleOfTheDocumentIsBrokenByAFile() throws {
    let text = try PackageFolder.formatParts.map(PackageFolder.text).joined()
    let rules = Set(text.matches(of: #/\*\*([A-Z][0-9]+)\*\*/#).map { String($0.output.1) })
    #expect(rules.count > 50)
    var broken = InvalidCase.all.map(\.rule)
    broken += MessagesCase.invalid.compactMap(\.rule)
    broken += FolderCase.all.compactMap(\.rule)
    #expect(rules == Set(broken))
  }

  @Test func aReaderMadeOfTheDocumentAloneNamesTheRules() throws {
    let found = try onThread(stackByteCount: 1 << 30) {
      InvalidCase.all.map { ($0, CorpusFolder.refusal(of: $0)?.rule) }
    }
    for (item, rule) in found { #expect(rule == item.rule, "\(item.file): \(item.reason)") }
  }

  @Test(arguments: ValidCase.all.filter { !$0.isSeries }) func aValidArchiveIsAccepted(item: ValidCase) {
    let verdicts = Verdicts(item.bytes)
    #expect(verdicts.verify == nil)
    #expect(verdicts.dump == nil)
    let expected: GCodableError.Code? = item.isUnknownInside ? .unsupported : nil
    #expect(verdicts.typed?.code == expected)
    #expect(verdicts.parts?.code == expected)
  }

  /// What typed reading and parts need not look at.
  ///
  /// Typed reading looks at no extension, and parts at its form alone.
  private static func unread(_ item: InvalidCase) -> (typed: Bool, parts: Bool) {
    guard ["C17", "C18"].contains(item.rule), item.name != "attributes-twice" else {
      return unread[item.file] ?? (false, false)
    }
    return (true, unseen.contains(item.name))
  }

  private static let unseen: Set<String> = [
    "attributes-no-value", "attributes-behind-the-stream", "attributes-of-a-reference",
    "directory-another-path", "directory-no-path", "directory-another-place",
  ]

  private static let unread: [String: (typed: Bool, parts: Bool)] = [
    // Typed reading ends with what the root leads to, parts with the part.
    "g2-behind-the-root.gcodable": (typed: false, parts: true),
    "g2-nested-too-many-elements.gcodable": (typed: false, parts: true),
    "g2-object-alone.gcodable": (typed: true, parts: true),
  ]

  @Test(arguments: InvalidCase.all.filter { !$0.isSeries }) func anInvalidArchiveIsRefused(item: InvalidCase)
  {
    let verdicts = Verdicts(item.bytes)
    let unread = Self.unread(item)
    #expect(verdicts.verify != nil)
    #expect(verdicts.dump != nil)
    #expect((verdicts.typed == nil) == unread.typed)
    #expect((verdicts.parts == nil) == unread.parts)
    for error in [verdicts.verify, verdicts.dump, verdicts.typed, verdicts.parts] {
      #expect(error?.code != .internalInconsistency)
    }
  }

  /// They took a minute: the path to each value was made.
  @Test func valuesAsDeepAsMayBeAreCounted() throws {
    let deep = Draft(join([Kind.array], ValidCase.deepArrays(131_072))).bytes
    let statistics = try GraphArchive(deep).statistics()
    #expect(statistics.storedByteCount == UInt64(deep.count) && statistics.classes.count == 1)
  }

  @Test(arguments: ValidCase.all.filter(\.isSeries)) func aValidSeriesIsAccepted(item: ValidCase) throws {
    let folder = try TemporaryFolder()
    let url = folder.file(item.file)
    try Data(item.bytes).write(to: url)
    try GraphDecoder().verify(GraphArchiveSeries(url))
  }

  @Test(arguments: InvalidCase.all.filter(\.isSeries)) func anInvalidSeriesIsRefused(item: InvalidCase) throws
  {
    let folder = try TemporaryFolder()
    let url = folder.file(item.file)
    try Data(item.bytes).write(to: url)
    let error = #expect(throws: GCodableError.self) { try GraphDecoder().verify(GraphArchiveSeries(url)) }
    #expect(error?.byteOffset != nil)
  }
}

/// `make corpus`, which sets the variable.
@Suite("Corpus: writing", .enabled(if: CorpusFolder.writingMode != nil)) struct CorpusWritingTests {
  @Test func writeTheFiles() throws {
    let (generated, stored) = (try CorpusFolder.generated(), try CorpusFolder.stored())
    let changed = stored.filter { path, bytes in
      // Descriptions may change.
      !path.hasSuffix(".json") && generated[path] != bytes
        && Self.version(generated[path]) == Self.version(bytes)
    }
    guard changed.isEmpty || CorpusFolder.writingMode == "replace" else {
      Issue.record(
        """
        Without a new version of the format, other bytes would be in \(changed.keys.sorted()). \
        While the format is not frozen: make corpus REPLACE=1
        """)
      return
    }
    for path in stored.keys where generated[path] == nil {
      try FileManager.default.removeItem(at: CorpusFolder.url.appendingPathComponent(path))
    }
    for (path, bytes) in generated where stored[path] != bytes {
      let url = CorpusFolder.url.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(bytes).write(to: url)
    }
  }

  /// The version of the format that a file says; nil for one that is gone or too short.
  private static func version(_ bytes: Bytes?) -> UInt16? {
    guard let bytes, bytes.count >= 10 else { return nil }
    return UInt16(bytes[8]) | UInt16(bytes[9]) << 8
  }
}
