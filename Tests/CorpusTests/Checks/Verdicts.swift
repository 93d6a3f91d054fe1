import GraphCodable

/// Whether those who read an archive accept it.
struct Verdicts {
  /// nil for those who do.
  let verify: GCodableError?
  let dump: GCodableError?
  let typed: GCodableError?
  let parts: GCodableError?

  init(_ bytes: Bytes) {
    verify = Self.error { try GraphArchive(bytes).verify() }
    dump = Self.error { try GraphArchive(bytes).dumpLines { _ in } }
    typed = Self.error { try AnyGraph.decode(bytes) }
    parts = Self.error { try Self.walk(GraphArchive(bytes)) }
  }

  private static func error(_ body: () throws -> Void) -> GCodableError? {
    do {
      try body()
      return nil
    } catch let error as GCodableError { return error } catch {
      return GCodableError(.internalInconsistency, "no error of the library: \(error)")
    }
  }

  /// Lists all parts, level by level, of each object once.
  private static func walk(_ archive: GraphArchive) throws {
    var (seen, paths): (Set<Int>, [GraphPath]) = ([], [[]])
    _ = try archive.item()
    for _ in 0..<200 {
      guard let path = paths.popLast() else { return }
      for item in try archive.items(at: path) {
        if let number = item.objectNumber, !seen.insert(number).inserted { continue }
        if item.count ?? 0 > 0, let step = item.step { paths.append(path.appending(step)) }
      }
    }
  }
}

extension GCodableError {
  /// Whether the error is about the bytes, and not about what somebody asks for.
  var isOfForm: Bool { [.malformed, .damaged, .wrongSize, .notAnArchive].contains(code) }
}
