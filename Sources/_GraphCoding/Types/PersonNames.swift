import Foundation
import _GraphSupport

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PersonNameComponents: _GraphRareType {
  /// Longer chains of phonetic representations are refused: one is what the type is meant to have.
  ///
  /// Foundation releases them recursively.
  private static let maximumDepth = 16

  /// How many names are nested; capped at one above the limit.
  private var chainCount: Int {
    var (count, last) = (1, self)
    while count <= Self.maximumDepth, let next = last.phoneticRepresentation {
      (count, last) = (count + 1, next)
    }
    return count
  }

  public func encode(to encoder: GEncoder) throws {
    guard chainCount <= Self.maximumDepth else {
      throw BinaryIOError.invalid(
        Self.self, "a chain of more than \(Self.maximumDepth) phonetic representations")
    }
    try encoder.encodeOutOfLine(ifPresent: namePrefix, for: .namePrefix)
    try encoder.encodeOutOfLine(ifPresent: givenName, for: .givenName)
    try encoder.encodeOutOfLine(ifPresent: middleName, for: .middleName)
    try encoder.encodeOutOfLine(ifPresent: familyName, for: .familyName)
    try encoder.encodeOutOfLine(ifPresent: nameSuffix, for: .nameSuffix)
    try encoder.encodeOutOfLine(ifPresent: nickname, for: .nickname)
    try encoder.encodeOutOfLine(ifPresent: phoneticRepresentation, for: .phoneticRepresentation)
  }

  public init(from decoder: GDecoder) throws {
    self.init()
    namePrefix = try decoder.decodeOutOfLine(ifPresent: .namePrefix)
    givenName = try decoder.decodeOutOfLine(ifPresent: .givenName)
    middleName = try decoder.decodeOutOfLine(ifPresent: .middleName)
    familyName = try decoder.decodeOutOfLine(ifPresent: .familyName)
    nameSuffix = try decoder.decodeOutOfLine(ifPresent: .nameSuffix)
    nickname = try decoder.decodeOutOfLine(ifPresent: .nickname)
    phoneticRepresentation = try decoder.decodeOutOfLine(ifPresent: .phoneticRepresentation)
    guard chainCount <= Self.maximumDepth else {
      throw decoder.invalidValue(
        Self.self, "a chain of more than \(Self.maximumDepth) phonetic representations")
    }
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension PersonNameComponents: BinaryIOType {
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
    try rbuffer.takeBox()
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
