/// A type that writes its own bytes: one data unit of an archive, without keys, identity or classes inside.
///
///     func write(to wbuffer: inout BinaryWriteBuffer) throws {
///       try position.write(to: &wbuffer)
///       try mass.write(to: &wbuffer)
///     }
public protocol BinaryOType {
  /// Writes the value's parts, in the order in which they will be read.
  func write(to wbuffer: inout BinaryWriteBuffer) throws
}

/// A type that reads its own bytes; see `BinaryOType`.
public protocol BinaryIType {
  /// Reads the value's parts, in the order in which they were written.
  init(from rbuffer: inout BinaryReadBuffer) throws
}

/// A type that writes and reads its own bytes.
public typealias BinaryIOType = BinaryIType & BinaryOType

/// A type that is encoded as the bytes that it writes.
public protocol GBinaryEncodable: BinaryOType, GEncodable {}

/// A type that is decoded from the bytes that it wrote.
public protocol GBinaryDecodable: BinaryIType, GDecodable {}

/// A type that is one data unit in a graph: adopt it in place of `GCodable`.
///
/// Values may still have an identity, and class instances keep identity, inheritance, versions and replacement;
/// their parts have none of these.
public typealias GBinaryCodable = GBinaryEncodable & GBinaryDecodable

/// Marks a `GBinaryCodable` type whose containers become one data unit, too.
///
/// It is meant for values without references, identity or versions of their own.
public protocol GPackable {}

/// See `GPackable`.
public typealias GPackEncodable = GBinaryEncodable & GPackable
/// See `GPackable`.
public typealias GPackDecodable = GBinaryDecodable & GPackable
/// See `GPackable`.
public typealias GPackCodable = GPackEncodable & GPackDecodable
