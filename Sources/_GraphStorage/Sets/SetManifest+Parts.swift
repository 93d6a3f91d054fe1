import _GraphFiles
import _GraphReading
import _GraphSupport

extension SetManifest {
  /// Takes over what receipts say.
  ///
  /// - Throws: `invalidValue` where they are not those of one set.
  mutating func take(_ receipts: [GraphArchiveSet.Receipt]) throws {
    func refuse(_ text: String) -> GCodableError { GCodableError(.invalidValue, text) }
    guard let count = receipts.first?.partCount, count > 0 else {
      throw refuse("a set has at least one part")
    }
    var found: [Int: GraphArchiveSet.Receipt] = [:]
    for receipt in receipts {
      guard receipt.token == token else {
        throw refuse("part \(receipt.part) belongs to another attempt to write a set, or to another step")
      }
      guard receipt.partCount == count else {
        throw refuse(
          "part \(receipt.part) is one of \(receipt.partCount), and part \(receipts[0].part) is one of \(count)"
        )
      }
      guard 0..<count ~= receipt.part, receipt.name == SetNames.part(receipt.part, of: count, token) else {
        throw refuse("there is no part \(receipt.part) of \(count)")
      }
      guard found.updateValue(receipt, forKey: receipt.part) == nil else {
        throw refuse("part \(receipt.part) is there twice")
      }
    }
    if let missing = (0..<min(count, receipts.count + 1)).first(where: { found[$0] == nil }) {
      throw refuse("of \(count) parts \(receipts.count) have been written: part \(missing) is missing")
    }
    let ordered = (0..<count).compactMap { found[$0] }
    parts = ordered.map { Part(name: $0.name, byteCount: $0.byteCount, hash: $0.headerHash) }
    var places: [String: Int] = [:]
    for receipt in ordered {
      for piece in receipt.arrays { try add(piece, of: receipt.part, &places) }
    }
  }

  private mutating func add(
    _ piece: GraphArchiveSet.ArrayPart, of part: Int, _ places: inout [String: Int]
  ) throws {
    let place = places[piece.name] ?? arrays.count
    if place == arrays.count {
      arrays.append(Array(name: piece.name, shape: piece.globalShape))
      places[piece.name] = place
    }
    guard piece.globalShape == arrays[place].shape else {
      throw GCodableError(
        .invalidValue,
        "the array \(piece.name) has shape \(piece.globalShape) in part \(part), and \(arrays[place].shape) before"
      )
    }
    guard let box = piece.box else {
      throw GCodableError(
        .invalidValue, "part \(part) of the array \(piece.name) is not in its shape \(piece.globalShape)")
    }
    arrays[place].pieces.append(Piece(part: part, path: piece.path, box: box))
  }
}

extension SetManifest {
  /// Reads a manifest, and the hash at the end of its header.
  static func read(_ archive: GraphArchive) throws -> (manifest: SetManifest, hash: UInt64) {
    (try archive.decode(), archive.header.hash)
  }

  /// Bytes of all parts.
  var byteCount: UInt64 { parts.lazy.map(\.byteCount).saturatedSum() }

  /// Checks that each part is there with its size and its header.
  ///
  /// - Parameter isPublished: whether it is a set that readers see, and may be replaced meanwhile.
  /// - Throws: `file`, `wrongSize`, `damaged`: that of the first part that is not.
  func checkParts(in files: any SetFiles, isPublished: Bool) throws {
    try ParallelLoop(count: parts.count, threadCount: min(ParallelLoop.processorCount, 16)).run({}, { _ in })
    { number, _ in
      try withErrors(of: number, in: files, isPublished: isPublished) { try files.check(parts[number]) }
    }
  }

  /// Opens a part and compares its size and its header.
  func openPart(_ number: Int, in files: any SetFiles) throws -> GraphArchive {
    try withErrors(of: number, in: files, isPublished: true) { try files.open(parts[number]) }
  }

  private func withErrors<Result>(
    of number: Int, in files: any SetFiles, isPublished: Bool, _ body: () throws -> Result
  ) throws -> Result {
    do { return try body() } catch let error as GCodableError {
      // A set that is replaced takes its parts along.
      if isPublished, error.code == .file, let now = try? files.manifest().manifest, now.token != token {
        throw GCodableError(
          .file, "the set was replaced while it was in use: open it again", underlyingError: error)
      }
      throw error.about("part \(number) of \(parts.count) of the set")
    }
  }
}

extension SetManifest.Part {
  /// Checks that an archive is the part.
  func check(_ found: ArchiveHeader, _ path: String) throws {
    guard found.hash == hash else { throw isOther(path) }
  }

  func isOther(_ path: String) -> GCodableError {
    GCodableError(.damaged, "\(path) is another archive than the one of the set", byteOffset: 0)
  }
}
