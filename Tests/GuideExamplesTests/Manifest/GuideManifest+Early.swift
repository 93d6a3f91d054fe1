extension GuideManifest {
  /// What is left of the early guide: classes that cannot be found by name are registered.
  ///
  /// The rest of it shows an interface that the user guide's has replaced.
  static let earlyExamples: [GuideExample] = [
    GuideExample(
      "Initialization", "", of: .early, .block(0), .code("print( GTypesRepository.shared.help() )"),
      prints: .text("import GraphCodable\n\nfunc initializeGraphCodable() {\n}\n")),
    GuideExample(
      "Introduction to type registration", "", of: .early,
      .edited(
        0,
        [
          .replacing(
            "\tSwift.", by: "\t// Swift.",
            because: "values are made by the type that asks for them; only classes are registered")
        ]), .code(registeredClasses), prints: .comments),
    GuideExample(
      "Types repository", "an archive tells which classes to register", of: .early,
      programs: [
        GuideProgram(.code(writerOfPrivateClass), prints: .text(codeForPrivateClass)),
        GuideProgram(.code(readerOfPrivateClass), prints: .comments),
      ]),
  ]

  private static let registeredClasses = """
    class Registered: GCodable {
      init() {}
      required init( from decoder: GDecoder ) throws {}
      func encode( to encoder: GEncoder ) throws {}
    }
    private final class Body: Registered {
      class Presence: Registered {}
    }
    private final class Boy: Registered {}
    private final class Girl: Registered {}
    private final class Presence: Registered {}
    private final class Woman: Registered {}

    let inRoot: [Registered] = [Body(), Body.Presence(), Boy(), Girl(), Presence(), Woman()]
    let data = try GraphEncoder().encode( inRoot ) as Bytes
    let outRoot = try GraphDecoder().decode( [Registered].self, from: data )
    print( outRoot.map { "\\(type( of: $0 ))" }.joined( separator: " " ) )  // Body Presence Boy Girl Presence Woman
    let help = GTypesRepository.shared.help()
    print( try GraphDecoder().help( from: data ) == help )  // true
    print( help.contains( ".Body.Presence.register()\\n" ) )  // true
    """

  private static let privateClass = """
    import Foundation
    import GraphCodable

    let url = FileManager.default.urls( for: .documentDirectory, in: .userDomainMask )[0]
      .appendingPathComponent( "Draft.graph" )

    private final class Draft: GCodable {
      init() {}
      init( from decoder: GDecoder ) throws {}
      func encode( to encoder: GEncoder ) throws {}
    }

    """

  private static let writerOfPrivateClass =
    privateClass + """
      Draft.register()
      try GraphEncoder().write( [Draft(), Draft()], to: url )
      print( try GraphDecoder().help( from: Data( contentsOf: url ) ) )
      """

  private static let codeForPrivateClass = """
    import GraphCodable

    func initializeGraphCodable() {
    \tMyGraphCodableApp.Draft.register()
    }

    """

  private static let readerOfPrivateClass =
    privateClass + """
      private func read() throws -> [Draft] { try GraphDecoder().read( [Draft].self, from: url ) }
      print( ( try? read() ) == nil )  // true
      Draft.register()
      print( try read().count )  // 2
      """
}
