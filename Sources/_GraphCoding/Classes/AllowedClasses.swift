/// Which classes of the program an archive may name.
///
///     let decoder = GraphDecoder(allowing: [Molecule.self, Atom.self, Bond.self])
///
/// A class name in an archive makes the decoder call that class's `init(from:)`, so the author of the archive chooses
/// which initializers run. For archives from strangers, list the classes that they may hold. Classes are listed one by
/// one: a subclass is allowed if it is listed itself, and a generic class with the arguments that it is listed with. A
/// class that is ``GObsolete`` allows its replacement. A class set by ``GraphDecoder/setClass(_:for:)`` is allowed, too.
///
/// The list holds for every instance that the decoder makes: also where an archive has an instance without its class, which is
/// then made as the class that the program asks for, and for `Decodable` classes. Only what an `init(from:)` calls itself, such as
/// the initializer of another class, is not the decoder's.
public struct AllowedClasses: Sendable, ExpressibleByArrayLiteral {
  enum Rule {
    case all
    case registered
    case listed(ClassTable)
  }

  let rule: Rule

  /// Why a class is refused.
  var refusal: String {
    switch rule {
    case .all, .listed: "is not among the classes that the decoder allows"
    case .registered: "is not registered, and the decoder allows registered classes only"
    }
  }

  /// All classes that can be found: registered ones, and those that Swift finds by their mangled names.
  ///
  /// This is the default. An archive can then name any class of the program and its libraries that adopts
  /// ``GDecodable`` or `Decodable` and is not private, and generic classes with any arguments; the memory that Swift
  /// takes for types of generic classes is never released.
  public static let all = AllowedClasses(rule: .all)

  /// Only classes that are registered in ``GTypesRepository``.
  public static let registeredOnly = AllowedClasses(rule: .registered)

  private init(rule: Rule) { self.rule = rule }

  /// Only these classes; registered ones are not allowed either, unless they are listed.
  ///
  /// - Parameter classes: the classes. Each is found by its mangled name and by the names that it declares through
  ///   ``GArchiveNamed``.
  /// - Precondition: No two of them declare the same name.
  public init(_ classes: [AnyClass]) {
    var table = ClassTable()
    for type in classes { table.add(type) }
    rule = .listed(table)
  }

  /// Only these classes, as in `init(_:)`.
  public init(arrayLiteral classes: AnyClass...) { self.init(classes) }
}

/// How a decoder finds the classes of archives.
package struct ClassRules: Sendable, ExpressibleByDictionaryLiteral {
  /// Classes that the user of the decoder has set for names.
  var chosen = ClassTable()
  var allowed = AllowedClasses.all

  init() {}

  package init(dictionaryLiteral classes: (ClassName, AnyClass)...) {
    for element in classes { chosen[element.0] = element.1 }
  }

  /// Whether instances of a class may be made.
  func allow(_ type: AnyClass) -> Bool {
    switch allowed.rule {
    case .all: true
    case .listed(let table): table.allows(type) || chosen.allows(type)
    case .registered: GTypesRepository.shared.allows(type) || chosen.allows(type)
    }
  }

  subscript(name: ClassName) -> AnyClass? {
    get { chosen[name] }
    set { chosen[name] = newValue }
  }
}

extension GraphDecoder {
  /// Makes a decoder for archives that may name certain classes only.
  ///
  ///     try GraphDecoder(allowing: [Molecule.self, Atom.self]).decode(Molecule.self, from: bytes)
  ///     try GraphDecoder(allowing: .registeredOnly).decode(Molecule.self, from: bytes)
  ///
  /// Decoding an instance of another class throws ``GCodableError/Code/classNotFound``.
  ///
  /// - Parameter classes: the allowed classes.
  public convenience init(allowing classes: AllowedClasses) {
    self.init()
    allowedClasses = classes
  }

  /// The classes that archives may name.
  ///
  /// Default: `.all`.
  public var allowedClasses: AllowedClasses {
    get { chosenClasses.allowed }
    set { chosenClasses.allowed = newValue }
  }
}
