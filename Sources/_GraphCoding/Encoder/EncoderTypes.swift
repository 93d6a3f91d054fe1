import _GraphFiles
import _GraphSupport

/// The types that an encoder has met, and the classes that the graph names.
struct EncoderTypes {
  /// Fills the type cache; no type lies at address 0.
  let none: Pinned<EncoderType>
  var byMetadata: [UInt: Pinned<EncoderType>] = [:]
  var facts: [TypeFacts] = []
  private var owned: [Pinned<EncoderType>] = []
  private var fieldLists: [Pinned<EncoderFields>] = []
  private(set) var classes: [Contents.StoredClass] = []

  init(end: Pinned<ShapeTransition>) {
    none = .make(EncoderType(metadata: 0, plan: .record, kind: .null, root: end))
  }

  var count: Int { owned.count }

  mutating func own(_ type: EncoderType) -> Pinned<EncoderType> {
    let stored = Pinned.make(type)
    owned.append(stored)
    return stored
  }

  mutating func own(_ list: EncoderFields) -> Pinned<EncoderFields> {
    let stored = Pinned.make(list)
    fieldLists.append(stored)
    return stored
  }

  /// Enters a class into the graph's table, and returns its number there.
  mutating func add(_ stored: Contents.StoredClass) -> UInt32 {
    classes.append(stored)
    return UInt32(classes.count)
  }

  /// Resets the numbers of classes; the types stay known.
  mutating func forgetGraph() {
    guard !classes.isEmpty else { return }
    for type in owned { (type.pointee.classNumber, type.pointee.isPlainClass) = (0, false) }
    classes = []
  }

  @unsafe func release() {
    for list in fieldLists {
      unsafe list.pointee.fields.release()
      unsafe list.release()
    }
    for type in owned + [none] { unsafe type.release() }
  }
}
