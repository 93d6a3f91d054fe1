import GraphCodable
import GraphCodableTestSupport
import Testing

/// Objects that are made ahead, deep in a graph, as another type than the one that is asked for later: they
/// are made anew, and what the first ones had deferred does not disturb the others.
@Suite("Discarded objects")
struct DiscardedObjectTests {
  /// Decodes `content` at the end of a chain of objects, all of them stored without their class.
  private func decode<Content: AnyObject & GCodable>(_ content: Content) throws -> Content {
    var tunnel = Tunnel(content, nil)
    for _ in 0..<200 { tunnel = Tunnel(nil, tunnel) }
    // The first of its shape: those that are made ahead are made as what this one is asked for as.
    let bytes = try encoded(Entrance(DarkShade("first"), tunnel), .disableInheritance)
    var end = try decoded(Entrance<Content>.self, from: bytes).tunnel
    while let next = end.next { end = next }
    return try #require(end.content)
  }

  @Test func fieldsDeferredAfterThemRun() throws {
    let copy = try decode(LateAsker(DarkShade("shade"), "name"))
    #expect(copy.shade?.text == "shade")
    #expect(copy.name == "name")
    #expect(copy.runCount == 2)
  }

  @Test func anObjectThatFailsAfterThemIsAnError() throws {
    let copy = try decode(Tolerant(FailingAsker(DarkShade("shade"))))
    #expect(copy.failure is FailingAsker.Failure)
  }
}

/// Defers its text.
class Shade: GCodable {
  var text = ""
  init(_ text: String) { self.text = text }
  required init(from decoder: GDecoder) throws { try decoder.deferDecode(for: Letter.t) { self.text = $0 } }
  func encode(to encoder: GEncoder) throws { try encoder.encode(text, for: Letter.t) }
}

/// Defers nothing.
final class DarkShade: Shade {
  override init(_ text: String) { super.init(text) }
  required init(from decoder: GDecoder) throws { super.init(try decoder.decode(for: Letter.t)) }
}

/// Asks for what it holds by its class, and when all objects stand.
final class LateAsker: GCodable {
  var shade: DarkShade?
  var name = ""
  var runCount = 0
  init(_ shade: DarkShade, _ name: String) { (self.shade, self.name) = (shade, name) }
  init(from decoder: GDecoder) throws {
    try decoder.deferDecode(for: Letter.s) {
      self.shade = $0
      self.runCount += 1
    }
    try decoder.deferDecode(for: Letter.n) {
      self.name = $0
      self.runCount += 1
    }
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(shade, for: Letter.s)
    try encoder.encode(name, for: Letter.n)
  }
}

/// Asks for what it holds at once, and throws when it has put off another field.
final class FailingAsker: GCodable {
  struct Failure: Error {}
  let shade: DarkShade
  init(_ shade: DarkShade) { self.shade = shade }
  init(from decoder: GDecoder) throws {
    shade = try decoder.decode(for: Letter.s)
    try decoder.deferDecode(String.self, for: Letter.n) { _ in
      Issue.record("a setter runs of an object whose init(from:) has thrown")
    }
    throw Failure()
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(shade, for: Letter.s)
    try encoder.encode("name", for: Letter.n)
  }
}

/// Catches the error of what it holds.
final class Tolerant: GCodable {
  let asker: FailingAsker?
  var failure: (any Error)?
  init(_ asker: FailingAsker) { self.asker = asker }
  init(from decoder: GDecoder) throws {
    asker = nil
    do { _ = try decoder.decode(FailingAsker.self, for: Letter.a) } catch { failure = error }
  }
  func encode(to encoder: GEncoder) throws { try encoder.encode(asker, for: Letter.a) }
}

private final class Tunnel<Content: AnyObject & GCodable>: GCodable {
  let content: Content?
  let next: Tunnel?
  init(_ content: Content?, _ next: Tunnel?) { (self.content, self.next) = (content, next) }
  init(from decoder: GDecoder) throws {
    (content, next) = (try decoder.decode(for: Letter.c), try decoder.decode(for: Letter.n))
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(content, for: Letter.c)
    try encoder.encode(next, for: Letter.n)
  }
}

private struct Entrance<Content: AnyObject & GCodable>: GCodable {
  let shade: Shade
  let tunnel: Tunnel<Content>
  init(_ shade: Shade, _ tunnel: Tunnel<Content>) { (self.shade, self.tunnel) = (shade, tunnel) }
  init(from decoder: GDecoder) throws {
    (shade, tunnel) = (try decoder.decode(for: Letter.s), try decoder.decode(for: Letter.t))
  }
  func encode(to encoder: GEncoder) throws {
    try encoder.encode(shade, for: Letter.s)
    try encoder.encode(tunnel, for: Letter.t)
  }
}
