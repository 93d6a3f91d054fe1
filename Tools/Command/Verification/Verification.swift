import Foundation
import GraphCodable

/// The check of one file.
struct Verification {
  private let name: String
  private let choice: EntryChoice?
  private let opened: StoredFile?
  private let decoder = GraphDecoder()

  /// - Parameters:
  ///   - choice: which entry of a series to check; nil for all of the series.
  ///   - opened: the file, if it has been opened: standard input can be read once.
  init(_ name: String, _ choice: EntryChoice?, _ opened: StoredFile? = nil) {
    self.name = name
    self.choice = choice
    self.opened = opened
  }

  /// Checks the file.
  func finding() throws -> Finding {
    var finding = Finding(file: shownName(name))
    do {
      let file = try opened ?? StoredFile(name)
      finding.kind = file.kind
      finding.bytes = file.byteCount
      switch file.content {
      case .archive(let archive):
        let problem = try check(file.byteCount, ratio: try? archive.open().compressionRatio) {
          try archive.open().verify(progress: $0)
        } damage: {
          try archive.open().damage()
        }
        finding.problems = [problem].compactMap(\.self)
      case .series(let series):
        if let choice {
          finding.problems = try [check(choice.entry(of: series))].compactMap(\.self)
          finding.entries = 1
        } else {
          finding.problems = try problems(of: series, file.byteCount)
          finding.entries = series.count
          finding.unfinishedBytes = file.unfinishedByteCount
        }
      case .messages(let messages):
        if let choice {
          finding.problems = try [problem(in: messages.message(choice))].compactMap(\.self)
          finding.entries = 1
          break
        }
        let (problems, count, incompleteByteCount) = try check(messages)
        (finding.problems, finding.entries) = (problems, count)
        if incompleteByteCount > 0 { finding.unfinishedBytes = UInt64(incompleteByteCount) }
      case .set(let set):
        let check = SetVerification(name, byteCount: set.byteCount)
        finding.problems = try check.problems(of: set)
        finding.parts = set.partCount
      case .setSeries(let series):
        let entry = try choice?.entry(of: series)
        let check = SetVerification(name, byteCount: entry?.byteCount ?? file.byteCount)
        finding.problems =
          if let entry { try check.problems(of: GraphArchiveSet(entry), entry: entry.number) } else {
            try check.problems(of: series)
          }
        finding.entries = check.setCount
      }
    } catch let error as GCodableError {
      finding.problems = [Problem(error)]
    }
    return finding
  }

  /// All that is wrong with a stream of messages, and in each of them.
  private func check(_ messages: StoredMessages) throws -> (problems: [Problem], count: Int, Int) {
    var (problems, number): ([Problem], Int) = ([], 0)
    let (damage, incompleteByteCount) = try messages.visit { message in
      number += 1
      if let problem = try problem(in: message) { problems.append(problem) }
    }
    return (damage.map { Problem($0) } + problems, number, incompleteByteCount)
  }

  private func problem(in message: GraphMessage) throws -> Problem? {
    do { try message.archive().verify() } catch let error as GCodableError {
      return Problem(error, inMessage: Int(clamping: message.number))
    }
    return nil
  }

  /// All that is wrong with a series: damage between its entries, and in each of them.
  private func problems(of series: GraphArchiveSeries, _ byteCount: UInt64) throws -> [Problem] {
    let index = try series.isFolder ? [Problem.ofIndex(in: name)].compactMap(\.self) : []
    let first = try check(byteCount, ratio: isAddress(name) ? nil : series.compressionRatio) {
      try decoder.verify(series, progress: $0)
    }
    guard let first else { return index }
    // It has thrown the first problem only, without saying where the entry stands.
    let all = try series.damage.map { Problem($0) } + series.compactMap { try check($0) }
    return index + (all.isEmpty ? [first] : all)
  }

  private func check(_ entry: GraphArchiveSeries.Entry) throws -> Problem? {
    try check(entry.byteCount, entry, ratio: try? GraphArchive(entry).compressionRatio) {
      try decoder.verify(entry, progress: $0)
    } damage: {
      try GraphArchive(entry).damage()
    }
  }

  /// What a check of so many bytes throws, if it does.
  ///
  /// - Parameters:
  ///   - ratio: for the progress.
  ///   - damage: finds out what is damaged in the archive, where that can be opened.
  private func check(
    _ byteCount: UInt64, _ entry: GraphArchiveSeries.Entry? = nil, ratio: @autoclosure () -> Double? = nil,
    _ body: (Progress) throws -> Void,
    damage: (() throws -> GraphDamage)? = nil
  ) throws -> Problem? {
    let subject = name + (entry.map { ", entry \($0.number)" } ?? "")
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let line = ProgressLine(subject, byteCount: byteCount, ratio: ratio(), progress)
    defer { line?.end() }
    do { try body(progress) } catch let error as GCodableError {
      var problem = Problem(error, in: entry)
      // Where its tables are damaged, that is all there is to say.
      if let damage = try? damage?() { problem.add(damage, in: entry) }
      return problem
    }
    return nil
  }
}
