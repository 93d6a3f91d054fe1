import _GraphSupport

/// A file with restored sectors in place of lost ones.
package final class RestoredFile: RangeReader {
  package struct Sector: Sendable {
    let offset: UInt64
    let bytes: [UInt8]

    package init(offset: UInt64, bytes: [UInt8]) { (self.offset, self.bytes) = (offset, bytes) }
  }

  package var path: String { file.path }
  private let file: any RangeReader
  /// In ascending order.
  private let sectors: [Sector]
  private let size: UInt64

  /// - Parameter byteCount: of the file as it was; what it does not have is zero.
  package init(_ file: any RangeReader, _ sectors: [Sector], byteCount: UInt64) {
    self.file = file
    self.sectors = sectors.sortedOutOfLine { $0.offset < $1.offset }
    size = byteCount
  }

  package func byteCount() throws -> UInt64 { size }

  package func read(_ destination: UnsafeMutableRawBufferPointer, from offset: UInt64) throws -> Bool {
    guard offset <= size, UInt64(destination.count) <= size - offset else { return false }
    let stored = try file.byteCount()
    let count = Int(min(UInt64(destination.count), stored - min(stored, offset)))
    // Both parts and all sectors are cut to the buffer.
    guard try unsafe file.read(UnsafeMutableRawBufferPointer(rebasing: destination[..<count]), from: offset)
    else { return false }
    unsafe UnsafeMutableRawBufferPointer(rebasing: destination[count...])
      .initializeMemory(as: UInt8.self, repeating: 0)
    let end = offset + UInt64(destination.count)
    var index = sectors.partitioningIndex { $0.offset + UInt64($0.bytes.count) > offset }
    while index < sectors.count, sectors[index].offset < end {
      let sector = sectors[index]
      let (from, to) = (max(sector.offset, offset), min(sector.offset + UInt64(sector.bytes.count), end))
      unsafe sector.bytes.withUnsafeBytes { bytes in
        unsafe UnsafeMutableRawBufferPointer(rebasing: destination[Int(from - offset)..<Int(to - offset)])
          .copyMemory(
            from: UnsafeRawBufferPointer(
              rebasing: bytes[Int(from - sector.offset)..<Int(to - sector.offset)]))
      }
      index += 1
    }
    return true
  }

  /// nil: it is read once.
  package func readAhead(of ranges: () -> [Range<UInt64>]) -> ReadAhead? { nil }

  package func isSame(as other: any RangeReader) -> Bool { self === other }
}
