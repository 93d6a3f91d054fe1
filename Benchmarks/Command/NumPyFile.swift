import Foundation

/// An array in a `.npy` file: its shape, the name of its type, and its bytes.
struct NumPyFile {
  /// As NumPy says it, such as `<f4`.
  let type: String
  let shape: [Int]
  private let contents: Data

  init(_ url: URL) throws {
    let file = try Data(contentsOf: url)
    func refuse(_ reason: String) -> Refusal { Refusal(name: url.lastPathComponent, reason: reason) }
    guard file.count >= 10, file.starts(with: Data([0x93]) + Data("NUMPY".utf8)) else {
      throw refuse("is no .npy file")
    }
    // The count of the header's bytes takes two bytes in version 1, and four later.
    let start = file[6] == 1 ? 10 : 12
    let byteCount = file[8..<min(start, file.count)].reversed().reduce(0) { $0 << 8 | Int($1) }
    guard byteCount <= file.count - start else { throw refuse("ends within its header") }
    let header = String(decoding: file[start..<(start + byteCount)], as: UTF8.self)
    guard let type = header.firstMatch(of: /'descr': *'([^']*)'/)?.1,
      let order = header.firstMatch(of: /'fortran_order': *(True|False)/)?.1,
      let shape = header.firstMatch(of: /'shape': *\(([0-9, ]*)\)/)?.1
    else { throw refuse("has a header with no type, order or shape, or a type with fields") }
    guard order == "False" else { throw refuse("has its elements in Fortran's order") }
    self.type = String(type)
    self.shape = shape.split { ", ".contains($0) }.compactMap { Int($0) }
    guard !self.shape.isEmpty else { throw refuse("has a number, and no array") }
    contents = file[(start + byteCount)...]
    guard let width = type.last?.wholeNumberValue, let count = Self.product(self.shape),
      case (let expected, false) = count.multipliedReportingOverflow(by: width), contents.count == expected
    else { throw refuse("has \(contents.count) bytes, which \(type) of shape \(self.shape) do not take") }
  }

  /// Copies the elements, of a type as wide as that of the file.
  func elements<Element: BitwiseCopyable>(as element: Element.Type) -> [Element] {
    let count = contents.count / MemoryLayout<Element>.stride
    return [Element](unsafeUninitializedCapacity: count) { buffer, initializedCount in
      contents.copyBytes(to: UnsafeMutableRawBufferPointer(buffer))
      initializedCount = count
    }
  }

  private static func product(_ shape: [Int]) -> Int? {
    shape.reduce(1) { product, length in
      guard let product, case (let next, false) = product.multipliedReportingOverflow(by: length) else {
        return nil
      }
      return next
    }
  }

  /// Why a file cannot be measured.
  struct Refusal: Error, CustomStringConvertible {
    let name: String
    let reason: String

    var description: String { "\(name) \(reason)" }
  }
}
