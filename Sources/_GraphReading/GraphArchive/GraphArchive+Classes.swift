import _GraphCoding
import _GraphFiles
import _GraphSupport

extension GraphArchive {
  /// A class of the instances in an archive.
  public struct Class: Hashable, Sendable {
    /// The name with its module: `Physics.Body`.
    public let qualifiedName: String
    /// The name that Swift finds the class by.
    public let mangledName: String
    /// The version of the class when it was encoded.
    public let version: UInt32
  }

  /// What a class in an archive corresponds to in this program.
  public struct ResolvedClass: Sendable {
    /// The class as the archive names it.
    public let stored: Class
    /// The class whose instances are made; nil if none is found.
    public let type: AnyClass?
    /// The class with the stored name, if `type` replaces it.
    public let replaced: AnyClass?
    /// Why no class is found: `classNotFound`.
    public let error: GCodableError?
  }

  /// The classes that the archive names, in the order in which they are stored.
  public var classes: [Class] {
    contents.classes.map {
      Class(qualifiedName: $0.qualifiedName, mangledName: $0.mangledName, version: $0.version)
    }
  }

  /// The classes that a decoder uses for those that the archive names.
  ///
  ///     for missing in archive.resolvedClasses() where missing.type == nil { print(missing.stored.qualifiedName) }
  ///
  /// - Parameter decoder: a decoder with the classes that were set or registered for names.
  /// - Complexity: O(n) in the number of classes, some microseconds for each.
  public func resolvedClasses(using decoder: GraphDecoder = GraphDecoder()) -> [ResolvedClass] {
    let resolver = ClassResolver(contents.classes, chosen: decoder.chosenClasses)
    return classes.enumerated().map { index, stored in
      do {
        let found = try resolver.resolve(index)
        return ResolvedClass(
          stored: stored, type: subject(of: found.type) as? AnyClass,
          replaced: found.replaced.flatMap { subject(of: $0) as? AnyClass }, error: nil)
      } catch {
        return ResolvedClass(stored: stored, type: nil, replaced: nil, error: error as? GCodableError)
      }
    }
  }
}
