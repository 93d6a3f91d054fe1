/// An object of a model graph that may be shared.
package protocol ModelVertex: AnyObject {
  /// What it consists of, in the same order for the same graph.
  var parts: [Part] { get }
}

/// A part of a vertex.
package enum Part {
  case value(String)
  case edge((any ModelVertex)?)
  /// An edge that is nil in the copy where no other edge leads to its target.
  case conditional((any ModelVertex)?)
}

/// The first difference between two graphs; nil where each vertex of one has exactly one counterpart in the
/// other, with the same values and with edges to counterparts.
package func difference(original: any ModelVertex, copy: any ModelVertex) -> String? {
  var counterparts = [ObjectIdentifier(original): ObjectIdentifier(copy)]
  var originals = [ObjectIdentifier(copy): ObjectIdentifier(original)]
  var pairs = [(original, copy)]
  var conditionals: [(String, (any ModelVertex)?, (any ModelVertex)?)] = []
  var next = 0
  while next < pairs.count {
    let (one, other) = pairs[next]
    next += 1
    let (parts, copies) = (one.parts, other.parts)
    let name = if case .value(let text)? = parts.first { text } else { "\(type(of: one))" }
    guard parts.count == copies.count else { return "\(name) has \(copies.count) parts, not \(parts.count)" }
    for (index, (part, copied)) in zip(parts, copies).enumerated() {
      switch (part, copied) {
      case (.value(let value), .value(let copy)):
        guard value == copy else { return "\(value) in \(name) became \(copy)" }
      case (.edge(nil), .edge(nil)): break
      case (.edge(let target?), .edge(let copy?)):
        let (id, copyID) = (ObjectIdentifier(target), ObjectIdentifier(copy))
        if counterparts[id] == nil, originals[copyID] == nil {
          (counterparts[id], originals[copyID]) = (copyID, id)
          pairs.append((target, copy))
        } else if counterparts[id] != copyID {
          return "what part \(index) of \(name) leads to has two counterparts, or shares one"
        }
      case (.conditional(let target), .conditional(let copy)): conditionals.append((name, target, copy))
      default: return "part \(index) of \(name) is of another kind"
      }
    }
  }
  for (name, target, copy) in conditionals {
    guard target.flatMap({ counterparts[ObjectIdentifier($0)] }) == copy.map(ObjectIdentifier.init) else {
      return "a conditional edge of \(name) leads to \(copy.map { "\(type(of: $0))" } ?? "nil")"
    }
  }
  return nil
}

extension ModelVertex {
  /// All vertices that unconditional edges lead to from this one, and whether conditional ones lead to
  /// others.
  package func reachable() -> (vertices: [any ModelVertex], hasOutsiders: Bool) {
    var vertices: [any ModelVertex] = [self]
    var seen: Set = [ObjectIdentifier(self)]
    var conditionals: [any ModelVertex] = []
    var index = 0
    while index < vertices.count {
      for part in vertices[index].parts {
        switch part {
        case .edge(let target?) where seen.insert(ObjectIdentifier(target)).inserted: vertices.append(target)
        case .conditional(let target?): conditionals.append(target)
        default: break
        }
      }
      index += 1
    }
    return (vertices, !conditionals.allSatisfy { seen.contains(ObjectIdentifier($0)) })
  }
}
