import _GraphFiles
import _GraphSupport

/// Classes by the names that archives may have for them.
struct ClassTable: Sendable {
  /// Each is `GDecodable` or `Decodable`.
  private var classes: [ClassName: AnyClass] = [:]

  subscript(name: ClassName) -> AnyClass? {
    get { classes[name.stable] }
    set { classes[name.stable] = newValue }
  }

  /// Adds a class under its mangled name and all that it declares.
  ///
  /// - Precondition: no other class has one of these names, except mangled names of private classes, of which the last
  ///   one is found.
  mutating func add(_ type: AnyClass) { add(Entry(type)) }

  mutating func add(_ entry: Entry) {
    if let name = entry.scopedName { self[name] = entry.type }
    for name in entry.names { declare(name, for: entry.type) }
  }

  /// A class with its names.
  struct Entry {
    let type: AnyClass
    /// The mangled name of a private class, which others may have as well.
    private(set) var scopedName: ClassName?
    private(set) var names: [ClassName] = []

    /// - Precondition: the archive name is valid.
    init(_ type: AnyClass) {
      self.type = type
      if let name = _mangledTypeName(type) {
        if StableName.hasScope(name) {
          scopedName = .mangledName(name)
        } else {
          names.append(.mangledName(name))
          // What is looked for in place of a name with other classes in it.
          if let full = MangledName.expanded(name), full != name { names.append(.mangledName(full)) }
        }
      }
      guard let declared = ArchiveNames(type) else { return }
      precondition(
        ArchiveNames.isValid(declared.name),
        "an archive name has 1 to 255 ASCII characters without spaces and @: \"\(declared.name)\"")
      names.append(.archiveName(declared.name))
      names += declared.aliases.flatMap { [ClassName.archiveName($0), .mangledName($0), .qualifiedName($0)] }
    }
  }

  private mutating func declare(_ name: ClassName, for type: AnyClass) {
    if let other = self[name], other != type {
      preconditionFailure(
        "\(_typeName(other, qualified: true)) and \(_typeName(type, qualified: true)) declare the same \(name)"
      )
    }
    self[name] = type
  }

  /// The class that an archive has under these names.
  @inline(never)
  func find(_ stored: Contents.StoredClass) -> AnyClass? {
    if classes.isEmpty { return nil }
    return stored.names.lazy.compactMap { classes[$0] }.first
  }

  /// Whether a class is in the table, or replaces one that is.
  func allows(_ type: AnyClass) -> Bool {
    classes.values.contains {
      $0 == type || ClassResolver.decodable($0).map { subject(of: $0.replacementType) == type } ?? false
    }
  }

  /// The qualified names of all classes.
  var qualifiedNames: [String] {
    let types = Dictionary(classes.values.map { (ObjectIdentifier($0), $0) }) { first, _ in first }
    return types.values.map { StableName.qualified(_typeName($0, qualified: true)) }.sortedOutOfLine(by: <)
  }
}

extension Contents.StoredClass {
  /// The names that a table may have the class under, the most exact one first.
  var names: [ClassName] {
    var names = [ClassName.mangledName(mangledName)]
    if let archiveName {
      names.append(.archiveName(archiveName))
      if let swiftName { names.append(.mangledName(swiftName)) }
    }
    names.append(.qualifiedName(qualifiedName))
    return names
  }

  /// The name that the class declares.
  private var archiveName: String? {
    guard mangledName.utf8.first == Self.mark else { return nil }
    return String(Substring(mangledName.utf8.dropFirst().prefix { $0 != Self.mark }))
  }

  /// The name that Swift mangles; nil where the class is only found under the name that it declares.
  var swiftName: String? {
    guard mangledName.utf8.first == Self.mark else { return mangledName }
    guard let end = mangledName.utf8.dropFirst().firstIndex(of: Self.mark) else { return nil }
    return String(Substring(mangledName.utf8[end...].dropFirst()))
  }

  private static var mark: UInt8 { UInt8(ascii: "@") }
}
