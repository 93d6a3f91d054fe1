import FuzzTargets
import Foundation

/// The target that the environment names.
let target: FuzzTarget = {
  let name = ProcessInfo.processInfo.environment["GRAPHCODABLE_FUZZ_TARGET"] ?? ""
  guard let target = FuzzTarget.all.first(where: { $0.name == name }) else {
    fatalError("GRAPHCODABLE_FUZZ_TARGET is one of \(FuzzTarget.all.map(\.name).joined(separator: ", "))")
  }
  return target
}()

/// Writes the seeds of the target into a folder, and ends, if the environment names one.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ argumentCount: UnsafeMutableRawPointer, _ arguments: UnsafeMutableRawPointer
) -> CInt {
  InputCost.begin()
  guard let folder = ProcessInfo.processInfo.environment["GRAPHCODABLE_FUZZ_SEEDS"] else { return 0 }
  do {
    for (number, seed) in try target.seeds().enumerated() {
      try target.run(seed)
      try Data(seed).write(to: URL(fileURLWithPath: folder).appendingPathComponent("seed-\(number)"))
    }
  } catch { fatalError("\(error)") }
  exit(0)
}

/// Reads an input; a finding ends the process, as a crash does.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let input = Array(UnsafeBufferPointer(start: start, count: count))
  do { try InputCost.measure(input).check(input) } catch { fatalError("\(error)") }
  return 0
}
