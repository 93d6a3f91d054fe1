import Foundation

/// Classes that archives may name although they cannot be found by name: private and local ones.
///
///     private final class Draft: GCodable { … }
///     Draft.register()   // before encoding or decoding
///
/// Of several private classes with one name in one module, the last that was registered is found.
///
/// Other classes need no registration. The repository is one for the process and may be used by any
/// number of threads.
public final class GTypesRepository: @unchecked Sendable {
  // `@unchecked`: `classes` is only used under `lock`.
  /// The repository of the process.
  public static let shared = GTypesRepository()

  private let lock = NSLock()
  /// Each is `GDecodable` or `Decodable`.
  private var classes: [String: AnyClass] = [:]

  private init() {}

  /// Forgets all registered classes.
  public static func initialize() { shared.lock.withLock { shared.classes = [:] } }

  /// Registers a class under the name that archives store for it.
  public func register(_ type: any (AnyObject & GDecodable).Type) { add(type) }

  func add(_ type: AnyClass) {
    guard let name = _mangledTypeName(type) else { return }
    lock.withLock { classes[StableName.mangled(name)] = type }
  }

  /// The class registered under a stable mangled name.
  func find(_ mangledName: String) -> AnyClass? {
    lock.withLock { classes[mangledName] }
  }

  /// Swift code of a function that registers the classes which are registered now.
  public func help() -> String {
    RegistrationHelp.code(for: qualifiedNames)
  }

  private var qualifiedNames: [String] {
    lock.withLock { classes.values.map { StableName.qualified(_typeName($0, qualified: true)) } }
      .sortedOutOfLine(by: <)
  }
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
  /// Registers a class with this decoder alone, so that it is found by the name that archives store for it
  /// even if it is private or local.
  ///
  /// Encoding such a class needs `register()` on the class.
  public func register(_ type: any (AnyObject & GDecodable).Type) {
    guard let name = _mangledTypeName(type) else { return }
    setClass(type, for: .mangledName(StableName.mangled(name)))
  }

  /// Swift code of a function that registers the classes which an archive names.
  ///
  /// - Throws: `GCodableError` for bytes that are no sound archive.
  public func help(from bytes: some Collection<UInt8>) throws -> String {
    try [UInt8](bytes).withUnsafeBytes { bytes in
      let reader = try ArchiveReader(ArchiveSource(bytes))
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
