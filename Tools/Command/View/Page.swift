import CGraphPage
import Foundation

/// A page for browsers that shows files, and needs nothing but itself.
struct Page: Encodable {
  let version = toolVersion
  let files: [PageFile]

  /// The page's text.
  func html() throws -> String {
    // Names in a file can neither guess it nor, without it, be run.
    let nonce =
      String(UInt64.random(in: 0...UInt64.max), radix: 36)
      + String(UInt64.random(in: 0...UInt64.max), radix: 36)
    let parts = [
      "title": Self.escaped(files.map(\.file).joined(separator: ", ")),
      "nonce": nonce, "style": PageResource.style.text, "script": PageResource.script.text,
      "report": try json,
    ]
    // In one pass: what is put in may look like a place to put something.
    return PageResource.page.text.replacing(/\{\{(\w+)\}\}/) { parts[String($0.1)] ?? "" }
  }

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
  case page, style, script

  /// Text of the sources in `Tools/Page`.
  var text: String {
    let resources: [GCPResource] =
      switch self {
      case .page: [gcp_page()]
      case .style: [gcp_style()]
      case .script: (0..<gcp_script_count()).map { gcp_script($0) }
      }
    let text = resources.map { resource in
      // Safe because the bytes are constants of the program.
      String(decoding: UnsafeBufferPointer(start: resource.bytes, count: resource.byteCount), as: UTF8.self)
    }.joined(separator: "\n")
    return self == .script ? text.withoutImports : text
  }
}

extension String {
  /// Modules that stand one behind the other, in the order of their imports, need none.
  fileprivate var withoutImports: String {
    replacing(/(?m)^import [^;]*;\n/, with: "").replacing(/(?m)^export\s/, with: "")
  }
}
