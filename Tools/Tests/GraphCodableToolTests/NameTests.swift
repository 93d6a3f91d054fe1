import Foundation
import GraphCodable
import Testing

@testable import GraphCodableTool

/// Files whose names are not UTF-8, which Linux has.
@Suite("names")
struct NameTests {
  @Test func everyNameHasOneText() {
    let names: [[UInt8]] = [
      Array("plain".utf8), Array("größer 日本 🜁".utf8), [0x63, 0xE9], [0xE9, 0x2F, 0x80, 0xFF], [0xC3],
      [0xF4, 0x8F, 0xBF, 0xA9], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80], [],
    ]
    for name in names {
      let text = FileName.text(name.map { CChar(bitPattern: $0) })
      #expect(FileName.bytes(text).map { UInt8(bitPattern: $0) } == name + [0])
    }
    #expect(Set(names.map { FileName.text($0.map { CChar(bitPattern: $0) }) }).count == names.count)
    #expect("caf\u{10FFE9}".visible == #"caf\xE9"#)
    #expect("caf\u{10FFE9}".visibleJSON == #"caf\\xE9"#)
    #expect(FileName.isUTF8("\u{10FF00}é") && !FileName.isUTF8("\u{10FFE9}"))
  }

  #if os(Linux)
    /// A folder with an archive, a series, a damaged archive and a set, all with such names, in a folder with one.
    private func folder() async throws -> Folder {
      let folder = try Folder()
      try folder.archive("a")
      try folder.series("s")
      try folder.archive("d")
      try folder.damage("d", at: 5_000)
      try folder.set("c")
      let made = try await Tool.shell(
        #"d=$(printf 'd\xe9'); mkdir "$d" && for n in a s d c; do mv $n "$d/$n"$(printf '\xe9'); done"#,
        in: folder)
      #expect(made.status == 0)
      return folder
    }

    @Test func theyAreFoundInFolders() async throws {
      let folder = try await folder()
      for name in [".", #"d$(printf '\xe9')"#, #"$PWD/d$(printf '\xe9')/"#] {
        let result = try await Tool.shell("$tool verify \"\(name)\"", in: folder)
        #expect(result.status == 1)
        #expect(result.output.contains(#"d\xE9/d\xE9: damaged: "#))
        #expect(result.lines.last == "4 files and sets: 3 OK, 1 damaged")
      }
      let report = try await Tool.shell("$tool verify --json .", in: folder)
      #expect(report.output.contains(#"./d\\xE9/d\\xE9""#))
    }

    @Test(arguments: [
      "info $d/a$x", "ls $d/s$x title", "get $d/a$x 'positions[0..<2]'", "dump $d/a$x",
      "verify $d/a$x $d/s$x $d/c$x",
      "stats $d/a$x", "diff $d/a$x $d/a$x", "info $d/c$x", "repack $d/a$x -o new", "repack $d/a$x -o $d/new",
      "series extract $d/s$x -o new", "series prune $d/s$x --last 1 -o new",
      "series concat $d/s$x $d/s$x -o $d/new",
      "series append new $d/a$x", "series append $d/new $d/a$x $d/s$x",
      "get file://$PWD/d%E9/a%e9 'positions[0..<2]'",
      "verify <(echo) || $tool verify $d/a$x",
    ])
    func theyAreReadByAllCommands(command: String) async throws {
      let folder = try await folder()
      let result = try await Tool.shell(
        "x=$(printf '\\xe9') d=d$(printf '\\xe9'); $tool \(command) && { ! [ -e new ] || $tool verify new; }",
        in: folder)
      #expect(result.status == 0, "\(result.diagnostics)")
      #expect(!result.output.isEmpty || command.hasPrefix("diff"))
    }

    @Test func theyAreRecovered() async throws {
      let folder = try await folder()
      let result = try await Tool.shell(
        #"d=$(printf 'd\xe9'); $tool recover $d/d$(printf '\xe9') -o $d/new; $tool verify $d/new"#, in: folder
      )
      #expect(result.lines.last == #"d\xE9/new: OK"#)
    }

    @Test(arguments: [
      "repack $n", "repack state.gcodable -o $n", "series prune $n --last 1",
      "series append $n state.gcodable",
      "series compact $n", "series extract run.gcodable -o $n", "recover state.gcodable -o $n",
    ])
    func theyAreNotWritten(command: String) async throws {
      let folder = try Folder()
      try folder.archive()
      try folder.series()
      let before = try folder.bytes(of: "run.gcodable")
      let result = try await Tool.shell(
        "n=n$(printf '\\xe9'); [ '\(command)' = 'repack $n' ] && cp state.gcodable $n || cp run.gcodable $n;"
          + " $tool \(command); s=$?; cmp run.gcodable $n >&2; exit $s", in: folder)
      #expect(result.status == 64 && result.output == "")
      #expect(
        result.diagnostics.contains(#"graphcodable: n\xE9: "#) && result.diagnostics.contains("not UTF-8"))
      try #expect(folder.bytes(of: "run.gcodable") == before)
    }

    @Test func whatIsNotThereIsToldByItsName() async throws {
      let result = try await Tool.shell(#"$tool info none$(printf '\xe9')"#, in: Folder())
      #expect(result.status == 66)
      #expect(result.diagnostics == #"graphcodable: none\xE9: No such file or directory"# + "\n")
    }
  #endif
}
