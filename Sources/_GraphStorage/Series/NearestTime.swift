extension Sequence {
  /// The element whose time is nearest to `time`; if there are several, the last one.
  ///
  /// Elements whose time is no number are passed over.
  func nearest(to time: Double, by timeOf: (Element) -> Double) -> Element? {
    var nearest: (element: Element, distance: Double)?
    for element in self {
      let its = timeOf(element)
      // The difference of two infinities would be no number.
      let distance = its == time ? 0 : (its - time).magnitude
      guard !distance.isNaN else { continue }
      if let nearest, nearest.distance < distance { continue }
      nearest = (element, distance)
    }
    return nearest?.element
  }
}
