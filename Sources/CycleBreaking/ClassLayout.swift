/// What a class declares itself, without what it inherits, as its metadata describe it.
///
/// The layout is that of Swift's ABI: `TargetClassMetadata` and `TargetClassDescriptor` in `swift/ABI/Metadata.h`. What does not
/// look as expected is not described, and nothing is written.
struct ClassLayout {
  /// The names of its stored properties; empty strings where a program has been compiled without reflection metadata.
  let storedProperties: [String]
  /// The methods that it declares or overrides, without initializers: those that are inherited stand among the overrides as well.
  let methods: [Method]

  /// A method, or an accessor of a property.
  struct Method {
    /// The address of its description in the class that declares it, which all overrides share.
    let id: UInt
    /// Where the function begins.
    let function: UInt
    let isOverride: Bool
  }

  /// - Returns: nil for a class that was not written in Swift, or whose description is not understood.
  init?(_ type: AnyClass) {
    // Safe because class metadata are never released, and offsets are those of the ABI.
    let metadata = unsafe unsafeBitCast(type, to: UnsafeRawPointer.self)
    #if canImport(ObjectiveC)
      // Two bits of the pointer to the data tell Swift's classes from others.
      guard unsafe metadata.load(fromByteOffset: 32, as: UInt.self) & 3 != 0 else { return nil }
      let descriptorOffset = 64
    #else
      let descriptorOffset = 40
    #endif
    guard
      let descriptor = unsafe metadata.load(
        fromByteOffset: descriptorOffset, as: UnsafeRawPointer?.self),
      let methods = unsafe Self.methods(descriptor),
      let names = unsafe Self.propertyNames(descriptor)
    else { return nil }
    storedProperties = names
    self.methods = methods
  }

  private static func methods(_ descriptor: UnsafeRawPointer) -> [Method]? {
    let flags = unsafe descriptor.load(as: UInt32.self)
    guard flags & 0x1f == 16 else { return nil }  // Not a class.
    let classFlags = flags >> 16
    var methods: [Method] = []
    var offset = 44
    if flags & 0x80 != 0 {
      guard let end = unsafe endOfGenericContext(descriptor, from: offset) else { return nil }
      offset = end
    }
    if classFlags & 1 << 13 != 0 { offset += 4 }  // The reference to a resilient superclass.
    switch classFlags & 3 {
    case 1: offset += 12  // How the only metadata are initialized.
    case 2: offset += 4
    default: break
    }
    if classFlags & 1 << 15 != 0 {
      let count = unsafe Int(descriptor.load(fromByteOffset: offset + 4, as: UInt32.self))
      for index in 0..<count {
        let method = unsafe descriptor + offset + 8 + 8 * index
        unsafe add(method, target(method + 4), isOverride: false, to: &methods)
      }
      offset += 8 + 8 * count
    }
    if classFlags & 1 << 14 != 0 {
      let count = unsafe Int(descriptor.load(fromByteOffset: offset, as: UInt32.self))
      for index in 0..<count {
        let entry = unsafe descriptor + offset + 4 + 12 * index
        unsafe add(indirectTarget(entry + 4), target(entry + 8), isOverride: true, to: &methods)
      }
    }
    return methods
  }

  private static func add(
    _ method: UnsafeRawPointer?, _ function: UnsafeRawPointer?, isOverride: Bool, to methods: inout [Method]
  ) {
    guard let method = unsafe method, let function = unsafe function else { return }
    let flags = unsafe method.load(as: UInt32.self)
    guard flags & 0xf != 1, flags & 0x10 != 0 else { return }  // An initializer, or not of instances.
    methods.append(
      Method(id: UInt(bitPattern: method), function: UInt(bitPattern: function), isOverride: isOverride))
  }

  /// Where the parameters and requirements of a generic class end.
  ///
  /// - Returns: nil where there is more than packs and values.
  private static func endOfGenericContext(_ descriptor: UnsafeRawPointer, from start: Int) -> Int? {
    func count(at offset: Int) -> Int { unsafe Int(descriptor.load(fromByteOffset: offset, as: UInt16.self)) }
    let header = start + 8
    let (hasPacks, hasValues) = (1, 4)
    let flags = count(at: header + 6)
    guard flags & ~(hasPacks | hasValues) == 0 else { return nil }
    var end = header + 8 + (count(at: header) + 3) / 4 * 4 + 12 * count(at: header + 2)
    if flags & hasPacks != 0 { end += 4 + 8 * count(at: end) }
    if flags & hasValues != 0 {
      end += unsafe 4 + 4 * Int(descriptor.load(fromByteOffset: end, as: UInt32.self))
    }
    return end
  }

  /// The names of the stored properties.
  private static func propertyNames(_ descriptor: UnsafeRawPointer) -> [String]? {
    let count = unsafe Int(descriptor.load(fromByteOffset: 36, as: UInt32.self))
    guard count > 0 else { return [] }
    guard let fields = unsafe target(descriptor + 16) else { return Array(repeating: "", count: count) }
    let recordByteCount = unsafe Int(fields.load(fromByteOffset: 10, as: UInt16.self))
    guard unsafe fields.load(fromByteOffset: 12, as: UInt32.self) == UInt32(count), recordByteCount == 12
    else {
      return nil
    }
    return (0..<count).map { index in
      guard let name = unsafe target(fields + 16 + recordByteCount * index + 8) else { return "" }
      return unsafe String(cString: name.assumingMemoryBound(to: CChar.self))
    }
  }

  /// What a relative pointer leads to.
  private static func target(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = unsafe Int(place.load(as: Int32.self))
    return unsafe offset == 0 ? nil : place + offset
  }

  /// What a relative pointer leads to, directly or, if its lowest bit is set, by way of another pointer.
  private static func indirectTarget(_ place: UnsafeRawPointer) -> UnsafeRawPointer? {
    let offset = unsafe Int(place.load(as: Int32.self))
    guard offset != 0 else { return nil }
    let target = unsafe place + (offset & ~1)
    return unsafe offset & 1 == 0 ? target : target.load(as: UnsafeRawPointer?.self)
  }
}
