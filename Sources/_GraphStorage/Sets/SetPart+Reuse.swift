import Foundation
import _GraphReading
import _GraphSupport

extension GraphArchiveSet.Writer.Part {
  /// Reuses the part with the same number of another set, because its content has not changed.
  ///
  ///     let before = try writer.series.last.map { try GraphArchiveSet($0) }
  ///     let receipt = try before.map { try part.reuse(from: $0) } ?? part.write(mesh)
  ///
  /// Both sets then have the file, as a hard link, and it is removed with the last of them. If the file system has no links,
  /// or the sets are on different ones, the file is copied, and so it is in an object store.
  ///
  /// - Parameter set: a set with the same number of parts.
  /// - Returns: the receipt for `commit`, in which the arrays of the part have the same places as in that set.
  /// - Throws: `GCodableError`: code `invalidValue` when the set has another number of parts; otherwise as
  ///   ``GraphArchiveSet/part(_:)``; `file`.
  /// - Complexity: O(n) in the number of parts and arrays; where the file is copied, in its size.
  public func reuse(from set: GraphArchiveSet) throws -> GraphArchiveSet.Receipt {
    guard set.partCount == count else {
      throw GCodableError(
        .invalidValue, "part \(number) of \(count) cannot be one of a set of \(set.partCount) parts")
    }
    let archive = try set.part(number)
    try files.reuse(archive, at: set.partURL(number), as: name)
    return receipt(archive.header, set.manifest.pieces(ofPart: number))
  }
}

extension SetManifest {
  /// What a part has of arrays, as its receipt said.
  fileprivate func pieces(ofPart number: Int) -> [GraphArchiveSet.ArrayPart] {
    arrays.flatMap { array in
      array.pieces.lazy.filter { $0.part == number }.map { piece in
        var part = GraphArchiveSet.ArrayPart(
          array.name, storedPath: piece.path, globalShape: array.shape,
          offset: piece.box.ranges.map(\.lowerBound))
        part.shape = piece.box.shape
        return part
      }
    }
  }
}
