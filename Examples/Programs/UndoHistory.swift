// A document with its undo history: each state shares with the one before what has not changed, in memory and in the file.
//
//   swift run --package-path Examples UndoHistory

import Foundation
import GraphCodable

/// A page, which never changes: editing makes another one.
final class Page: GCodable {
  let text: String

  init(_ text: String) { self.text = text }

  private enum Key: String { case text }

  func encode(to encoder: GEncoder) throws { try encoder.encode(text, for: Key.text) }

  init(from decoder: GDecoder) throws { text = try decoder.decode(for: Key.text) }
}

/// All pages at one time, and what was done to get there.
struct DocumentState: GCodable {
  var action: String
  var pages: [Page]

  private enum Key: String { case action, pages }

  init(action: String, pages: [Page]) { (self.action, self.pages) = (action, pages) }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(action, for: Key.action)
    try encoder.encode(pages, for: Key.pages)
  }

  init(from decoder: GDecoder) throws {
    action = try decoder.decode(for: Key.action)
    pages = try decoder.decode(for: Key.pages)
  }
}

/// A document that can undo and redo, also after it was closed and opened again.
struct Document: GCodable {
  private(set) var states: [DocumentState]
  private(set) var current = 0

  var pages: [Page] { states[current].pages }

  init(pages: [Page]) { states = [DocumentState(action: "new", pages: pages)] }

  mutating func edit(_ action: String, _ change: (inout [Page]) -> Void) {
    var pages = pages
    change(&pages)
    states.removeSubrange((current + 1)...)
    states.append(DocumentState(action: action, pages: pages))
    current += 1
  }

  mutating func undo() { current = max(0, current - 1) }

  mutating func redo() { current = min(states.count - 1, current + 1) }

  private enum Key: String { case states, current }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(states, for: Key.states)
    try encoder.encode(current, for: Key.current)
  }

  init(from decoder: GDecoder) throws {
    states = try decoder.decode(for: Key.states)
    current = try decoder.decode(for: Key.current)
    guard states.indices.contains(current) else {
      throw GCodableError(.invalidValue, "state \(current) of \(states.count)")
    }
  }
}

@main enum UndoHistory {
  static func main() throws {
    let bytes = { (document: Document) in try GraphEncoder().encode(document) as Bytes }
    var document = Document(
      pages: (0..<100).map { Page("Page \($0). " + String(repeating: "All work. ", count: 100)) })
    let before = try bytes(document).count
    for number in 0..<50 {
      document.edit("edit \(number)") { $0[number] = Page("Page \(number), edited.") }
    }
    let after = try bytes(document).count
    print("100 pages: \(before) bytes; with 50 states more: \(after)")

    var opened = try GraphDecoder().decode(Document.self, from: bytes(document))
    let (first, last) = (opened.states[0].pages[99], opened.pages[99])
    print("the last page is one object in all states: \(first === last)")
    opened.undo()
    print("after undo, page 49 is: \(opened.pages[49].text.prefix(8))")
    opened.redo()
    print("after redo, page 49 is: \(opened.pages[49].text)")
  }
}
