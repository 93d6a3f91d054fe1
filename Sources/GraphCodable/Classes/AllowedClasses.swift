/// Which classes of the program an archive may name.
///
///     let decoder = GraphDecoder(allowing: [Molecule.self, Atom.self, Bond.self])
///
/// A name in an archive makes the decoder call an `init(from:)`. Who made the archive decides which, so for archives from
/// people you do not know list the classes that they may hold. Classes are listed one by one: a subclass is
/// allowed if it is listed itself, and a generic class with the arguments that it is listed with. A class that is
/// ``GObsolete`` allows its replacement. What is set by ``GraphDecoder/setClass(_:for:)`` is allowed, too.
public struct AllowedClasses: Sendable, ExpressibleByArrayLiteral {
  enum Rule {
    case all
    case registered
    case listed(ClassTable)
  }

  let rule: Rule

  /// All classes that can be found: registered ones, and those that Swift finds by their mangled names.
  ///
  /// This is the default. Archives can then name each class of the program, and of the libraries that it uses, that adopts
  /// ``GDecodable`` or `Decodable` and is not private, and generic classes with any arguments; memory that Swift takes
  /// for the types of generic classes is not given back.
  public static let all = AllowedClasses(rule: .all)

  /// Classes that are registered in ``GTypesRepository``, and no others.
  public static let registeredOnly = AllowedClasses(rule: .registered)

  private init(rule: Rule) { self.rule = rule }

  /// These classes and no others, not even registered ones.
  ///
  /// - Parameter classes: each is found under its mangled name, and the names that it declares by
  ///   ``GArchiveNamed``.
  /// - Precondition: no two of them declare the same name.
  public init(_ classes: [AnyClass]) {
    var table = ClassTable()
    for type in classes { table.add(type) }
    rule = .listed(table)
  }

  /// These classes and no others, as `init(_:)`.
  public init(arrayLiteral classes: AnyClass...) { self.init(classes) }
}

/// How a decoder finds the classes of archives.
struct ClassRules: Sendable, ExpressibleByDictionaryLiteral {
  /// Classes that the user of the decoder has set for names.
  var chosen = ClassTable()
  var allowed = AllowedClasses.all

  init() {}

  init(dictionaryLiteral classes: (ClassName, AnyClass)...) {
    for element in classes { chosen[element.0] = element.1 }
  }

  subscript(name: ClassName) -> AnyClass? {
    get { chosen[name] }
    set { chosen[name] = newValue }
  }
}

extension GraphDecoder {
  /// Makes a decoder for archives that may name some classes only.
  ///
  ///     try GraphDecoder(allowing: [Molecule.self, Atom.self]).decode(Molecule.self, from: bytes)
  ///     try GraphDecoder(allowing: .registeredOnly).decode(Molecule.self, from: bytes)
  ///
  /// An instance of another class is an error with the code ``GCodableError/Code/classNotFound`` where it is decoded.
  ///
  /// - Parameter classes: the classes.
  public convenience init(allowing classes: AllowedClasses) {
    self.init()
    allowedClasses = classes
  }

  /// Which classes archives may name.
  ///
  /// Default: `.all`.
  public var allowedClasses: AllowedClasses {
    get { chosenClasses.allowed }
    set { chosenClasses.allowed = newValue }
  }
}
