import GraphCodable
import Foundation

@testable import _GraphCoding
@testable import _GraphFiles
@testable import _GraphMaintenance
@testable import _GraphReading
@testable import _GraphStorage
@testable import _GraphSupport

extension FuzzTarget {
  /// Manifests of a set whose parts are always the same: the set is opened, verified, and its arrays are read.
  static let set = FuzzTarget(
    name: "set", form: .archive, seeds: { [try SetFiles.made.get().manifest] },
    run: { manifest in
      let files = try SetFiles.made.get()
      try withPlace { folder in
        try files.write(to: folder, manifest)
        try accepts("set") {
          let set = try GraphArchiveSet(folder)
          try accepts("verification") { try set.verify() }
          for number in 0..<min(set.partCount, 3) { try accepts("part") { _ = try set.part(number) } }
          for array in set.arrays.prefix(4) {
            try accepts("array") {
              let view: GraphSetArrayView<Double> = try set.array(array.name)
              // One of a forged shape may be as large as it says.
              guard view.count <= 1 << 20 else { return }
              guard try view.elements().count == view.count else {
                throw Finding("an array has another count than elements")
              }
            }
          }
        }
      }
    })
}

/// The files of a small set with an array along its parts, and one across them.
private struct SetFiles: Sendable {
  /// Once for all runs; always the same bytes.
  static let made = Result { try SetFiles() }

  private var parts: [String: Data] = [:]
  let manifest: Bytes

  private init() throws {
    (parts, manifest) = try withPlace { folder in
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      let token = "fuzz"
      let receipts = try (0..<2).map { number in
        try GraphArchiveSet.Writer(folder, token: token).part(number, of: 2).write(
          [[Double]](repeating: (0..<10).map(Double.init), count: 4),
          arrays: [
            .init("rows", at: "", globalShape: [8, 10], offset: [4 * number, 0]),
            .init("columns", at: "", globalShape: [4, 20], offset: [0, 10 * number]),
          ])
      }
      var manifest = SetManifest(token: token, step: 3, time: 0.5, metadata: ["a": "b"])
      try manifest.take(receipts)
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      let parts = try names.map { ($0, try Data(contentsOf: folder.appendingPathComponent($0))) }
      return (Dictionary(uniqueKeysWithValues: parts), try SetManifest.encoder.encode(manifest))
    }
  }

  func write(to folder: URL, _ manifest: Bytes) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for (name, data) in parts { try data.write(to: folder.appendingPathComponent(name)) }
    try Data(manifest).write(to: folder.appendingPathComponent(SetNames.manifest))
  }
}
