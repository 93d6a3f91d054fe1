/// A place in a graph that is being encoded or decoded, given by the steps that lead there.
///
/// Encoders and decoders are places themselves.
class CodingPlace {
  enum Step {
    case root
    case key(any CodingKey)
    case index(Int)
    /// An object, reached by the reference with this number.
    case object(Int)
  }

  let step: Step
  private(set) final var parent: CodingPlace?

  init(_ step: Step, in parent: CodingPlace?) {
    self.step = step
    self.parent = parent
  }

  /// Releases the places above without recursion, because there may be very many.
  deinit {
    var above = parent
    parent = nil
    while above != nil, isKnownUniquelyReferenced(&above) {
      let next = above?.parent
      above?.parent = nil
      above = next
    }
  }

  /// The keys that lead here from the root, or from a place on the way.
  ///
  /// - Parameter references: Returns the place of a reference by its number, or nil to start at the object it leads to.
  final func codingPath(
    from start: CodingPlace? = nil, references: (Int) -> CodingPlace? = { _ in nil }
  ) -> [any CodingKey] {
    var keys: [any CodingKey] = []
    var place: CodingPlace? = self
    while let current = place, current !== start {
      place = current.parent
      switch current.step {
      case .root: break
      case .key(let key): keys.append(key)
      case .index(let index): keys.append(ElementKey(index))
      case .object(let reference): place = references(reference)
      }
    }
    return keys.reversed()
  }
}

/// The key of an element in an unkeyed container.
struct ElementKey: CodingKey {
  private let index: Int

  init(_ index: Int) { self.index = index }

  var stringValue: String { "Index \(index)" }
  var intValue: Int? { index }

  init?(stringValue: String) { nil }
  init?(intValue: Int) { index = intValue }
}

/// The key for `superEncoder()`, as in other coders.
enum SuperKey: String, CodingKey {
  case `super`
}
