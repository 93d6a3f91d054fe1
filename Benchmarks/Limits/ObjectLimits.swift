extension GraphWorkload {
  /// Limits that no coder of a graph of objects can beat: visiting every object once and reading its fields,
  /// and copying the objects.
  ///
  /// - Parameters:
  ///   - walk: visits all objects by their references and returns something that depends on all of them.
  ///   - clone: returns the same graph, of new objects.
  func objectLimits(
    _ fixture: GraphFixture<Model>, walk: @escaping (Model) -> Int, clone: @escaping (Model) -> Model
  ) -> [MeasuredCase] {
    let walking = MeasuredCase(label(.limit, .walk), prepare: fixture.model) { model in
      walk(model)
    } check: { model, sum in
      try require(sum == walk(clone(model)))
      return 0
    }
    let cloning = MeasuredCase(label(.limit, .clone), prepare: fixture.model) { model in
      clone(model)
    } check: { model, other in
      try require(Self.isSame(model, other))
      return 0
    }
    return [walking, cloning]
  }
}
