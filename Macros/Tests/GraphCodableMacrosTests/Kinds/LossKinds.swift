import GraphCodableMacros
import Observation
import Testing

@GCodable class Apparatus: Hashable {
  var name = "m"
  init() {}
  static func == (one: Apparatus, other: Apparatus) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

final class GenericApparatus<Value>: Apparatus { var value: Value? }

@Observable final class ObservedApparatus: Apparatus { var speed = 1 }

final class ClosureApparatus: Apparatus { var run: () -> Void = {} }

final class TupleApparatus: Apparatus { var size = (1, 2) }

final class WatchingApparatus: Apparatus { weak var watched: Apparatus? }

class ForgetfulApparatus: Apparatus { var power = 2 }

@GCodable final class CarefulApparatus: ForgetfulApparatus {
  var care = 3
  override init() { super.init() }
}

private final class PrivateApparatus: Apparatus { private var secret = 1 }

extension Apparatus { final class Inside: Apparatus { var depth = 1 } }

final class LazyApparatus: Apparatus { lazy var made = name.count }

final class ObservingApparatus: Apparatus { override var name: String { didSet {} } }

protocol Mechanism: AnyObject, GCodable {}

@GCodable class Engine: Mechanism { init() {} }

final class Turbine: Engine { var blades = 9 }

@GCodable struct Workshop {
  var mechanism: (any Mechanism)?
  var machine: Apparatus?
}

@GCodable enum Job { case repair(Apparatus, of: [any Mechanism]) }

/// Graphs that lead back without a deferred property.
@GCodable final class Loop {
  var list: [Loop] = []
  var byName: [String: Loop] = [:]
  var only: Loop?
  var inside: Inside?
  var choice: Choice?
  var behind: (any Mechanism)?
  var nested: [[Loop?]]?
  init() {}

  @GCodable struct Inside { var loop: Loop }
  @GCodable indirect enum Choice { case one(Loop), more(next: Choice) }
}

@GCodable final class Gear: Mechanism {
  var loop: Loop?
  init() {}
}

@Suite("@GCodable: no silent loss")
struct LossKindTests {
  private func expectLoss(of property: String, _ value: some GCodable) throws {
    for verifies in [false, true] {
      let error = try #require(
        #expect(throws: GCodableError.self) {
          if verifies { try GraphCodableUti.verifyArchivable(root: value) } else { _ = try encoded(value) }
        })
      #expect("\(error)".contains("'\(property)'") && "\(error)".contains("InheritsCoding"))
    }
  }

  private func encoded(_ value: some GCodable) throws -> [UInt8] { try GraphEncoder().encode(value) }

  @Test func subclassesOfMacrosThatAddPropertiesAreRefused() throws {
    try expectLoss(of: "value", [GenericApparatus<Int>()] as [Apparatus])
    try expectLoss(of: "speed", [ObservedApparatus()] as [Apparatus])
    try expectLoss(of: "run", [ClosureApparatus()] as [Apparatus])
    try expectLoss(of: "size", [TupleApparatus()] as [Apparatus])
    try expectLoss(of: "watched", [WatchingApparatus()] as [Apparatus])
    try expectLoss(of: "depth", [Apparatus.Inside()] as [Apparatus])
    PrivateApparatus.register()
    try expectLoss(of: "secret", [PrivateApparatus()] as [Apparatus])
  }

  @Test func classesBetweenThatForgetTheirsAreRefused() throws {
    try expectLoss(of: "power", [CarefulApparatus()] as [Apparatus])
  }

  @Test func theyAreRefusedWhereverTheyAreStored() throws {
    try expectLoss(of: "power", ForgetfulApparatus())
    try expectLoss(of: "power", Set([ForgetfulApparatus() as Apparatus]))
    try expectLoss(of: "power", [ForgetfulApparatus() as Apparatus: 1])
    try expectLoss(of: "power", Workshop(machine: ForgetfulApparatus()))
    try expectLoss(of: "blades", Workshop(mechanism: Turbine()))
    try expectLoss(of: "blades", Job.repair(Apparatus(), of: [Engine(), Turbine()]))
  }

  @Test func subclassesThatAddNothingComeBack() throws {
    let machines = try copy([LazyApparatus(), ObservingApparatus()] as [Apparatus])
    #expect(machines[0] is LazyApparatus && machines[1] is ObservingApparatus)
  }

  @Test(arguments: ["list", "byName", "only", "inside", "choice", "behind", "nested"])
  func graphsThatCannotBeLoadedAreFound(_ property: String) throws {
    let loop = Loop()
    switch property {
    case "list": loop.list = [loop]
    case "byName": loop.byName = ["x": loop]
    case "only": loop.only = loop
    case "inside": loop.inside = Loop.Inside(loop: loop)
    case "choice": loop.choice = .more(next: .one(loop))
    case "behind":
      let gear = Gear()
      (gear.loop, loop.behind) = (loop, gear)
    default: loop.nested = [[nil, loop]]
    }
    let error = try #require(
      #expect(throws: GCodableError.self) { try GraphCodableUti.verifyArchivable(root: loop) })
    for part in [property, "@GDeferred", "weak", "deferDecode"] { #expect("\(error)".contains(part)) }
  }
}
