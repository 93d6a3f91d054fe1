import GraphCodableMacros
import StandIns
import Testing

@Model @GCodable final class Trip {
  var name: String = ""
  var days: Int
  var note: String?
  let id: Int
  var stops: [String] = ["home"]
  init(id: Int, days: Int) { (self.id, self.days) = (id, days) }
}

@GCodable @Model final class Route {
  @GKey("t", was: "old") var title: String = ""
  @GWrapped @Unique var code: Int = 1
  @GWrapped @Ephemeral var cache: [Int] = []
  @GIgnored var skipped: Int = 5
  weak var trip: Trip?
  var own: Trip?
  init() {}
}

@Model @GCodable class Place {
  var name: String = "p"
  init() {}
}

@Model @GCodable struct Point {
  var x: Int = 1
  var y: Int
  init(y: Int) { self.y = y }
}

private func copy<Value: GCodable>(_ value: Value) throws -> Value {
  try GraphDecoder().decode(Value.self, from: GraphEncoder().encode(value) as [UInt8])
}

/// As SwiftData's, which is not on every platform.
@Suite("@GCodable: macros of others that store properties elsewhere")
struct StandInTests {
  @Test func storedElsewhereRoundTrips() throws {
    let trip = Trip(id: 3, days: 4)
    (trip.name, trip.note, trip.stops) = ("n", "note", ["a", "b"])
    let decoded = try copy(trip)
    #expect(decoded.name == "n" && decoded.days == 4 && decoded.note == "note" && decoded.id == 3)
    #expect(decoded.stops == ["a", "b"])
  }

  @Test func attributesHold() throws {
    let (route, trip) = (Route(), Trip(id: 1, days: 2))
    (route.title, route.code, route.cache, route.skipped) = ("T", 7, [8], 9)
    (route.own, route.trip) = (trip, trip)
    let decoded = try copy(route)
    #expect(decoded.title == "T" && decoded.code == 7 && decoded.cache == [8] && decoded.skipped == 5)
    #expect(decoded.trip === decoded.own && decoded.own?.days == 2)
  }

  @Test func structsAndOpenClassesRoundTrip() throws {
    var point = Point(y: 3)
    point.x = 4
    #expect(try copy(point).x == 4 && copy(point).y == 3)
    let place = Place()
    place.name = "q"
    #expect(try copy(place).name == "q")
  }

  @Test func missingPropertiesKeepTheirValues() throws {
    let bytes = try GraphEncoder().encode(Point(y: 3)) as [UInt8]
    #expect(try GraphDecoder().decode(Point.self, from: bytes).x == 1)
  }
}
