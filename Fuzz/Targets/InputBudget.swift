/// What an input may cost, by its size.
public struct InputBudget: Sendable {
  /// Bytes of memory, beyond those that are alive before: free ones, and for each byte of the input.
  ///
  /// A value may take 64 MiB (see `GraphDecoder.Limits.elementByteRatio`), and there is its archive, which it goes round by. For each byte
  /// that is stored, a value may take 528, a table of eight objects 320, and what it expands to 255.
  public static let (freeByteCount, byteRatio) = (80 << 20, 1_104)

  /// Nanoseconds of processor time, with sanitizers, which take five to ten times as much: free ones, and for each byte of the
  /// input.
  ///
  /// An archive may take two million steps, of 30 ns and more each, and its value goes round.
  public static let (freeTime, timeRatio) = (2_500_000_000, 100_000)

  /// The memory that an input of some bytes may take.
  public static func byteCount(of inputCount: Int) -> Int { freeByteCount + inputCount * byteRatio }

  /// The time that an input of some bytes may take, in nanoseconds.
  public static func time(of inputCount: Int) -> Int { freeTime + inputCount * timeRatio }
}
