import Foundation
import _GraphCoding
import _GraphReading
import _GraphSupport

/// Encoding and decoding with checks and printed reports, for tests and for models under development.
public enum GraphCodableUti {
  /// Encodes a root, and checks that this program can decode the classes in the archive.
  ///
  /// - Parameters:
  ///   - root: the root of the graph.
  ///   - options: as for `GraphEncoder`.
  ///   - dumpOptions: which parts of the archive to print on standard output. Default: none.
  /// - Throws: as `GraphEncoder.encode`; `classNotFound` for a class that could not be decoded.
  public static func checkEncoder<Root: GEncodable, Output: MutableDataProtocol>(
    root: Root, options: GraphEncoder.Options = [], dumpOptions: GraphDumpOptions = []
  ) throws -> Output {
    let bytes = try GraphEncoder(options).encode(root) as Bytes
    let archive = try GraphArchive(bytes)
    if let error = archive.resolvedClasses().lazy.compactMap(\.error).first { throw error }
    try show(archive, dumpOptions)
    return Output(bytes)
  }

  /// Decodes a root, and prints the classes of its objects and which of them replace others.
  ///
  /// - Parameters:
  ///   - type: the type of the root.
  ///   - data: a whole archive.
  ///   - qualifiedClassNames: whether names are printed with their modules. Default: false.
  ///   - dumpOptions: which other parts of the archive to print. Default: none.
  /// - Throws: as `GraphDecoder.decode`.
  public static func checkDecoder<Root: GDecodable>(
    type: Root.Type, data: some Collection<UInt8>, qualifiedClassNames: Bool = false,
    dumpOptions: GraphDumpOptions = []
  ) throws -> Root {
    let archive = try GraphArchive(data)
    let root = try archive.decode(type)
    let classes = archive.resolvedClasses()
    if let error = classes.lazy.compactMap(\.error).first { throw error }
    print(report(classes, qualified: qualifiedClassNames), terminator: "")
    try show(archive, dumpOptions)
    return root
  }

  private static func show(_ archive: GraphArchive, _ options: GraphDumpOptions) throws {
    if !options.isEmpty { try archive.dumpLines(options) { print($0) } }
  }

  private static func report(_ classes: [GraphArchive.ResolvedClass], qualified: Bool) -> String {
    func name(_ type: AnyClass) -> String { "'\(_typeName(type, qualified: qualified))'" }
    var lines = ["Decoded Classes: --------------------------"]
    lines += Set(classes.compactMap(\.type).map(name)).sortedOutOfLine(by: <).map { "\t" + $0 }
    let replaced = classes.compactMap { found in
      found.type.flatMap { new in found.replaced.map { (old: name($0), new: name(new)) } }
    }.sortedOutOfLine { $0.old < $1.old }
    if !replaced.isEmpty { lines.append("where:") }
    for pair in replaced { lines += ["\t\(pair.old)", "\t\twas replaced by \(pair.new)"] }
    return lines.joined(separator: "\n") + "\n"
  }
}
