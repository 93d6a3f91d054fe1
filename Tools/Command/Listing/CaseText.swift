import GraphCodable

/// An enum's case with its payload, as `running(step: 3)`.
///
/// Archives do not say what is an enum. The macro's have the name of the case without a key, and then the payload; those of plain
/// `Codable` models are records of one field, the case, whose value is the payload. Any other value of these forms is printed
/// likewise.
struct CaseText {
  private let archive: GraphArchive

  private static let maximumCount = 8
  private static let maximumLength = 64

  init(_ archive: GraphArchive) { self.archive = archive }

  /// The text; nil for a value of another form, and for one that would be long.
  func text(_ item: GraphArchive.Item, at path: GraphPath) throws -> String? {
    guard item.kind == .record, item.objectNumber == nil, item.text == nil, let count = item.count,
      (1...Self.maximumCount).contains(count)
    else { return nil }
    let parts = try archive.items(at: path, in: 0..<Self.maximumCount)
    let text: String?
    if case .index(0)? = parts[0].step, parts[0].kind == .string {
      // Quoted, and cut if it is long.
      let name = parts[0].text?.dropFirst().dropLast() ?? ""
      guard name.wholeMatch(of: /[A-Za-z_][A-Za-z0-9_]*/) != nil else { return nil }
      text = Self.payload(parts.dropFirst()).map { name + $0 }
    } else if count == 1, case .key(let name)? = parts[0].step, parts[0].kind == .record,
      parts[0].objectNumber == nil
    {
      let payload = try archive.items(at: path.appending(.key(name)), in: 0..<(Self.maximumCount + 1))
      text = payload.count > Self.maximumCount ? nil : Self.payload(payload[...]).map { name + $0 }
    } else {
      text = nil
    }
    return text.flatMap { $0.count > Self.maximumLength ? nil : $0 }
  }

  /// The values in parentheses, with their labels; nil where one has parts.
  private static func payload(_ parts: ArraySlice<GraphArchive.Item>) -> String? {
    var values: [String] = []
    for part in parts {
      guard let text = part.text, let step = part.step else { return nil }
      if case .key(let label) = step, label.wholeMatch(of: /_[0-9]+/) == nil {
        values.append("\(label): \(text)")
      } else {
        values.append(text)
      }
    }
    return values.isEmpty ? "" : "(\(values.joined(separator: ", ")))"
  }
}
