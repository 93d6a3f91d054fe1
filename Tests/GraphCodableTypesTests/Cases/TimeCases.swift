import Dispatch
import Foundation
import GraphCodable

/// Times, calendars, places and units.
enum TimeCases {
  static let all = times + places + dispatch + units

  private static let times: [TypeCase] = [
    TypeCase("Date", dates, golden: [Date(timeIntervalSinceReferenceDate: 1.5)]),
    TypeCase("DateInterval", intervals, golden: [intervals[0]]),
    TypeCase("DateComponents", dateComponents, golden: [DateComponents(year: 2001, month: 2)]),
  ]

  private static let places: [TypeCase] = [
    TypeCase("TimeZone", timeZones, golden: [.gmt]),
    TypeCase("Locale", locales, golden: [Locale(identifier: "it_IT")]),
    TypeCase("Calendar", calendars, golden: [calendars[0]]),
    TypeCase(
      "NSCalendar.Identifier", [.gregorian, .ISO8601, NSCalendar.Identifier(rawValue: "of the future")],
      golden: [.gregorian]),
  ]

  private static let dispatch: [TypeCase] = [
    TypeCase("DispatchTime", dispatchTimes, golden: [DispatchTime(uptimeNanoseconds: 300)]),
    TypeCase("DispatchTimeInterval", dispatchIntervals, golden: [.milliseconds(2)]),
  ]

  private static let units: [TypeCase] = [
    TypeCase("Measurement", lengths, golden: [Measurement(value: 1.5, unit: UnitLength.feet)]),
    TypeCase("Measurement<UnitFuelEfficiency>", fuel, golden: []),
    TypeCase("Measurement<UnitTemperature>", temperatures, golden: []),
    TypeCase("Measurement<Dimension>", dimensions, golden: []),
    TypeCase("Measurement<Unit>", anyUnits, golden: []),
    TypeCase("Measurement of a user's unit", [Measurement(value: 2, unit: UnitOfSmoots.smoots)], golden: []),
  ]

  private static let intervals: [DateInterval] = [
    DateInterval(start: date, duration: 1.5), DateInterval(start: date, duration: 0),
    DateInterval(start: .distantPast, end: .distantFuture),
    DateInterval(start: Date(timeIntervalSinceReferenceDate: -0.0), duration: .infinity),
  ]

  private static let dispatchTimes: [DispatchTime] = [
    .now(), .distantFuture, DispatchTime(uptimeNanoseconds: 1),
  ]

  private static let dispatchIntervals: [DispatchTimeInterval] = [
    .seconds(.max), .milliseconds(-1), .microseconds(0), .nanoseconds(.min), .never,
  ]

  private static let fuel: [Measurement<UnitFuelEfficiency>] = [
    Measurement(value: 5, unit: .litersPer100Kilometers), Measurement(value: 5, unit: .milesPerGallon),
    Measurement(value: 5, unit: .milesPerImperialGallon),
  ]

  private static let temperatures: [Measurement<UnitTemperature>] = [
    Measurement(value: 451, unit: .fahrenheit), Measurement(value: 0, unit: .kelvin),
  ]

  private static let dimensions: [Measurement<Dimension>] = [
    Measurement(value: 1, unit: UnitMass.grams), Measurement(value: 2, unit: UnitSpeed.knots),
    Measurement(value: 2, unit: UnitFuelEfficiency.milesPerGallon),
  ]

  private static let anyUnits: [Measurement<Unit>] = [
    Measurement(value: 1, unit: Unit(symbol: "apple")), Measurement(value: 2, unit: UnitArea.ares),
  ]

  private static let dates: [Date] =
    NumberCases.doubles.map { Date(timeIntervalSinceReferenceDate: $0) } + [.distantPast]

  private static let timeZones: [TimeZone] = {
    let named = ["Europe/Rome", "America/Argentina/Buenos_Aires", "CET"]
    return [.gmt, .current, .autoupdatingCurrent, TimeZone(secondsFromGMT: -5400)!]
      + named.compactMap { TimeZone(identifier: $0) }
  }()

  private static let locales: [Locale] = {
    let named = ["", "it_IT", "de_DE@calendar=buddhist", "zh-Hant-TW", "no such place"]
    return [.autoupdatingCurrent] + named.map { Locale(identifier: $0) }
  }()

  private static let date = Date(timeIntervalSinceReferenceDate: 700_000_000.125)

  private static let calendars: [Calendar] = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.locale = Locale(identifier: "it_IT")
    calendar.timeZone = TimeZone(identifier: "GMT")!
    calendar.firstWeekday = 4
    calendar.minimumDaysInFirstWeek = 3
    let identifiers: [Calendar.Identifier] = [
      .gregorian, .buddhist, .chinese, .coptic, .ethiopicAmeteMihret, .ethiopicAmeteAlem, .hebrew, .iso8601,
      .indian, .islamic, .islamicCivil, .japanese, .persian, .republicOfChina, .islamicTabular,
      .islamicUmmAlQura,
    ]
    return [calendar, .autoupdatingCurrent, .current] + identifiers.map { Calendar(identifier: $0) }
  }()

  private static let dateComponents: [DateComponents] = {
    var all = DateComponents(
      calendar: Calendar(identifier: .hebrew), timeZone: .gmt, era: 1, year: -5, month: 2, day: 3, hour: 4,
      minute: 5, second: 6, nanosecond: 7, weekday: 1, weekdayOrdinal: 2, quarter: 3, weekOfMonth: 4,
      weekOfYear: 5, yearForWeekOfYear: .min)
    all.isLeapMonth = true
    all.dayOfYear = 300
    var leap = DateComponents()
    leap.isLeapMonth = false
    #if !canImport(Darwin)
      all.isRepeatedDay = false
      leap.isRepeatedDay = true
    #endif
    return [DateComponents(), all, leap, DateComponents(hour: .max - 1)]
  }()

  private static let lengths: [Measurement<UnitLength>] = {
    let own = UnitLength(symbol: "own", converter: UnitConverterLinear(coefficient: 7))
    let feet = NumberCases.doubles.map { Measurement(value: $0, unit: UnitLength.feet) }
    return feet + [Measurement(value: 1, unit: own)]
  }()
}

/// A class of units that Foundation does not have.
final class UnitOfSmoots: Dimension, @unchecked Sendable {
  static let smoots = UnitOfSmoots(
    symbol: "smoot", converter: UnitConverterLinear(coefficient: 1.7018, constant: 0))
  override class func baseUnit() -> Self { unsafeDowncast(smoots, to: self) }
}
