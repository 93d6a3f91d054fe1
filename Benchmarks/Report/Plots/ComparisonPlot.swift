/// A picture of what other coders, and the limits of the machine, need in comparison with GraphCodable.
struct ComparisonPlot {
  let reports: [WorkloadReport]

  /// One colour's meaning.
  private struct Series {
    var name: String
    var color: String
    var isFilled = true
    var measurement: (WorkloadReport, Operation) -> Measurement?
  }

  private static var series: [Series] {
    func peer(_ name: String, _ color: String, _ subject: Subject) -> Series {
      Series(name: name, color: color) { $0.measurement($1, subject) }
    }
    return [
      Series(name: "limit (by hand, visit, make again, copy)", color: "#009e73", isFilled: false) {
        report, operation in
        report.measurement(operation, .handPacking)
          ?? report.measurement(.limit, operation == .encode ? .walk : .clone)
          ?? report.measurement(.limit, .freshCopy)
      },
      peer("swift-protobuf", "#0072b2", .protobuf),
      peer("JSON", "#e69f00", .json),
      peer("binary property list", "#d55e00", .plist),
      peer("NSKeyedArchiver, 200 elements", "#cc79a7", .keyedArchiver),
    ]
  }

  private static let rowHeight = 19.0
  private static let top = 92.0
  private static let left = 280.0
  private static let width = 930.0

  /// The picture; `nil` where there is nothing to compare.
  var svg: String? {
    let rows = reports.filter(\.isDetailed).flatMap { report in
      [Operation.encode, .decode].compactMap { operation in
        report.measurement(operation, .graphNone).map { (report, operation, $0.wholeMedian) }
      }
    }
    let ratios = rows.map { report, operation, own in
      Self.series.map { $0.measurement(report, operation).map { $0.wholeMedian / own } }
    }
    let all = ratios.joined().compactMap { $0 }
    guard let least = all.min(), let most = all.max() else { return nil }

    let bottom = Self.top + Double(rows.count) * Self.rowHeight
    let axis = LogAxis(
      values: min(least, 0.5) / 1.5...max(most, 2) * 1.5, places: (Self.left, Self.width - 20))
    var canvas = SVGCanvas(width: Self.width, height: bottom + 50)
    canvas.text(
      "Time as a multiple of GraphCodable's (medians in grey)", at: .init(x: 20, y: 28), size: 16,
      isBold: true)
    drawLegend(on: &canvas)
    drawScale(axis, to: bottom, on: &canvas)
    for (index, (row, ratios)) in zip(rows, ratios).enumerated() {
      let y = Self.top + (Double(index) + 0.5) * Self.rowHeight
      if index > 0, row.1 == .encode {
        let border = y - Self.rowHeight / 2
        canvas.line(.init(x: 20, y: border), .init(x: Self.width - 20, y: border), .init(color: "#dddddd"))
      }
      canvas.text("\(row.0.name)  \(row.0.subject), \(row.1.rawValue)", at: .init(x: 20, y: y + 4))
      canvas.text(
        "\(threeDigits(row.0.measurement(row.1, .graphNone)?.milliseconds)) ms",
        at: .init(x: Self.left - 12, y: y + 4), anchor: .end, color: "#777777")
      for (series, ratio) in zip(Self.series, ratios) {
        guard let ratio else { continue }
        canvas.dot(
          .init(x: axis.place(ratio), y: y), radius: 5, color: series.color, isFilled: series.isFilled)
      }
    }
    canvas.text(
      "slower than GraphCodable →", at: .init(x: axis.place(1) + 6, y: bottom + 40), color: "#777777")
    return canvas.svg
  }

  private func drawLegend(on canvas: inout SVGCanvas) {
    var x = 26.0
    for series in Self.series {
      canvas.dot(.init(x: x, y: 50), radius: 5, color: series.color, isFilled: series.isFilled)
      canvas.text(series.name, at: .init(x: x + 10, y: 54))
      x += 34 + 6.1 * Double(series.name.count)
    }
  }

  private func drawScale(_ axis: LogAxis, to bottom: Double, on canvas: inout SVGCanvas) {
    for tick in axis.ticks {
      let x = axis.place(tick)
      let isOne = tick == 1
      canvas.line(
        .init(x: x, y: Self.top), .init(x: x, y: bottom),
        .init(color: isOne ? "#222222" : "#dddddd", width: isOne ? 1.5 : 1))
      canvas.text(LogAxis.label(tick), at: .init(x: x, y: Self.top - 8), anchor: .middle)
      canvas.text(LogAxis.label(tick), at: .init(x: x, y: bottom + 18), anchor: .middle)
    }
  }
}
