import _GraphSupport

// A stored dictionary read as a container with keys, which may be strings and integers, as in other formats.

extension CodableReader {
  /// Finds the names of the keys if a record was made from a dictionary.
  ///
  /// - Returns: false if it was not.
  /// - Throws: `typeMismatch` for keys that are neither strings nor integers.
  func namePairs(of serial: Int) throws -> Bool {
    guard let list = list(of: serial), list.isPairs else { return false }
    guard list.names == nil else { return true }
    try with(serial) {
      let count = (graph.pointee.frame.shape?.pointee.fieldCount ?? 0) / 2
      var names: (ordered: [String], fields: [ByteString: Int]) = ([], [:])
      for index in 0..<count {
        let name = try keyName(2 * index)
        names.ordered.append(name)
        names.fields[ByteString(name)] = 2 * index + 1
      }
      list.names = names
    }
    return true
  }

  private func keyName(_ index: Int) throws -> String {
    guard let place = try find(unkeyed: index) else { throw decoder.state.pointee.stream.endInsideValue() }
    func name<Name: Decodable>(as type: Name.Type) -> String? {
      (try? read(place, self.type(type).read)).map { "\($0)" }
    }
    var text = decoder.markedText
    guard let name = name(as: String.self) ?? name(as: Int.self) else {
      throw GCodableError(
        .typeMismatch, "the archive has a dictionary whose keys are neither strings nor integers")
    }
    // Types of keys compare it with their cases.
    try decoder.takeMarks(since: &text, leads: false)
    return name
  }

  /// Moves to the value of a key in a dictionary.
  func findPair(_ name: String) throws -> FoundField? {
    guard let field = list(of: state.pointee.record)?.names?.fields[ByteString(name)],
      let place = try find(unkeyed: field)
    else { return nil }
    return place
  }
}
