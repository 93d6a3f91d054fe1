import _GraphSupport

/// The names that an archive holds for the class of an object.
package struct StoredClassNames {
  /// The placeholder for a class without a name: see `EncoderTables.lostClasses`.
  static let none = StoredClassNames(mangled: "", qualified: "", archiveName: nil, isLasting: false)

  /// The mangled name, the declared name after `@`, or both, the declared one first.
  let mangled: String
  let qualified: String
  /// The name that the class declares.
  let archiveName: String?
  /// Whether Swift itself always finds the class; otherwise it is found because it is registered now.
  let isLasting: Bool

  private init(mangled: String, qualified: String, archiveName: String?, isLasting: Bool) {
    (self.mangled, self.qualified) = (mangled, qualified)
    (self.archiveName, self.isLasting) = (archiveName, isLasting)
  }

  /// The names by which a class can be found.
  ///
  /// - Throws: `classNotConstructible`, with what to do, if it cannot be found.
  init(_ type: AnyClass) throws(GCodableError) {
    let qualified = StableName.qualified(_typeName(type, qualified: true))
    let archiveName = ArchiveNames(type)?.name
    if let archiveName, !ArchiveNames.isValid(archiveName) {
      throw Self.unusable(
        type,
        "its archive name \"\(archiveName)\" is not made of 1 to 255 ASCII characters "
          + "without spaces and @")
    }
    var reason = ""
    if let found = Self.nameInProgram(of: type, orElse: &reason) {
      self.init(
        mangled: archiveName.map { "@\($0)@\(found)" } ?? found, qualified: qualified,
        archiveName: archiveName,
        isLasting: true)
    } else if let registered = GTypesRepository.shared.registeredName(of: type) {
      self.init(mangled: registered, qualified: qualified, archiveName: archiveName, isLasting: false)
    } else {
      throw Self.unusable(
        type,
        "\(reason) call its register() before encoding and decoding, or adopt GInheritance with disableInheritance "
          + "returning true, which stores instances without their class")
    }
  }

  /// Why instances of a class could not be decoded; nil where they can.
  package static func problem(of type: AnyClass) -> GCodableError? {
    do {
      try StoredClassNames(type).claim(for: type)
      let isEncodable = type is any GEncodable.Type || type is any Encodable.Type
      guard let decodable = ClassResolver.decodable(type), isEncodable else {
        return unusable(
          type, "it does not adopt both GEncodable and GDecodable, or both Encodable and Decodable")
      }
      guard subject(of: decodable.replacementType) is AnyClass else {
        return unusable(type, "its replacementType is not a class")
      }
      return nil
    } catch { return error }
  }

  /// Makes sure that no other class is stored under the same archive name.
  func claim(for type: AnyClass) throws(GCodableError) {
    guard let archiveName, let other = GTypesRepository.shared.claim(archiveName, for: type) else { return }
    throw Self.unusable(
      type,
      "its archive name \"\(archiveName)\" is one of \(_typeName(other, qualified: true)), too; where "
        + "the class is generic, make its arguments a part of the name")
  }

  /// The mangled name of a class if the class is found by it.
  ///
  /// - Parameter reason: set to the reason why it is not, and what to do.
  private static func nameInProgram(of type: AnyClass, orElse reason: inout String) -> String? {
    if let known = FoundClasses.shared.name(of: type) { return known }
    let name = _mangledTypeName(type) ?? ""
    guard let full = MangledName.expanded(name) else {
      reason =
        StableName.hasScope(name)
        ? "it is private, local to a function or inside such a type: make it internal and move it out, or"
        : "its name is too long, or a function, a metatype or a number is among its generic arguments:"
      return nil
    }
    let archived = MangledName.inArchive(name)
    if FoundClasses.shared.search(full, named: archived) == type { return archived }
    reason = "Swift does not find it by its name:"
    return nil
  }

  private static func unusable(_ type: AnyClass, _ reason: String) -> GCodableError {
    GCodableError(
      .classNotConstructible, "the class could not be found when the archive is decoded, because \(reason)",
      typeName: _typeName(type, qualified: true))
  }
}
