import Crypto
import Foundation
import GraphCodable
import Testing

@testable import Signing

/// The functions that Documentation/Security.md shows.
@Suite("Signing")
struct SigningTests {
  @Test func theDocumentShowsTheCodeThatIsTested() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let root = folder.deletingLastPathComponent().deletingLastPathComponent()
    func text(_ url: URL) throws -> String { try String(contentsOf: url, encoding: .utf8) }
    let document = try text(root.appendingPathComponent("Documentation/Security.md"))
    let code = try text(folder.appendingPathComponent("Sources/Signing.swift"))
    #expect(document.contains("\n```\n\(code)```\n"))
  }

  @Test func whatWasSignedIsOpened() throws {
    let key = Curve25519.Signing.PrivateKey()
    let model = ["a": [1, 2, 3], "b": []]
    let signed = try sign(GraphEncoder().encode(model), with: key)
    let archive = try open(signed, from: key.publicKey)
    try #expect(GraphDecoder().decode([String: [Int]].self, from: archive) == model)
    // Also as a slice that does not begin at 0.
    try #expect(open((Data([0]) + signed).dropFirst(), from: key.publicKey) == archive)
  }

  @Test func whatWasChangedOrSignedByAnotherIsRefused() throws {
    let key = Curve25519.Signing.PrivateKey()
    let signed = try sign(GraphEncoder().encode("text"), with: key)
    for place in signed.indices {
      var changed = signed
      changed[place] ^= 1
      #expect(throws: CocoaError.self) { try open(changed, from: key.publicKey) }
    }
    for count in 0..<signed.count {
      #expect(throws: CocoaError.self) { try open(signed.prefix(count), from: key.publicKey) }
    }
    let other = Curve25519.Signing.PrivateKey().publicKey
    #expect(throws: CocoaError.self) { try open(signed, from: other) }
  }
}
