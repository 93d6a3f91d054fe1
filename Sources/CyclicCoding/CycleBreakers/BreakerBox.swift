import CycleBreaking

/// The reference of a cycle breaker.
///
/// Copies of a breaker that were made before decoding has ended share it, and are filled with it.
final class BreakerBox<Object: AnyObject> {
  /// Weak, even for an unowned breaker, so that coders can tell that the object is gone.
  private weak var storedObject: Object?
  /// Looks for the object as long as decoding has not filled the breaker.
  private var early: EarlyObject<Object>?

  init(_ object: Object? = nil) { storedObject = object }

  /// The object, or nil if there is none.
  var object: Object? { storedObject ?? early?(false) }

  /// The object, which the caller cannot do without.
  var neededObject: Object? { storedObject ?? early?(true) }

  /// Whether the object is alive.
  var isHeld: Bool { storedObject != nil }

  private func fill(_ object: Object) { (storedObject, early) = (object, nil) }
}

extension BreakerBox where Object: Decodable {
  /// Lets a decoder fill the box.
  ///
  /// - Parameter mustBeHeld: Whether decoding fails if nothing else keeps the object alive.
  func decode(from decoder: any Decoder, mustBeHeld: Bool) throws {
    let isHeld: () -> Bool = { [weak self] in self?.isHeld ?? true }
    early = try decoder.cycleBreaking.decodeBreakingCycles(
      Object.self, set: { self.fill($0) }, isHeld: mustBeHeld ? isHeld : nil)
  }
}
