/// Pictures of how something per unit changes with the size, one panel for each workload.
struct GrowthPlot {
  /// One line of a panel.
  struct Series {
    var name: String
    var stroke: SVGCanvas.Stroke
    var value: (WorkloadReport) -> Double?
  }

  var title: String
  var series: [Series]

  private static let columns = 3
  private static let panel = (width: 290.0, height: 190.0)
  private static let top = 76.0

  /// The picture; `nil` where no workload was measured in two sizes.
  func svg(_ reports: [WorkloadReport]) -> String? {
    let panels = GrowthTable(reports: reports).reportsBySize
    guard !panels.isEmpty else { return nil }
    let rowCount = (panels.count + Self.columns - 1) / Self.columns
    var canvas = SVGCanvas(
      width: 20 + Double(Self.columns) * Self.panel.width,
      height: Self.top + Double(rowCount) * Self.panel.height + 10)
    canvas.text(title, at: .init(x: 20, y: 28), size: 16, isBold: true)
    drawLegend(on: &canvas)
    for (index, panel) in panels.enumerated() {
      let origin = SVGCanvas.Point(
        x: 20 + Double(index % Self.columns) * Self.panel.width,
        y: Self.top + Double(index / Self.columns) * Self.panel.height)
      draw(panel.sizes, at: origin, on: &canvas)
    }
    return canvas.svg
  }

  private func drawLegend(on canvas: inout SVGCanvas) {
    var x = 20.0
    for series in series {
      canvas.line(.init(x: x, y: 50), .init(x: x + 24, y: 50), series.stroke)
      canvas.text(series.name, at: .init(x: x + 30, y: 54))
      x += 52 + 6.3 * Double(series.name.count)
    }
  }

  private func draw(
    _ reports: [WorkloadReport], at origin: SVGCanvas.Point, on canvas: inout SVGCanvas
  ) {
    let lines = series.map { series in
      reports.compactMap { report in series.value(report).map { (Double(report.unitCount), $0) } }
    }
    let counts = reports.map { Double($0.unitCount) }
    let values = lines.joined().map(\.1)
    guard let fewest = counts.min(), let most = counts.max(), let low = values.min(), let high = values.max()
    else { return }

    let (left, right) = (origin.x + 44, origin.x + Self.panel.width - 24)
    let (upper, lower) = (origin.y + 22, origin.y + Self.panel.height - 36)
    let horizontal = LogAxis(values: fewest / 1.3...most * 1.3, places: (left, right))
    // At least a factor of ten, so that what hardly changes looks flat.
    let middle = (low * high).squareRoot()
    let vertical = LogAxis(
      values: min(low / 1.3, middle / 3.2)...max(high * 1.3, middle * 3.2), places: (lower, upper))

    canvas.text(
      "\(reports[0].id)  \(reports[0].subject), per \(reports[0].unit)", at: .init(x: left, y: origin.y + 12),
      isBold: true)
    for tick in vertical.ticks {
      let y = vertical.place(tick)
      canvas.line(.init(x: left, y: y), .init(x: right, y: y), .init(color: "#dddddd"))
      canvas.text(LogAxis.label(tick), at: .init(x: left - 6, y: y + 4), size: 11, anchor: .end)
    }
    for tick in horizontal.ticks {
      let x = horizontal.place(tick)
      canvas.line(.init(x: x, y: lower), .init(x: x, y: lower + 4), .init(color: "#222222"))
      canvas.text(LogAxis.label(tick), at: .init(x: x, y: lower + 17), size: 11, anchor: .middle)
    }
    canvas.line(.init(x: left, y: lower), .init(x: right, y: lower), .init(color: "#222222"))
    for (series, line) in zip(series, lines) {
      let points = line.map { SVGCanvas.Point(x: horizontal.place($0.0), y: vertical.place($0.1)) }
      canvas.polyline(points, series.stroke)
      for point in points { canvas.dot(point, radius: 2.5, color: series.stroke.color) }
    }
  }
}

extension GrowthPlot {
  /// Nanoseconds per unit.
  static var times: GrowthPlot {
    func series(
      _ name: String, _ color: String, _ operation: Operation, _ subject: Subject, _ dashes: String = ""
    )
      -> Series
    {
      Series(name: name, stroke: .init(color: color, width: 2, dashes: dashes)) { report in
        report.measurement(operation, subject).map(report.nanosecondsPerUnit)
      }
    }
    return GrowthPlot(
      title: "Nanoseconds per unit over the number of units",
      series: [
        series("encode", "#0072b2", .encode, .graphNone),
        series("decode", "#d55e00", .decode, .graphNone),
        series("encode, protobuf", "#56b4e9", .encode, .protobuf, "5 3"),
        series("decode, protobuf", "#e69f00", .decode, .protobuf, "5 3"),
        series("encode, 512 KiB stack", "#009e73", .encode, .graphSmallStack, "2 2"),
        series("decode, 512 KiB stack", "#cc79a7", .decode, .graphSmallStack, "2 2"),
      ])
  }

  /// Stored bytes per unit.
  static var sizes: GrowthPlot {
    func series(_ name: String, _ color: String, _ subject: Subject, _ dashes: String = "") -> Series {
      Series(name: name, stroke: .init(color: color, width: 2, dashes: dashes)) { report in
        report.measurement(.encode, subject).map(report.bytesPerUnit)
      }
    }
    return GrowthPlot(
      title: "Stored bytes per unit over the number of units",
      series: [
        series(".none", "#0072b2", .graphNone),
        series(".lz4", "#d55e00", .graphLZ4),
        series("protobuf", "#56b4e9", .protobuf, "5 3"),
        series("JSON", "#e69f00", .json, "5 3"),
        series("binary property list", "#cc79a7", .plist, "2 2"),
      ])
  }
}
