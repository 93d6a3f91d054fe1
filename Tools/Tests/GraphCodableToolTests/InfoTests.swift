import Foundation
import GraphCodable
import Simulation
import Testing

@testable import GraphCodableTool

@Suite("info")
struct InfoTests {
  @Test func archiveIsDescribed() async throws {
    let folder = try Folder()
    let bytes = try folder.archive()
    let result = try await Tool.run(["info", "state.gcodable"], in: folder)
    #expect(result.status == 0)
    #expect(result.diagnostics == "")
    #expect(result.lines[0] == "state.gcodable: archive, format version 1, user version 0")
    #expect(result.lines.contains { $0.hasPrefix("size   \(grouped(bytes.count)) bytes, ") })
    #expect(result.lines.contains { $0.hasPrefix("graph  6 objects in ") })
    #expect(result.lines.contains("  Simulation.Ion      version 0"))
    let segments = result.lines.filter { $0.hasPrefix("  bulk ") }
    #expect(segments.count == 2)
    #expect(segments[0].hasSuffix(" of 80,000  1 block, stored"))
    #expect(segments[1].contains(" of 80,000  1 block, LZ4, ratio "))
  }

  @Test func jsonOfAnArchiveIsWhatTheLibraryKnows() async throws {
    let folder = try Folder()
    let encoder = GraphEncoder(binaryIOVersion: 7)
    try encoder.write(Simulation.State(particleCount: 300_000, cellCount: 2_000), to: folder.file("a"))
    let info = try GraphArchive(folder.file("a")).info
    let result = try await Tool.run(["info", "--json", "a"], in: folder)
    let archive = try JSONDecoder().decode(Archive.self, from: Data(result.output.utf8))
    #expect(archive.file == "a")
    #expect(archive.kind == "archive")
    #expect(archive.formatVersion == 1)
    #expect(archive.userVersion == 7)
    #expect(archive.bytes == info.byteCount)
    #expect(archive.rawBytes == info.rawByteCount)
    #expect(archive.streamBytes == info.streamByteCount)
    #expect(archive.objects == 2_002)
    #expect(archive.shapes == info.shapeCount)
    #expect(archive.keys == 11)
    #expect(archive.classes.map(\.name) == ["Simulation.Species", "Simulation.Ion", "Simulation.Cell"])
    #expect(archive.classes.map(\.mangledName) == info.classes.map(\.mangledName))
    #expect(archive.segments.map(\.kind) == ["graph", "bulk", "bulk", "objectIndex"])
    #expect(archive.segments.map(\.number) == [nil, 0, 1, nil])
    #expect(archive.segments.map(\.format) == [nil, "float64", "float64", nil])
    #expect(archive.segments.map(\.rawBytes) == info.segments.map(\.rawByteCount))
    #expect(archive.segments.map(\.bytes) == info.segments.map(\.storedByteCount))
    #expect(archive.segments[1].blocks == 5)
    #expect(archive.segments[2].lz4Blocks == 5)
    #expect(archive.entry == nil)
  }

  @Test func entriesOfASeriesAreListed() async throws {
    let folder = try Folder()
    let series = try folder.series()
    let result = try await Tool.run(["info", "run.gcodable"], in: folder)
    let fileSize = grouped(try folder.bytes(of: "run.gcodable").count)
    #expect(result.lines[0] == "run.gcodable: series, 3 entries, \(fileSize) bytes")
    #expect(result.lines.count == 5)
    let last = result.lines[4].split(separator: " ").map(String.init)
    let size = grouped(series[2].byteCount)
    #expect(last == ["2", "200", "1", size, size, "cells=6"])

    let json = try await Tool.run(["info", "run.gcodable", "--json"], in: folder)
    let listed = try JSONDecoder().decode(Series.self, from: Data(json.output.utf8))
    #expect(listed.kind == "series")
    #expect(listed.entries.map(\.number) == [0, 1, 2])
    #expect(listed.entries.map(\.step) == [0, 100, 200])
    #expect(listed.entries.map(\.time) == [0, 0.5, 1])
    #expect(listed.entries.map(\.metadata) == [["cells": "4"], ["cells": "5"], ["cells": "6"]])
    #expect(listed.entries.map(\.offset) == series.map(\.offset))
    #expect(listed.entries.map(\.bytes) == series.map(\.byteCount))
    #expect(listed.damage.isEmpty)
  }

  @Test func entriesThatShareAreListedWithWhatTheyStore() async throws {
    let folder = try Folder()
    let series = try folder.series(sharing: .blocks)
    let result = try await Tool.run(["info", "run.gcodable"], in: folder)
    let last = result.lines[4].split(separator: " ").map(String.init)
    #expect(last[3...4] == [grouped(series[2].byteCount), grouped(series[2].storedByteCount)])
    #expect(series[2].storedByteCount < series[2].byteCount / 10)
    let json = try await Tool.run(["info", "run.gcodable", "--json"], in: folder)
    let listed = try JSONDecoder().decode(Series.self, from: Data(json.output.utf8))
    #expect(listed.entries.map(\.storedBytes) == series.map(\.storedByteCount))
    #expect(listed.entries.map(\.bytes) == series.map(\.byteCount))
  }

