import _GraphFiles
import _GraphSupport

// Containers are a count of 64 bits and their elements.

extension BinaryWriteBuffer {
  @_semantics("optimize.sil.specialize.generic.never")
  fileprivate mutating func write<Elements: Collection>(_ elements: Elements) throws
  where Elements.Element: BinaryOType {
    elements.count.write(to: &self)
    try nested { buffer in
      for element in elements { try element.write(to: &buffer) }
    }
  }
}

extension BinaryWriteBuffer {
  /// Elements sorted by the bytes that their keys write.
  @_semantics("optimize.sil.specialize.generic.never")
  fileprivate func inCanonicalOrder<Element>(
    _ elements: some Collection<Element>, by key: (Element) -> some BinaryOType
  ) throws -> [Element] {
    try elements.map { element in
      var buffer = continuation
      try buffer.nested { try key(element).write(to: &$0) }
      return (element, buffer.bytes)
    }.sorted { $0.1.lexicographicallyPrecedes($1.1) }.map(\.0)
  }
}

extension BinaryReadBuffer {
  @_semantics("optimize.sil.specialize.generic.never")
  fileprivate mutating func readElements<Element: BinaryIType>() throws -> [Element] {
    let count = try takeCount()
    if count > 0 { try takeRoom(byteCount: GDecoder.arrayHeadByteCount) }
    try takeRoom(count, stride: MemoryLayout<Element>.stride)
    var elements: [Element] = []
    elements.reserveCapacity(count)
    try nested { buffer in
      for _ in 0..<count { elements.append(try buffer.read(Element.self)) }
    }
    return elements
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Array: BinaryOType where Element: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try wbuffer.write(self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Array: BinaryIType where Element: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws { self = try rbuffer.readElements() }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContiguousArray: BinaryOType where Element: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try wbuffer.write(self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ContiguousArray: BinaryIType where Element: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(try rbuffer.readElements() as [Element])
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ArraySlice: BinaryOType where Element: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws { try wbuffer.write(self) }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension ArraySlice: BinaryIType where Element: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    self.init(try rbuffer.readElements() as [Element])
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Set: BinaryOType where Element: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    let elements = wbuffer.isCanonical ? try wbuffer.inCanonicalOrder(self) { $0 } : Array(self)
    try wbuffer.hashed { try $0.write(elements) }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Set: BinaryIType where Element: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let text = rbuffer.markedText
    let elements: [Element] = try rbuffer.readElements()
    try rbuffer.takeMarks(since: text)
    var tally = HashTally(elements.count, isWellHashed: HashTally.isWellHashed(Element.self))
    if tally.isNeeded { for element in elements { try rbuffer.count(element, in: &tally) } }
    try rbuffer.takeRoom(elements.count, stride: 2 * MemoryLayout<Element>.stride)
    self.init(elements)
    guard count == elements.count else { throw BinaryIOError.invalid(Self.self, "a set with equal elements") }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Dictionary: BinaryOType where Key: BinaryOType, Value: BinaryOType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    count.write(to: &wbuffer)
    if wbuffer.isCanonical {
      try Self.write(wbuffer.inCanonicalOrder(self) { $0.key }, to: &wbuffer)
    } else {
      try Self.write(self, to: &wbuffer)
    }
  }

  private static func write(_ pairs: some Sequence<Element>, to wbuffer: inout BinaryWriteBuffer) throws {
    try wbuffer.nested { buffer in
      for (key, value) in pairs {
        try buffer.hashed { try key.write(to: &$0) }
        try value.write(to: &buffer)
      }
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Dictionary: BinaryIType where Key: BinaryIType, Value: BinaryIType {
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    var elements: Self = [:]
    let count = try rbuffer.takeCount()
    try rbuffer.takeRoom(count, stride: 2 * (MemoryLayout<Key>.stride + MemoryLayout<Value>.stride))
    var tally = HashTally(count, isWellHashed: HashTally.isWellHashed(Key.self))
    try rbuffer.nested { buffer in
      for _ in 0..<count {
        let text = buffer.markedText
        let key = try buffer.read(Key.self)
        try buffer.takeMarks(since: text)
        try buffer.count(key, in: &tally)
        guard elements.updateValue(try buffer.read(Value.self), forKey: key) == nil else {
          throw BinaryIOError.invalid(Self.self, "a dictionary with equal keys")
        }
      }
    }
    self = elements
  }
}

extension BinaryOType where Self: _GraphRange, Bound: BinaryOType {
  /// Writes the bounds.
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    guard isOrdered else { throw BinaryIOError.badBounds(Self.self) }
    let (first, last) = _graphBounds
    try wbuffer.hashed { buffer in
      try first.write(to: &buffer)
      if Self._graphMeaning.isPair { try last.write(to: &buffer) }
    }
  }
}

extension BinaryIType where Self: _GraphRange, Bound: BinaryIType {
  /// Reads the bounds.
  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let text = rbuffer.markedText
    let first = try rbuffer.read(Bound.self)
    let last = Self._graphMeaning.isPair ? try rbuffer.read(Bound.self) : first
    try rbuffer.takeMarks(since: text)
    guard first <= last else { throw BinaryIOError.badBounds(Self.self) }
    self.init(_graphBounds: first, last)
  }
}

extension Range: BinaryOType where Bound: BinaryOType {}
extension Range: BinaryIType where Bound: BinaryIType {}
extension ClosedRange: BinaryOType where Bound: BinaryOType {}
extension ClosedRange: BinaryIType where Bound: BinaryIType {}
extension PartialRangeFrom: BinaryOType where Bound: BinaryOType {}
extension PartialRangeFrom: BinaryIType where Bound: BinaryIType {}
extension PartialRangeUpTo: BinaryOType where Bound: BinaryOType {}
extension PartialRangeUpTo: BinaryIType where Bound: BinaryIType {}
extension PartialRangeThrough: BinaryOType where Bound: BinaryOType {}
extension PartialRangeThrough: BinaryIType where Bound: BinaryIType {}
