#if Macros
  /// Prefixes of names in expansions, so that the user's types of the same names are not found instead.
  enum ModuleNames {
    #if compiler(>=6.3)
      static let ours = "GraphCodable::"
      static let swift = "Swift::"
    #else
      // Without module selectors, user types with the modules' names hide the modules.
      static let ours = "GraphCodable."
      static let swift = "Swift."
    #endif
    /// The functions that are there for expansions.
    static let support = ours + "_GraphMacro."
  }
#endif
