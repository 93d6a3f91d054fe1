/// What the check of a file has found; its properties are the keys in JSON.
struct Finding: Encodable {
  /// As it was given on the command line.
  let file: String
  /// Absent for what is neither.
  var kind: FileKind?
  var bytes: UInt64?
  /// How many entries of a series were checked.
  var entries: Int?
  /// How many parts of a set were checked.
  var parts: Int?
  /// Behind the last entry of a series, if all of it was checked and there are any: they are no damage.
  var unfinishedBytes: UInt64?
  var problems: [Problem] = []
  var ok: Bool { problems.isEmpty }

  var isDamaged: Bool { problems.contains { !$0.isUnreadable } }

  private enum CodingKeys: CodingKey { case file, kind, bytes, entries, parts, unfinishedBytes, ok, problems }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(file, forKey: .file)
    try container.encodeIfPresent(kind, forKey: .kind)
    try container.encodeIfPresent(bytes, forKey: .bytes)
    try container.encodeIfPresent(entries, forKey: .entries)
    try container.encodeIfPresent(parts, forKey: .parts)
    try container.encodeIfPresent(unfinishedBytes, forKey: .unfinishedBytes)
    try container.encode(ok, forKey: .ok)
    try container.encode(problems, forKey: .problems)
  }
}

extension Finding {
  /// What stands on standard output.
  var lines: [String] {
    let rest = unfinishedBytes.map { unfinishedText($0, of: kind) }
    if ok {
      let entryCount = entries.map { (kind ?? .series).entryCount($0) }
      let checked = entryCount ?? parts.map { count($0, "part", "parts") }
      return ["\(file): " + ["OK", checked, rest].compactMap(\.self).joined(separator: ", ")]
    }
    let found = problems.filter { !$0.isUnreadable }.flatMap { problem in
      ["\(file)\(problem.place(in: kind)): \(problem.text)"] + problem.damageLines.map { "  \($0)" }
    }
    return found + [rest].compactMap(\.self).map { "\(file): \($0)" }
  }

  /// What stands on standard error.
  var failures: [Failure] {
    problems.filter(\.isUnreadable).map {
      Failure("\(file)\($0.place(in: kind)): \($0.message)", status: .unreadable)
    }
  }
}
