import Foundation
import GraphCodable

/// A model, made when it is first asked for, and the archive of it that was asked for last.
final class GraphFixture<Model: GCodable> {
  private let makeModel: () throws -> Model
  private var latest: (variant: GraphVariant, archive: [UInt8])?
  private lazy var cachedModel = Result { try makeModel() }

  init(_ makeModel: @escaping () throws -> Model) {
    self.makeModel = makeModel
  }

  func model() throws -> Model {
    try cachedModel.get()
  }

  func archive(_ variant: GraphVariant) throws -> [UInt8] {
    if let latest, latest.variant == variant { return latest.archive }
    latest = nil
    let archive = try variant.encode(model())
    latest = (variant, archive)
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

  /// In memory.
  func codingCases(_ variants: [GraphVariant]) -> [MeasuredCase] {
    variants.flatMap { [encoding($0), decoding($0)] }
  }

  /// With files.
  func fileCases(_ variants: [GraphVariant]) -> [MeasuredCase] {
    variants.flatMap { [saving($0), loading($0)] }
  }

  /// To a file that is in the system's memory when the time is taken.
  var unsynchronizedSaving: [MeasuredCase] {
    guard DeviceSync.canBeSkipped else { return [] }
    let label = CaseLabel(workload: workload, operation: .save, subject: .graphNoneUnsynchronized)
    return [saving(label, .none) { try DeviceSync.skipping($0) }]
  }

  private func label(_ operation: Operation, _ variant: GraphVariant) -> CaseLabel {
    CaseLabel(workload: workload, operation: operation, subject: variant.subject)
  }

  func encoding(_ variant: GraphVariant) -> MeasuredCase {
    MeasuredCase(
      label(.encode, variant), stackByteCount: variant.stackByteCount, prepare: fixture.model
    ) { model in
      try variant.encode(model)
    } check: { model, bytes in
      try require(isSame(model, variant.decode(Model.self, from: bytes)))
      return bytes.count
    }
  }

  private func decoding(_ variant: GraphVariant) -> MeasuredCase {
    MeasuredCase(label(.decode, variant), stackByteCount: variant.stackByteCount) {
      try fixture.archive(variant)
    } work: { bytes in
      try variant.decode(Model.self, from: bytes)
    } check: { bytes, decoded in
      try require(isSame(fixture.model(), decoded))
      return bytes.count
    }
  }

  private func saving(_ variant: GraphVariant) -> MeasuredCase {
    saving(label(.save, variant), variant) { try $0() }
  }

  private func saving(
    _ label: CaseLabel, _ variant: GraphVariant, _ perform: @escaping (() throws -> Void) throws -> Void
  ) -> MeasuredCase {
    MeasuredCase(label, prepare: fixture.model) { model in
      let file = ScratchFile(in: scratchFolder)
      try perform { try variant.write(model, to: file.url) }
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

extension GraphWorkload {
  /// The measurements of GraphCodable, and a copy of the archive; in detail also those of files, and the machine's
  /// other limits for the bytes of the archive.
  func graphCases(_ fixture: GraphFixture<Model>) -> [MeasuredCase] {
    let library = GraphCodableCases(
      workload: name, fixture: fixture, scratchFolder: options.scratchFolder, isSame: Self.isSame)
    let coding = library.codingCases(GraphVariant.standard)
    let limits = Limits(
      workload: name, bytes: { try fixture.archive(.none) }, scratchFolder: options.scratchFolder)
    guard options.isDetailed else { return coding + [limits.freshCopy] }
    return coding + library.fileCases(GraphVariant.standard) + limits.cases
  }
}
