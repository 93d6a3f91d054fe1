/// Keys as an error shows them: `.parts[2].name`.
func keyText(_ keys: some Sequence<any CodingKey>) -> String {
  keys.map { key in key.intValue.map { "[\($0)]" } ?? ".\(key.stringValue)" }.joined()
}

/// A cycle as an error shows it: the first and the last links if there are many.
func cycleText(_ links: [String]) -> String {
  let shown = links.count > 17 ? links.prefix(8) + ["…"] + links.suffix(8) : links[...]
  return shown.joined(separator: " → ")
}
