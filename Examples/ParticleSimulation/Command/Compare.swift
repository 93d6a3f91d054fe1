import ArgumentParser
import Foundation
import ParticleModel

/// Says whether two snapshots hold the same state.
struct Compare: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compare two snapshots bit for bit; the exit status is 1 if they differ.")

  @Argument(help: "A snapshot, or a folder whose latest snapshot is taken.", completion: .file())
  var first: String

  @Argument(help: "Another one.", completion: .file())
  var second: String

  func run() throws {
    try printComparison(
      try Snapshots.load(try snapshotURL(first)), try Snapshots.load(try snapshotURL(second)))
  }
}
