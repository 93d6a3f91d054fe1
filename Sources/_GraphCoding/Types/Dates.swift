import Foundation

extension DateInterval: GPackCodable {}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DateInterval: BinaryIOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) {
    start.write(to: &wbuffer)
    duration.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let start = try Date(from: &rbuffer)
    let duration = try TimeInterval(from: &rbuffer)
    guard duration >= 0 else { throw BinaryIOError.invalid(Self.self, "an interval of \(duration) seconds") }
    self.init(start: start, duration: duration)
  }
}

// Date components are a record of those that are set. A value of `Int.max` is one that is not set: that is
// so in Foundation itself.

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DateComponents: _GraphRareType {
  private static let numberKeys: [StandardKey] = {
    var keys: [StandardKey] = [
      .era, .year, .month, .day, .hour, .minute, .second, .nanosecond, .weekday, .weekdayOrdinal, .quarter,
      .weekOfMonth, .weekOfYear, .yearForWeekOfYear,
    ]
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { keys.append(.dayOfYear) }
    return keys
  }()

  /// The numbers in the order of their keys; missing ones are set to nil.
  private var numbers: [Int?] {
    get {
      var numbers = [
        era, year, month, day, hour, minute, second, nanosecond, weekday, weekdayOrdinal, quarter,
        weekOfMonth,
        weekOfYear, yearForWeekOfYear,
      ]
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { numbers.append(dayOfYear) }
      return numbers
    }
    set {
      var numbers = newValue[...]
      func next() -> Int? { numbers.popFirst() ?? nil }
      era = next()
      year = next()
      month = next()
      day = next()
      hour = next()
      minute = next()
      second = next()
      nanosecond = next()
      weekday = next()
      weekdayOrdinal = next()
      quarter = next()
      weekOfMonth = next()
      weekOfYear = next()
      yearForWeekOfYear = next()
      if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { dayOfYear = next() }
    }
  }

  #if canImport(Darwin)
    private static let flagKeys: [StandardKey] = [.isLeapMonth]

    private var flags: [Bool?] {
      get { [isLeapMonth] }
      set { isLeapMonth = newValue.first ?? nil }
    }
  #else
    private static let flagKeys: [StandardKey] = [.isLeapMonth, .isRepeatedDay]

    /// The flags in the order of their keys; missing ones are set to nil.
    private var flags: [Bool?] {
      get { [isLeapMonth, isRepeatedDay] }
      set {
        isLeapMonth = newValue.first ?? nil
        isRepeatedDay = newValue.dropFirst().first ?? nil
      }
    }
  #endif

  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeOutOfLine(ifPresent: calendar, for: .calendar)
    try encoder.encodeOutOfLine(ifPresent: timeZone, for: .timeZone)
    for (key, number) in zip(Self.numberKeys, numbers) {
      try encoder.encodeOutOfLine(ifPresent: number, for: key)
    }
    for (key, flag) in zip(Self.flagKeys, flags) { try encoder.encodeOutOfLine(ifPresent: flag, for: key) }
  }

  public init(from decoder: GDecoder) throws {
    self.init()
    calendar = try decoder.decodeOutOfLine(ifPresent: .calendar)
    timeZone = try decoder.decodeOutOfLine(ifPresent: .timeZone)
    numbers = try Self.numberKeys.map { try decoder.decodeOutOfLine(ifPresent: $0) }
    flags = try Self.flagKeys.map { try decoder.decodeOutOfLine(ifPresent: $0) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension DateComponents: BinaryIOType {
  /// As a count of numbers and flags stands in front of each, platforms with fewer of them read the others.
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    try calendar.write(to: &wbuffer)
    try timeZone.write(to: &wbuffer)
    try numbers.write(to: &wbuffer)
    try flags.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    self.init()
    calendar = try Calendar?(from: &rbuffer)
    timeZone = try TimeZone?(from: &rbuffer)
    numbers = try [Int?](from: &rbuffer)
    flags = try [Bool?](from: &rbuffer)
  }
}
