import Foundation
import _GraphFiles
import _GraphSupport

extension GraphDecoder {
  /// Decodes a graph of `Codable` values from memory.
  ///
  ///     let model = try GraphDecoder().decode(codable: Model.self, from: bytes)
  ///
  /// Each object is decoded once, as its real class if that is `Decodable`. `WeakCycleBreaker` and
  /// `UnownedCycleBreaker` of the product CyclicCoding break cycles of objects.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - bytes: a whole archive; contiguous collections, such as `[UInt8]` and `Data`, are used in place.
  /// - Throws: `DecodingError` for a key or value that is missing, of another type, or refused by its type;
  ///   `GCodableError` where the archive is at fault, with code `cycle` for objects that need each other in
  ///   `init(from:)`; whatever an `init(from:)` throws.
  /// - Complexity: O(n) in the size of the graph.
  public func decode<Root: Decodable>(
    codable type: Root.Type, from bytes: some Collection<UInt8>
  ) throws -> Root {
    try unsafe bytes.withArchiveBytes { try unsafe decode(codable: type, inPlace: $0) }
  }

  /// Decodes a graph of `Codable` values from a span of memory, which is used in place.
  ///
  /// - Parameters: as for a collection of bytes.
  /// - Throws: as for a collection of bytes.
  /// - Complexity: O(n) in the size of the graph.
  public func decode<Root: Decodable>(codable type: Root.Type, from bytes: RawSpan) throws -> Root {
    try unsafe bytes.withUnsafeBytes { try unsafe decode(codable: type, inPlace: $0) }
  }

  /// Decodes bytes that outlive the call.
  private func decode<Root: Decodable>(
    codable type: Root.Type, inPlace bytes: UnsafeRawBufferPointer
  ) throws -> Root {
    let decoder = try unsafe makeDecoder(bytes)
    let root: Root
    do { root = try decoder.readGraph(codable: type) } catch { throw decoder.forgettingInput(after: error) }
    GDecoder.reuse(decoder)
    return root
  }

  /// Decodes instances of the archive's class of that name as instances of a `Decodable` class.
  ///
  /// - Complexity: O(1).
  public func setClass(codable type: any (AnyObject & Decodable).Type, for className: ClassName) {
    chosenClasses[className] = type
  }

  /// Registers a `Decodable` class with this decoder alone, so that archives can name it even if it is private or
  /// local.
  ///
  /// To encode such a class, call `GTypesRepository.shared.register(codable:)`.
  public func register(codable type: any (AnyObject & Decodable).Type) {
    chosenClasses.chosen.add(type)
  }
}

extension GTypesRepository {
  /// Registers a `Codable` class under the name that archives store for it.
  public func register(codable type: any (AnyObject & Decodable).Type) { add(type) }
}

extension GDecoder {
  /// Decodes the `Decodable` value under a key, for a `GCodable` type with such parts.
  ///
  ///     settings = try decoder.decode(codable: Settings.self, for: Key.settings)
  ///
  /// - Throws: as `decode(_:for:)`, and `DecodingError` for parts of the value that are missing or wrong.
  public func decode<Value: Decodable, Key: RawRepresentable>(
    codable type: Value.Type, for key: Key
  ) throws -> Value where Key.RawValue == String {
    try decode(CodableAdapter<Value>.self, for: key).value
  }

  /// Decodes the next value without a key as a `Decodable` type.
  ///
  /// - Throws: as `decode(codable:for:)`.
  public func decode<Value: Decodable>(codable type: Value.Type) throws -> Value {
    try decode(CodableAdapter<Value>.self).value
  }

  /// What `Codable` values need.
  package var codable: CodableReader {
    if let known = tables.codable { return known }
    let reader = CodableReader(self)
    tables.codable = reader
    return reader
  }

  /// Decodes the root, then what was deferred.
  package func readGraph<Root: Decodable>(codable type: Root.Type) throws -> Root {
    let reader = codable
    do { return try readGraph { try reader.type(type).read(try readOuterKind()) } } catch {
      throw reader.translated(error, type, in: 0, nil)
    }
  }

  /// Releases all objects if cycle breakers have requested it, and checks whether the model holds theirs.
  ///
  /// This ends decoding: no object is known any more.
  func runFinalChecks() throws {
    guard let reader = tables.codable, !reader.finalChecks.isEmpty else { return }
    reader.shared.removeAll()
    state.pointee.deferred = DeferredFields()
    tables.releaseObjects(state.pointee.built)
    state.pointee.built.removeLast(state.pointee.built.count)
    for check in reader.finalChecks { try check() }
  }
}
