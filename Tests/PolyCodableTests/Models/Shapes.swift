import PolyCodable

// A base class of its own, with the other spelling of the key. Its discriminators are an enum that writes the
// three methods itself and cannot be listed.

import Foundation

enum ShapeType: String, PolymorphicDiscriminator {
  case circle, square

  func from<PC: PolyCodable>(_ data: Data, jsonDecoder decoder: JSONDecoder) throws -> PC {
    switch self {
    case .circle: try decoder.decode(Circle.self, from: data) as! PC
    case .square: try decoder.decode(Square.self, from: data) as! PC
    }
  }

  func decode<PC: PolyCodable, Key: CodingKey>(
    from container: KeyedDecodingContainer<Key>, forKey key: Key
  ) throws -> PC {
    switch self {
    case .circle: try container.decode(Circle.self, forKey: key) as! PC
    case .square: try container.decode(Square.self, forKey: key) as! PC
    }
  }

  func decodeNext<PC: PolyCodable>(from container: inout any UnkeyedDecodingContainer) throws -> PC {
    switch self {
    case .circle: try container.decode(Circle.self) as! PC
    case .square: try container.decode(Square.self) as! PC
    }
  }
}

class Shape: PolyCodable {
  typealias DiscriminatorKey = TypeDiscriminatorCodingKey

  let x: Double

  init(x: Double) { self.x = x }

  var classType: ShapeType { preconditionFailure("Shape is abstract") }

  private enum CodingKeys: CodingKey { case x }

  required init(from decoder: any Decoder) throws {
    x = try decoder.container(keyedBy: CodingKeys.self).decode(Double.self, forKey: .x)
  }

  func encode(to encoder: any Encoder) throws {
    try encodeDiscriminator(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(x, forKey: .x)
  }
}

final class Circle: Shape {
  override var classType: ShapeType { .circle }
}

final class Square: Shape {
  override var classType: ShapeType { .square }
}
