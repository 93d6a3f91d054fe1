// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension DateInterval: GPackCodable {}

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

extension DateComponents: GCodable {
  private enum Key: String {
    case calendar, timeZone, era, year, month, day, hour, minute, second, nanosecond, weekday
    case weekdayOrdinal, quarter, weekOfMonth, weekOfYear, yearForWeekOfYear, dayOfYear, isLeapMonth
    case isRepeatedDay
  }

  private mutating func forEachNumber(_ body: (Key, inout Int?) throws -> Void) rethrows {
    try body(.era, &era)
    try body(.year, &year)
    try body(.month, &month)
    try body(.day, &day)
    try body(.hour, &hour)
    try body(.minute, &minute)
    try body(.second, &second)
    try body(.nanosecond, &nanosecond)
    try body(.weekday, &weekday)
    try body(.weekdayOrdinal, &weekdayOrdinal)
    try body(.quarter, &quarter)
    try body(.weekOfMonth, &weekOfMonth)
    try body(.weekOfYear, &weekOfYear)
    try body(.yearForWeekOfYear, &yearForWeekOfYear)
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) { try body(.dayOfYear, &dayOfYear) }
  }

  private mutating func forEachFlag(_ body: (Key, inout Bool?) throws -> Void) rethrows {
    try body(.isLeapMonth, &isLeapMonth)
    #if !canImport(Darwin)
      try body(.isRepeatedDay, &isRepeatedDay)
    #endif
  }

  public func encode(to encoder: GEncoder) throws {
    var copy = self
    try encoder.encodeIfPresent(calendar, for: Key.calendar)
    try encoder.encodeIfPresent(timeZone, for: Key.timeZone)
    try copy.forEachNumber { try encoder.encodeIfPresent($1, for: $0) }
    try copy.forEachFlag { try encoder.encodeIfPresent($1, for: $0) }
  }

  public init(from decoder: GDecoder) throws {
    self.init()
    calendar = try decoder.decodeIfPresent(for: Key.calendar)
    timeZone = try decoder.decodeIfPresent(for: Key.timeZone)
    try forEachNumber { $1 = try decoder.decodeIfPresent(for: $0) }
    try forEachFlag { $1 = try decoder.decodeIfPresent(for: $0) }
  }
}

extension DateComponents: BinaryIOType {
  /// As a count of numbers and flags stands in front of each, platforms with fewer of them read the others.
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    var copy = self
    var numbers: [Int?] = []
    var flags: [Bool?] = []
    copy.forEachNumber { numbers.append($1) }
    copy.forEachFlag { flags.append($1) }
    try calendar.write(to: &wbuffer)
    try timeZone.write(to: &wbuffer)
    try numbers.write(to: &wbuffer)
    try flags.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init()
    calendar = try Calendar?(from: &rbuffer)
    timeZone = try TimeZone?(from: &rbuffer)
    var numbers = try [Int?](from: &rbuffer).makeIterator()
    var flags = try [Bool?](from: &rbuffer).makeIterator()
    forEachNumber { $1 = numbers.next() ?? nil }
    forEachFlag { $1 = flags.next() ?? nil }
  }
}
