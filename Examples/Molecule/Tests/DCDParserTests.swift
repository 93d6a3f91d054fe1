import Testing

@testable import MoleculeModel

@Suite struct DCDParserTests {
  @Test(arguments: [false, true], [false, true])
  func framesAreReadInEitherByteOrder(isBigEndian: Bool, hasUnitCells: Bool) throws {
    let trajectory = try DCDParser.parse(
      DCDWriter.sample(isBigEndian: isBigEndian, hasUnitCells: hasUnitCells))
    #expect(trajectory.atomCount == 6)
    #expect(trajectory.frameCount == 2)
    #expect(trajectory.titles == ["A TITLE"])
    #expect(trajectory.firstStep == 1000)
    #expect(trajectory.stepsPerFrame == 10)
    #expect(trajectory.timeStep == 0.5)
    #expect(trajectory.position(ofAtom: 4, inFrame: 1) == [100.5, 110.5, 120.5])
    #expect(trajectory.unitCells.count == (hasUnitCells ? 12 : 0))
    #expect(trajectory.unitCells.last == (hasUnitCells ? 15 : nil))
  }

  @Test func aRunThatStoppedEarlyIsAccepted() throws {
    var writer = DCDWriter()
    writer.head(atomCount: 1, announced: 500)
    for value in [1, 2, 3] as [Float] { writer.floats([value]) }
    let trajectory = try DCDParser.parse(writer.bytes)
    #expect(trajectory.frameCount == 1)
    #expect(trajectory.announcedFrameCount == 500)
  }

  @Test func fourthDimensionIsSkipped() throws {
    var writer = DCDWriter()
    writer.head(atomCount: 1, flags: [12: 1])
    for value in [1, 2, 3, 4, 5, 6, 7, 8] as [Float] { writer.floats([value]) }
    #expect(try DCDParser.parse(writer.bytes).coordinates == [1, 2, 3, 5, 6, 7])
  }

  @Test func everyTruncationThrowsExceptBetweenFrames() throws {
    let bytes = DCDWriter.sample()
    let frame = 3 * (6 * 4 + 8)
    let complete = [bytes.count - 2 * frame, bytes.count - frame]
    for count in 0..<bytes.count {
      let part = Array(bytes[..<count])
      if complete.contains(count) {
        #expect(try DCDParser.parse(part).frameCount == (count == complete[0] ? 0 : 1))
      } else {
        #expect(throws: MoleculeError.self) { try DCDParser.parse(part) }
      }
    }
  }

  @Test func everyChangedRecordLengthIsFound() throws {
    let bytes = DCDWriter.sample()
    for offset in [0, 88, 92, 180, 184, 192, 196, 224, 228] {
      var changed = bytes
      changed[offset] ^= 2
      #expect(throws: MoleculeError.self, "offset \(offset)") { try DCDParser.parse(changed) }
    }
  }

  @Test func changedBytesNeverTrap() {
    let bytes = DCDWriter.sample()
    for offset in bytes.indices {
      for mask in [0x01, 0x80, 0xFF] as [UInt8] {
        var changed = bytes
        changed[offset] ^= mask
        _ = try? DCDParser.parse(changed)
      }
    }
  }

  @Test func errorsSayWhereAndWhat() {
    #expect(
      throws: MoleculeError.binary(
        offset: 4, "this is no trajectory of coordinates: the mark CORD is missing")
    ) {
      var bytes = DCDWriter.sample()
      bytes[4] = 0x56
      _ = try DCDParser.parse(bytes)
    }
    #expect {
      _ = try DCDParser.parse(DCDWriter.sample(flags: [9: 3]))
    } throws: {
      "\($0)".contains("fixed atoms")
    }
    #expect {
      _ = try DCDParser.parse(DCDWriter.sample(atomCount: 0))
    } throws: {
      "\($0)".contains("0 atoms")
    }
  }
}
