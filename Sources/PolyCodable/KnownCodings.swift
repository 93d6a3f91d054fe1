import CycleBreaking
import Foundation

/// Classes known to inherit a coding that loses their added properties.
final class KnownCodings: @unchecked Sendable {
  // `@unchecked`: `losses` is only used under `lock`.
  static let shared = KnownCodings()

  private let lock = NSLock()
  private var losses: [ObjectIdentifier: InheritedCoding.Loss?] = [:]

  private init() {}

  /// The properties that instances of a class certainly lose.
  func loss(of type: AnyClass) -> InheritedCoding.Loss? {
    lock.withLock {
      if let known = losses[ObjectIdentifier(type)] { return known }
      let loss = InheritedCoding(type) { $0 is any Encodable.Type }?.certainLoss
      losses[ObjectIdentifier(type)] = .some(loss)
      return loss
    }
  }
}
