// Saves in the background while the model goes on changing, shows progress, and cancels a second save.
//
//   swift run -c release --package-path Examples BackgroundSaving [MB]

import Foundation
import GraphCodable

/// Something that takes a while to save.
final class Field: GCodable {
  var step = 0
  var values: [Double]

  init(count: Int) { values = (0..<count).map { sin(Double($0) * 0.37) } }

  private enum Key: String { case step, values }

  func encode(to encoder: GEncoder) throws {
    try encoder.encode(step, for: Key.step)
    try encoder.encode(values, for: Key.values)
  }

  init(from decoder: GDecoder) throws {
    step = try decoder.decode(for: Key.step)
    values = try decoder.decode(for: Key.values)
  }
}

@main @MainActor enum BackgroundSaving {
  static func main() async throws {
    let size = CommandLine.arguments.dropFirst().first.flatMap(Int.init) ?? 256
    let file = FileManager.default.temporaryDirectory.appendingPathComponent(
      "field-\(UUID().uuidString).gcodable")
    defer { try? FileManager.default.removeItem(at: file) }
    let field = Field(count: size * 125_000)
    try await save(field, to: file) { print("saved \(Int($0 * 100)) %") }
    let saved = try GraphDecoder().read(Field.self, from: file).step
    print("the model is at step \(field.step), the file at step \(saved)")
    let isCancelled = try await cancelSave(of: field, to: file)
    let step = try GraphDecoder().read(Field.self, from: file).step
    print("cancelled: \(isCancelled); the file is still at step \(step)")
  }

  /// Changes the model while it is saved; what is saved is its state before.
  static func save(_ field: Field, to file: URL, report: (Double) -> Void) async throws {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let saving = try GraphEncoder().writeInBackground(field, to: file, progress: progress)
    field.step += 1
    var last = 0.0
    while !progress.isFinished, last < 1 {
      field.values[field.step % field.values.count] += 1
      field.step += 1
      if progress.fractionCompleted >= last + 0.25 {
        last = progress.fractionCompleted
        report(last)
      }
      try await Task.sleep(for: .milliseconds(1))
    }
    try await saving.finish()
  }

  /// Whether the save stopped; the earlier file is as it was then.
  static func cancelSave(of field: Field, to file: URL) async throws -> Bool {
    let progress = Progress.discreteProgress(totalUnitCount: 0)
    let saving = try GraphEncoder().writeInBackground(field, to: file, progress: progress)
    progress.cancel()
    do {
      try await saving.finish()
      return false
    } catch is CancellationError {
      return true
    }
  }
}
