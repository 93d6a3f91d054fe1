import Foundation
import GraphCodable

/// Text, names, identifiers and bytes.
enum TextCases {
  static let all: [TypeCase] = [
    TypeCase("String", texts, golden: ["añ"]),
    TypeCase("Substring", texts.map { $0[...] }, golden: ["añ"]),
    TypeCase("Character", ["a", "e\u{301}", "👩‍👩‍👧", "\r\n", "\0"] as [Character], golden: ["ñ"]),
    TypeCase("Unicode.Scalar", ["a", "\0", "\u{10FFFF}", "\u{D7FF}"] as [Unicode.Scalar], golden: ["ñ"]),
    TypeCase(
      "Data", [Data(), Data([1, 2, 3]), Data(repeating: 7, count: 20_000), Data([0, 1, 2])[1...]],
      golden: [Data([1, 2, 3])]),
    TypeCase(
      "UUID", [uuid, UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))], golden: [uuid]),
    TypeCase("CharacterSet", characterSets, golden: []),
    TypeCase(
      "IndexSet",
      [IndexSet(), IndexSet(integer: 0), IndexSet([1, 2, 3, 9]), IndexSet(integersIn: 0..<(Int.max - 1))],
      golden: [IndexSet([1, 2, 9])]),
    TypeCase(
      "IndexPath", [IndexPath(), [3], [1, 2], [0, -1, .max, .min]], golden: [[1, 2]]),
    TypeCase("URL", urls, golden: [URL(string: "b?c", relativeTo: URL(string: "http://a/"))!]),
    TypeCase("URLComponents", urlComponents, golden: [URLComponents(string: "http://a/?b")!]),
    TypeCase(
      "URLQueryItem",
      [
        URLQueryItem(name: "a", value: "b"), URLQueryItem(name: "", value: nil),
        URLQueryItem(name: "=", value: "&"),
      ],
      golden: [URLQueryItem(name: "a", value: "b")]),
    TypeCase("PersonNameComponents", names, golden: [names[1]]),
    TypeCase("AttributedString", attributedStrings, golden: [attributedStrings[1]]),
  ]

  static let texts = [
    "", "a", "fifteen--bytes!", "sixteen---bytes!", "\0", "e\u{301}é", "👩‍👩‍👧",
    String(repeating: "long ", count: 999),
  ]

  private static let uuid = UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

  private static let characterSets: [CharacterSet] = [
    CharacterSet(), CharacterSet(charactersIn: "abc"), .alphanumerics, CharacterSet(charactersIn: "😀"),
    CharacterSet(charactersIn: "x").inverted, .whitespacesAndNewlines, .controlCharacters,
  ]

  private static let urls: [URL] = [
    URL(string: "http://user:pass@host:8080/path/%20x?q=1&r=%C3%A9#f")!, URL(fileURLWithPath: "/tmp/a b"),
    URL(string: "relative/../path", relativeTo: URL(string: "https://h/base/"))!, URL(string: "mailto:a@b")!,
    URL(string: "../x", relativeTo: URL(string: "y/", relativeTo: URL(string: "http://z/")))!,
    URL(string: "http://[::1]/")!, URL(string: "data:text/plain,hello")!,
  ]

  private static let urlComponents: [URLComponents] = {
    func made(_ change: (inout URLComponents) -> Void) -> URLComponents {
      var components = URLComponents()
      change(&components)
      return components
    }
    return [
      URLComponents(), URLComponents(string: "http://user:p%40ss@host:8080/path?q=%41#f")!,
      URLComponents(string: "http://h:/")!, URLComponents(string: "http://[::1]:80/")!,
      made { $0.path = "a:b" },
      made {
        $0.host = "h"
        $0.path = "relative"
      },
      made { $0.path = "//double" },
      made {
        $0.scheme = "s"
        $0.user = "ü:/"
        $0.password = "@"
        $0.host = "bücher.example"
        $0.port = 0
        $0.path = "/ö"
        $0.query = "a=b c"
        $0.fragment = "#"
      },
      made {
        $0.password = "p"
        $0.path = "x y"
        $0.query = ""
      },
      made { $0.queryItems = [URLQueryItem(name: "a&", value: "=")] },
      made { $0.port = 7 },
    ]
  }()

  private static let names: [PersonNameComponents] = {
    var full = PersonNameComponents()
    full.namePrefix = "Dr"
    full.givenName = "Ada"
    full.middleName = ""
    full.familyName = "Lovelace"
    full.nameSuffix = "II"
    full.nickname = "👩"
    var short = PersonNameComponents()
    short.givenName = "Ada"
    full.phoneticRepresentation = short
    return [PersonNameComponents(), short, full]
  }()

  private static let attributedStrings: [AttributedString] = {
    var linked = AttributedString("linked")
    linked[AttributeScopes.FoundationAttributes.LinkAttribute.self] = URL(string: "http://a/")
    var image = AttributedString(" ü👩‍👩‍👧")
    image[AttributeScopes.FoundationAttributes.ImageURLAttribute.self] = URL(string: "b")
    image[AttributeScopes.FoundationAttributes.AlternateDescriptionAttribute.self] = "\"quoted\"\n"
    image[AttributeScopes.FoundationAttributes.LanguageIdentifierAttribute.self] = "de"
    image[AttributeScopes.FoundationAttributes.ReplacementIndexAttribute.self] = .max
    image[AttributeScopes.FoundationAttributes.PersonNameComponentAttribute.self] = .familyName
    image[AttributeScopes.FoundationAttributes.DateFieldAttribute.self] = .hour
    image[AttributeScopes.FoundationAttributes.NumberFormatAttributes.NumberPartAttribute.self] = .fraction
    image[AttributeScopes.FoundationAttributes.NumberFormatAttributes.SymbolAttribute.self] = .currency
    image[AttributeScopes.FoundationAttributes.MeasurementAttribute.self] = .unit
    image[AttributeScopes.FoundationAttributes.ByteCountAttribute.self] = .unit(.kb)
    image[AttributeScopes.FoundationAttributes.DurationFieldAttribute.self] = .minutes
    return [
      AttributedString(), linked, AttributedString("plain"), AttributedString("a") + linked + image + linked,
    ]
  }()
}
