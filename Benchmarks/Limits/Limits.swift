import CGraphArchive
import Foundation

/// The limits of the machine for the bytes of one workload, which no coder can beat.
///
/// The bytes are those of the uncompressed archive. Memory that is called warm has been touched before.
struct Limits {
  let workload: String
  let bytes: () throws -> [UInt8]
  let scratchFolder: URL

  var cases: [MeasuredCase] {
    [freshCopy, warmCopy, hash, compression, expansion, write, synchronizedWrite, read]
  }

  private func label(_ subject: Subject) -> CaseLabel {
    CaseLabel(workload: workload, operation: .limit, subject: subject)
  }

  var freshCopy: MeasuredCase {
    MeasuredCase(label(.freshCopy), prepare: bytes) { bytes in
      Pages(copying: bytes)
    } check: { bytes, pages in
      try require(pages.hasSameBytes(as: bytes))
      return bytes.count
    }
  }

  private var warmCopy: MeasuredCase {
    MeasuredCase(label(.warmCopy)) {
      let bytes = try bytes()
      return (bytes: bytes, pages: Pages(copying: bytes))
    } work: { state in
      state.pages.bytes.copyBytes(from: state.bytes)
    } check: { state, _ in
      try require(state.pages.hasSameBytes(as: state.bytes))
      return state.bytes.count
    }
  }

  /// XXH3 with the widest vectors of the processor, by the C target's thin call.
  private var hash: MeasuredCase {
    MeasuredCase(label(.hash), prepare: bytes) { bytes in
      bytes.withUnsafeBytes { gca_hash64_bytes($0.baseAddress, $0.count) }
    } check: { bytes, _ in
      bytes.count
    }
  }

  private var compression: MeasuredCase {
    MeasuredCase(label(.compression)) {
      try CompressedBytes(bytes())
    } work: { state in
      state.blocks.compress(state.bytes)
    } check: { state, _ in
      state.blocks.expand(into: state.pages)
      return try state.verifiedByteCount()
    }
  }

  private var expansion: MeasuredCase {
    MeasuredCase(label(.expansion)) {
      try CompressedBytes(bytes())
    } work: { state in
      state.blocks.expand(into: state.pages)
    } check: { state, _ in
      try state.verifiedByteCount()
    }
  }

  private var write: MeasuredCase {
    writing(.write, synchronized: false)
  }

  private var synchronizedWrite: MeasuredCase {
    writing(.synchronizedWrite, synchronized: true)
  }

  private func writing(_ subject: Subject, synchronized: Bool) -> MeasuredCase {
    MeasuredCase(label(subject), prepare: bytes) { bytes in
      let file = ScratchFile(in: scratchFolder)
      try file.write(bytes, synchronized: synchronized)
      return file
    } check: { bytes, file in
      try require(file.byteCount == bytes.count)
      return bytes.count
    }
  }

  private var read: MeasuredCase {
    MeasuredCase(label(.read)) {
      let file = ScratchFile(in: scratchFolder)
      try file.write(bytes(), synchronized: true)
      return file
    } work: { file in
      try file.read()
    } check: { _, pages in
      try require(pages.hasSameBytes(as: bytes()))
      return pages.bytes.count
    }
  }
}

/// What LZ4 works on: the bytes, their blocks, and memory to expand into; all of it warm.
private struct CompressedBytes {
  let bytes: [UInt8]
  let pages: Pages
  let blocks: LZ4Blocks

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    pages = Pages(copying: bytes)
    blocks = LZ4Blocks(byteCount: bytes.count)
    blocks.compress(bytes)
  }

  /// The stored size, once the expanded bytes are found to be the same.
  func verifiedByteCount() throws -> Int {
    try require(pages.hasSameBytes(as: bytes))
    return blocks.storedByteCount
  }
}
