/// A class that inherits its coding on purpose: its own stored properties are left out.
///
///     final class CachedPlane: Plane, InheritsCoding {
///       var cache: [String: Image] = [:]
///     }
///
/// Encoding an instance of another class is an error if the class adds stored properties and does not override
/// `encode(to:)`. Subclasses may inherit this, too.
public protocol InheritsCoding: AnyObject {}

/// The properties and methods that the classes of an instance add to a class whose coding they may inherit.
///
/// A subclass that adds stored properties with default values may inherit `init(from:)` and `encode(to:)`. Swift does not warn
/// of that, and the properties have their default values again when the instance is decoded.
///
/// Swift cannot tell whether a class overrides `encode(to:)`. But while the first instance is encoded, some methods of its
/// classes are on the call stack: `encode(to:)`, and methods that it calls to encode. A class that overrides one of them has its
/// own coding, whatever that leaves out. If none is found, because fields wait until `encode(to:)` has returned, every override
/// is taken for one.
package struct InheritedCoding {
  /// The classes below the one that adopts the protocol of the coding, the instance's own first.
  private var levels: [Level] = []
  /// The names of the stored properties of all classes.
  private var names: Set<String> = []

  private struct Level {
    let type: AnyClass
    /// Its stored properties, without compiler-generated ones.
    let properties: [String]
    /// The methods that it overrides.
    let overrides: Set<UInt>
  }

  /// The methods of all classes, by the start addresses of their functions.
  private var methods: [UInt: UInt] = [:]

  /// Describes the class of an instance.
  ///
  /// - Parameter isCoded: Whether a class adopts the protocol of the coding.
  /// - Returns: Nil if nothing that the class adds can be lost.
  /// - Complexity: O(*n*), where *n* is the number of its superclasses and their properties.
  package init?(_ dynamicClass: AnyClass, isCoded: (AnyClass) -> Bool) {
    if dynamicClass is any InheritsCoding.Type { return nil }
    var next: AnyClass? = dynamicClass
    while let type = next, let layout = ClassLayout(type) {
      next = _getSuperclass(type)
      let properties = layout.storedProperties.filter { !$0.hasPrefix("$") && !$0.hasPrefix("_$") }
      names.formUnion(properties.map(Self.name))
      for method in layout.methods { methods[method.function] = method.id }
      guard let next, isCoded(next) else { continue }
      let overrides = Set(layout.methods.filter(\.isOverride).map(\.id))
      levels.append(Level(type: type, properties: properties, overrides: overrides))
    }
    if levels.allSatisfy(\.properties.isEmpty) { return nil }
  }

  /// The name of the property that is stored under a name: that of a wrapped one begins with an underscore.
  private static func name(_ stored: String) -> String {
    stored.hasPrefix("_") ? String(stored.dropFirst()) : stored
  }

  /// Properties that an instance has not encoded.
  package struct Loss {
    package let type: AnyClass
    let properties: [String]

    /// What an error says.
    package var description: String {
      let names = properties.map { $0.isEmpty ? "a stored property" : "'\(InheritedCoding.name($0))'" }
      let shown = names.count > 8 ? names.prefix(8) + ["\(names.count - 8) more"] : names[...]
      return
        "\(type) adds \(shown.joined(separator: ", ")) and does not encode what it adds, which would be lost; "
        + "override encode(to:) and init(from:), or adopt InheritsCoding to leave it out"
    }
  }

  /// The properties certainly lost, whatever has been encoded.
  package var certainLoss: Loss? {
    levels.prefix { $0.overrides.isEmpty }.first { !$0.properties.isEmpty }.map {
      Loss(type: $0.type, properties: $0.properties)
    }
  }

  /// The properties that an instance has not encoded.
  ///
  /// - Parameters:
  ///   - instance: The instance.
  ///   - keys: The keys that it has encoded.
  ///   - hasOthers: Whether it has encoded values without keys.
  ///   - trace: The functions that were called meanwhile.
  package func loss(
    of instance: AnyObject, keys: some Sequence<String>, hasOthers: Bool, _ trace: CodingTrace
  ) -> Loss? {
    let keys = Set(keys.map(Self.name))
    let isExplained = !hasOthers && keys.isSubset(of: names)
    let encoding = Set(trace.functions.compactMap { methods[$0] })
    /// Whether a subclass has its own coding, which may cover the properties as well.
    var mayBeEncoded = false
    for level in levels {
      if encoding.isEmpty ? !level.overrides.isEmpty : !encoding.isDisjoint(with: level.overrides) {
        mayBeEncoded = true
        continue
      }
      guard !level.properties.isEmpty, keys.isDisjoint(with: level.properties.map(Self.name)) else {
        continue
      }
      if mayBeEncoded, !isExplained || !Self.hasValues(instance, level) { continue }
      return Loss(type: level.type, properties: level.properties)
    }
    return nil
  }

  /// Whether a class has a property that every `encode(to:)` would encode: others may be left out when they are nil or empty.
  private static func hasValues(_ instance: AnyObject, _ level: Level) -> Bool {
    var mirror: Mirror? = Mirror(reflecting: instance)
    while let current = mirror, current.subjectType != level.type { mirror = current.superclassMirror }
    return mirror?.children.contains { child in
      guard let name = child.label, level.properties.contains(name) else { return false }
      if let collection = child.value as? any Collection { return !collection.isEmpty }
      return Mirror(reflecting: child.value).displayStyle != .optional
    } ?? false
  }
}
