import GraphCodable
import GraphCodableTestSupport

// Models whose back links are `unowned`, or held by a box.

/// Waits for its children, so that they can have it at once.
final class PatientParent: GCodable {
  var children: [UnownedChild] = []
  init() {}
  init(from decoder: GDecoder) throws { try decoder.deferDecode(for: Letter.c) { self.children = $0 } }
  func encode(to encoder: GEncoder) throws { try encoder.encode(children, for: Letter.c) }
}

final class UnownedChild: GCodable {
  unowned let parent: PatientParent
  let number: Int
  init(_ parent: PatientParent, _ number: Int) { (self.parent, self.number) = (parent, number) }
  init(from decoder: GDecoder) throws {
    parent = try decoder.decode(for: Letter.p)
    number = try decoder.decode(for: Letter.n)
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(number, for: Letter.n)
    try encoder.encode(parent, for: Letter.p)
  }
}

/// Has its children at once, so they wait for it.
final class HastyParent: GCodable {
  let children: [WaitingChild]
  init(_ children: [WaitingChild]) {
    self.children = children
    for child in children { (child.parent, child.maybeParent) = (self, self) }
  }
  init(from decoder: GDecoder) throws { children = try decoder.decode(for: Letter.c) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(children, for: Letter.c) }
}

final class WaitingChild: GCodable {
  unowned var parent: HastyParent!
  unowned var maybeParent: HastyParent?
  let number: Int
  init(_ number: Int) { self.number = number }
  init(from decoder: GDecoder) throws {
    number = try decoder.decode(for: Letter.n)
    try decoder.deferDecode(for: Letter.p) { self.parent = $0 }
    try decoder.deferDecode(for: Letter.q) { self.maybeParent = $0 }
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encodeConditional(parent, for: Letter.p)
    try encoder.encodeConditional(maybeParent, for: Letter.q)
    try encoder.encode(number, for: Letter.n)
  }
}

/// Two objects, the first one decoded first.
struct Both<First: GCodable, Second: GCodable>: GCodable {
  let first: First
  let second: Second
  init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }
  init(from decoder: GDecoder) throws { (first, second) = (try decoder.decode(), try decoder.decode()) }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(first)
    try encoder.encode(second)
  }
}

/// A value that cannot be changed by a setter, but has a box that can.
struct Boxed: GCodable {
  final class Box { var owner: BoxOwner? }

  let box = Box()
  let text: String
  init(_ text: String) { self.text = text }
  init(from decoder: GDecoder) throws {
    text = try decoder.decode(for: Letter.t)
    let box = box
    try decoder.deferDecode(for: Letter.o) { box.owner = $0 }
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(box.owner, for: Letter.o)
    try encoder.encode(text, for: Letter.t)
  }
}

final class BoxOwner: GCodable {
  let boxed: Boxed
  init() { boxed = Boxed("boxed") }
  init(from decoder: GDecoder) throws { boxed = try decoder.decode(for: Letter.b) }
  func encode(to encoder: GEncoder) throws { try encoder.encode(boxed, for: Letter.b) }
}
