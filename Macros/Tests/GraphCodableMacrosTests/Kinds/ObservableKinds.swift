import GraphCodableMacros
import Observation
import Testing

@Observable @GCodable final class Track {
  var name = ""
  let id: Int
  init(id: Int) { self.id = id }
}

@GCodable @Observable final class TrackInOtherOrder {
  let id: Int
  var name = ""
  var count: Int
  var maybe: Int?
  var list: [String] = []
  init(id: Int) { (self.id, count) = (id, 1) }
}

@Observable @GCodable class Screen {
  var name = "b"
  @ObservationIgnored var cache = 3
  init() {}
}

@Observable @GCodable class DetailScreen: Screen {
  var extra: Double = 1
  @GKey("t", was: "old") var title = ""
  let fixed: Int
  init(fixed: Int) {
    self.fixed = fixed
    super.init()
  }
}

@GCodable final class PlainSubclass: DetailScreen {
  var leaf = 7
  init() { super.init(fixed: 9) }
}

@Observable @GCodable final class Outline {
  weak var parent: Outline?
  @GDeferred var next: Outline?
  @GConditional var other: Screen?
  var children: [Outline] = []
  @GIgnored var skipped = 5
  @GDefault(4) var depth: Int
  @GPrecision(.absolute(0.5)) var numbers: [Double] = []
  unowned var root: Outline!
  init() { depth = 1 }
}

@Observable @GCodable final class Aviary {
  var all: [any Creature] = []
  var first: (any Creature)?
  var must: any Creature
  init(_ must: any Creature) { self.must = must }
}

@Observable @GCodable(version: 2) final class Migrating {
  var x = 1
  var next: Int { x + 1 }
  @ObservationIgnored var migrated = false
  func migrate(from version: UInt32, _ decoder: GDecoder) throws { migrated = true }
  init() {}
}

@Observable @GCodable final class Container<Value: GCodable> {
  var value: Value
  var maybe: Value?
  var many: [Value] = []
  init(_ value: Value) { self.value = value }
}

@Observable @GCodable final class Everything {
  var observed = 1 { didSet { sets += 1 } }
  @ObservationIgnored var sets = 0 { willSet {} }
  private(set) var read = 3
  @ObservationIgnored lazy var late = observed
  @ObservationIgnored @Kept var kept = 4
  @ObservationIgnored @GWrapped @Foreign var foreign = 5
  @GIgnored let constant = [1].map { $0 }
  var implicit: Int!
  var byName = [String: [Int]]()
  @ObservationIgnored @GKey("m") private var hidden = 1
  @ObservationIgnored weak var other: Everything?
  @GDefault(3) @GKey("d", was: "o") var depth: Int = 2
  @GIgnored var action: (() -> Void)? = nil
  @ObservationIgnored @GIgnored var anything: Any = 1
  var computed: Int { observed }
  static let shared = 1
  init() {}
}

@Observable @GCodableMembers final class MembersModel: GCodable {
  var name = "x"
  let id: Int
  var children: [MembersModel] = []
  weak var parent: MembersModel?
  init(id: Int) { self.id = id }
}

@Observable class PlainModel { var unknown = 1 }

@Observable @GCodable(inherits: false) final class ModelOfPlain: PlainModel {
  var x = 1
  override init() { super.init() }
}

extension Around {
  @GCodable @Observable final class Model<Value: GCodable> {
    enum State { case a, b }
    var value: Value
    @GIgnored var state = State.a
    init(_ value: Value) { self.value = value }
  }
}

@MainActor @Observable @GCodable class MainViewModel {
  var a = 1
  weak var parent: MainViewModel?
  init() {}
}

@MainActor @Observable @GCodable final class MainDetailModel: MainViewModel {
  var b = [1]
  let c: Int
  init(c: Int) {
    self.c = c
    super.init()
  }
}

@MainActor @Observable @GCodable final class IsolatedViewModel {
  var items = [1]
  init() {}
}

