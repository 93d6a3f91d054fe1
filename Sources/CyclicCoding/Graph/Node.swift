import Foundation

/// A value as `encode(to:)` has encoded it.
enum Node {
  case null
  case bool(Bool)
  case int(Int64)
  /// An integer above `Int64.max`.
  case uint(UInt64)
  /// A decimal integer that needs more than 64 bits.
  case wideInteger(String)
  case float(Float)
  case double(Double)
  case string(String)
  case data(Data)
  case unkeyed(UnkeyedNode)
  case keyed(KeyedNode)
  /// An object by its number in a ``FlatGraph``.
  case object(Int32)

  var isKeyed: Bool {
    if case .keyed = self { true } else { false }
  }

  var isContainer: Bool {
    switch self {
    case .unkeyed, .keyed: true
    default: false
    }
  }
}

/// The elements of an unkeyed container.
final class UnkeyedNode {
  private(set) var elements: [Node]

  init(_ elements: [Node] = []) {
    self.elements = elements
  }

  func append(_ element: Node) { elements.append(element) }

  /// Replaces an element; that of a nested container, which is there when this node has finished.
  func replace(at index: Int, by element: Node) { elements[index] = element }
}

extension Node {
  /// A value of a basic type, or `Data`; nil for those of other types.
  ///
  /// When specialized for a type, one line of this remains.
  @inline(__always)
  init?<Value>(scalar value: Value) {
    // Safe because the types are the same.
    @inline(__always)
    func same<Other>(_: Other.Type) -> Other { unsafe unsafeBitCast(value, to: Other.self) }

    if Value.self == Int.self {
      self = .int(Int64(same(Int.self)))
    } else if Value.self == Double.self {
      self = .double(same(Double.self))
    } else if Value.self == String.self {
      self = .string(same(String.self))
    } else if Value.self == Bool.self {
      self = .bool(same(Bool.self))
    } else if Value.self == Float.self {
      self = .float(same(Float.self))
    } else if Value.self == Data.self {
      self = .data(same(Data.self))
    } else if Value.self == Int8.self {
      self = .int(Int64(same(Int8.self)))
    } else if Value.self == Int16.self {
      self = .int(Int64(same(Int16.self)))
    } else if Value.self == Int32.self {
      self = .int(Int64(same(Int32.self)))
    } else if Value.self == Int64.self {
      self = .int(same(Int64.self))
    } else if Value.self == UInt8.self {
      self = .int(Int64(same(UInt8.self)))
    } else if Value.self == UInt16.self {
      self = .int(Int64(same(UInt16.self)))
    } else if Value.self == UInt32.self {
      self = .int(Int64(same(UInt32.self)))
    } else if Value.self == UInt64.self {
      self.init(same(UInt64.self))
    } else if Value.self == UInt.self {
      self.init(same(UInt.self))
    } else if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      if Value.self == Int128.self {
        self.init(same(Int128.self))
      } else if Value.self == UInt128.self {
        self.init(same(UInt128.self))
      } else {
        return nil
      }
    } else {
      return nil
    }
  }

  /// An integer of any size.
  init<Value: BinaryInteger>(_ value: Value) {
    if let int = Int64(exactly: value) {
      self = .int(int)
    } else if let uint = UInt64(exactly: value) {
      self = .uint(uint)
    } else {
      self = .wideInteger("\(value)")
    }
  }
}
