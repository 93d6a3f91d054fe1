import _GraphSupport

/// Which keys the classes of an archive defer, as far as the decoder has met them.
///
/// The archive does not record this. Objects reached only through deferred fields need not be prebuilt;
/// trying would often fail, because what they need is still being made.
struct DeferredKeys {
  /// By the numbers of class and key: whether the last record with the key has deferred it.
  private var keys: [UInt64: Bool] = [:]

  /// How many keys have been deferred at least once.
  var count: Int { keys.count }

  private func lookupKey(_ keyNumber: UInt32, _ shape: Pinned<DecoderShape>) -> UInt64 {
    UInt64(shape.pointee.classNumber) << 32 | UInt64(keyNumber)
  }

  /// Notes that a key was decoded or deferred, as the new token of its field tells.
  mutating func note(_ token: UInt64, _ keyNumber: UInt32, _ shape: Pinned<DecoderShape>) {
    let key = lookupKey(keyNumber, shape)
    if FieldToken.isDeferred(token) {
      keys[key] = true
    } else if !keys.isEmpty, keys[key] != nil {
      keys[key] = false
    }
  }

  /// Whether a field was deferred when it was last met in a record of the same shape or, failing that, of the
  /// same class.
  func contains(_ part: GraphCursor.Part, _ shape: Pinned<DecoderShape>) -> Bool {
    if let token = part.field?.pointee.token, token != FieldToken.unbound {
      return FieldToken.isDeferred(token)
    }
    return !keys.isEmpty && keys[lookupKey(part.keyNumber, shape)] == true
  }
}
