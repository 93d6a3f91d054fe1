import GraphCodable

/// W3's base class: a node of a binary tree, always an instance of one of its three subclasses.
class Branch: GCodable {
  let id: Int
  let left: Branch?
  let right: Branch?

  init(id: Int, left: Branch?, right: Branch?) {
    self.id = id
    self.left = left
    self.right = right
  }

  private enum Key: String {
    case id, left, right
  }

  required init(from decoder: GDecoder) throws {
    id = try decoder.decode(for: Key.id)
    left = try decoder.decode(for: Key.left)
    right = try decoder.decode(for: Key.right)
  }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(id, for: Key.id)
    try encoder.encode(left, for: Key.left)
    try encoder.encode(right, for: Key.right)
  }

  /// Something that depends on the field that only the subclass has.
  var ownValue: Int { fatalError("every node is an instance of a subclass") }

  /// A node with the same values and other nodes below it.
  func cloned(left: Branch?, right: Branch?) -> Branch {
    fatalError("every node is an instance of a subclass")
  }
}

/// A node with a number of floating point.
final class WeightedBranch: Branch {
  let weight: Double

  init(id: Int, weight: Double, left: Branch?, right: Branch?) {
    self.weight = weight
    super.init(id: id, left: left, right: right)
  }

  private enum Key: String {
    case weight
  }

  required init(from decoder: GDecoder) throws {
    weight = try decoder.decode(for: Key.weight)
    try super.init(from: decoder)
  }

  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(weight, for: Key.weight)
  }

  override var ownValue: Int { Int(weight) }

  override func cloned(left: Branch?, right: Branch?) -> Branch {
    WeightedBranch(id: id, weight: weight, left: left, right: right)
  }
}

/// A node with a name.
final class NamedBranch: Branch {
  let name: String

  init(id: Int, name: String, left: Branch?, right: Branch?) {
    self.name = name
    super.init(id: id, left: left, right: right)
  }

  private enum Key: String {
    case name
  }

  required init(from decoder: GDecoder) throws {
    name = try decoder.decode(for: Key.name)
    try super.init(from: decoder)
  }

  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(name, for: Key.name)
  }

  override var ownValue: Int { name.utf8.count }

  override func cloned(left: Branch?, right: Branch?) -> Branch {
    NamedBranch(id: id, name: name, left: left, right: right)
  }
}

/// A node with an integer.
final class CountedBranch: Branch {
  let count: Int

  init(id: Int, count: Int, left: Branch?, right: Branch?) {
    self.count = count
    super.init(id: id, left: left, right: right)
  }

  private enum Key: String {
    case count
  }

  required init(from decoder: GDecoder) throws {
    count = try decoder.decode(for: Key.count)
    try super.init(from: decoder)
  }

  override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(count, for: Key.count)
  }

  override var ownValue: Int { count }

  override func cloned(left: Branch?, right: Branch?) -> Branch {
    CountedBranch(id: id, count: count, left: left, right: right)
  }
}
