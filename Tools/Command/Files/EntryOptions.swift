import ArgumentParser

/// Which entry of a series a command is about.
struct EntryOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Which entry of a series: its number, or 'last'. (default: last)", valueName: "n|last"))
  var entry: EntryChoice?

  @Option(help: "The entry of this step; the last of several.")
  var step: Int?

  @Option(help: "The entry of this time; the last of several.")
  var time: Double?

  func validate() throws {
    guard [entry != nil, step != nil, time != nil].count(where: \.self) <= 1 else {
      throw ValidationError("One of --entry, --step and --time says which entry.")
    }
  }

  /// The entry that was chosen; nil if none was.
  var choice: EntryChoice? { entry ?? step.map(EntryChoice.step) ?? time.map(EntryChoice.time) }
}
