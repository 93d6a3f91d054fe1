import Foundation

/// The measurements of Foundation's coders on a workload, in the form in which they can keep it.
struct FoundationCases<Form: Codable & Equatable> {
  let workload: String
  /// How much of the workload the form holds.
  var share = 1.0
  let form: () throws -> Form

  var cases: [MeasuredCase] {
    FoundationCoder.allCases.flatMap { [encoding($0), decoding($0)] }
  }

  private func label(_ operation: Operation, _ coder: FoundationCoder) -> CaseLabel {
    CaseLabel(workload: workload, operation: operation, subject: coder.subject)
  }

  private func encoding(_ coder: FoundationCoder) -> MeasuredCase {
    MeasuredCase(label(.encode, coder), share: share, prepare: form) { form in
      try coder.encode(form)
    } check: { form, data in
      try require(coder.decode(Form.self, from: data) == form)
      return data.count
    }
  }

  private func decoding(_ coder: FoundationCoder) -> MeasuredCase {
    MeasuredCase(label(.decode, coder), share: share) {
      try coder.encode(form())
    } work: { data in
      try coder.decode(Form.self, from: data)
    } check: { data, decoded in
      try require(decoded == form())
      return data.count
    }
  }
}

extension Workload {
  /// The measurements of Foundation's coders on `peerCount(count)` of `count` elements, or none where the
  /// workload is too large for them and its standard size shows what there is to see.
  func foundationCases<Form: Codable & Equatable>(
    count: Int, form: @escaping (_ peerCount: Int) throws -> Form
  ) -> [MeasuredCase] {
    guard options.isDetailed || options.size.factor <= 1 else { return [] }
    let peerCount = options.peerCount(count)
    let share = Double(peerCount) / Double(count)
    return FoundationCases(workload: name, share: share) { try form(peerCount) }.cases
  }
}
