import Foundation

/// A picture made of lines, dots and words, as SVG text.
///
/// Only what every viewer can draw is used, with a white ground, so that a page with dark colours shows it too.
struct SVGCanvas {
  struct Point {
    var x: Double
    var y: Double
  }

  /// How a line is drawn.
  struct Stroke {
    var color: String
    var width = 1.0
    /// Lengths of dashes and gaps; nothing for a line without gaps.
    var dashes = ""
  }

  enum Anchor: String {
    case start, middle, end
  }

  private let width: Double
  private let height: Double
  private var elements: [String] = []

  init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  mutating func line(_ start: Point, _ end: Point, _ stroke: Stroke) {
    polyline([start, end], stroke)
  }

  mutating func polyline(_ points: [Point], _ stroke: Stroke) {
    let list = points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
    let dashes = stroke.dashes.isEmpty ? "" : " stroke-dasharray=\"\(stroke.dashes)\""
    elements.append(
      "<polyline points=\"\(list)\" fill=\"none\" stroke=\"\(stroke.color)\" "
        + "stroke-width=\"\(number(stroke.width))\"\(dashes)/>")
  }

  /// A dot, or a ring where it is not filled.
  mutating func dot(_ center: Point, radius: Double, color: String, isFilled: Bool = true) {
    elements.append(
      "<circle cx=\"\(number(center.x))\" cy=\"\(number(center.y))\" r=\"\(number(radius))\" "
        + "fill=\"\(isFilled ? color : "#ffffff")\" stroke=\"\(color)\" stroke-width=\"1.5\"/>")
  }

  mutating func text(
    _ text: String, at point: Point, size: Double = 12, anchor: Anchor = .start, color: String = "#222222",
    isBold: Bool = false
  ) {
    let escaped = text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(
      of: "<", with: "&lt;")
    elements.append(
      "<text x=\"\(number(point.x))\" y=\"\(number(point.y))\" font-size=\"\(number(size))\" "
        + "text-anchor=\"\(anchor.rawValue)\" fill=\"\(color)\"\(isBold ? " font-weight=\"bold\"" : "")>"
        + "\(escaped)</text>")
  }

  /// The picture as a file's contents.
  var svg: String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(number(width)) \(number(height))" \
    width="\(number(width))" height="\(number(height))" font-family="Helvetica, Arial, sans-serif">
    <rect width="100%" height="100%" fill="#ffffff"/>
    \(elements.joined(separator: "\n"))
    </svg>

    """
  }

  private func number(_ value: Double) -> String {
    String(format: "%.1f", value)
  }
}
