// Requirements of protocols are documented there.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

import Foundation

extension PersonNameComponents: GCodable {
  private enum Key: String {
    case namePrefix, givenName, middleName, familyName, nameSuffix, nickname, phoneticRepresentation
  }

  public func encode(to encoder: GEncoder) throws {
    try encoder.encodeIfPresent(namePrefix, for: Key.namePrefix)
    try encoder.encodeIfPresent(givenName, for: Key.givenName)
    try encoder.encodeIfPresent(middleName, for: Key.middleName)
    try encoder.encodeIfPresent(familyName, for: Key.familyName)
    try encoder.encodeIfPresent(nameSuffix, for: Key.nameSuffix)
    try encoder.encodeIfPresent(nickname, for: Key.nickname)
    try encoder.encodeIfPresent(phoneticRepresentation, for: Key.phoneticRepresentation)
  }

  public init(from decoder: GDecoder) throws {
    self.init()
    namePrefix = try decoder.decodeIfPresent(for: Key.namePrefix)
    givenName = try decoder.decodeIfPresent(for: Key.givenName)
    middleName = try decoder.decodeIfPresent(for: Key.middleName)
    familyName = try decoder.decodeIfPresent(for: Key.familyName)
    nameSuffix = try decoder.decodeIfPresent(for: Key.nameSuffix)
    nickname = try decoder.decodeIfPresent(for: Key.nickname)
    phoneticRepresentation = try decoder.decodeIfPresent(for: Key.phoneticRepresentation)
  }
}

extension PersonNameComponents: BinaryIOType {
  /// Longer chains of phonetic representations are refused: one is what the type is meant to have.
  private static let maximumDepth = 16

  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    var names = [self]
    while let next = names[names.count - 1].phoneticRepresentation { names.append(next) }
    guard names.count <= Self.maximumDepth else {
      throw BinaryIOError.invalid(Self.self, "a chain of \(names.count) phonetic representations")
    }
    UInt8(names.count).write(to: &wbuffer)
    for name in names {
      for part in [
        name.namePrefix, name.givenName, name.middleName, name.familyName, name.nameSuffix, name.nickname,
      ] { try part.write(to: &wbuffer) }
    }
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    let count = Int(try UInt8(from: &rbuffer))
    guard 1...Self.maximumDepth ~= count else {
      throw BinaryIOError.invalid(Self.self, "a chain of \(count) names")
    }
    let names = try (0..<count).map { _ in
      var name = PersonNameComponents()
      name.namePrefix = try String?(from: &rbuffer)
      name.givenName = try String?(from: &rbuffer)
      name.middleName = try String?(from: &rbuffer)
      name.familyName = try String?(from: &rbuffer)
      name.nameSuffix = try String?(from: &rbuffer)
      name.nickname = try String?(from: &rbuffer)
      return name
    }
    self = names.dropLast().reversed().reduce(names[count - 1]) { inner, outer in
      var outer = outer
      outer.phoneticRepresentation = inner
      return outer
    }
  }
}
