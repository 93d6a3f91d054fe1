import CycleBreaking
import _GraphFiles
import _GraphSupport

/// What the encoder has met so far: keys, types, shapes, objects and bulk arrays.
///
/// What is looked at for each small message is `@exclusivity(unchecked)`: the checks would take a third of its time.
/// One thread uses it at a time, and no access runs code of the user's; a `deinit` of what is replaced finds the new
/// value.
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
  /// What floating-point numbers in arrays are stored to; nil for exactly.
  @safe @exclusivity(unchecked) package var precision: GPrecision?
  /// The last arrays in arrays, whose memory the next ones use; nil until there are some.
  @safe @exclusivity(unchecked) var idleRows: _GraphRows?

  /// What is needed for `Codable` values, from the first one until the graph has been walked.
  @safe @exclusivity(unchecked) var codable: CodableWriter? { didSet { oldValue?.end() } }

  /// What data units say in a dump; nil unless a dump is being made.
  @safe @exclusivity(unchecked) var unitTexts: UnitTexts?

  /// Why classes that were met could not be decoded; nil unless that is all that is asked for.
  @safe @exclusivity(unchecked) var lostClasses: [GCodableError]?

  /// Notes which functions encode the first instance of a class: see `GEncoder.checkCoding`.
  var codingTrace: CodingTrace?

  /// The first error; everything after it fails with it.
  @safe @exclusivity(unchecked) var failure: (any Error)?
  /// The warnings, once each.
  @safe @exclusivity(unchecked) var warnings: Set<String> = []

  /// Types that are written without a look at their facts have an identity, so every field takes the
  /// slow path: an option gives one to all hashable types, or a user's extension to a standard type.
  let isCareful: Bool

  /// Other graphs have been encoded before, and their fields are in the shape trees.
  @safe @exclusivity(unchecked) private(set) var isUsed = false
  /// What was left of other graphs does not leave enough room: a new encoder has to do this one.
  @safe @exclusivity(unchecked) var isFull = false
  /// Fields behind a nested container of a `Codable` value wait until the value ends.
  @safe @exclusivity(unchecked) var containersWait = false
  /// They have to, as was found on the way: a new encoder has to do the graph.
  @safe @exclusivity(unchecked) var needsWaiting = false
  /// What `tableBytes` was for graphs without classes and overflow fields, the last ones first.
  @safe @exclusivity(unchecked) var knownTables:
    [(shapes: [EncoderShapes.Shape], bytes: Contents.TableBytes)] = []

  /// Where an object without identity comes from.
  struct AnonymousObject {
    let address: UInt
    /// How many of them lead to each other up to here.
    let depth: Int
    /// The object that leads to it; without identity too, if `depth` is not 1.
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
    types.release()
    shapes.release()
  }

  /// Forgets the graph that was encoded, but not how its types look.
  ///
  /// - Parameter hasObjects: whether any got a number; no identity is kept without one.
  /// - Returns: false where a new encoder would be no worse.
  func forgetGraph(withObjects hasObjects: Bool) -> Bool {
    guard failure == nil, !containersWait, unitTexts == nil, warnings.isEmpty, keys.overflow.isEmpty,
      types.count <= Self.maximumIdleCount, shapes.fieldCount <= 4 * Self.maximumIdleCount
    else { return false }
    shapes.forgetGraph()
    types.forgetGraph()
    if !bulk.isEmpty { bulk = [] }
    if precision != nil { precision = nil }
    if idleRows != nil { idleRows = nil }
    if hasObjects { identities = [:] }
    if !anonymous.isEmpty { anonymous = [:] }
    comparison.leavesOut = false
    isUsed = true
    return true
  }

  /// As many types an idle encoder may know; four times as many fields.
  static let maximumIdleCount = 64
}
