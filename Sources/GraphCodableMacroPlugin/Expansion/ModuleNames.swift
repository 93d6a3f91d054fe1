#if Macros
  /// What stands in front of names in expansions, so that types of the user's with such names are not found in their place.
  enum ModuleNames {
    #if compiler(>=6.3)
      static let ours = "GraphCodable::"
      static let swift = "Swift::"
    #else
      // Without module selectors, types of the user's that are called like the modules hide them.
      static let ours = "GraphCodable."
      static let swift = "Swift."
    #endif
  }
#endif
