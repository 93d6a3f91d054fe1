import Foundation
import _GraphCoding
import _GraphFiles

/// The directory of an archive, parsed when it is first used.
///
/// `@unchecked`: the directory is used under `lock` alone.
final class DirectoryLookup: @unchecked Sendable {
  private let lock = NSLock()
  private var parsed: (directory: ArrayDirectory, attributes: AttributeTable)?

  /// Where the array is that a path leads to, or to a part of; nil where the directory does not say.
  ///
  /// - Throws: `malformed`.
  func entry(leadingTo path: GraphPath, in extensions: ContentsExtensions) throws -> ListedArray? {
    guard let part = extensions.directory else { return nil }
    return try lock.withLock {
      let known = try parsed ?? (ArrayDirectory(parsing: part), extensions.attributeTable())
      parsed = known
      return known.directory.entry(leadingTo: path).map {
        ListedArray(stepCount: $0.steps.count, value: $0.value, attributes: known.attributes[$0.offset])
      }
    }
  }
}

/// An array that a directory has.
struct ListedArray {
  /// How many steps of the path lead to it.
  let stepCount: Int
  let value: [UInt8]
  let attributes: GAttributes
}