@Suite("@GCodable: @Observable")
struct ObservableKindTests {
  @Test func observedPropertiesAreStoredInEveryOrder() throws {
    let track = Track(id: 3)
    track.name = "q"
    #expect(try copy(track).id == 3 && copy(track).name == "q")
    let other = TrackInOtherOrder(id: 4)
    (other.name, other.count, other.maybe, other.list) = ("z", 8, 5, ["l"])
    let decoded = try copy(other)
    #expect(
      decoded.id == 4 && decoded.name == "z" && decoded.count == 8 && decoded.maybe == 5
        && decoded.list == ["l"])
  }

  @Test func allKindsOfObservedPropertiesAreStored() throws {
    let value = Everything()
    (value.observed, value.kept, value.foreign, value.implicit, value.byName) = (6, 9, 10, 7, ["x": [1]])
    (value.other, value.depth) = (value, 12)
    let decoded = try copy(value)
    #expect(decoded.observed == 6 && decoded.sets == 1 && decoded.kept == 9 && decoded.foreign == 10)
    #expect(decoded.implicit == 7 && decoded.byName == ["x": [1]] && decoded.depth == 12)
    #expect(decoded.other === decoded && decoded.late == 6)
  }

  @Test func observableClassesInOtherPlacesComeBack() throws {
    let members = MembersModel(id: 3)
    members.children = [MembersModel(id: 4)]
    members.children[0].parent = members
    let decoded = try copy(members)
    #expect(decoded.children[0].parent === decoded && decoded.id == 3)
    #expect(try copy(ModelOfPlain()).x == 1 && copy(Around.Model([2])).value == [2])
  }

  @Test @MainActor func observableSubclassesOfTheMainActorComeBack() throws {
    let model = MainDetailModel(c: 4)
    (model.a, model.b, model.parent) = (5, [6], model)
    let bytes = try GraphEncoder().encode([model] as [MainViewModel]) as [UInt8]
    let decoded = try #require(
      try GraphDecoder().decode([MainViewModel].self, from: bytes)[0] as? MainDetailModel)
    #expect(decoded.a == 5 && decoded.b == [6] && decoded.c == 4 && decoded.parent === decoded)
  }

  @Test func observableSubclassesComeBack() throws {
    let screen = PlainSubclass()
    (screen.name, screen.cache, screen.extra, screen.title, screen.leaf) = ("N", 4, 2, "T", 8)
    let decoded = try #require(try copy([screen] as [Screen])[0] as? PlainSubclass)
    #expect(decoded.name == "N" && decoded.cache == 4 && decoded.extra == 2)
    #expect(decoded.title == "T" && decoded.fixed == 9 && decoded.leaf == 8)
  }

  @Test func attributesOfObservedPropertiesHold() throws {
    let (outline, child) = (Outline(), Outline())
    (outline.children, child.parent, outline.next) = ([child], outline, outline)
    (outline.skipped, outline.depth, outline.numbers, outline.root, child.root) = (
      9, 6, [1.1], outline, outline
    )
    outline.other = Screen()
    let decoded = try copy(outline)
    #expect(decoded.children[0].parent === decoded && decoded.next === decoded && decoded.root === decoded)
    #expect(decoded.skipped == 5 && decoded.depth == 6 && decoded.other == nil)
    #expect(abs(decoded.numbers[0] - 1.1) <= 0.5)
    #expect(try keys(DetailScreen(fixed: 1)).contains("t"))
  }

  @Test func objectsBehindProtocolsAreObserved() throws {
    let aviary = Aviary(Fox("f"))
    (aviary.all, aviary.first) = ([aviary.must, Fox("g")], aviary.must)
    let decoded = try copy(aviary)
    #expect(decoded.all[0] === decoded.must && decoded.first === decoded.must && decoded.all[1].name == "g")
  }

  @Test func observedPropertiesMayBeMissing() throws {
    let old = try bytes(OlderObject([("id", 1), ("count", 2)]))
    let decoded = try GraphDecoder().decode(TrackInOtherOrder.self, from: old)
    #expect(decoded.name == "" && decoded.maybe == nil && decoded.list == [] && decoded.count == 2)
  }

  @Test func olderKeysOfObservedPropertiesAreRead() throws {
    let old = try bytes(OlderObject([("old", "title"), ("fixed", 3)]))
    #expect(try GraphDecoder().decode(DetailScreen.self, from: old).title == "title")
  }

  @Test func observableClassesMigrate() throws {
    #expect(try !copy(Migrating()).migrated)
    let migrating = Migrating()
    migrating.x = 5
    #expect(try copy(migrating).next == 6)
  }

  @Test func genericObservableClassesRoundTrip() throws {
    let container = Container(3)
    (container.maybe, container.many) = (4, [5])
    let decoded = try copy(container)
    #expect(decoded.value == 3 && decoded.maybe == 4 && decoded.many == [5])
  }

  @Test @MainActor func observableClassesOfTheMainActorRoundTrip() throws {
    let model = IsolatedViewModel()
    model.items = [3]
    let bytes = try GraphEncoder().encode(model) as [UInt8]
    #expect(try GraphDecoder().decode(IsolatedViewModel.self, from: bytes).items == [3])
  }

  @Test func decodedObjectsAreObserved() throws {
    let decoded = try copy(Track(id: 1))
    let changes = Changes()
    withObservationTracking {
      _ = decoded.name
    } onChange: {
      changes.count += 1
    }
    decoded.name = "new"
    #expect(changes.count == 1)
  }

  private final class Changes: @unchecked Sendable { var count = 0 }
}
