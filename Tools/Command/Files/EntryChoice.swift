import ArgumentParser
import GraphCodable

/// Which entry of a series is meant.
enum EntryChoice: ExpressibleByArgument {
  case number(Int)
  case last

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
    guard case .number(let number) = self else { return last }
    guard let entry = series.first(where: { $0.number == number }) else {
      throw GCodableError(
        .valueNotFound, "the series has no entry \(number), but from \(first.number) to \(last.number)")
    }
    return entry
  }
}
