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

/// A type that goes both ways as bytes.
public typealias BinaryIOType = BinaryIType & BinaryOType

/// A type that is encoded as the bytes that it writes itself.
public protocol GBinaryEncodable: BinaryOType, GEncodable {}

/// A type that is decoded from the bytes that it has written itself.
public protocol GBinaryDecodable: BinaryIType, GDecodable {}

/// A type that is one data unit in a graph: adopt it in place of `GCodable`.
///
/// Values may still have an identity, and instances of classes identity, inheritance, versions and
/// replacement; their parts have none of these.
public typealias GBinaryCodable = GBinaryEncodable & GBinaryDecodable

/// A mark for `GBinaryCodable` types whose containers shall be one data unit, too.
///
/// For values without references, identity and versions of their own.
public protocol GPackable {}

/// See `GPackable`.
public typealias GPackEncodable = GBinaryEncodable & GPackable
/// See `GPackable`.
public typealias GPackDecodable = GBinaryDecodable & GPackable
/// See `GPackable`.
public typealias GPackCodable = GPackEncodable & GPackDecodable
