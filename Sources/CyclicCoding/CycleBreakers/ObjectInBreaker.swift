/// An object that a cycle breaker is encoding with an encoder that does not know breakers.
///
/// Such an encoder encodes objects inside each other, and would do so until the stack ends if a breaker led back to an
/// object that is being encoded. Every cycle that can be encoded otherwise has a breaker, so it is enough to remember
/// the objects of breakers. They are task-local because encoders do not pass anything on to what they encode that could
/// be changed on the way.
final class ObjectInBreaker: Sendable {
  private let id: ObjectIdentifier
  private let className: String
  /// The number of keys that lead to the breaker.
  private let pathCount: Int
  /// The object of the next breaker outside.
  private let outer: ObjectInBreaker?

  /// The object of the innermost breaker that is being encoded.
  @TaskLocal private static var innermost: ObjectInBreaker?

  private init(_ object: AnyObject, pathCount: Int, in outer: ObjectInBreaker?) {
    id = ObjectIdentifier(object)
    className = "\(type(of: object))"
    self.pathCount = pathCount
    self.outer = outer
  }

  /// Encodes the object of a breaker as the encoder's only value.
  ///
  /// - Throws: `EncodingError.invalidValue` if the object is being encoded for another breaker.
  static func encode<Object: AnyObject & Encodable>(_ object: Object, to encoder: any Encoder) throws {
    let outer = innermost
    try outer?.checkForCycle(to: object, at: encoder.codingPath)
    let current = ObjectInBreaker(object, pathCount: encoder.codingPath.count, in: outer)
    var container = encoder.singleValueContainer()
    try $innermost.withValue(current) { try container.encode(object) }
  }

  private func checkForCycle(to object: AnyObject, at path: [any CodingKey]) throws {
    var links: [String] = []
    var end = path.count
    var next: ObjectInBreaker? = self
    while let current = next {
      let keys = path.dropFirst(current.pathCount).prefix(max(end - current.pathCount, 0))
      links.append(current.className + keyText(keys))
      guard current.id != ObjectIdentifier(object) else {
        throw EncodingError.invalidValue(
          object,
          .init(
            codingPath: path,
            debugDescription: "These references form a cycle, which this encoder does not support: "
              + "\(cycleText(links.reversed() + [current.className])). "
              + "Use CyclicEncoder or GraphEncoder."))
      }
      (end, next) = (current.pathCount, current.outer)
    }
  }
}
