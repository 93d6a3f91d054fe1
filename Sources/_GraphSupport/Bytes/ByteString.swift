/// A string that is compared by its bytes.
///
/// Strings of Swift are equal where their canonical forms are: two keys that differ only in that would be one.
@usableFromInline
package struct ByteString: Hashable {
  @usableFromInline let string: String

  @inlinable package init(_ string: String) { self.string = string }

  @inlinable package static func == (one: Self, other: Self) -> Bool {
    one.string.utf8.elementsEqual(other.string.utf8)
  }

  @inlinable package func hash(into hasher: inout Hasher) {
    var copy = string
    // In one go: byte by byte it would take ten times as long.
    copy.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
