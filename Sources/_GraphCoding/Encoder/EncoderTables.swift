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

  /// Stands behind the last field of every shape and matches nothing.
  let end: Stored<ShapeTransition>
  /// The current node in dictionary mode; matches nothing either.
  let overflow: Stored<ShapeTransition>
  /// Fills the type cache; no type lies at address 0.
  let noType: Stored<EncoderType>

  /// All keys that were met; the archive numbers them anew: see `contents`.
  @safe @exclusivity(unchecked) private(set) var keys: [String] = []
  private var keyNumbers: [ByteString: UInt32] = [:]
  private var keyNumbersByToken: [UInt64: UInt32] = [:]

  var types: [UInt: Stored<EncoderType>] = [:]
  var facts: [TypeFacts] = []
  @safe @exclusivity(unchecked) private var ownedTypes: [Stored<EncoderType>] = []
  @safe @exclusivity(unchecked) private var ownedNodes: [Stored<ShapeTransition>] = []
  @safe @exclusivity(unchecked) private var ownedFieldLists: [Stored<EncodedFieldList>] = []

  @safe @exclusivity(unchecked) private(set) var classes: [Contents.StoredClass] = []
  @safe @exclusivity(unchecked) private(set) var shapes: [StoredShape] = []
  /// Their keys are numbers in `keys`, plus one.
  @safe @exclusivity(unchecked) private var layouts: [Contents.Layout] = []
  /// Integers of coding keys that fields have been encoded with: kept with the tokens of these, for the graphs to come.
  @safe @exclusivity(unchecked) var keyIntValues = KeyIntValues()
  @safe @exclusivity(unchecked) var overflows: [OpenOverflow] = []
  /// The keys of overflow fields, in the order of their first use; by their numbers in `keys`, plus one.
  @safe @exclusivity(unchecked) private var overflowKeys: [UInt32] = []
  private var overflowKeyNumbers: [UInt32: UInt32] = [:]

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

  /// The encoder whose objects keep their numbers in this one, which only compares keys for it.
  let main: GEncoder?
  /// Objects that a key leads to are not among its bytes.
  @safe @exclusivity(unchecked) var leavesOut = false
  /// How many objects may be encoded with the key that is being compared.
  var comparedObjectCount = 0
  /// Compares keys for this encoder, and holds it.
  @safe @exclusivity(unchecked) var comparing: GEncoder?

  /// Other graphs have been encoded before, and their fields are in the shape trees.
  @safe @exclusivity(unchecked) private(set) var isUsed = false
  /// What was left of other graphs does not leave enough room: a new encoder has to do this one.
  @safe @exclusivity(unchecked) var isFull = false
  /// Fields behind a nested container of a `Codable` value wait until the value ends.
  @safe @exclusivity(unchecked) var containersWait = false
  /// They have to, as was found on the way: a new encoder has to do the graph.
  @safe @exclusivity(unchecked) var needsWaiting = false
  /// What `tableBytes` was for graphs without classes and overflow fields, the last ones first.
  @safe @exclusivity(unchecked) private var knownTables:
    [(shapes: [StoredShape], bytes: Contents.TableBytes)] = []

  /// Where an object without identity comes from.
  struct AnonymousObject {
    let address: UInt
    /// How many of them lead to each other up to here.
    let depth: Int
    /// The object that leads to it; without identity too, if `depth` is not 1.
    let parent: UInt32
  }

  struct StoredShape: Equatable {
    var end: Stored<ShapeTransition>
    var type: Stored<EncoderType>
    var isOpen: Bool
  }

  /// A record in dictionary mode, with overflow fields, while it is being written.
  struct OpenOverflow {
    /// The last field in front of these.
    var node: Stored<ShapeTransition>
    /// Where their head is.
    var start: Int
    var fieldCount: UInt32 = 0
    var unkeyedCount: UInt32 = 0
    var keyNumbers: Set<UInt32> = []
  }

  init(options: GraphEncoder.Options, main: GEncoder? = nil) {
    self.options = options
    self.main = main
    containersWait = main != nil
    let hashable: GraphEncoder.Options = [.tryHashableIdentityAtFirst, .tryHashableIdentityAtLast]
    isCareful =
      !options.contains(.disableIdentity)
      && (!options.isDisjoint(with: hashable)
        || (!options.contains(.ignoreGIdentifiableProtocol) && StandardIdentities.exist))
    end = Self.makeSentinel()
    overflow = Self.makeSentinel()
    noType = .make(EncoderType(metadata: 0, plan: .record, kind: .null, root: end))
  }

  deinit {
    for list in ownedFieldLists {
      list.pointee.fields.release()
      list.release()
    }
    for node in ownedNodes + [end, overflow] { node.release() }
    for type in ownedTypes + [noType] { type.release() }
  }

  private static func makeSentinel() -> Stored<ShapeTransition> {
    .make { ShapeTransition(token: FieldToken.end, prediction: $0) }
  }

  // MARK: Keys

  /// The number of a key in the key table, which it enters if it is new.
  @_semantics("optimize.sil.specialize.generic.never")
  func keyNumber<Key: RawRepresentable>(_ key: Key) -> UInt32 where Key.RawValue == String {
    let token = FieldToken.of(key)
    if let token, let number = keyNumbersByToken[token] { return number }
    let number = keyNumber(named: key.rawValue)
    if let token { keyNumbersByToken[token] = number }
    return number
  }

  package func keyNumber(named name: String) -> UInt32 {
    if let known = keyNumbers[ByteString(name)] { return known }
    let number = UInt32(keys.count)
    keys.append(name)
    keyNumbers[ByteString(name)] = number
    return number
  }

  /// The number plus one that the archive has for the key of an overflow field.
  ///
  /// - Parameter keyNumber: its number in `keys`, plus one.
  func overflowKeyNumber(_ keyNumber: UInt32) -> UInt32 {
    if let known = overflowKeyNumbers[keyNumber] { return known }
    overflowKeys.append(keyNumber)
    overflowKeyNumbers[keyNumber] = UInt32(overflowKeys.count)
    return UInt32(overflowKeys.count)
  }

  /// The tables of keys, classes, layouts and shapes as the archive has them.
  ///
  /// Keys are numbered in the order of their first use in overflow fields, then in the shapes, then in the layouts; so
  /// what was met in other graphs before, or not used in the end, does not matter.
  var tableBytes: Contents.TableBytes {
    let isLasting = classes.isEmpty && overflowKeys.isEmpty && layouts.isEmpty
    if isLasting, let known = knownTables.first(where: { $0.shapes == shapes }) { return known.bytes }
    var contents = Contents()
    var numbers = [UInt32](repeating: 0, count: keys.count + 1)
    func number(_ key: UInt32) -> UInt32 {
      if key != 0, numbers[Int(key)] == 0 {
        contents.keys.append(keys[Int(key) - 1])
        numbers[Int(key)] = UInt32(contents.keys.count)
      }
      return numbers[Int(key)]
    }
    for key in overflowKeys { _ = number(key) }
    contents.classes = classes
    contents.shapes = shapes.map { shape in
      var fields = shape.fields
      if options.contains(.storeTypeNames) { fields.typeName = shape.typeName }
      for index in fields.fields.indices {
        fields.fields[index].keyNumber = number(fields.fields[index].keyNumber)
      }
      return fields
    }
    contents.layouts = layouts.map { layout in
      Contents.Layout(fields: layout.fields.map { .init(keyNumber: number($0.keyNumber), format: $0.format) })
    }
    let bytes = Contents.TableBytes(contents)
    if isLasting, shapes.count <= Self.maximumIdleCount {
      if knownTables.count == Self.maximumKnownTableCount { knownTables.removeLast() }
      knownTables.insert((shapes, bytes), at: 0)
    }
    return bytes
  }

  /// Forgets the graph that was encoded, but not how its types look.
  ///
  /// - Parameter hasObjects: whether any got a number; no identity is kept without one.
  /// - Returns: false where a new encoder would be no worse.
  func forgetGraph(withObjects hasObjects: Bool) -> Bool {
    guard failure == nil, !containersWait, unitTexts == nil, warnings.isEmpty, overflowKeys.isEmpty,
      ownedTypes.count <= Self.maximumIdleCount, ownedNodes.count <= 4 * Self.maximumIdleCount
    else { return false }
    for shape in shapes { (shape.end.pointee.shape, shape.end.pointee.openShape) = (0, 0) }
    shapes.removeAll(keepingCapacity: true)
    for type in ownedTypes {
      (type.pointee.predictedEnd, type.pointee.predictedShape) = (nil, 0)
      (type.pointee.classNumber, type.pointee.isPlainClass) = (0, false)
    }
    if !classes.isEmpty { classes = [] }
    if !bulk.isEmpty { bulk = [] }
    if precision != nil { precision = nil }
    if idleRows != nil { idleRows = nil }
    if !layouts.isEmpty { layouts = [] }
    if hasObjects { identities = [:] }
    if !anonymous.isEmpty { anonymous = [:] }
    leavesOut = false
    isUsed = true
    return true
  }

  /// Releases the encoders that hold each other.
  func forgetComparing() {
    comparing?.tables.forgetComparing()
    comparing = nil
  }

  private static let maximumKnownTableCount = 8

  /// As many types an idle encoder may know; four times as many fields.
  private static let maximumIdleCount = 64

  // MARK: Types and shapes

  func own(_ type: EncoderType) -> Stored<EncoderType> {
    let stored = Stored.make(type)
    ownedTypes.append(stored)
    return stored
  }

  func own(_ list: EncodedFieldList) -> Stored<EncodedFieldList> {
    let stored = Stored.make(list)
    ownedFieldLists.append(stored)
    return stored
  }

  func own(_ node: ShapeTransition) -> Stored<ShapeTransition> {
    let stored = Stored.make(node)
    ownedNodes.append(stored)
    return stored
  }

  /// The number of a layout of packed structs, which gets one if it is new.
  package func layoutNumber(_ layout: Contents.Layout) -> UInt32 {
    if let known = layouts.firstIndex(of: layout) { return UInt32(known + 1) }
    layouts.append(layout)
    return UInt32(layouts.count)
  }

  func add(_ stored: Contents.StoredClass) -> UInt32 {
    classes.append(stored)
    return UInt32(classes.count)
  }

  /// The number of the shape that ends at a node, with or without overflow fields; it gets one if it is new.
  func shapeNumber(
    _ node: Stored<ShapeTransition>, _ type: Stored<EncoderType>, isOpen: Bool
  ) -> UInt32 {
    let known = isOpen ? node.pointee.openShape : node.pointee.shape
    if known != 0 { return known }
    shapes.append(StoredShape(end: node, type: type, isOpen: isOpen))
    let number = UInt32(shapes.count)
    if isOpen { node.pointee.openShape = number } else { node.pointee.shape = number }
    return number
  }
}
