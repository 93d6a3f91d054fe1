extension GraphEncoder {
  /// Options for identity, inheritance, order and names; see the guide "Control identity globally".
  public struct Options: OptionSet, Hashable, Sendable {
    /// A bit for each option.
    public let rawValue: UInt

    /// The options of some bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// No type has an identity: every value is encoded each time it is met.
    public static let disableIdentity = Self(rawValue: 1 << 0)
    /// `GIdentifiable` is ignored: objects have their address as identity, values have none.
    public static let ignoreGIdentifiableProtocol = Self(rawValue: 1 << 1)
    /// Objects do not get their address as identity.
    public static let disableAutoObjectIdentifierIdentityForReferences = Self(rawValue: 1 << 2)
    /// Hashable values are their own identity, in preference to any other.
    ///
    /// Equal values become one, so differences that `==` ignores are lost.
    public static let tryHashableIdentityAtFirst = Self(rawValue: 1 << 3)
    /// Hashable values are their own identity if they have no other.
    public static let tryHashableIdentityAtLast = Self(rawValue: 1 << 4)
    /// Classes are not stored: instances are decoded as their static type.
    public static let disableInheritance = Self(rawValue: 1 << 5)
    /// `GInheritance` is ignored.
    public static let ignoreGInheritanceProtocol = Self(rawValue: 1 << 6)
    /// Probable mistakes, such as a conditional reference to a value without identity, are reported on standard error.
    public static let printWarnings = Self(rawValue: 1 << 7)
    /// Sets and dictionaries are written in the order of their encoded keys.
    ///
    /// Without this option they are written in the order of iteration, which differs from process to process, and so do
    /// the bytes of the archive. Keys are encoded twice or, if they are not numbers, strings and the like, several times,
    /// each time by calls of their `encode(to:)`. Objects that are equal in themselves, and in up to 256 objects that they
    /// lead to, stay in the order of iteration; the elements of a set inside one of them share these 256.
    ///
    /// - Complexity: O(n log n) for n elements, 0.2 to 0.5 µs for each of 50,000 numbers or strings and 2.5 µs for each
    ///   object, which is 8 to 70 times as long as without the option. Sets nested in sets take the third power of their
    ///   depth.
    public static let canonicalOrder = Self(rawValue: 1 << 8)
    /// Records of structs and enums are stored with the names of their types, as those of classes always are.
    ///
    /// The names are for people, and for readers in other languages: a dump shows them, and decoding does not use them. They
    /// take some bytes for each type, or more if its values differ in their fields.
    public static let storeTypeNames = Self(rawValue: 1 << 9)
    /// Neither identity nor inheritance, as `Codable` does.
    public static let mimicSwiftCodable: Self = [.disableIdentity, .disableInheritance]
  }
}
