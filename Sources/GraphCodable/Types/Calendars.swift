// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

// A calendar is its identifier and all that can be set on it; `autoupdatingCurrent` comes back as itself.

extension Calendar {
  /// The calendars by the name in the archive, which is that of the case.
  private static let identifiers: [String: Identifier] = {
    var table: [String: Identifier] = [
      "gregorian": .gregorian, "buddhist": .buddhist, "chinese": .chinese, "coptic": .coptic,
      "ethiopicAmeteMihret": .ethiopicAmeteMihret, "ethiopicAmeteAlem": .ethiopicAmeteAlem,
      "hebrew": .hebrew, "iso8601": .iso8601, "indian": .indian, "islamic": .islamic,
      "islamicCivil": .islamicCivil, "japanese": .japanese, "persian": .persian,
      "republicOfChina": .republicOfChina, "islamicTabular": .islamicTabular,
      "islamicUmmAlQura": .islamicUmmAlQura,
    ]
    #if !canImport(Darwin) && compiler(>=6.3)
      table.merge(
        [
          "bangla": .bangla, "gujarati": .gujarati, "kannada": .kannada, "malayalam": .malayalam,
          "marathi": .marathi, "odia": .odia, "tamil": .tamil, "telugu": .telugu, "vikram": .vikram,
          "dangi": .dangi, "vietnamese": .vietnamese,
        ], uniquingKeysWith: { first, _ in first })
    #endif
    return table
  }()
  private static let names = Dictionary(uniqueKeysWithValues: identifiers.map { ($1, $0) })

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
    guard let name = Self.names[identifier] else {
      throw BinaryIOError.invalid(Calendar.self, "the calendar \(identifier)")
    }
    return Settings(
      name: name, isAutoupdating: self == .autoupdatingCurrent, locale: locale, timeZone: timeZone,
      firstWeekday: firstWeekday, minimumDaysInFirstWeek: minimumDaysInFirstWeek)
  }

  fileprivate init(_ settings: Settings) throws {
    guard let identifier = Self.identifiers[settings.name] else {
      throw BinaryIOError.invalid(Calendar.self, "the calendar \"\(settings.name)\"")
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

extension Calendar: GCodable {
  private enum Key: String {
    case identifier, isAutoupdating, locale, timeZone, firstWeekday, minimumDaysInFirstWeek
  }

  public func encode(to encoder: GEncoder) throws {
    let settings = try settings()
    try encoder.encode(settings.name, for: Key.identifier)
    try encoder.encode(settings.isAutoupdating, for: Key.isAutoupdating)
    try encoder.encodeIfPresent(settings.locale, for: Key.locale)
    try encoder.encode(settings.timeZone, for: Key.timeZone)
    try encoder.encode(settings.firstWeekday, for: Key.firstWeekday)
    try encoder.encode(settings.minimumDaysInFirstWeek, for: Key.minimumDaysInFirstWeek)
  }

  public init(from decoder: GDecoder) throws {
    try self.init(
      Settings(
        name: try decoder.decode(for: Key.identifier),
        isAutoupdating: try decoder.decode(for: Key.isAutoupdating),
        locale: try decoder.decodeIfPresent(for: Key.locale),
        timeZone: try decoder.decode(for: Key.timeZone),
        firstWeekday: try decoder.decode(for: Key.firstWeekday),
        minimumDaysInFirstWeek: try decoder.decode(for: Key.minimumDaysInFirstWeek)))
  }
}

extension Calendar: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    let settings = try settings()
    settings.name.write(to: &wbuffer)
    settings.isAutoupdating.write(to: &wbuffer)
    try settings.locale.write(to: &wbuffer)
    settings.timeZone.write(to: &wbuffer)
    settings.firstWeekday.write(to: &wbuffer)
    settings.minimumDaysInFirstWeek.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try self.init(
      Settings(
        name: try String(from: &rbuffer), isAutoupdating: try Bool(from: &rbuffer),
        locale: try Locale?(from: &rbuffer), timeZone: try TimeZone(from: &rbuffer),
        firstWeekday: try Int(from: &rbuffer), minimumDaysInFirstWeek: try Int(from: &rbuffer)))
  }
}