  /// A damaged block is that of all entries, at the one place where it lies.
  @Test func damageOfASharedBlockIsToldOfEachEntry() async throws {
    let folder = try Folder()
    let series = try folder.series(sharing: .blocks)
    let place = Int(series[0].offset) + 50_000
    try folder.damage("run.gcodable", at: place)
    let result = try await Tool.run(["verify", "run.gcodable"], in: folder)
    #expect(result.status == 1)
    for number in 0..<3 {
      #expect(result.output.contains("run.gcodable, entry \(number): damaged: block 0 of the bulk segment"))
    }
    let offsets = Set(result.output.matches(of: /\(byte (\d+)\)/).map(\.1))
    #expect(offsets.count == 1)
  }

  @Test func entryOfASeriesIsDescribedAsAnArchive() async throws {
    let folder = try Folder()
    let series = try folder.series()
    let result = try await Tool.run(["info", "run.gcodable", "--entry", "1"], in: folder)
    #expect(result.lines[0] == "run.gcodable, entry 1: archive, format version 1, user version 0")
    #expect(result.lines.contains("metadata  cells=5"))
    let json = try await Tool.run(["info", "run.gcodable", "--entry", "last", "--json"], in: folder)
    let archive = try JSONDecoder().decode(Archive.self, from: Data(json.output.utf8))
    #expect(archive.entry?.number == 2)
    #expect(archive.bytes == series[2].byteCount)
  }

  @Test func damageOfTheListIsTold() async throws {
    let folder = try Folder()
    let series = try folder.series()
    try folder.damage("run.gcodable", at: Int(series[1].offset + series[1].storedByteCount) + 100)
    let result = try await Tool.run(["info", "run.gcodable"], in: folder)
    #expect(result.status == 0)
    #expect(result.lines.count == 5)
    #expect(result.lines[4].hasPrefix("damaged: the "))
    #expect(result.lines[4].hasSuffix(" (byte \(series[1].offset))"))
    let json = try await Tool.run(["info", "run.gcodable", "--json"], in: folder)
    let listed = try JSONDecoder().decode(Series.self, from: Data(json.output.utf8))
    #expect(listed.entries.map(\.number) == [0, 2])
    #expect(listed.damage.map(\.code) == ["damaged"])
    #expect(listed.damage.map(\.byteOffset) == [series[1].offset])
  }

  /// Neither what JSON has no numbers for, nor what a terminal would take for a command.
  @Test func anyTimeAndAnyMetadataCanBeShown() async throws {
    let folder = try Folder()
    let writer = try GraphArchiveSeries.Writer(folder.file("odd"))
    for time in [Double.nan, .infinity, -.infinity] {
      try GraphEncoder().append(
        [1], to: writer, step: .min, time: time, metadata: ["\u{1B}[2J\n": "\u{9B}\t"])
    }
    let text = try await Tool.run(["info", "odd"], in: folder)
    #expect(text.lines.count == 5)
    #expect(text.lines[2].hasSuffix("\\u{1B}[2J\\n=\\u{9B}\\t"))
    let json = try await Tool.run(["info", "odd", "--json"], in: folder)
    #expect(json.output.unicodeScalars.allSatisfy { $0 == "\n" || $0.properties.generalCategory != .control })
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let series = try decoder.decode(Series.self, from: Data(json.output.utf8))
    #expect(series.entries.map { "\($0.time)" } == ["nan", "inf", "-inf"])
    #expect(series.entries[0].metadata == ["\u{1B}[2J\n": "\u{9B}\t"])
  }

  private struct Archive: Decodable {
    let file: String
    let kind: String
    let entry: Entry?
    let formatVersion, userVersion: Int
    let bytes, rawBytes, streamBytes: UInt64
    let objects, shapes, keys: Int
    let classes: [Class]
    let segments: [Segment]

    struct Class: Decodable {
      let name, mangledName: String
      let version: UInt32
    }

    struct Segment: Decodable {
      let kind: String
      let number: Int?
      let format: String?
      let bytes, rawBytes: UInt64
      let blocks, lz4Blocks: Int
      let filters: [String]
      let precision: String?
    }
  }

  private struct Series: Decodable {
    let kind: String
    let entries: [Entry]
    let damage: [Damage]

    struct Damage: Decodable {
      let code: String
      let byteOffset: UInt64?
    }
  }

  private struct Entry: Decodable {
    let number, step: Int
    let time: Double
    let metadata: [String: String]
    let offset, bytes, storedBytes: UInt64
  }
}
