/// What an input may cost, by its size.
public struct InputBudget: Sendable {
  /// Bytes of memory, beyond those that are alive before: free ones, and for each byte of the input.
  ///
  /// A value may take 64 MiB (see `GraphDecoder.Limits.elementByteRatio`), and goes round: it is there twice, and once as an archive.
  public static let (freeByteCount, byteRatio) = (192 << 20, 1_280)

  /// Nanoseconds of processor time, with sanitizers, which take five to ten times as much: free ones, and for each byte of the
  /// input.
  public static let (freeTime, timeRatio) = (4_000_000_000, 400_000)

  /// The memory that an input of some bytes may take.
  public static func byteCount(of inputCount: Int) -> Int { freeByteCount + inputCount * byteRatio }

  /// The time that an input of some bytes may take, in nanoseconds.
  public static func time(of inputCount: Int) -> Int { freeTime + inputCount * timeRatio }
}
