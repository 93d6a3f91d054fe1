import CGraphPage
import Foundation

/// A page for browsers that shows files, and needs nothing but itself.
struct Page: Encodable {
  let version = toolVersion
  var files: [PageFile] = []
  /// Those that a server sends by ranges; absent in a page by itself.
  var served: [ServedFile.Listed]?

  /// Of a page without files.
  private static let plainTitle = "GraphCodable"

  /// The page's text.
  func html() throws -> String {
    // Names in a file can neither guess it nor, without it, be run.
    let nonce =
      String(UInt64.random(in: 0...UInt64.max), radix: 36)
      + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let parts = [
      "title": Self.escaped(names.isEmpty ? Self.plainTitle : names.joined(separator: ", ")),
      "nonce": nonce, "style": PageResource.style.text, "script": PageResource.view.text,
      "reader": PageResource.reader.text, "report": try json,
      // The page by itself asks nobody for anything.
      "connections": served == nil ? "" : " connect-src 'self';",
    ]
    // In one pass: what is put in may look like a place to put something.
    return PageResource.page.text.replacing(/\{\{(\w+)\}\}/) { parts[String($0.1)] ?? "" }
  }

  private var names: [String] { files.map(\.file) + (served ?? []).map(\.name) }

  /// What the page shows, with escapes in place of whatever would end the element that it is in, or deceive readers of the text.
  private var json: String {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      encoder.nonConformingFloatEncodingStrategy = .convertToString(
        positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
      return String(decoding: try encoder.encode(self), as: UTF8.self).visibleJSON
        .replacing("<", with: "\\u003c").replacing("\u{7F}", with: "\\u007f")
    }
  }

  private static func escaped(_ text: String) -> String {
    text.visible.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
  }
}

/// A part of the page that was put into this program when it was built.
enum PageResource {
  case page, style, view, reader

  /// Text of the sources in `Tools/Page`.
  var text: String {
    switch self {
    case .page: Self.text(gcp_page())
    case .style: Self.text(gcp_style())
    case .view: Self.script((0..<gcp_view_count()).map { gcp_view($0) })
    case .reader: Self.script((0..<gcp_reader_count()).map { gcp_reader($0) })
    }
  }

  private static func text(_ resource: GCPResource) -> String {
    // Safe because the bytes are constants of the program.
    String(decoding: UnsafeBufferPointer(start: resource.bytes, count: resource.byteCount), as: UTF8.self)
  }

  /// Modules that stand one behind the other, in the order of their imports, need none.
  private static func script(_ modules: [GCPResource]) -> String {
    modules.map(text).joined(separator: "\n")
      .replacing(/(?m)^import [^;]*;\n/, with: "").replacing(/(?m)^export\s/, with: "")
  }
}
