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

  @Test func unknownDiscriminatorIsNamedWhereTheFallbackIsAnotherClass() throws {
    struct Holder: Decodable { @Polymorphic var clicks: [Click] }
    let json = Data(#"{"clicks":[{"kind":"click"},{"kind":"scroll"}]}"#.utf8)
    let error = try #require(
      #expect(throws: DecodingError.self) { try JSONDecoder().decode(Holder.self, from: json) })
    guard case .dataCorrupted(let context) = error else { throw error }
    #expect(context.codingPath.map(\.stringValue) == ["clicks", "Index 1", "kind"])
    #expect(
      context.debugDescription
        == "'scroll' is not a discriminator of EventType; expected one of 'click', 'other'.")
    let drag = Data(#"{"kind":"drag"}"#.utf8)
    for decode in [JSONDecoder().decodePolymorphic(_:from:), JSONDecoder().decode(_:from:)] as [Decode] {
      let error = #expect(throws: DecodingError.self) { try decode(Click.self, drag) }
      #expect(error.map { "\($0)" }?.contains("'drag' is not a discriminator of EventType") == true)
    }
  }

  private typealias Decode = (Click.Type, Data) throws -> Click

  @Test func missingDiscriminatorIsStillAnError() {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decodePolymorphic(Event.self, from: Data("{}".utf8))
    }
  }
}
