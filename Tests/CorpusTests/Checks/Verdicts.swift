import GraphCodable

/// Whether each kind of reader accepts an archive.
struct Verdicts {
  /// nil for readers that do.
  let verify: GCodableError?
  let dump: GCodableError?
  let typed: GCodableError?
  let parts: GCodableError?

  /// - Parameter limits: of typed reading.
  init(_ bytes: Bytes, _ limits: GraphDecoder.Limits = .init()) {
    verify = Self.error { try GraphArchive(bytes).verify() }
    dump = Self.error { try GraphArchive(bytes).dumpLines { _ in } }
    typed = Self.error { try AnyGraph.decode(bytes, limits) }
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

extension Verdicts {
  /// Whether they do not contradict each other, nor a reader made of the document alone.
  ///
  /// Typed reading and parts may skip faults, and may request missing values.
  func areOne(with plainAccepts: Bool) -> Bool {
    let all = [verify, dump, typed, parts]
    // A stream of an unknown codec has hashes alone.
    guard (verify == nil) == (dump == nil || (dump?.code == .unsupported && verify == nil)),
      (verify == nil) == plainAccepts,
      !all.contains(where: { $0?.code == .internalInconsistency })
    else { return false }
    return verify != nil || (typed?.isOfForm != true && parts?.isOfForm != true)
  }
}

func hexadecimal(_ bytes: Bytes) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}

extension GCodableError {
  /// Whether the error is about the bytes, not about the request.
  var isOfForm: Bool { [.malformed, .damaged, .wrongSize, .notAnArchive].contains(code) }
}
