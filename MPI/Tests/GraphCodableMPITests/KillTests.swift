#if os(Linux)
  import Foundation
  import GraphCodable
  import Testing

  extension MPITests {
    /// A process is killed, or its device is full, at each call by which a save changes files.
    ///
    /// Rank 0 begins and commits, too. See `interpose.c`.
    @Suite struct Kills {
      @Test(
        arguments: [0, 2],
        [(Save.set, "kill"), (.set, "half"), (.groups, "kill"), (.series, "kill")])
      func aRankKilledAtAnyCallLeavesTheSetOfBeforeOrTheNew(rank: Int, how: (Save, String)) throws {
        let ranks = try Ranks()
        let (save, mode) = how
        let program = try Interposed(ranks, save)
        let callCount = try program.callCount(ranks, of: rank)
        #expect(callCount > (rank == 0 ? 20 : 8))
        var (oldCount, newCount) = (0, 0)
        let start = ContinuousClock.now
        for call in 1...callCount {
          try program.reset(ranks)
          let result = try program.save(ranks, rank, at: call, mode)
          #expect(result.status != 0 && result.diagnostics.contains("signal 9"), "\(result)")
          try program.isNew(ranks) ? (newCount += 1) : (oldCount += 1)
          // Nothing of the killed ones is left by the next save.
          try program.whenUnlocked { try program.saveOld(ranks) }
          try program.expectNoRemains(ranks)
        }
        // Rank 0 alone can die after the set is there.
        #expect(oldCount > 5 && (newCount > 0) == (rank == 0))
        print(
          "\(save), rank \(rank), \(mode): \(callCount) calls, \(oldCount) times the set of before, \(newCount) times the new, "
            + "0 hangs, \((ContinuousClock.now - start) / callCount) each")
      }

      @Test(arguments: [0, 2])
      func aFullDeviceAtAnyCallIsAnErrorOnAllRanks(rank: Int) throws {
        let ranks = try Ranks()
        let program = try Interposed(ranks, .set)
        var errorCount = 0
        for call in 1...(try program.callCount(ranks, of: rank)) {
          try program.reset(ranks)
          let result = try program.save(ranks, rank, at: call, "fail")
          let isNew = try program.isNew(ranks)
          if result.status == 0 {
            #expect(isNew && result.lines == Ranks.lines(4, "saved"))
          } else {
            errorCount += 1
            #expect(result.status == 3 && result.lines.count == 4, "\(result)")
            #expect(result.lines.allSatisfy { $0.contains("No space left on device") }, "\(result)")
          }
        }
        #expect(errorCount > 5)
        print("rank \(rank), full device: \(errorCount) errors on all ranks, 0 hangs")
      }
    }
  }

  /// What is saved: a set of a part for each rank, of a part for each two of them, or a set of a series.
  enum Save { case set, groups, series }

  /// Ranks of which one has something between itself and the system.
  private struct Interposed {
    let library: String
    let kind: Save

    init(_ ranks: borrowing Ranks, _ kind: Save) throws {
      self.kind = kind
      library = ranks.place.appendingPathComponent("interpose.so").path
      let code = Ranks.root.appendingPathComponent("Tests/CrashTests/Interposer/interpose.c").path
      let result = try ranks.run(
        ["clang", "-shared", "-fPIC", "-Wall", "-Wextra", "-Werror", "-o", library, code, "-ldl"])
      try #require(result.status == 0, "\(result)")
    }

    func reset(_ ranks: borrowing Ranks) throws {
      try? FileManager.default.removeItem(at: ranks.folder)
      try saveOld(ranks)
    }

    /// Calls a function again as long as a rank has the lock: `mpirun` may end before the ranks that it ends.
    func whenUnlocked(_ body: () throws -> Void) throws {
      for _ in 0..<200 {
        do { return try body() } catch let error as GCodableError where error.code == .locked {
          Thread.sleep(forTimeInterval: 0.1)
        }
      }
      try body()
    }

    /// Saves step 0 in this process.
    func saveOld(_ ranks: borrowing Ranks) throws {
      guard kind == .series else { return try ranks.saveOld() }
      let writer = try GraphArchiveSetSeries.Writer(ranks.folder)
      let set = try writer.begin()
      let receipts = try (0..<2).map { try set.part($0, of: 2).write([Double($0)]) }
      try set.commit(receipts, step: 0, time: 0)
    }

    /// Expects nothing but sets.
    func expectNoRemains(_ ranks: borrowing Ranks) throws {
      guard kind == .series else {
        try #expect(ranks.names() == ranks.names(of: GraphArchiveSet(ranks.folder)))
        return
      }
      let series = try GraphArchiveSetSeries(ranks.folder)
      try #expect(ranks.names() == Set(series.map(\.url.lastPathComponent) + ["index.gcodable"]))
      for entry in series {
        let names = try FileManager.default.contentsOfDirectory(atPath: entry.url.path)
        try #expect(Set(names) == ranks.names(of: GraphArchiveSet(entry)))
      }
    }

    /// Saves step 1 on 4 ranks.
    func save(
      _ ranks: borrowing Ranks, _ rank: Int, at call: Int, _ mode: String, countFile: String = ""
    ) throws -> Ranks.Outcome {
      // For the one rank alone, and not for mpirun.
      let script = """
        if [ "$OMPI_COMM_WORLD_RANK" = \(rank) ]; then export LD_PRELOAD=\(library) CRASH_COUNT_FILE=\(countFile); fi
        exec "$@"
        """
      return try ranks.run(
        4, kind == .series ? "appendLittle" : "saveLittle", 1, kind == .groups ? 2 : 1,
        prefix: ["sh", "-c", script, "sh"],
        environment: ["CRASH_WAITS": "1", "CRASH_AT": "\(call)", "CRASH_MODE": mode])
    }

    /// How many calls of a rank change files while it saves.
    func callCount(_ ranks: borrowing Ranks, of rank: Int) throws -> Int {
      try reset(ranks)
      let file = ranks.place.appendingPathComponent("count")
      let result = try save(ranks, rank, at: 1_000_000, "kill", countFile: file.path)
      try #require(result.status == 0, "\(result)")
      return try #require(Int(String(contentsOf: file, encoding: .utf8)))
    }

    /// Whether the new set is there and not that of before, or both in a series.
    ///
    /// All are complete.
    func isNew(_ ranks: borrowing Ranks) throws -> Bool {
      var sets = [try? GraphArchiveSet(ranks.folder)].compactMap(\.self)
      if kind == .series {
        let series = try GraphArchiveSetSeries(ranks.folder)
        #expect(series.damage.isEmpty)
        sets = try series.map { try GraphArchiveSet($0) }
        #expect(sets.map(\.step) == [0] || sets.map(\.step) == [0, 1] || sets.map(\.step) == [1])
      }
      for set in sets {
        try set.verify()
        #expect(set.partCount == (set.step == 1 && kind != .groups ? 4 : 2))
      }
      return try #require(sets.last).step == 1
    }
  }
#endif
