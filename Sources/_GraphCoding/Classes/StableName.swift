import _GraphSupport

/// Names of private and local types without the addresses that the Swift runtime puts there.
///
/// Swift keeps no name for the scope of such a type at run time, so `_mangledTypeName` and `_typeName` show
/// the address of its descriptor, which differs in each run of the program. What an archive stores must be
/// the same in all runs. Two private types with one name in one module cannot be distinguished.
enum StableName {
  /// The placeholder for a scope in mangled names: an identifier of one character, which no type has.
  private static let scope = "1$yXZ"

  /// A mangled name with `1$yXZ` for each scope: `3App13$55886a370370yXZ5DraftC` becomes `3App1$yXZ5DraftC`.
  static func mangled(_ name: String) -> String {
    guard hasAddress(name) else { return MangledName.inArchive(name) }
    var result = ""
    var rest = name[...]
    while let match = rest.firstMatch(of: /\$[0-9A-Fa-f]+yXZ/) {
      // The identifier's length precedes it, perhaps after other digits.
      let length = String(match.output.count - 3)
      let front = rest[..<match.range.lowerBound]
      result += front.hasSuffix(length) ? front.dropLast(length.count) + scope : front + match.output
      rest = rest[match.range.upperBound...]
    }
    return LibraryTypes.current.mangledInArchive(result + rest)
  }

  /// A qualified name with `(unknown context)` for each scope, and the library's types as archives name them.
  static func qualified(_ name: String) -> String {
    let name = LibraryTypes.current.qualifiedInArchive(name)
    guard hasAddress(name) else { return name }
    return name.replacing(/\(unknown context at \$[0-9A-Fa-f]+\)/, with: "(unknown context)")
  }

  /// Whether a mangled name contains a private or local scope.
  static func hasScope(_ name: String) -> Bool { mangled(name).contains(scope) }

  /// Whether a search for addresses may find one; the search itself takes a hundred times as long.
  private static func hasAddress(_ name: String) -> Bool { name.utf8.contains(0x24) }

  /// A stable qualified name as in source code: without scopes.
  static func source(_ qualifiedName: String) -> String {
    qualifiedName.replacing("(unknown context).", with: "")
  }
}
