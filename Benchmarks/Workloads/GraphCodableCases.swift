import Foundation
import GraphCodable

/// A model, made when it is first asked for, and the archives of it.
final class GraphFixture<Model: GCodable> {
  private let makeModel: () throws -> Model
  private var archives: [GraphVariant: [UInt8]] = [:]
  private lazy var cachedModel = Result { try makeModel() }

  init(_ makeModel: @escaping () throws -> Model) {
    self.makeModel = makeModel
  }

  func model() throws -> Model {
    try cachedModel.get()
  }

  func archive(_ variant: GraphVariant) throws -> [UInt8] {
    if let archive = archives[variant] { return archive }
    let archive = try variant.encode(model())
    archives[variant] = archive
    return archive
  }
}

/// The measurements of GraphCodable itself.
struct GraphCodableCases<Model: GCodable> {
  let workload: String
  let fixture: GraphFixture<Model>
  let scratchFolder: URL
  /// Whether a decoded model (second) equals the model, structure included.
  let isSame: (Model, Model) -> Bool

  var cases: [MeasuredCase] {
    GraphVariant.allCases.flatMap { [encoding($0), decoding($0), saving($0), loading($0)] }
  }

  private func label(_ operation: Operation, _ variant: GraphVariant) -> CaseLabel {
    CaseLabel(workload: workload, operation: operation, subject: variant.subject)
  }

  private func encoding(_ variant: GraphVariant) -> MeasuredCase {
    MeasuredCase(label(.encode, variant), prepare: fixture.model) { model in
      try variant.encode(model)
    } check: { model, bytes in
      try require(isSame(model, variant.decode(Model.self, from: bytes)))
      return bytes.count
    }
  }

  private func decoding(_ variant: GraphVariant) -> MeasuredCase {
    MeasuredCase(label(.decode, variant)) {
      try fixture.archive(variant)
    } work: { bytes in
      try variant.decode(Model.self, from: bytes)
    } check: { bytes, decoded in
      try require(isSame(fixture.model(), decoded))
      return bytes.count
    }
  }

  private func saving(_ variant: GraphVariant) -> MeasuredCase {
    MeasuredCase(label(.save, variant), prepare: fixture.model) { model in
      let file = ScratchFile(in: scratchFolder)
      try variant.write(model, to: file.url)
      return file
    } check: { model, file in
      try require(isSame(model, variant.read(Model.self, from: file.url)))
      return file.byteCount ?? 0
    }
  }

  private func loading(_ variant: GraphVariant) -> MeasuredCase {
    MeasuredCase(label(.load, variant)) {
      let file = ScratchFile(in: scratchFolder)
      try variant.write(fixture.model(), to: file.url)
      return file
    } work: { file in
      try variant.read(Model.self, from: file.url)
    } check: { file, decoded in
      try require(isSame(fixture.model(), decoded))
      return file.byteCount ?? 0
    }
  }
}
