import GraphCodable

// Without the trait there are no macros, and attributes would be unknown. These say what is missing. The compiler looks for a
// macro's implementation at its declaration, so each names one of Swift's own, which is never called.

#if !Macros
  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(extension)
  public macro GCodable(
    name: String? = nil, was aliases: String..., version: UInt32 = 0, inherits: Bool? = nil
  ) = #externalMacro(module: "SwiftMacros", type: "OptionSetMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(extension)
  public macro GCodableMembers(
    name: String? = nil, was aliases: String..., version: UInt32 = 0, inherits: Bool? = nil
  ) = #externalMacro(module: "SwiftMacros", type: "OptionSetMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(extension)
  public macro GPacked() = #externalMacro(module: "SwiftMacros", type: "OptionSetMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GKey(_ name: String? = nil, was olderNames: String...) =
    #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GIgnored() = #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GConditional() = #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GDeferred() = #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GDefault<Value>(_ value: Value) = #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GWrapped() = #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GPrecision(_ precision: GraphCodable.GPrecision) =
    #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")

  // swift-format-ignore: AllPublicDeclarationsHaveDocumentation
  @available(
    *, unavailable,
    message: "enable the trait 'Macros' of the package: .package(url: …, traits: [\"Macros\"])"
  )
  @attached(peer)
  public macro GAttributes(_ attributes: GraphCodable.GAttributes) =
    #externalMacro(module: "SwiftMacros", type: "TaskLocalMacro")
#endif
