/// Entries of a series that are removed, in few lines: those whose numbers follow each other share one.
struct RemovedEntries {
  let lines: [String]

  init(_ entries: [some StoredEntry]) {
    var runs: [[any StoredEntry]] = []
    for entry in entries {
      if let last = runs.last?.last, last.number + 1 == entry.number {
        runs[runs.count - 1].append(entry)
      } else {
        runs.append([entry])
      }
    }
    let shown = runs.prefix(Self.shownCount).map(Self.text)
    let left = runs.dropFirst(Self.shownCount).joined()
    lines = shown + (left.isEmpty ? [] : ["\(count(left.count, "more entry", "more entries"))"])
  }

  private static let shownCount = 20

  private static func text(_ run: [any StoredEntry]) -> String {
    guard let first = run.first, let last = run.last else { return "nothing" }
    let one = "entry \(first.number), step \(first.step), time \(shortest(first.time))"
    guard run.count > 1 else { return one }
    return "entries \(first.number) to \(last.number), steps \(first.step) to \(last.step), "
      + "times \(shortest(first.time)) to \(shortest(last.time))"
  }
}
