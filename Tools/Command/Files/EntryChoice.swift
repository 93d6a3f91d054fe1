import ArgumentParser
import GraphCodable

/// Which entry of a series is meant.
enum EntryChoice: ExpressibleByArgument {
  case number(Int)
  case last
  case step(Int)
  case time(Double)

  init?(argument: String) {
    if argument == "last" {
      self = .last
    } else if let number = Int(argument), number >= 0 {
      self = .number(number)
    } else {
      return nil
    }
  }

  /// The entry of a series.
  ///
  /// - Throws: `valueNotFound` when the series has none like that.
  func entry<Series: StoredSeries>(of series: Series) throws(GCodableError) -> Series.Element {
    guard let first = series.first, let last = series.last else {
      throw GCodableError(.valueNotFound, "the series has no entries")
    }
    let found: Series.Element?
    let text: String
    switch self {
    case .last: return last
    case .number(let number):
      found = series.first { $0.number == number }
      text = "no entry \(number), but from \(first.number) to \(last.number)"
    case .step(let step):
      found = series.last { $0.step == step }
      text = "no entry of step \(step), but from step \(first.step) to \(last.step)"
    case .time(let time):
      found = series.last { $0.time == time }
      let near = series.min { abs($0.time - time) < abs($1.time - time) } ?? last
      text = "no entry of time \(shortest(time)); the nearest time is \(shortest(near.time))"
    }
    guard let found else { throw GCodableError(.valueNotFound, "the series has \(text)") }
    return found
  }
}
