import CyclicCoding
import Foundation

extension Workload {
  /// The measurements of `JSONEncoder` after CyclicCoding, on as much as `JSONEncoder` does alone.
  func cyclicCases<Form: Codable & Equatable>(
    count: Int, form: @escaping (_ peerCount: Int) throws -> Form
  ) -> [MeasuredCase] {
    guard options.isDetailed else { return [] }
    let peerCount = options.peerCount(count)
    let share = Double(peerCount) / Double(count)

    func encode(_ form: Form) throws -> Data {
      try JSONEncoder().encode(CyclicEncoder().flatten(form))
    }
    func decode(_ data: Data) throws -> Form {
      try CyclicDecoder().decode(
        Form.self, from: JSONDecoder().decode(FlattenedContainer.self, from: data))
    }

    let encoding = MeasuredCase(label(.encode, .cyclicJSON), share: share) {
      try form(peerCount)
    } work: { form in
      try encode(form)
    } check: { form, data in
      try require(decode(data) == form)
      return data.count
    }
    let decoding = MeasuredCase(label(.decode, .cyclicJSON), share: share) {
      try encode(form(peerCount))
    } work: { data in
      try decode(data)
    } check: { data, decoded in
      try require(decoded == form(peerCount))
      return data.count
    }
    return [encoding, decoding]
  }
}
