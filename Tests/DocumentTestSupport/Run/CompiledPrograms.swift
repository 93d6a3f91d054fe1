import Foundation

/// Programs that have been compiled, each once, and the library that others share.
actor CompiledPrograms {
  static let shared = CompiledPrograms()

  /// Where their files lie until the process ends.
  private static let root: Result<URL, any Error> = Result {
    let root = try temporaryFolder()
    atexit { _ = try? FileManager.default.removeItem(at: CompiledPrograms.root.get()) }
    return root
  }

  private var compilations: [String: Task<URL, any Error>] = [:]
  private var linking: Task<BuildProducts, any Error>?

  /// The products with all objects in one library.
  func linkedProducts() async throws -> BuildProducts {
    if let linking { return try await linking.value }
    let folder = try Self.root.get().appendingPathComponent("library")
    let linking = Task {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      return try await BuildProducts.located.get().linked(in: folder)
    }
    self.linking = linking
    return try await linking.value
  }

  /// The executable file of a program.
  func program(of source: String) async throws -> URL {
    if let compilation = compilations[source] { return try await compilation.value }
    let folder = try Self.root.get().appendingPathComponent("\(compilations.count)")
    let compilation = Task {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      return try await ExampleRunner.compile(source, in: folder)
    }
    compilations[source] = compilation
    return try await compilation.value
  }

  /// A new, empty folder.
  static func temporaryFolder() throws -> URL {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("example-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder
  }
}
