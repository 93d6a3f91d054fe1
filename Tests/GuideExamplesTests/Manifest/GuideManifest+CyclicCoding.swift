extension GuideManifest {
  static let cyclicCoding: [GuideExample] = [
    GuideExample(
      sharing, "", of: .cyclicCoding, .code(imports), .block(0), .code(usesOfSharing), prints: .comments),
    GuideExample(
      sharing, "what is made is shown", of: .cyclicCoding, .code(imports), .block(0), .code(printing),
      prints: .plainBlock(0, of: explanation)),
    GuideExample(
      cycles, "", of: .cyclicCoding, .code(imports), .block(0), .code(usesOfCycles), prints: .comments),
    GuideExample(
      cycles, "what is made is shown", of: .cyclicCoding, .code(imports), .block(0), .code(printing),
      prints: .plainBlock(1, of: explanation)),
    GuideExample(
      breakers, "one breaker anywhere in the circle", of: .cyclicCoding, .code(imports), .code(circles),
      prints: .comments),
    GuideExample(
      limitations, "breakers are empty in initializers", of: .cyclicCoding, .code(imports),
      .code(accessInInitializer), prints: .comments),
  ]

  private static let sharing = "Object DAGs: objects referenced multiple times"
  private static let cycles = "Object graphs with cycles: an object (eventually) references itself"
  private static let breakers = "When to use a cycle breaker"
  private static let limitations = "Limitations & caveats"
  private static let explanation = "How does it work?"

  private static let imports = "import CyclicCoding\nimport Foundation\n"

  private static let printing = "print( flattened )"

  private static let usesOfSharing = """
    print( unflattened.count == 3 )  // true
    print( unflattened[0].helper === unflattened[2].helper )  // true
    print( unflattened[0].helper !== unflattened[1].helper )  // true
    let separate = try JSONDecoder().decode( [Thing].self, from: JSONEncoder().encode( things ) )
    print( separate[0].helper !== separate[2].helper )  // true
    print( String( decoding: data, as: UTF8.self ).contains( "referenced" ) )  // true
    """

  private static let usesOfCycles = """
    print( unflattened.actions.count == 2 )  // true
    print( unflattened.actions[0].queue[] === unflattened )  // true
    print( unflattened.actions[1].queue[] === unflattened )  // true
    """

  /// The three circles that the guide draws, and one that nothing breaks.
  private static let circles = """
    final class A: Codable {
      var b: B?
      var weakB = WeakCycleBreaker<B>()
    }
    final class B: Codable {
      var c: C?
      var weakC = WeakCycleBreaker<C>()
    }
    final class C: Codable {
      var a: A?
      var unownedA: [UnownedCycleBreaker<A>] = []
    }

    func circle() -> ( A, B, C ) {
      let ( a, b, c ) = ( A(), B(), C() )
      a.b = b
      b.c = c
      c.a = a
      return ( a, b, c )
    }
    struct All: Codable { let a: A, b: B, c: C }

    func copy<Value: Codable>( _ value: Value ) throws -> Value {
      let data = try JSONEncoder().encode( CyclicEncoder().flatten( value ) )
      return try CyclicDecoder().decode(
        Value.self, from: JSONDecoder().decode( FlattenedContainer.self, from: data ) )
    }

    do {
      let ( a, b, c ) = circle()
      ( a.b, a.weakB[] ) = ( nil, b )
      let all = try copy( All( a: a, b: b, c: c ) )
      print( all.a.weakB[]?.c?.a === all.a )  // true
    }
    do {
      let ( a, b, c ) = circle()
      ( b.c, b.weakC[] ) = ( nil, c )
      let all = try copy( All( a: a, b: b, c: c ) )
      print( all.a.b?.weakC[]?.a === all.a )  // true
    }
    do {
      let ( a, _, c ) = circle()
      ( c.a, c.unownedA ) = ( nil, [UnownedCycleBreaker( a )] )
      let root = try copy( a )
      print( root.b?.c?.unownedA[0][] === root )  // true
    }
    do {
      let ( a, b, c ) = circle()
      ( a.b, a.weakB[] ) = ( nil, b )
      ( b.c, b.weakC[] ) = ( nil, c )
      let all = try copy( All( a: a, b: b, c: c ) )
      print( all.a.weakB[]?.weakC[]?.a === all.a )  // true
      print( try copy( a ).weakB[] == nil )  // true
    }
    var complaint = ""
    do {
      _ = try CyclicEncoder().flatten( circle().0 )
    } catch EncodingError.invalidValue( _, let context ) {
      complaint = context.debugDescription
    }
    print( complaint.contains( ": A.b → B.c → C.a → A. " ) )  // true
    """

  private static let accessInInitializer = """
    final class Owner: Codable {
      var part: Part
      init() {
        part = Part()
        part.owner[] = self
      }
    }
    final class Part: Codable {
      static var wasEmpty = false
      var owner = WeakCycleBreaker<Owner>()
      init() {}
      init( from decoder: Decoder ) throws {
        let container = try decoder.container( keyedBy: CodingKeys.self )
        owner = try container.decode( WeakCycleBreaker<Owner>.self, forKey: .owner )
        Part.wasEmpty = owner[] == nil
      }
    }
    let owner = try CyclicDecoder().decode( Owner.self, from: CyclicEncoder().flatten( Owner() ) )
    print( Part.wasEmpty )  // true
    print( owner.part.owner[] === owner )  // true
    """
}
