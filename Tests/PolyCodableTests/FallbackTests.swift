import Foundation
import PolyCodable
import Testing

/// Unknown discriminators may have a class that stands in.
@Suite("PolyCodable: fallback")
struct FallbackTests {
  enum EventType: String, PolymorphicClassTable {
    case click, other

    static let fallbackDiscriminator: EventType? = .other

    var polymorphicClass: any PolyCodable.Type {
      switch self {
      case .click: Click.self
      case .other: OtherEvent.self
      }
    }
  }

  enum EventKey: PolyCompatibleCodingKey {
    case kind

    static var discriminatorKey: EventKey { .kind }
  }

  typealias Event = PolymorphicBaseClass<EventKey, EventType>

  final class Click: Event {
    init() { super.init(.click) }
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  final class OtherEvent: Event {
    required init(from decoder: any Decoder) throws { try super.init(from: decoder) }
  }

  @Test func unknownDiscriminatorsGoToTheFallbackAndAreKept() throws {
    let json = #"[{"kind":"click"},{"kind":"scroll"}]"#
    let events = try JSONDecoder().decodePolymorphic([Event].self, from: Data(json.utf8))
    #expect(events[0] is Click && events[1] is OtherEvent)
    #expect(events.map(\.classType) == [.click, .other])
    #expect(String(decoding: try JSONEncoder().encode(events), as: UTF8.self) == json)
    let naked = try JSONDecoder().decodePolymorphic(Event.self, from: Data(#"{"kind":"drag"}"#.utf8))
    #expect(naked is OtherEvent)
  }

  @Test func missingDiscriminatorIsStillAnError() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decodePolymorphic(Event.self, from: Data("{}".utf8))
    }
  }
}
