import Foundation
import _GraphSupport

// A calendar is its identifier and all that can be set on it; `autoupdatingCurrent` comes back as itself.

extension Calendar {
  /// The calendars and their names in the archive, which are those of the cases.
  private static let identifiers: [(name: String, identifier: Identifier)] = {
    var table: [(name: String, identifier: Identifier)] = [
      ("gregorian", .gregorian), ("buddhist", .buddhist), ("chinese", .chinese), ("coptic", .coptic),
      ("ethiopicAmeteMihret", .ethiopicAmeteMihret), ("ethiopicAmeteAlem", .ethiopicAmeteAlem),
      ("hebrew", .hebrew), ("iso8601", .iso8601), ("indian", .indian), ("islamic", .islamic),
      ("islamicCivil", .islamicCivil), ("japanese", .japanese), ("persian", .persian),
      ("republicOfChina", .republicOfChina), ("islamicTabular", .islamicTabular),
      ("islamicUmmAlQura", .islamicUmmAlQura),
    ]
    #if !canImport(Darwin) && compiler(>=6.3)
      table += [
        ("bangla", .bangla), ("gujarati", .gujarati), ("kannada", .kannada), ("malayalam", .malayalam),
        ("marathi", .marathi), ("odia", .odia), ("tamil", .tamil), ("telugu", .telugu), ("vikram", .vikram),
        ("dangi", .dangi), ("vietnamese", .vietnamese),
      ]
    #endif
    return table
  }()

  /// What is stored.
  fileprivate struct Settings {
    var name: String
    var isAutoupdating: Bool
    var locale: Locale?
    var timeZone: TimeZone
    var firstWeekday: Int
    var minimumDaysInFirstWeek: Int
  }

  /// - Throws: `invalidValue` for a calendar that has no name yet.
  fileprivate func settings() throws -> Settings {
    guard let name = Self.identifiers.first(where: { $0.identifier == identifier })?.name else {
      throw BinaryIOError.invalid(Calendar.self, "the calendar \(identifier)")
    }
    return Settings(
      name: name, isAutoupdating: self == .autoupdatingCurrent, locale: locale, timeZone: timeZone,
      firstWeekday: firstWeekday, minimumDaysInFirstWeek: minimumDaysInFirstWeek)
  }

  fileprivate init(_ settings: Settings) throws {
    let name = ByteString(settings.name)
    guard let identifier = Self.identifiers.first(where: { ByteString($0.name) == name })?.identifier else {
      throw BinaryIOError.invalid(Calendar.self, "the calendar \(Quotation(settings.name))")
    }
    guard 1...7 ~= settings.firstWeekday, 1...7 ~= settings.minimumDaysInFirstWeek else {
      throw BinaryIOError.invalid(Calendar.self, "a calendar with other weeks than of 7 days")
    }
    if settings.isAutoupdating {
      self = .autoupdatingCurrent
      return
    }
    self.init(identifier: identifier)
    locale = settings.locale
    timeZone = settings.timeZone
    firstWeekday = settings.firstWeekday
    minimumDaysInFirstWeek = settings.minimumDaysInFirstWeek
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Calendar: _GraphRareType {
  public func encode(to encoder: GEncoder) throws {
    let settings = try settings()
    try encoder.encodeOutOfLine(settings.name, for: .identifier)
    try encoder.encodeOutOfLine(settings.isAutoupdating, for: .isAutoupdating)
    try encoder.encodeOutOfLine(ifPresent: settings.locale, for: .locale)
    try encoder.encodeOutOfLine(settings.timeZone, for: .timeZone)
    try encoder.encodeOutOfLine(settings.firstWeekday, for: .firstWeekday)
    try encoder.encodeOutOfLine(settings.minimumDaysInFirstWeek, for: .minimumDaysInFirstWeek)
  }

  public init(from decoder: GDecoder) throws {
    try self.init(
      Settings(
        name: try decoder.decodeOutOfLine(for: .identifier),
        isAutoupdating: try decoder.decodeOutOfLine(for: .isAutoupdating),
        locale: try decoder.decodeOutOfLine(ifPresent: .locale),
        timeZone: try decoder.decodeOutOfLine(for: .timeZone),
        firstWeekday: try decoder.decodeOutOfLine(for: .firstWeekday),
        minimumDaysInFirstWeek: try decoder.decodeOutOfLine(for: .minimumDaysInFirstWeek)))
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Calendar: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    let settings = try settings()
    settings.name.write(to: &wbuffer)
    settings.isAutoupdating.write(to: &wbuffer)
    try settings.locale.write(to: &wbuffer)
    try settings.timeZone.write(to: &wbuffer)
    settings.firstWeekday.write(to: &wbuffer)
    settings.minimumDaysInFirstWeek.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    try self.init(
      Settings(
        name: try String(from: &rbuffer), isAutoupdating: try Bool(from: &rbuffer),
        locale: try Locale?(from: &rbuffer), timeZone: try TimeZone(from: &rbuffer),
        firstWeekday: try Int(from: &rbuffer), minimumDaysInFirstWeek: try Int(from: &rbuffer)))
  }
}

// The identifier that the class `NSCalendar` has is its raw value.
extension NSCalendar.Identifier: GCodable, BinaryIOType {}
