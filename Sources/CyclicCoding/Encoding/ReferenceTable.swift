/// All references between the objects of a graph, to find cycles and the objects with a single reference.
struct ReferenceTable {
  private let objects: [Flattening.Object]
  /// In the order of their owners.
  private let references: [Flattening.Reference]

  init(objects: [Flattening.Object], references: [Flattening.Reference]) {
    self.objects = objects
    self.references = references
  }

  /// For each object, whether it takes the place of the only reference to it.
  ///
  /// The others are in a list: objects with more references, those that would be nested too deeply, and those that have
  /// encoded only a reference and would be taken for the object it leads to.
  func inlineObjects() -> [Bool] {
    var counts = [Int32](repeating: 0, count: objects.count)
    for reference in references { counts[Int(reference.target)] += 1 }
    // The depth of each object in its piece. The owner's is known, because it has a lower number.
    var depths = [Int32](repeating: 0, count: objects.count)
    return objects.indices.map { number in
      guard objects[number].instance != nil, counts[number] == 1 else { return false }
      if case .object = objects[number].contents { return false }
      let reference = references[objects[number].reference]
      // Too high if the reference is in another piece of its owner, which does no harm.
      let depth = reference.depth + 1 + (reference.owner.map { depths[Int($0)] } ?? 0)
      guard depth < NodeEncoder.maximumDepth else { return false }
      depths[number] = depth
      return true
    }
  }

  /// Looks for cycles without a cycle breaker, following each reference once.
  ///
  /// - Throws: `EncodingError.invalidValue`, which names the first cycle found by its classes and keys.
  func checkForCycles() throws {
    let bounds = ownerBounds()
    var states = [VisitState](repeating: .new, count: objects.count)
    /// The objects on the current path, and the next reference of each.
    var way: [(object: Int, next: Int)] = []
    for start in objects.indices where states[start] == .new {
      states[start] = .onTheWay
      way.append((start, bounds[start]))
      while let (object, next) = way.last {
        guard next < bounds[object + 1] else {
          states[object] = .done
          way.removeLast()
          continue
        }
        way[way.count - 1].next += 1
        let target = Int(references[next].target)
        guard !references[next].isBroken else { continue }
        switch states[target] {
        case .done: break
        case .new:
          states[target] = .onTheWay
          way.append((target, bounds[target]))
        case .onTheWay:
          let cycle = way[way.lastIndex { $0.object == target }!...]
          throw cycleError(cycle.map { references[$0.next - 1] })
        }
      }
    }
  }

  private enum VisitState {
    case new, onTheWay, done
  }

  /// The index of the first reference of each object, and at the end the number of references.
  private func ownerBounds() -> [Int] {
    var bounds = [Int](repeating: 0, count: objects.count + 1)
    var index = 0
    for owner in bounds.indices {
      while index < references.count, (references[index].owner ?? -1) < owner { index += 1 }
      bounds[owner] = index
    }
    return bounds
  }

  private func cycleError(_ cycle: [Flattening.Reference]) -> EncodingError {
    let links = cycle.map { reference in
      className(reference.owner) + keyText(reference.place.codingPath())
    }
    let start = cycle[0].owner
    return .invalidValue(
      start.flatMap { objects[Int($0)].instance } as Any,
      .init(
        codingPath: start.map { path(to: $0) } ?? [],
        debugDescription: "These references form a cycle that cannot be decoded: "
          + "\(cycleText(links + [className(start)])). "
          + "One of them must be a WeakCycleBreaker or an UnownedCycleBreaker."))
  }

  private func className(_ number: Int32?) -> String {
    guard let number, let instance = objects[Int(number)].instance else { return "" }
    return "\(type(of: instance))"
  }

  private func path(to object: Int32) -> [any CodingKey] {
    references[objects[Int(object)].reference].place.codingPath { references[$0].place }
  }
}
