import CycleBreaking
import _GraphFiles
import _GraphSupport

/// What the encoder has met so far: keys, types, shapes, objects and bulk arrays.
///
/// Everything accessed for each small message is `@exclusivity(unchecked)`: the checks would take a third of its time. One thread
/// uses it at a time, and no access runs user code; a `deinit` of a replaced value finds the new one.
package final class EncoderTables {
  let options: GraphEncoder.Options

  @safe @exclusivity(unchecked) package var keys = EncoderKeys()
  @safe @exclusivity(unchecked) package var shapes = EncoderShapes()
  @safe @exclusivity(unchecked) var types: EncoderTypes
  /// For the canonical order.
  @safe @exclusivity(unchecked) var comparison: KeyComparison

  var identities: [Identity: UInt32] = [:]
  /// Objects without identity.
  @safe @exclusivity(unchecked) var anonymous: [UInt32: AnonymousObject] = [:]
  @safe @exclusivity(unchecked) package var bulk: [BulkArray] = []
  /// The precision of floating-point numbers in arrays; nil for exact.
  @safe @exclusivity(unchecked) package var precision: GPrecision?
  /// How arrays are compressed; nil for the encoder's compression.
  @safe @exclusivity(unchecked) var compression: ArchiveCompression?
  /// The last arrays in arrays, whose memory the next ones reuse; nil until there are some.
  @safe @exclusivity(unchecked) var idleRows: _GraphRows?

  /// What is needed for `Codable` values, from the first one until the graph has been walked.
  @safe @exclusivity(unchecked) var codable: CodableWriter? { didSet { oldValue?.end() } }

  /// The texts of data units in a dump; nil unless a dump is being made.
  @safe @exclusivity(unchecked) var unitTexts: UnitTexts?

  /// What the user says of arrays; nil for nothing.
  @safe @exclusivity(unchecked) var attributes: AttributeTable?

  /// Why classes that were met could not be decoded; nil unless only that is requested.
  @safe @exclusivity(unchecked) var lostClasses: [GCodableError]?

  /// Notes which functions encode the first instance of a class: see `GEncoder.checkCoding`.
  var codingTrace: CodingTrace?

  /// The first error; everything after it fails with it.
  @safe @exclusivity(unchecked) var failure: (any Error)?
  /// The warnings, once each.
  @safe @exclusivity(unchecked) var warnings: Set<String> = []

  /// Types that are normally written without checking their facts have an identity, so every field takes the slow path: from an
  /// option for all hashable types, or a user's extension of a standard type.
  let isCareful: Bool

  /// Other graphs were encoded before, and their fields are in the shape trees.
  @safe @exclusivity(unchecked) private(set) var isUsed = false
  /// Remains of other graphs leave too little room: a new encoder must encode this one.
  @safe @exclusivity(unchecked) var isFull = false
  /// Fields after a nested container of a `Codable` value wait until the value ends.
  @safe @exclusivity(unchecked) var containersWait = false
  /// They turned out to need to: a new encoder must encode the graph.
  @safe @exclusivity(unchecked) var needsWaiting = false
  /// Results of `tableBytes` for graphs without classes and overflow fields, latest first.
  @safe @exclusivity(unchecked) var knownTables:
    [(shapes: [EncoderShapes.Shape], bytes: Contents.TableBytes)] = []

  /// The origin of an object without identity.
  struct AnonymousObject {
    let address: UInt
    /// How many of them form the chain up to here.
    let depth: Int
    /// The object that leads to it; also without identity, unless `depth` is 1.
    let parent: UInt32
  }

  init(options: GraphEncoder.Options, main: GEncoder? = nil) {
    self.options = options
    comparison = KeyComparison(main: main)
    containersWait = main != nil
    let hashable: GraphEncoder.Options = [.tryHashableIdentityAtFirst, .tryHashableIdentityAtLast]
    isCareful =
      !options.contains(.disableIdentity)
      && (!options.isDisjoint(with: hashable)
        || (!options.contains(.ignoreGIdentifiableProtocol) && StandardIdentities.exist))
    types = EncoderTypes(end: shapes.end)
  }

  deinit {
    unsafe types.release()
    unsafe shapes.release()
  }

  /// The number of a key, which gets one if it is new.
  ///
  /// The key's raw value is the user's code: the table is not being accessed while that runs.
  @_semantics("optimize.sil.specialize.generic.never")
  func keyNumber<Key: RawRepresentable>(_ key: Key) -> UInt32 where Key.RawValue == String {
    let token = FieldToken.of(key)
    if let token, let number = keys.number(of: token) { return number }
    let name = key.rawValue
    let number = keys.number(named: name)
    if let token { keys.set(number, of: token) }
    return number
  }

  /// Forgets the encoded graph, but not its types.
  ///
  /// - Parameter hasObjects: whether any object got a number; otherwise no identity is kept.
  /// - Returns: false if a new encoder would be no worse.
  func forgetGraph(withObjects hasObjects: Bool) -> Bool {
    guard failure == nil, !containersWait, unitTexts == nil, warnings.isEmpty, keys.overflow.isEmpty,
      types.count <= Self.maximumIdleCount, shapes.fieldCount <= 4 * Self.maximumIdleCount
    else { return false }
    shapes.forgetGraph()
    types.forgetGraph()
    if !bulk.isEmpty { bulk = [] }
    if precision != nil { precision = nil }
    if compression != nil { compression = nil }
    if attributes != nil { attributes = nil }
    if idleRows != nil { idleRows = nil }
    if hasObjects { identities = [:] }
    if !anonymous.isEmpty { anonymous = [:] }
    comparison.leavesOut = false
    isUsed = true
    return true
  }

  /// How many types an idle encoder may know; four times as many fields.
  static let maximumIdleCount = 64
}
