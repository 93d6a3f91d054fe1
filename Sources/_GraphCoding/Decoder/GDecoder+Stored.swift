import _GraphFiles
import _GraphSupport

extension GDecoder {
  /// Whether an object is in the archive, and not only referred to.
  package func isStored(_ number: UInt32) -> Bool {
    state.pointee.objects[Int(number)].offset != ObjectSlot.notStored
  }

  /// - Throws: `malformed` where an object that is referred to is not in the archive.
  package func checkIsStored(_ number: UInt32) throws {
    guard !isStored(number) else { return }
    throw malformed("object \(number) is referred to, and not in the archive")
  }
}
