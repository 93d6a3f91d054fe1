import Benchmark

/// How often each case is run: as often as its share of time allows, between two bounds.
struct IterationPlan {
  var warmupIterations: Int
  var fewestIterations: Int
  var mostIterations: Int
  /// The time that the iterations of one case may take, unless the fewest iterations take longer.
  var secondsPerCase: Double
  /// A case that takes longer than this each time is run `fewestSlowIterations` times at least, no more.
  var slowSeconds: Double
  var fewestSlowIterations: Int
  /// The number of iterations of every case, where the user asks for one.
  var exactIterations: Int?

  static let full = IterationPlan(
    warmupIterations: 2, fewestIterations: 7, mostIterations: 101, secondsPerCase: 0.8,
    slowSeconds: 0.4, fewestSlowIterations: 7)

  /// For a look at the library while it changes: under a minute in all.
  static let quick = IterationPlan(
    warmupIterations: 1, fewestIterations: 7, mostIterations: 31, secondsPerCase: 0.15,
    slowSeconds: 0.05, fewestSlowIterations: 3)

  /// The plan for sizes that only show how times grow: at ten times the size, few iterations must do.
  var forGrowth: IterationPlan {
    var plan = self
    plan.secondsPerCase = secondsPerCase / 2
    plan.slowSeconds = min(slowSeconds, secondsPerCase / 4)
    plan.fewestSlowIterations = min(fewestSlowIterations, 3)
    return plan
  }

  /// The engine's settings for a case of which one run takes about `seconds`.
  func settings(seconds: Double) -> [any BenchmarkSetting] {
    let isSlow = seconds > slowSeconds
    let fewest = isSlow ? fewestSlowIterations : fewestIterations
    let affordable = min(Double(mostIterations), secondsPerCase / max(seconds, 1e-9))
    let count = exactIterations ?? max(min(fewest, mostIterations), Int(affordable))
    // The checked run that came before is warm-up enough for what is slow.
    return [WarmupIterations(isSlow ? 0 : warmupIterations), Iterations(count), Format(.none), Quiet(true)]
  }
}
