import Foundation
import GraphCodable
import Testing

extension MPITests {
  /// What N ranks have saved, M load.
  @Suite struct Restarts {
    @Test func fourRanksAreLoadedByAnyNumber() throws {
      let ranks = try Ranks()
      let saved = try ranks.run(4, "save", 1)
      try #require(saved.lines == Ranks.lines(4, "saved"), "\(saved)")
      for count in [1, 2, 3, 5, 8] {
        let loaded = try ranks.run(count, "load")
        try #require(loaded.status == 0 && loaded.lines.count == count, "\(loaded)")
        // Each block is read by a rank whose range has some of it, and by no other one.
        let numbers = loaded.lines.map { $0.split(separator: " ").compactMap { Int($0) } }
        let all = numbers.first?[1] ?? 0
        #expect(all >= 8)
        #expect(numbers.allSatisfy { $0[0] <= (all + count - 1) / count + 2 })
        #expect(numbers.reduce(0) { $0 + $1[0] } < all + count)
        // Nothing else of the parts is read but their tables.
        for rank in numbers { #expect(rank[3] > 0 && rank[3] <= rank[0] << 20 + rank[2] << 16) }
        print("4 to \(count): \(numbers.map { $0[0] }) of \(all) blocks, \(numbers.map { $0[3] }) bytes")
      }
    }

    @Test func setsFormASeriesThatKeepsTheLast() throws {
      let ranks = try Ranks()
      for (count, steps) in [(3, [1, 2]), (2, [2, 3])] {
        let appended = try ranks.run(count, "append", steps[1] + 1, 2)
        try #require(appended.lines == Ranks.lines(count, "appended"), "\(appended)")
        let series = try GraphArchiveSetSeries(ranks.folder)
        #expect(series.map(\.step) == steps && series.damage.isEmpty)
        for entry in series {
          let set = try GraphArchiveSet(entry)
          try set.verify()
          #expect(set.partCount == count)
        }
      }
      // To keep none would remove what has just been saved.
      let before = try ranks.names()
      let refused = try ranks.run(3, "append", 1, 0)
      #expect(refused.status == 3)
      #expect(
        refused.lines.count == 3 && refused.lines.allSatisfy { $0.contains("error invalidValue: rank 0") })
      try #expect(ranks.names() == before)
    }

    /// Groups of two, of three, and all ranks of this one node.
    @Test(arguments: [2, 3, 0]) func ranksThatHaveAPartTogetherAreLoaded(groupSize: Int) throws {
      let ranks = try Ranks()
      let saved = try ranks.run(4, "save", 1, groupSize)
      try #require(saved.lines == Ranks.lines(4, "saved"), "\(saved)")
      let set = try GraphArchiveSet(ranks.folder)
      try set.verify()
      #expect(set.partCount == (groupSize == 0 ? 1 : 2))
      #expect(set.metadata == ["kind": "test"])
      for count in [1, 3] {
        let loaded = try ranks.run(count, "load")
        #expect(loaded.status == 0 && loaded.lines.count == count, "\(loaded)")
      }
    }

    /// Also when there are fewer layers between ranks than in a periodic box, and ranks are their own neighbours.
    @Test func aSimulationHasTheSameBitsOnAnyNumberOfRanks() throws {
      let ranks = try Ranks()
      let program = Ranks.program("mpi-particles")
      func folder(_ count: Int) -> String { ranks.place.appendingPathComponent("\(count)").path }
      for count in [1, 2, 3, 5, 8] {
        let arguments = ["run", folder(count), "--side", "9", "--steps", "12", "--save-every", "6"]
        let group = count == 5 ? ["--group", "2"] : []
        let result = try ranks.run(Ranks.mpirun(count) + [program] + arguments + group)
        try #require(result.status == 0, "\(result)")
        let comparison = try ranks.run([program, "compare", folder(1), folder(count)])
        #expect(comparison.lines == ["IDENTICAL"])
      }
      // On with one rank, from parts that have two each.
      let arguments = ["run", folder(5), "--steps", "18"]
      try #expect(ranks.run([program] + arguments).status == 0)
      try #expect(ranks.run(Ranks.mpirun(3) + [program, "run", folder(2), "--steps", "18"]).status == 0)
      try #expect(ranks.run([program, "compare", folder(5), folder(2)]).lines == ["IDENTICAL"])
      try #expect(ranks.run([program, "compare", folder(5), folder(1)]).lines == ["DIFFERENT: step"])
    }

    @Test func rank0HearsWhomItWaitsFor() throws {
      let ranks = try Ranks()
      let saved = try ranks.run(4, "wait", 2)
      #expect(saved.status == 0)
      #expect(saved.lines.contains("rank 0: 3 of 4, missing [2]"))
      #expect(saved.lines.contains("rank 0: 4 of 4, missing []"))
    }
  }
}
