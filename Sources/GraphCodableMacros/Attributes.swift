import GraphCodable

#if Macros
  /// Stores a property, or a case of an enum, under another key than its name.
  @attached(peer)
  public macro GKey(_ name: String) =
    #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Stores a property, or a case, under a key, and also reads it under its earlier keys.
  ///
  ///     @GKey(was: "length", "len") var count: Int
  ///
  /// - Parameters:
  ///   - name: the key, if it differs from the name.
  ///   - olderNames: earlier keys, tried in this order if an archive lacks the key.
  @attached(peer)
  public macro GKey(_ name: String? = nil, was olderNames: String...) =
    #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Leaves a property out; it has its initial value in a decoded instance.
  @attached(peer)
  public macro GIgnored() = #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Stores a reference only if something else stores the object; see `GEncoder.encodeConditional(_:for:)`.
  @attached(peer)
  public macro GConditional() =
    #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Decodes a property of a class, such as a reference that closes a cycle, when all objects have been made.
  ///
  /// Until then the property has its initial value, or nil; see `GDecoder.deferDecode(_:for:_:)`.
  @attached(peer)
  public macro GDeferred() = #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Gives a property a value if an archive lacks its key.
  ///
  /// An initial value does the same.
  @attached(peer)
  public macro GDefault<Value>(_ value: Value) =
    #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Stores the value of a property with a wrapper, and not the wrapper, which need not adopt ``GCodable`` then.
  ///
  ///     @GWrapped @Published var title = ""
  ///
  /// The value is assigned to the property when it has been decoded. It also tells that an attribute of another package is a
  /// macro, and no wrapper.
  @attached(peer)
  public macro GWrapped() = #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Stores floating-point numbers to a precision; see `GEncoder.encode(_:for:precision:)`.
  ///
  ///     @GPrecision(.absolute(1e-3)) var positions: [SIMD3<Double>]
  @attached(peer)
  public macro GPrecision(_ precision: GraphCodable.GPrecision) =
    #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")

  /// Stores an array with attributes: its unit, the names of its dimensions, or others; see `GEncoder.encode(_:for:attributes:)`.
  ///
  ///     @GAttributes(.init(unit: "nm", dimensions: ["time", "atom", "xyz"])) var frames: [[SIMD3<Float>]]
  @attached(peer)
  public macro GAttributes(_ attributes: GraphCodable.GAttributes) =
    #externalMacro(module: "GraphCodableMacroPlugin", type: "PropertyAttributeMacro")
#endif
