import CFuzzer
import FuzzTargets

/// libFuzzer's own mutations, for bytes without checksums.
private func mutate(_ bytes: inout [UInt8], _ maximumCount: Int) {
  let count = bytes.count
  guard maximumCount > 0, count <= maximumCount else { return }
  bytes += repeatElement(0, count: maximumCount - count)
  let newCount = bytes.withUnsafeMutableBufferPointer {
    LLVMFuzzerMutate($0.baseAddress, count, maximumCount)
  }
  bytes.removeSubrange(newCount...)
}

private func put(_ bytes: [UInt8], to start: UnsafeMutablePointer<UInt8>) -> Int {
  bytes.withUnsafeBufferPointer { start.update(from: $0.baseAddress!, count: $0.count) }
  return bytes.count
}

/// Changes an input so that its checksums match.
@_cdecl("LLVMFuzzerCustomMutator")
public func customMutator(
  _ start: UnsafeMutablePointer<UInt8>, _ count: Int, _ maximumCount: Int, _ seed: CUnsignedInt
) -> Int {
  // Now and then the checksums are left as they are.
  guard seed % 50 != 0 else { return LLVMFuzzerMutate(start, count, maximumCount) }
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let mutant: [UInt8]?
  switch target.form {
  case .bytes: mutant = nil
  case .archive:
    var mutator = ArchiveMutator(seed: UInt64(seed), maximumCount: maximumCount, mutate: mutate)
    mutant = mutator.next(bytes)
  case .series:
    var mutator = SeriesMutator(seed: UInt64(seed), maximumCount: maximumCount, mutate: mutate)
    mutant = mutator.next(bytes)
  }
  guard let mutant, !mutant.isEmpty else { return LLVMFuzzerMutate(start, count, maximumCount) }
  return put(mutant, to: start)
}

/// Makes one input of two.
@_cdecl("LLVMFuzzerCustomCrossOver")
public func customCrossOver(
  _ one: UnsafePointer<UInt8>, _ oneCount: Int, _ other: UnsafePointer<UInt8>, _ otherCount: Int,
  _ out: UnsafeMutablePointer<UInt8>, _ maximumCount: Int, _ seed: CUnsignedInt
) -> Int {
  let one = Array(UnsafeBufferPointer(start: one, count: oneCount))
  let other = Array(UnsafeBufferPointer(start: other, count: otherCount))
  let mutator = ArchiveMutator(seed: UInt64(seed), maximumCount: maximumCount, mutate: mutate)
  if target.form == .archive, let crossed = mutator.cross(one, other) { return put(crossed, to: out) }
  // The start of one and the end of the other; nothing says that it is wrong.
  guard !one.isEmpty, !other.isEmpty else { return 0 }
  let joined = one.prefix(Int(seed) % (one.count + 1)) + other.suffix(Int(seed / 7) % (other.count + 1))
  return joined.isEmpty ? 0 : put(Array(joined.prefix(maximumCount)), to: out)
}
