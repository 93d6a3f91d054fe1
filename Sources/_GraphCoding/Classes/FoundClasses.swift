import Foundation

/// Classes that Swift's runtime has found by their mangled names: looking here is faster.
final class FoundClasses: @unchecked Sendable {
  // `@unchecked`: `classes` and `names` are only used under `lock`.
  static let shared = FoundClasses()

  private let lock = NSLock()
  private var classes: [ClassName: AnyClass] = [:]
  private var names: [ObjectIdentifier: String] = [:]

  private init() {}

  /// The class found by a mangled name.
  func type(named name: String) -> AnyClass? { lock.withLock { classes[.mangledName(name)] } }

  /// The mangled name by which a class was found.
  func name(of type: AnyClass) -> String? { lock.withLock { names[ObjectIdentifier(type)] } }

  /// Lets the runtime search for a class.
  ///
  /// - Parameters:
  ///   - fullName: the name as `MangledName` has written it; nothing else may be looked up.
  ///   - name: the name as it was.
  func search(_ fullName: String, named name: String) -> AnyClass? {
    guard let type = _typeByName(fullName) as? AnyClass else { return nil }
    lock.withLock {
      // Archives from elsewhere may name any number of generic classes.
      if classes.count == ClassNameLimits.foundClassCount { (classes, names) = ([:], [:]) }
      classes[.mangledName(name)] = type
      names[ObjectIdentifier(type)] = name
    }
    return type
  }
}
