import Foundation
import _GraphFiles
import _GraphSupport

/// The classes that archives may name although Swift cannot find them by name, such as private and local ones.
///
///     private final class Draft: GCodable { … }
///     Draft.register()   // before encoding or decoding
///
/// Of several private classes with the same name in one module, the one registered last is found.
///
/// Other classes need no registration. There is one repository for the process, and any number of threads may use it.
public final class GTypesRepository: @unchecked Sendable {
  // `@unchecked`: `table` and `claims` are only used under `lock`.
  /// The repository of the process.
  public static let shared = GTypesRepository()

  private let lock = NSLock()
  private var table = ClassTable()
  /// Classes that were encoded under a name that they declare.
  private var claims: [String: AnyClass] = [:]

  private init() {}

  /// Removes all registered classes.
  public static func initialize() {
    shared.lock.withLock { (shared.table, shared.claims) = (ClassTable(), [:]) }
  }

  /// Registers a class under the name that archives store for it, and the names that it declares.
  ///
  /// - Precondition: No other registered class declares one of these names; see ``GArchiveNamed``.
  public func register(_ type: any (AnyObject & GDecodable).Type) { add(type) }

  func add(_ type: AnyClass) {
    // Outside of the lock, because it asks the class, which is the user's.
    let entry = ClassTable.Entry(type)
    lock.withLock { table.add(entry) }
  }

  /// The registered class that an archive has under these names.
  @inline(never)
  func find(_ stored: Contents.StoredClass) -> AnyClass? { lock.withLock { table.find(stored) } }

  /// Whether a class is registered, or replaces one that is.
  func allows(_ type: AnyClass) -> Bool {
    // Outside of the lock, because it asks classes, which are the user's.
    let table = lock.withLock { self.table }
    return table.allows(type)
  }

  /// The registered class with a mangled name.
  func find(_ mangledName: String) -> AnyClass? { lock.withLock { table[.mangledName(mangledName)] } }

  /// The name under which a class is registered; nil for one that is not.
  func registeredName(of type: AnyClass) -> String? {
    let archiveName = ArchiveNames(type).map { "@" + $0.name }
    guard let name = archiveName ?? _mangledTypeName(type).map(StableName.mangled) else { return nil }
    return lock.withLock { table[.mangledName(name)] == type } ? name : nil
  }

  /// Notes that a class is stored under a name that it declares.
  ///
  /// - Returns: another class that has the name already.
  func claim(_ archiveName: String, for type: AnyClass) -> AnyClass? {
    lock.withLock {
      if let other = table[.archiveName(archiveName)] ?? claims[archiveName], other != type { return other }
      claims[archiveName] = type
      return nil
    }
  }

  /// Swift code of a function that registers the classes that are registered now.
  public func help() -> String {
    RegistrationHelp.code(for: qualifiedNames)
  }

  private var qualifiedNames: [String] { lock.withLock { table.qualifiedNames } }
}

extension GTypesRepository: CustomStringConvertible {
  /// The qualified names of the registered classes.
  public var description: String {
    let names = qualifiedNames.map { "\n\t\"\($0)\"" }.joined(separator: ",")
    return "GTypesRepository(registeredTypes = [\(names)\n])"
  }
}

extension GDecodable where Self: AnyObject {
  /// Registers the class with `GTypesRepository.shared`, so that archives can name it even if it is private
  /// or local.
  ///
  /// - Complexity: O(1).
  public static func register() { GTypesRepository.shared.register(self) }
}

extension GraphDecoder {
  /// Registers a class with this decoder alone, so that archives can name it even if it is private or local.
  ///
  /// To encode such a class, call its `register()`.
  public func register(_ type: any (AnyObject & GDecodable).Type) {
    chosenClasses.chosen.add(type)
  }

  /// Swift code of a function that registers the classes that an archive names.
  ///
  /// - Throws: `GCodableError` for bytes that are not a valid archive.
  public func help(from bytes: some Collection<UInt8>) throws -> String {
    try unsafe [UInt8](bytes).withUnsafeBytes { bytes in
      let reader = try unsafe ArchiveReader(ArchiveSource(bytes))
      return RegistrationHelp.code(for: reader.contents.classes.map(\.qualifiedName))
    }
  }
}

/// Writes the code that registers classes.
enum RegistrationHelp {
  static func code(for qualifiedNames: [String]) -> String {
    let calls = Set(qualifiedNames.map(StableName.source)).sortedOutOfLine(by: <).map {
      "\t\($0).register()\n"
    }
    return "import GraphCodable\n\nfunc initializeGraphCodable() {\n" + calls.joined() + "}\n"
  }
}
