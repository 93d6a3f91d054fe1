#if os(Linux)
  import Foundation
  import Testing

  /// Where a program saves, and what must be there, whatever happens to the program.
  protocol CrashPlace {
    /// Arguments of the program, without those of a variant.
    var arguments: [String] { get }
    /// A folder of its own.
    var folder: URL { get }
    /// The name of what the program saves there, a file or a folder.
    var name: String { get }
    /// Creates the previous state, if there is any.
    func create() throws
    /// Whether what the program saves is there, in full; checks that what was there before is, as far as it should be.
    func holdsNew() throws -> Bool
    /// Saves again, and checks that nothing of the program is left.
    func saveNext() throws
    /// Checks what is there after an error.
    func checkAfterError() throws
  }

  extension CrashPlace {
    /// Brings back the previous state, as it was created first.
    func reset() throws {
      let files = FileManager.default
      let (item, first) = (folder.appendingPathComponent(name), folder.appendingPathExtension("first"))
      if !files.fileExists(atPath: first.path) {
        try files.createDirectory(at: first, withIntermediateDirectories: false)
        try create()
        guard files.fileExists(atPath: item.path) else { return }
        return try files.copyItem(at: item, to: first.appendingPathComponent(name))
      }
      try? files.removeItem(at: item)
      let copy = first.appendingPathComponent(name)
      if files.fileExists(atPath: copy.path) { try files.copyItem(at: copy, to: item) }
    }
  }

  extension CrashingProgram {
    /// Ends the process at each of the calls that change files, and in the middle of it.
    func killAtEachCall(_ place: some CrashPlace) async throws {
      for variant in CrashModels.variants {
        let arguments = place.arguments + variant
        try place.reset()
        try #expect(await run(arguments, .none).status == 0)
        try #expect(place.holdsNew())
        // Of either kind: opened, locked, four blocks, two leads, contents, header, two syncs.
        let calls = try calls()
        try #expect(calls.count == callCount() && calls.count > 10)
        // What is not written in part leaves what the next call finds.
        let writes = calls.indices.filter { calls[$0].name == "write" || $0 == calls.count - 1 }
        for (mode, indices) in [(Fate.Mode.kill, Array(calls.indices)), (.half, writes)] {
          var (oldCount, newCount) = (0, 0)
          for index in indices {
            try place.reset()
            try #expect(await run(arguments, .call(index + 1, mode)).status == SIGKILL)
            if try place.holdsNew() { newCount += 1 } else { oldCount += 1 }
            try place.saveNext()
          }
          // Killed before it is there, and after.
          #expect(oldCount > (mode == .kill ? 8 : 4) && newCount > 0)
        }
      }
    }

    /// Lets each of the calls fail, one at a time.
    func failAtEachCall(_ place: some CrashPlace) async throws {
      for variant in CrashModels.variants {
        let arguments = place.arguments + variant
        try place.reset()
        try #expect(await run(arguments, .none).status == 0)
        var errorCount = 0
        for call in 1...(try callCount()) {
          try place.reset()
          let (status, diagnostics) = try await run(arguments, .call(call, .fail))
          // A save does not fail because of locks.
          #expect(status == 0 || status == 3)
          let isNew = try place.holdsNew()
          if status == 0 {
            #expect(isNew)
          } else {
            errorCount += 1
            #expect(diagnostics.contains("No space left on device"))
            try place.checkAfterError()
          }
          try place.saveNext()
        }
        #expect(errorCount > 8)
      }
    }

    /// Ends the process at random times.
    func killAtAnyTime(_ place: some CrashPlace) async throws {
      var longest = 0.0
      for variant in CrashModels.variants {
        try place.reset()
        let start = ContinuousClock.now
        try #expect(await run(place.arguments + variant, .none).status == 0)
        longest = max(longest, (ContinuousClock.now - start) / .seconds(1))
      }
      for attempt in 0..<CrashModels.randomCount {
        try place.reset()
        let time = Double.random(in: 0...longest)
        let variant = CrashModels.variants[attempt % CrashModels.variants.count]
        let status = try await run(place.arguments + variant, .time(time)).status
        #expect(status == 0 || status == SIGKILL)
        let isNew = try place.holdsNew()
        if status == 0 { #expect(isNew) }
        try place.saveNext()
      }
    }
  }
#endif
