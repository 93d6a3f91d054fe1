/// How many bytes are written beside a file, from which lost ones can be restored.
public struct ArchiveRedundancy: Hashable, Sendable {
  /// Hundredths of a percent; 0 for none.
  package let hundredths: Int

  package init(hundredths: Int) { self.hundredths = hundredths }

  /// No redundancy.
  public static let none = Self(hundredths: 0)

  /// A part of the file's size; a file of less than a megabyte takes a few sectors more.
  ///
  /// With 2%, any burst of up to 1% of a file can be restored, and sectors of 4 KiB that are lost all over it, up to 0.1% of them,
  /// but for a probability of less than one in a million.
  ///
  /// - Parameter percent: from 0.5 to 100; others are brought into this range. 0 is none.
  public static func percent(_ percent: Double) -> Self {
    guard percent > 0 else { return .none }
    return Self(hundredths: Int((min(max(percent, 0.5), 100) * 100).rounded()))
  }
}
