import Foundation
import GraphCodable

/// The check of the parts of sets, and what was found in files that several sets have.
struct PartVerification {
  private var sharedFiles: [File.Identity: Problem?] = [:]

  /// All that is wrong with the parts of a set.
  ///
  /// - Parameters:
  ///   - entry: the set's number in its series.
  ///   - progress: reports the bytes that have been checked.
  mutating func problems(
    of set: GraphArchiveSet, _ entry: Int?, _ progress: Progress
  ) throws -> [Problem] {
    var problems: [Problem] = []
    for number in 0..<set.partCount {
      do {
        // Compares its size and its header with the manifest.
        let archive = try set.part(number)
        if var found = try problem(of: archive, File(set.partURL(number)), progress) {
          (found.entry, found.part) = (entry, number)
          problems.append(found)
        } else {
          try set.checkPieces(ofPart: number)
        }
      } catch let error as GCodableError {
        problems.append(Problem(error.ofPart(number, of: set), inSet: entry, part: number))
      }
    }
    return problems
  }

  /// What is wrong with the archive of a part, which is checked once for all sets that have it.
  private mutating func problem(
    of archive: GraphArchive, _ file: File, _ progress: Progress
  ) throws -> Problem? {
    if let identity = file.sharedIdentity, let known = sharedFiles[identity] {
      progress.completedUnitCount += file.byteCount
      return known
    }
    var problem: Problem?
    do {
      let part = Progress(totalUnitCount: 0, parent: progress, pendingUnitCount: file.byteCount)
      try archive.verify(progress: part)
    } catch let error as GCodableError {
      problem = Problem(error)
      if let damage = try? archive.damage() { problem?.add(damage) }
    }
    if let identity = file.sharedIdentity { sharedFiles[identity] = .some(problem) }
    return problem
  }

  /// A file, as the system knows it.
  private struct File {
    let byteCount: Int64
    /// Nil for a file with one name.
    let sharedIdentity: Identity?

    struct Identity: Hashable {
      let system: Int
      let number: Int
    }

    init(_ url: URL) {
      let attributes = (try? FileManager.default.attributesOfItem(atPath: url.path)) ?? [:]
      func number(_ key: FileAttributeKey) -> Int? { (attributes[key] as? NSNumber)?.intValue }
      byteCount = Int64(number(.size) ?? 0)
      let isShared = number(.referenceCount).map { $0 > 1 } ?? false
      if isShared, let system = number(.systemNumber), let file = number(.systemFileNumber) {
        sharedIdentity = Identity(system: system, number: file)
      } else {
        sharedIdentity = nil
      }
    }
  }
}

extension GCodableError {
  /// Whether there is no such file.
  var isAboutMissingFile: Bool {
    code == .file && (context.underlyingError as? POSIXError)?.code == .ENOENT
  }

  /// The same error with the name of the part alone: the rest is said in front of it.
  fileprivate func ofPart(_ number: Int, of set: GraphArchiveSet) -> GCodableError {
    // A set without one of its parts is damaged.
    if isAboutMissingFile {
      return GCodableError(.damaged, "\(set.partURL(number).lastPathComponent) is missing")
    }
    let text = context.debugDescription
      .replacing("part \(number) of \(set.partCount) of the set: ", with: "", maxReplacements: 1)
      .replacing(set.url.path + "/", with: "", maxReplacements: 1)
    return GCodableError(code, text, byteOffset: byteOffset, underlyingError: context.underlyingError)
  }
}
