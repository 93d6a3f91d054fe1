#if Macros
  import SwiftSyntax

  /// What a class declares about itself: its version, its names, and its registration.
  struct ClassCode {
    let type: TypeDeclaration

    private var inherits: Bool {
      if case .reference(inherits: true, _) = type.kind { true } else { false }
    }

    var declarations: [[String]] {
      [version, name, aliases, registration, initializer].compactMap(\.self)
    }

    /// A root class always declares one, because subclasses override it.
    private var version: [String]? {
      let isOpenRoot = !type.isFinal && !inherits
      guard isOpenRoot || type.options.version != nil else { return nil }
      let value = type.options.version?.trimmedDescription ?? "0"
      return ["\(head(overrides: inherits)) typeVersion: \(ModuleNames.swift)UInt32 { \(value) }"]
    }

    private var name: [String]? {
      type.options.name.map {
        [
          "\(head(overrides: inheritsName)) archiveName: \(ModuleNames.swift)String { \($0.trimmedDescription) }"
        ]
      }
    }

    private var aliases: [String]? {
      guard type.options.name != nil, !type.options.aliases.isEmpty || needsAliases else { return nil }
      let names = type.options.aliases.map(\.trimmedDescription).joined(separator: ", ")
      return ["\(head(overrides: inheritsName)) archiveAliases: [\(ModuleNames.swift)String] { [\(names)] }"]
    }

    /// A subclass with aliases overrides those of its superclass.
    private var needsAliases: Bool { !type.isFinal && !inheritsName }

    private var inheritsName: Bool { inherits && !type.missing.contains("GArchiveNamed") }

    private func head(overrides: Bool) -> String {
      (overrides ? type.overridable + "override " : type.overridable)
        + (type.isFinal ? "static var" : "class var")
    }

    /// Swift cannot find the class by its declared or earlier names, so it is registered when the program starts.
    private var registration: [String]? {
      guard type.options.name != nil, !type.generics.areAny else { return nil }
      guard let call = type.isolation.onMainThread("\(type.name.text).register()") else { return nil }
      let function = "static let atStart: @convention(c) () -> \(ModuleNames.swift)Void = { \(call) }"
      return [
        "#if compiler(>=6.3)", "  #if objectFormat(ELF)", "    @section(\".init_array\") @used",
        "    \(function)",
        "  #elseif objectFormat(MachO)", "    @section(\"__DATA,__mod_init_func\") @used", "    \(function)",
        "  #endif",
        "#endif",
      ].block("private enum GCodableRegistration")
    }

    /// The initializer that Swift would have made without `init(from:)`.
    private var initializer: [String]? {
      guard type.isSurelyRoot, !type.members.hasInitializer, !type.members.needsValues,
        !type.members.hasDecode
      else { return nil }
      return ["init() {}"]
    }
  }
#endif
