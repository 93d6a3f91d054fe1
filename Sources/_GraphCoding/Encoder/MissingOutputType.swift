import Foundation

// Where Swift cannot know the type of the result, it fails without a word on overloaded functions. These, which it
// takes last, have the word.

extension GraphEncoder {
  /// For a message that says what to write.
  @available(*, unavailable, message: "say what the bytes are: 'encode(root) as Data', or 'as [UInt8]'")
  @_disfavoredOverload
  @discardableResult
  public func encode<Root: GEncodable>(_ root: Root) throws -> Data { try encode(root) as Data }

  /// For a message that says what to write.
  @available(
    *, unavailable, message: "say what the bytes are: 'encode(codable: root) as Data', or 'as [UInt8]'"
  )
  @_disfavoredOverload
  @discardableResult
  public func encode<Root: Encodable>(codable root: Root) throws -> Data {
    try encode(codable: root) as Data
  }
}
