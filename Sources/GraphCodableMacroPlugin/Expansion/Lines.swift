#if Macros
  /// Declarations in the order of the source, some of them under `#if`.
  indirect enum Part<Element> {
    case one(Element)
    /// Clauses, each with its line, such as `#if DEBUG` or `#else`.
    case conditional([(line: String, parts: [Part])])

    /// The elements under all conditions.
    var elements: [Element] {
      switch self {
      case .one(let element): [element]
      case .conditional(let clauses): clauses.flatMap { $0.parts.flatMap(\.elements) }
      }
    }
  }

  extension [String] {
    /// Makes lines of each element, under its conditions.
    init<Item>(_ parts: [Part<Item>], _ lines: (Item) -> [String]) {
      self = parts.flatMap { part -> [String] in
        switch part {
        case .one(let element): return lines(element)
        case .conditional(let clauses):
          let bodies = clauses.map { [String]($0.parts, lines) }
          guard bodies.contains(where: { !$0.isEmpty }) else { return [] }
          return zip(clauses, bodies).flatMap { [$0.line] + $1 } + ["#endif"]
        }
      }
    }

    /// One level deeper, including lines that begin with `#`.
    var indented: [String] { map { $0.isEmpty ? $0 : "  " + $0 } }

    /// A block of these lines.
    func block(_ head: String) -> [String] { isEmpty ? [head + " {}"] : [head + " {"] + indented + ["}"] }
  }
#endif
