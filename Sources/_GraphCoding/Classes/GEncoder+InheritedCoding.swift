import CycleBreaking
import _GraphSupport

/// Finds subclasses that add stored properties and inherit the coding of their superclass, by their first instance.
extension GEncoder {
  /// Schedules a check of the first instance of a class after it is encoded; others cost nothing.
  func checkCoding(ofFirst dynamicClass: AnyClass, _ facts: TypeFacts) {
    guard !facts.isCodingKnown else { return }
    facts.isCodingKnown = true
    let isNative = dynamicClass is any GEncodable.Type
    let coding = InheritedCoding(dynamicClass) {
      isNative ? $0 is any GEncodable.Type : $0 is any Encodable.Type
    }
    facts.uncheckedCoding = coding
    facts.hasUncheckedCoding = coding != nil
  }

  /// Encodes an object, and checks the coding of its class.
  @inline(never)
  func encodeFirst(_ instance: AnyObject, _ type: Pinned<EncoderType>, _ facts: TypeFacts) throws {
    let coding = facts.uncheckedCoding
    (facts.uncheckedCoding, facts.hasUncheckedCoding) = (nil, false)
    let trace = CodingTrace()
    tables.codingTrace = trace
    defer { tables.codingTrace = nil }
    try facts.encodeObject(instance, self, type)
    if let coding { try check(coding, instance, type, trace) }
  }

  private func check(
    _ coding: InheritedCoding, _ instance: AnyObject, _ type: Pinned<EncoderType>, _ trace: CodingTrace
  ) throws {
    // A record with overflow fields has more keys than any class has properties.
    guard let end = type.pointee.predictedEnd, end.pointee.shape == type.pointee.predictedShape else {
      return
    }
    var keys: [String] = []
    var node = end
    while let parent = node.pointee.parent {
      if node.pointee.keyNumber != 0 { keys.append(tables.keys.names[Int(node.pointee.keyNumber) - 1]) }
      node = parent
    }
    let hasOthers = end.pointee.unkeyedCount > 0
    guard let loss = coding.loss(of: instance, keys: keys, hasOthers: hasOthers, trace) else { return }
    let error = GCodableError(
      .classNotConstructible, loss.description, typeName: _typeName(loss.type, qualified: true))
    guard tables.lostClasses == nil else {
      tables.lostClasses?.append(error)
      return
    }
    // The next instance is not the first one.
    facts(type).isCodingKnown = false
    throw failed(error)
  }
}
