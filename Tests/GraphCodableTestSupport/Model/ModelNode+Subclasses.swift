import GraphCodable

/// A subclass with values without keys in front of those of its superclass.
package class RichNode: ModelNode {
  package var numbers: [Double] = []
  package var link: ModelNode?

  package override init(_ label: Int, _ style: Style = Style(0)) { super.init(label, style) }

  package required init(from decoder: GDecoder) throws {
    numbers = try decoder.decode()
    link = try decoder.decode()
    try super.init(from: decoder)
  }

  package override func encode(to encoder: GEncoder) throws {
    try encoder.encode(numbers)
    try encoder.encode(link)
    try super.encode(to: encoder)
  }

  package override var parts: [Part] {
    super.parts + [.value("\(numbers.map(\.bitPattern))"), .edge(link)]
  }

  package override func clear() {
    link = nil
    super.clear()
  }
}

/// A subclass of a subclass, with a version and values behind those of its superclass.
package final class RicherNode: RichNode {
  package var value: ModelValue?
  private let version: UInt32

  package class override var typeVersion: UInt32 { 3 }

  package override init(_ label: Int, _ style: Style = Style(0)) {
    version = Self.typeVersion
    super.init(label, style)
  }

  package required init(from decoder: GDecoder) throws {
    version = (try? decoder.encodedTypeVersion) ?? 0
    value = try decoder.decode(for: Letter.v)
    try super.init(from: decoder)
  }

  package override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(value, for: Letter.v)
  }

  package override var parts: [Part] { super.parts + [.value("\(version) \(value?.fingerprint ?? "nil")")] }
}

/// A subclass without a field of its own.
package final class PlainSubnode: ModelNode {}

/// A generic subclass.
package final class GenericNode<Content: GCodable>: ModelNode {
  package let content: Content

  package init(_ label: Int, _ style: Style, _ content: Content) {
    self.content = content
    super.init(label, style)
  }

  package required init(from decoder: GDecoder) throws {
    content = try decoder.decode(for: Letter.c)
    try super.init(from: decoder)
  }

  package override func encode(to encoder: GEncoder) throws {
    try super.encode(to: encoder)
    try encoder.encode(content, for: Letter.c)
  }

  package override var parts: [Part] { super.parts + [.value("\(content)")] }
}

/// A subclass with an identity of its own in place of its address.
package final class IdentifiedNode: ModelNode, GIdentifiable {
  package var gcodableID: Int? { label }
}

package enum ModelScope {
  /// A class inside another type.
  package final class NestedNode: ModelNode {}
}

/// An object of one class, stored with or without it.
package final class ModelLeaf: GCodable, GInheritance, ModelVertex {
  package let isAnonymous: Bool
  package let node: ModelNode?

  package var disableInheritance: Bool { isAnonymous }

  package init(isAnonymous: Bool, _ node: ModelNode?) { (self.isAnonymous, self.node) = (isAnonymous, node) }

  package init(from decoder: GDecoder) throws {
    (node, isAnonymous) = (try decoder.decode(for: Letter.n), try decoder.decode(for: Letter.a))
  }

  package func encode(to encoder: GEncoder) throws {
    try encoder.encode(isAnonymous, for: Letter.a)
    try encoder.encode(node, for: Letter.n)
  }

  package var parts: [Part] { [.value("\(isAnonymous)"), .edge(node)] }
}
