import Foundation
import GraphCodableMacros
import Testing

struct Surroundings {
  @GCodableMembers private struct Inner: GCodable, Equatable {
    var value: Int
    init(value: Int) { self.value = value }
  }

  static func roundTripsInner() throws -> Bool { try copy(Inner(value: 3)) == Inner(value: 3) }
}

@GCodable class Picture: NSObject {
  var name: String
  init(name: String) { self.name = name }
}

@Suite("@GCodableMembers")
struct LocalShapeTests {
  @Test func typesInsideFunctionsRoundTrip() throws {
    @GCodableMembers struct Local: GCodable, Equatable {
      @GKey("v") var value: Int
      init(_ value: Int) { self.value = value }
    }
    @GCodableMembers enum Choice: GCodable, Equatable {
      case one
      case two(Int)
    }
    #expect(try copy(Local(3)) == Local(3))
    #expect(try keys(Local(3)) == ["v"])
    #expect(try copy([Choice.one, .two(3)]) == [.one, .two(3)])
  }

  #if compiler(>=6.3)
    @Test func classesInsideFunctionsAreRegisteredWhenTheProgramStarts() throws {
      @GCodableMembers(name: "test.local") final class Local: GCodable, GArchiveNamed {
        var value: Int
        init(_ value: Int) { self.value = value }
      }
      #expect(try copy([Local(3)])[0].value == 3)
    }
  #endif

  @Test func privateTypesInsideTypesRoundTrip() throws {
    #expect(try Surroundings.roundTripsInner())
  }

  @Test func plainObjectsHaveNothingToStore() throws { #expect(try copy(Picture(name: "p")).name == "p") }
}
