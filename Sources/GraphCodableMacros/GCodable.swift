@_exported import GraphCodable

#if Macros
  /// Writes `encode(to:)` and `init(from:)` of a struct, class or enum, and adopts ``GCodable``.
  ///
  ///     @GCodable final class Particle {
  ///       let mass: Double
  ///       var position: SIMD3<Double>
  ///       weak var cell: Cell?
  ///     }
  ///
  /// Each stored property is encoded under its name. Optional properties, and variables with an initial value, may be
  /// missing in an archive; constants with a value are stored in structs alone. `weak` and `unowned` references are encoded
  /// conditionally, and decoded when all objects have been made, where that is possible. A property with a wrapper is
  /// stored as the wrapper. The attributes ``GKey(_:)``, ``GIgnored()``, ``GDefault(_:)``, ``GConditional()`` and
  /// ``GDeferred()`` change this for a property.
  ///
  /// A subclass encodes its own properties before those of its superclass, so that `init(from:)` reads them in order.
  /// Cases of an enum without raw values are encoded by their names, payloads under their labels.
  ///
  /// If the type has an `encode(to:)` or `init(from:)` of its own, the macro does not write that.
  ///
  /// - Parameters:
  ///   - version: the version of a class, ``GEncodable/typeVersion``. If the archive has a lower version and the class has
  ///     a method `migrate(from:_:)`, that is called at the end of `init(from:)`, with the version in the archive and the
  ///     decoder.
  ///   - inherits: whether the superclass of a class codes its own part; usually the compiler knows.
  @attached(
    member, conformances: GEncodable, GDecodable, names: named(GCodingKey), named(encode(to:)),
    named(init(from:)),
    named(init()), named(typeVersion))
  @attached(
    extension, conformances: GEncodable, GDecodable, names: named(GCodingKey), named(encode(to:)),
    named(init(from:)), named(_graphIsFieldwise), named(_graphFieldwise), named(_graphAddFields(to:)),
    named(_graphWrite(_:)),
    named(_graphWritePlain(_:)), named(_graphRead(_:_:)))
  public macro GCodable(version: UInt32 = 0, inherits: Bool? = nil) =
    #externalMacro(module: "GraphCodableMacroPlugin", type: "GCodableMacro")

  // Separate from the other macro: the Swift 6.3 compiler crashes on a subclass of a class whose macro may add a conformance but
  // does not.

  /// Writes the coding of a class that declares its name in archives.
  ///
  ///     @GCodable(name: "particle", was: "OldModule.Atom") private final class Particle { … }
  ///
  /// As ``GCodable(version:inherits:)``, and adopts ``GArchiveNamed``. The class is registered when the program starts, with
  /// Swift 6.3 or later, so that archives find it by all of its names. With older compilers, and for generic classes, call
  /// `register()`.
  ///
  /// - Parameters:
  ///   - name: ``GArchiveNamed/archiveName``.
  ///   - aliases: ``GArchiveNamed/archiveAliases``, its earlier names.
  ///   - version: see ``GCodable(version:inherits:)``.
  ///   - inherits: see ``GCodable(version:inherits:)``.
  @attached(
    member, conformances: GEncodable, GDecodable, GArchiveNamed, names: named(GCodingKey), named(encode(to:)),
    named(init(from:)), named(init()), named(typeVersion), named(archiveName), named(archiveAliases),
    named(GCodableRegistration))
  @attached(
    extension, conformances: GEncodable, GDecodable, GArchiveNamed, names: named(GCodingKey),
    named(encode(to:)),
    named(init(from:)))
  public macro GCodable(
    name: String? = nil, was aliases: String..., version: UInt32 = 0, inherits: Bool? = nil
  ) = #externalMacro(module: "GraphCodableMacroPlugin", type: "GCodableMacro")

  /// Writes the coding of a type that adopts ``GCodable`` in its declaration, without an extension.
  ///
  ///     func run() {
  ///       @GCodableMembers(name: "draft") final class Draft: GCodable, GArchiveNamed { … }
  ///     }
  ///
  /// Use it for types that cannot have an extension: those inside functions, and private ones inside other types. Such a
  /// struct loses its memberwise initializer, as with a hand-written `init(from:)`. The parameters are those of
  /// ``GCodable(name:was:version:inherits:)``.
  @attached(
    member, conformances: GEncodable, GDecodable, GArchiveNamed, names: named(GCodingKey), named(encode(to:)),
    named(init(from:)), named(init()), named(typeVersion), named(archiveName), named(archiveAliases),
    named(GCodableRegistration), named(_graphIsFieldwise), named(_graphFieldwise),
    named(_graphAddFields(to:)), named(_graphWrite(_:)),
    named(_graphWritePlain(_:)), named(_graphRead(_:_:)))
  public macro GCodableMembers(
    name: String? = nil, was aliases: String..., version: UInt32 = 0, inherits: Bool? = nil
  ) = #externalMacro(module: "GraphCodableMacroPlugin", type: "GCodableMembersMacro")

  /// Writes the layout of a struct of numbers, and adopts ``GPackedStruct``.
  ///
  ///     @GPacked struct Sample {
  ///       var time: Double
  ///       var energy: Float
  ///       var step: UInt32
  ///     }
  ///
  /// Archives store the names of the properties; ``GKey(_:)`` gives another name. A property that is not a number is a
  /// compile-time error; padding ends the program with a message when the layout is made.
  @attached(extension, conformances: GPackedStruct, names: named(packedLayout))
  public macro GPacked() = #externalMacro(module: "GraphCodableMacroPlugin", type: "GPackedMacro")
#endif
