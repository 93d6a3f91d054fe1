/// A class that declares its name in archives.
///
///     final class Segment: GCodable, GArchiveNamed {
///       static let archiveName = "segment"
///       static let archiveAliases = ["MyApp.Residue"]  // What it was called before.
///     }
///     Segment.register()  // Where the program starts.
///
/// Such a class can be renamed or moved to another module, and can be private, local to a function, nested or generic.
/// Decoders find it under the declared name once it is registered, with `register()` or
/// ``GTypesRepository/register(codable:)``, or listed in ``GraphDecoder/init(allowing:)``. A class that Swift finds by
/// its mangled name is found in any case, as long as it is not renamed.
///
/// A name belongs to one class of the program: registering a second class for it is a programming error. In a generic
/// class, the name has to differ for different arguments. Names and aliases that a subclass inherits do not count as its own.
public protocol GArchiveNamed: AnyObject {
  /// The name under which archives have the class: 1 to 255 ASCII characters without spaces and `@`.
  static var archiveName: String { get }
  /// Other names that decode as this class.
  ///
  /// Each is an archive name, a qualified name such as `MyApp.Residue` or a mangled name, as older archives hold it.
  static var archiveAliases: [String] { get }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension GArchiveNamed {
  public static var archiveAliases: [String] { [] }
}

/// The names that a class declares itself.
struct ArchiveNames {
  let name: String
  let aliases: [String]

  /// nil for a class that declares none, or only inherits them.
  init?(_ type: AnyClass) {
    guard let named = type as? any GArchiveNamed.Type else { return nil }
    let inherited = _getSuperclass(type) as? any GArchiveNamed.Type
    name = named.archiveName
    guard inherited?.archiveName != name else { return nil }
    let known = inherited?.archiveAliases ?? []
    aliases = named.archiveAliases.filter { alias in !known.contains { $0.utf8.elementsEqual(alias.utf8) } }
  }

  /// Whether a name can be stored and distinguished from a mangled name.
  static func isValid(_ name: String) -> Bool {
    (1...ClassNameLimits.archiveNameByteCount).contains(name.utf8.count)
      && name.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "@") }
  }
}
