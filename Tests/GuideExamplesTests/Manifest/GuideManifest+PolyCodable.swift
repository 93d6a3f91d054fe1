extension GuideManifest {
  static let polyCodable: [GuideExample] = [
    GuideExample(
      use, "polymorphic properties", of: .polyCodable,
      .code(polyCodableImport), .block(0, of: defaultBase), .block(1, of: discriminator),
      .edited(0, [bodyOf("A", ".a"), bodyOf("B", ".b")]), .edited(1, [initializerOfC]),
      .code(usesOfC), prints: .comments),
    GuideExample(
      use, "properties of one class", of: .polyCodable,
      .code(polyCodableImport), .block(0, of: defaultBase), .block(1, of: discriminator),
      .block(0, of: classes), .edited(0, of: classes, secondClass),
      .code("struct Holder: Codable {"), .edited(2, [noEllipsis]), .code("}"),
      .code(usesOfHolder), prints: .comments),
    GuideExample(
      format, "", of: .polyCodable,
      .code(polyCodableImport), .block(0, of: defaultBase), .block(1, of: discriminator),
      .block(0, of: classes), .edited(0, of: classes, secondClass), .edited(1, of: use, [initializerOfC]),
      .code("let json = \"\"\""), .edited(0, [noOtherProperties]), .code("\"\"\""),
      .code(usesOfJSON), prints: .comments),
    GuideExample(
      discriminator, "the library's protocol has the requirements that the guide shows", of: .polyCodable,
      .code(polyCodableImport), .edited(0, [otherName]), .code(conformerToBothProtocols), prints: .comments),
    GuideExample(
      baseWithProperties, "", of: .polyCodable,
      .code(polyCodableImport), .block(1, of: discriminator), .edited(0, fillingIn),
      .code(secondSubclass), .code(usesOfProperties), prints: .comments),
    GuideExample(
      otherKey, "", of: .polyCodable,
      .code(polyCodableImport), .block(0), .block(1), .block(1, of: discriminator),
      .code("typealias MyBaseClass = MyPolyCodableBaseClass"),
      .block(0, of: classes), .edited(0, of: classes, secondClass),
      .code(usesOfOtherKey), prints: .comments),
  ]

  private static let use = "How Are PolyCodable Classes Used?"
  private static let format = "How Are PolyCodable Objects Encoded?:"
  private static let defaultBase = "Using the Default Base Class"
  private static let discriminator = "The Discriminator Enum Protocol"
  private static let classes = "Polymorphic Classes"
  private static let baseWithProperties = "Base Classes with Properties"
  private static let otherKey = "Using A Different Value for the \"Type Discriminator\""

  private static let polyCodableImport = "import Foundation\nimport PolyCodable\n"

  private static func bodyOf(_ name: String, _ discriminator: String) -> GuideEdit {
    .replacing(
      "class \(name) : MyBaseClass {...}",
      by: """
        class \(name) : MyBaseClass {
          init() { super.init( \(discriminator) ) }
          required init( from decoder: Decoder ) throws { try super.init( from: decoder ) }
        }
        """, because: "the guide leaves the class's members out here")
  }

  private static let secondClass: [GuideEdit] = [
    .replacing("class A", by: "class B", because: "the guide says that the implementation of B is the same"),
    .replacing(".a", by: ".b", because: "the guide says that the implementation of B is the same"),
  ]

  private static let initializerOfC = GuideEdit.replacing(
    "...\n",
    by: """
      init( v1: MyBaseClass, v2: MyBaseClass?, array: [MyBaseClass] ) {
        self.v1 = v1
        self.v2 = v2
        self.array = array
      }

      """, because: "the guide leaves members out")

  private static let noEllipsis = GuideEdit.replacing(
    "...\n", by: "", because: "the guide leaves members out")

  private static let noOtherProperties = GuideEdit.replacing(
    ",\n\t\t...\n", by: "\n", because: "the guide leaves properties out")

  private static let otherName = GuideEdit.replacing(
    "PolymorphicDiscriminator", by: "GuideDiscriminator",
    because: "by its own name it would hide the library's protocol")

  private static let fillingIn: [GuideEdit] = [
    .replacing(
      "let x: Int\n",
      by: """
        let x: Int
          enum CodingKeys: CodingKey { case x }
          override func encode( to encoder: Encoder ) throws {
            try super.encode( to: encoder )
            var container = encoder.container( keyedBy: CodingKeys.self )
            try container.encode( x, forKey: .x )
          }

        """, because: "the guide leaves out the keys and the encoding of x"),
    .replacing(
      "super.init( classType )", by: "self.x = x; super.init( classType )", because: "x has to be set"),
    .replacing(
      "super.init( .a )\n  }",
      by: """
        super.init( x: x, classType: .a )
          }
          required init( from decoder: Decoder ) throws { try super.init( from: decoder ) }
        """, because: "the base class has no other initializer, and this one is required"),
  ]

  private static let usesOfC = """
    let c = C( v1: A(), v2: B(), array: [B(), A()] )
    let copy = try JSONDecoder().decode( C.self, from: JSONEncoder().encode( c ) )
    print( copy.v1 is A )  // true
    print( copy.v2 is B )  // true
    print( copy.array.map { "\\(type( of: $0 ))" }.joined() )  // BA
    let empty = C( v1: B(), v2: nil, array: [] )
    let list = try PropertyListEncoder().encode( empty )
    print( try PropertyListDecoder().decode( C.self, from: list ).v2 == nil )  // true
    """

  private static let usesOfHolder = """
    let holder = try JSONDecoder().decode( Holder.self, from: JSONEncoder().encode( Holder( v: A() ) ) )
    print( holder.v.classType )  // a
    """

  private static let usesOfJSON = """
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let c = try JSONDecoder().decode( C.self, from: Data( json.utf8 ) )
    print( c.v1 is A && c.v2 is B && c.array[0] is B )  // true
    let written = try JSONSerialization.jsonObject( with: encoder.encode( c ) ) as? NSDictionary
    let shown = try JSONSerialization.jsonObject( with: Data( json.utf8 ) ) as? NSDictionary
    print( written == shown )  // true
    """

  private static let conformerToBothProtocols = """
    class Only: DefaultKeyedPolymorphicClass<Both> {
      init() { super.init( .only ) }
      required init( from decoder: Decoder ) throws { try super.init( from: decoder ) }
    }
    enum Both: String, GuideDiscriminator, PolymorphicDiscriminator {
      case only
      func from<PC: PolyCodable>( _ data: Data, jsonDecoder decoder: JSONDecoder ) throws -> PC {
        try decoder.decode( Only.self, from: data ) as! PC
      }
      func decode<PC: PolyCodable, Key: CodingKey>( from container: KeyedDecodingContainer<Key>,
                                                    forKey key: Key ) throws -> PC {
        try container.decode( Only.self, forKey: key ) as! PC
      }
      func decodeNext<PC: PolyCodable>( from container: inout UnkeyedDecodingContainer ) throws -> PC {
        try container.decode( Only.self ) as! PC
      }
    }
    let array = try JSONEncoder().encode( [Only(), Only()] )
    print( try JSONDecoder().decodePolymorphic( [Only].self, from: array ).count )  // 2
    """

  private static let secondSubclass = """
    class B : MyAbstractBaseClass {
      let y: Int
      init( x: Int, y: Int ) {
        self.y = y
        super.init( x: x, classType: .b )
      }
      private enum Key: CodingKey { case y }
      required init( from decoder: Decoder ) throws {
        y = try decoder.container( keyedBy: Key.self ).decode( Int.self, forKey: .y )
        try super.init( from: decoder )
      }
      override func encode( to encoder: Encoder ) throws {
        try super.encode( to: encoder )
        var container = encoder.container( keyedBy: Key.self )
        try container.encode( y, forKey: .y )
      }
    }
    """

  private static let usesOfProperties = """
    let data = try JSONEncoder().encode( [A( x: 1 ), B( x: 2, y: 3 )] )
    let copies = try JSONDecoder().decodePolymorphic( [MyAbstractBaseClass].self, from: data )
    print( copies.map( \\.x ) )  // [1, 2]
    print( copies[0] is A )  // true
    print( ( copies[1] as? B )?.y ?? 0 )  // 3
    """

  private static let usesOfOtherKey = """
    let data = try JSONEncoder().encode( B() )
    print( String( decoding: data, as: UTF8.self ) )  // {"classType":"b"}
    print( try JSONDecoder().decodePolymorphic( MyBaseClass.self, from: data ) is B )  // true
    """
}
