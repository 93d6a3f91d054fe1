import ArgumentParser

/// The benchmark suite's command line; without the name of a subcommand it measures.
@main
struct BenchmarksCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmarks",
    abstract: "Measures GraphCodable against other coders and against the limits of the machine.",
    subcommands: [
      MeasureCommand.self, CountCommand.self, MemoryCommand.self, ArraysCommand.self, SeriesCommand.self,
      LogCommand.self, ParityCommand.self, JobCommand.self, ChoicesCommand.self, NumbersCommand.self,
    ],
    defaultSubcommand: MeasureCommand.self)
}
