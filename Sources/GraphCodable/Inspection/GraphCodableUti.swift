import Foundation

/// Encoding and decoding with a look at what happens, for tests and while a model changes.
public enum GraphCodableUti {
  /// Encodes a root and checks that the result is a sound archive whose classes this program has.
  ///
  /// - Throws: as `GraphEncoder.encode`; `classNotFound` for a class that could not be decoded.
  public static func checkEncoder<Root: GEncodable, Output: MutableDataProtocol>(
    root: Root, options: GraphEncoder.Options = []
  ) throws -> Output {
    let bytes = try GraphEncoder(options).encode(root) as Bytes
    _ = try GraphDecoder().classes(in: bytes)
    return Output(bytes)
  }

  /// Decodes a root and prints which classes it was made of, and which of them replace others.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - data: a whole archive.
  ///   - qualifiedClassNames: whether names are printed with their modules. Default: false.
  /// - Throws: as `GraphDecoder.decode`.
  public static func checkDecoder<Root: GDecodable>(
    type: Root.Type, data: some Collection<UInt8>, qualifiedClassNames: Bool = false
  ) throws -> Root {
    let decoder = GraphDecoder()
    let root = try decoder.decode(type, from: data)
    print(report(try decoder.classes(in: [UInt8](data)), qualified: qualifiedClassNames), terminator: "")
    return root
  }

  private static func report(_ classes: [ClassResolver.ResolvedClass], qualified: Bool) -> String {
    func name(_ type: Any.Type) -> String { "'\(_typeName(subject(of: type), qualified: qualified))'" }
    var lines = ["Decoded Classes: --------------------------"]
    lines += Set(classes.map { name($0.type) }).sortedOutOfLine(by: <).map { "\t" + $0 }
    let replaced = classes.compactMap { resolved in
      resolved.replaced.map { (old: name($0), new: name(resolved.type)) }
    }.sortedOutOfLine { $0.old < $1.old }
    if !replaced.isEmpty { lines.append("where:") }
    for pair in replaced { lines += ["\t\(pair.old)", "\t\twas replaced by \(pair.new)"] }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension GraphDecoder {
  /// The classes that an archive names, as this program has them.
  ///
  /// - Throws: `classNotFound` for the first that it does not have.
  func classes(in bytes: Bytes) throws -> [ClassResolver.ResolvedClass] {
    try bytes.withUnsafeBytes { bytes in
      let stored = try ArchiveReader(ArchiveSource(bytes)).contents.classes
      let resolver = ClassResolver(stored, chosen: chosenClasses)
      return try stored.indices.map { try resolver.resolve($0) }
    }
  }
}
