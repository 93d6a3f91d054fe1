import Foundation
import GraphCodable

/// A file with parity, of which parts are lost and restored.
struct ProtectedFile {
  static let sector = 4_096

  /// What is lost.
  enum Kind: Int, CaseIterable {
    case burst, scattered, both
    init(_ number: Int) { self = Self.allCases[number % Self.allCases.count] }
  }

  /// A loss, and what became of it.
  struct Loss {
    let description: String
    let sectorCount: Int
    let isRestored: Bool
  }

  private let url: URL
  /// A copy of the file, with all its bytes.
  private let original: URL
  let byteCount: Int
  let parityByteCount: Int

  private var parity: URL { url.appendingPathExtension("gcparity") }

  init(_ url: URL) throws {
    self.url = url
    original = url.appendingPathExtension("original")
    try FileManager.default.copyItem(at: url, to: original)
    byteCount = try Self.byteCount(of: url)
    parityByteCount = try Self.byteCount(of: url.appendingPathExtension("gcparity"))
  }

  func remove() { for url in [url, original, parity] { try? FileManager.default.removeItem(at: url) } }

  private static func byteCount(of url: URL) throws -> Int {
    (try FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue ?? 0
  }

  /// Overwrites parts of the file, and of its parity, and repairs it.
  func lose(_ kind: Kind, _ random: inout SplitMix64) throws -> Loss {
    let file = try FileHandle(forUpdating: url)
    if kind != .scattered {
      let count = max(byteCount / 100, 1)
      let start = random.below(byteCount - count + 1)
      try overwrite(file, start..<(start + count), &random)
    }
    if kind != .burst {
      for _ in 0..<max(byteCount / Self.sector / 1_000, 1) {
        try loseSector(of: file, byteCount, &random)
      }
      let parity = try FileHandle(forUpdating: parity)
      for _ in 0..<(parityByteCount / Self.sector / 1_000) {
        try loseSector(of: parity, parityByteCount, &random)
      }
      try parity.close()
    }
    try file.close()
    do {
      let repair = try GraphArchive.repair(url)
      let isSame = try isOriginal()
      if !isSame { try takeOriginal() }
      return Loss(
        description: "\(kind): \(repair)", sectorCount: repair.lostSectorCount,
        isRestored: isSame && repair.restoredSectorCount == repair.lostSectorCount)
    } catch let error as GCodableError {
      // A file that counts as changed is not compared.
      let lost = (try? GraphArchive.checkParity(url))?.lostSectorCount ?? 0
      try takeOriginal()
      return Loss(description: "\(kind): \(error)", sectorCount: lost, isRestored: false)
    }
  }

  private func takeOriginal() throws {
    try FileManager.default.removeItem(at: url)
    try FileManager.default.copyItem(at: original, to: url)
    try GraphArchive.protect(url)
  }

  private func loseSector(of file: FileHandle, _ byteCount: Int, _ random: inout SplitMix64) throws {
    let start = random.below((byteCount + Self.sector - 1) / Self.sector) * Self.sector
    try overwrite(file, start..<min(start + Self.sector, byteCount), &random)
  }

  /// Writes zeros or noise, or changes a bit.
  private func overwrite(_ file: FileHandle, _ range: Range<Int>, _ random: inout SplitMix64) throws {
    var (bytes, start) = (Data(count: range.count), range.lowerBound)
    switch random.below(3) {
    case 0: break
    case 1:
      for index in stride(from: 0, to: bytes.count, by: 8) {
        withUnsafeBytes(of: random.next()) { noise in
          let count = min(8, bytes.count - index)
          bytes.replaceSubrange(index..<(index + count), with: noise.prefix(count))
        }
      }
    default:
      start = range.lowerBound + random.below(range.count)
      try file.seek(toOffset: UInt64(start))
      bytes = try file.read(upToCount: 1) ?? Data(count: 1)
      bytes[bytes.startIndex] ^= 1 << UInt8(random.below(8))
    }
    try file.seek(toOffset: UInt64(start))
    try file.write(contentsOf: bytes)
  }

  /// Whether the file has its bytes again.
  private func isOriginal() throws -> Bool {
    let (file, original) = (try FileHandle(forReadingFrom: url), try FileHandle(forReadingFrom: original))
    defer {
      try? file.close()
      try? original.close()
    }
    while true {
      let (bytes, expected) = (try file.read(upToCount: 4 << 20), try original.read(upToCount: 4 << 20))
      guard bytes == expected else { return false }
      guard let bytes, !bytes.isEmpty else { return true }
    }
  }
}
