/// A part of a stream of messages that cannot be read, in place of the messages that it had.
///
/// ``GraphMessageReader`` throws it once for each such part, and goes on behind it with the next call.
public struct GraphMessageDamage: Error, Sendable, CustomStringConvertible {
  /// The bytes that were passed over, counted from the start of the stream; none where whole frames are missing.
  public let range: Range<UInt64>
  /// The numbers of the messages that are lost, as far as the frame behind tells.
  public let lostMessages: Range<UInt64>
  /// What is wrong, and what can be done about it.
  public let reason: String

  init(_ range: Range<UInt64>, lost: Range<UInt64>, _ reason: String) {
    (self.range, lostMessages, self.reason) = (range, lost, reason)
  }

  /// What is wrong and where, in words.
  public var description: String {
    let place =
      range.isEmpty ? "at byte \(range.lowerBound)" : "bytes \(range.lowerBound) to \(range.upperBound - 1)"
    let lost =
      switch lostMessages.count {
      case 0: ""
      case 1: "; message \(lostMessages.lowerBound) is lost"
      default: "; messages \(lostMessages.lowerBound) to \(lostMessages.upperBound - 1) are lost"
      }
    return "\(place): \(reason)\(lost)"
  }
}
