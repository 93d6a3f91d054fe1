import Foundation
import _GraphSupport

/// The fields of a struct, made when it is first coded.
final class TypeFields: Sendable {
  // Unchecked, because the compiler cannot check closures and metatypes; these capture no mutable state.
  nonisolated(unsafe) let fields: [ListedField]

  private init(_ type: any GEncodable.Type) {
    var list = _GraphFieldList()
    // Only the macro's code runs here, and its calls never throw: see `_GraphFieldList.add(_:_:missing:)`.
    do { try type._graphAddFields(to: &list) } catch { preconditionFailure("\(type): \(error)") }
    unsafe fields = list.fields
    checkComplete(type)
  }

  /// Looks for gaps between the fields: the properties there would be left without a value.
  ///
  /// A property that fits into padding is not detected.
  ///
  /// - Precondition: all stored properties are in the list.
  private func checkComplete(_ type: any GEncodable.Type) {
    func byteCount<Value>(of type: Value.Type) -> Int { MemoryLayout<Value>.size }
    var end = 0
    // Empty properties have the offset 0, wherever they are declared.
    for field in unsafe fields.filter({ $0.byteCount > 0 }).sortedOutOfLine(by: { $0.offset < $1.offset }) {
      precondition(
        field.offset >= end && field.offset - end < field.alignment,
        "\(type): there is a stored property in front of '\(field.key)' that is not in the list of fields")
      end = field.offset + field.byteCount
    }
    precondition(
      end == byteCount(of: type), "\(type): the last stored property is not in the list of fields")
  }

  private static let lock = NSLock()
  nonisolated(unsafe) private static var known: [ObjectIdentifier: TypeFields] = [:]  // Under the lock.

  /// The list of a type, which lives as long as the process.
  static func of(_ type: any GEncodable.Type) -> TypeFields {
    lock.withLock {
      if let list = unsafe known[ObjectIdentifier(type)] { return list }
      let list = TypeFields(type)
      unsafe known[ObjectIdentifier(type)] = list
      return list
    }
  }
}
