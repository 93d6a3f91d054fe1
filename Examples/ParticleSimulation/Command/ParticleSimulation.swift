import ArgumentParser

/// The entry point: `run` unless another sub-command is named.
@main
struct ParticleSimulation: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "particle-simulation",
    abstract: "Moves particles by Lennard-Jones forces, and stores their whole object graph every few steps.",
    discussion: """
      Without a sub-command it runs the demonstration: it simulates, saves snapshots on the way, starts a second \
      process that loads the last snapshot before the end and goes on from it, and compares the two results bit for bit.
      """,
    subcommands: [Run.self, Resume.self, Compare.self, Info.self],
    defaultSubcommand: Run.self)
}
