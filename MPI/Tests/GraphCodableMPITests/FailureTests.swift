import Foundation
import GraphCodable
import Testing

extension MPITests {
  /// All ranks throw what one of them has found, and none waits for ever.
  @Suite struct Failures {
    /// Rank 0 also commits.
    @Test(arguments: [(0, 1), (2, 1), (0, 2), (1, 2), (3, 2), (3, 0)])
    func aDomainThatCannotBeEncodedLeavesTheSetOfBefore(rank: Int, groupSize: Int) throws {
      let ranks = try Ranks()
      try ranks.saveOld()
      let result = try ranks.run(4, "fail", rank, groupSize)
      let errors = result.lines.filter { $0.contains("error") }
      #expect(errors.count == 4)
      #expect(
        errors.allSatisfy { $0.contains("error typeMismatch: rank \(rank) of 4: this domain is broken") })
      // The next save of the same processes.
      #expect(result.status == 0 && result.lines.filter { $0.hasSuffix("saved") } == Ranks.lines(4, "saved"))
      let set = try GraphArchiveSet(ranks.folder)
      try set.verify()
      try #expect(ranks.names() == ranks.names(of: set))
    }

    @Test func ranksThatDisagreeWriteNothing() throws {
      let ranks = try Ranks()
      try ranks.saveOld()
      let before = try ranks.names()
      let parts = try ranks.run(4, "disagree", 5, 3)
      #expect(parts.status == 3)
      let text = "rank 3 of 4: it disagrees with rank 0 on the number of parts"
      #expect(parts.lines.count == 4 && parts.lines.allSatisfy { $0.contains("error invalidValue: \(text)") })
      let steps = try ranks.run(4, "disagree", 6, 2)
      #expect(steps.status == 3)
      #expect(
        steps.lines.count == 4 && steps.lines.allSatisfy { $0.contains("rank 3 of 4: it saves step 6") })
      try #expect(ranks.names() == before)
    }

    @Test func aFolderThatAnotherJobSavesToIsAnErrorOnAllRanks() throws {
      let ranks = try Ranks()
      let writer = try GraphArchiveSet.Writer(ranks.folder)
      let result = try ranks.run(4, "save", 1)
      #expect(result.status == 3)
      #expect(result.lines.count == 4 && result.lines.allSatisfy { $0.contains("error locked: rank 0 of 4") })
      try writer.abort()
    }

    /// As where the folder cannot be created.
    @Test func aFolderThatIsNotThereIsAnErrorOnAllRanks() throws {
      let ranks = try Ranks()
      try Data().write(to: ranks.folder)
      for verb in ["save", "load"] {
        let result = try ranks.run(4, verb, 1)
        #expect(result.status == 3)
        #expect(result.lines.count == 4 && result.lines.allSatisfy { $0.contains("error file: rank 0 of 4") })
      }
    }

    @Test(arguments: 0...2) func anErrorOfOneRankAloneEndsAllOfThem(rank: Int) throws {
      let ranks = try Ranks()
      let result = try ranks.run(3, "leave", rank)
      #expect(result.status != 0)
      #expect(result.diagnostics.contains("rank \(rank) of 3: LocalError()"))
    }

    @Test(arguments: [0, 2]) func anErrorThatTheOthersHaveCaughtEndsAllOfThem(rank: Int) throws {
      let ranks = try Ranks()
      let result = try ranks.run(3, "goOn", rank)
      #expect(result.status != 0)
      let text = "rank \(rank) of 3: left with an error that others have caught"
      #expect(result.diagnostics.contains(text), "\(result)")
    }

    @Test func ranksThatLeaveWithAnErrorAndWithoutLeaveTogether() throws {
      let ranks = try Ranks()
      let result = try ranks.run(3, "content", 1)
      #expect(result.status == 3 && !result.diagnostics.contains("caught"), "\(result)")
    }

    /// Those of another node may not know of it.
    @Test func anErrorOfANodeEndsAllOfThem() throws {
      let ranks = try Ranks()
      let result = try ranks.run(2, "node")
      #expect(result.status != 0 && result.diagnostics.contains(" of 2: invalidValue"), "\(result)")
    }

    /// What has happened to part 1 of a set.
    enum Damage: CaseIterable { case deleted, cut, ofAnotherStep, twice }

    @Test(arguments: Damage.allCases)
    func aPartThatIsNotAsTheManifestSaysIsAnErrorBeforeAnyModelIsMade(_ damage: Damage) throws {
      let ranks = try Ranks()
      try #require(ranks.run(4, "save", 1).status == 0)
      let old = try GraphArchiveSet(ranks.folder)
      let oldPart = try Data(contentsOf: old.partURL(1))
      try #require(ranks.run(4, "save", 2).status == 0)
      let set = try GraphArchiveSet(ranks.folder)
      let part = set.partURL(1)
      switch damage {
      case .deleted: try FileManager.default.removeItem(at: part)
      case .cut: try Data(contentsOf: part).dropLast(100).write(to: part)
      case .ofAnotherStep: try oldPart.write(to: part)
      case .twice: try Data(contentsOf: set.partURL(2)).write(to: part)
      }
      let result = try ranks.run(3, "load")
      #expect(result.status == 3)
      // Rank 1 looks at part 1.
      let text = "rank 1 of 3: part 1 of 4 of the set"
      #expect(result.lines.count == 3 && result.lines.allSatisfy { $0.contains(text) }, "\(result)")
    }

    @Test func withoutMpirunTheDemoSaysSo() throws {
      let ranks = try Ranks()
      let script = Ranks.root.appendingPathComponent("scripts/mpi-demo.sh").path
      let result = try ranks.run([script], environment: ["MPIRUN": "no-such-mpirun"])
      #expect(result.status == 1)
      #expect(
        result.diagnostics.contains("no 'no-such-mpirun' command found; 'make setup-mpi' installs OpenMPI"))
    }
  }
}
