import _GraphFiles
import _GraphSupport

/// An array, or an optional one, which may have attributes.
///
/// Not for use outside the package.
public protocol _GraphArrayLike: GEncodable {}

extension Array: _GraphArrayLike where Element: GEncodable {}
extension ContiguousArray: _GraphArrayLike where Element: GEncodable {}
extension ArraySlice: _GraphArrayLike where Element: GEncodable {}
extension GArray: _GraphArrayLike where Element: GEncodable & _GraphPackable {}
extension Optional: _GraphArrayLike where Wrapped: _GraphArrayLike {}

extension GEncoder {
  /// Encodes an array under a key, with attributes beside it: its unit, the names of its dimensions, or others.
  ///
  ///     try encoder.encode(positions, for: Key.positions, attributes: .init(unit: "nm", dimensions: ["atom", "xyz"]))
  ///
  /// Decoding does not use them; ``GraphArchive/attributes(at:)`` reads them.
  ///
  /// - Parameters:
  ///   - value: an array. Of nil, no attributes are kept.
  ///   - key: as in `encode(_:for:)`.
  ///   - attributes: what is said of it; nothing if empty.
  /// - Throws: `invalidValue` for an array with an identity, which `.tryHashableIdentityAtFirst` gives it, and for texts with more
  ///   than 256 combining marks in a row; as `encode(_:for:)`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode<Value: _GraphArrayLike, Key: RawRepresentable>(
    _ value: Value, for key: Key, attributes: GAttributes
  ) throws where Key.RawValue == String {
    try enter(key, nestedKind(Value.self))
    try writeNested(value, attributes)
  }

  /// Encodes an array without a key, with attributes beside it; see `encode(_:for:attributes:)`.
  ///
  /// - Throws: as `encode(_:for:attributes:)`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode<Value: _GraphArrayLike>(_ value: Value, attributes: GAttributes) throws {
    try enterUnkeyed(nestedKind(Value.self))
    try writeNested(value, attributes)
  }

  /// Encodes an array of floating-point numbers under a key, to a precision and with attributes beside it.
  ///
  /// - Throws: as `encode(_:for:precision:)` and `encode(_:for:attributes:)`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode<Value: _GraphPrecise & _GraphArrayLike, Key: RawRepresentable>(
    _ value: Value, for key: Key, precision: GPrecision?, attributes: GAttributes
  ) throws where Key.RawValue == String {
    try to(precision) { try encode(value, for: key, attributes: attributes) }
  }

  /// Encodes an array of floating-point numbers without a key, to a precision and with attributes beside it.
  ///
  /// - Throws: as `encode(_:for:precision:attributes:)`.
  @_semantics("optimize.sil.specialize.generic.never")
  public func encode<Value: _GraphPrecise & _GraphArrayLike>(
    _ value: Value, precision: GPrecision?, attributes: GAttributes
  ) throws {
    try to(precision) { try encode(value, attributes: attributes) }
  }

  /// Writes a value whose field has been entered.
  @_semantics("optimize.sil.specialize.generic.never")
  private func writeNested<Value: GEncodable>(_ value: Value, _ attributes: GAttributes) throws {
    do {
      let attributes = try attributes.checked()
      let start = state.pointee.out.count
      try writeNested(value)
      if !attributes.isEmpty { try note(attributes, ofValueAt: start, nestedKind(Value.self)) }
    } catch { throw noted(error) }
  }

  /// Notes what is said of the value that begins at an offset.
  private func note(_ attributes: GAttributes, ofValueAt start: Int, _ kind: GraphKind) throws {
    var (place, kind) = (start, kind)
    while kind.plain == .tagged {
      kind = unsafe GraphKind(rawValue: state.pointee.out.bytes[place])  // A tag is followed by a kind.
      place += 1
    }
    if kind == .null || kind == .absent { return }
    guard kind != .reference, kind != .conditional else {
      throw GCodableError(.invalidValue, "an array with an identity of its own cannot have attributes")
    }
    var table = tables.attributes ?? AttributeTable()
    tables.attributes = nil  // Not copied for each array.
    table.note(attributes, at: UInt64(place))
    tables.attributes = table
  }
}
