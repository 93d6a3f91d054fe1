import CGraphArchive
import _GraphSupport

extension Segment {
  /// A change of a block's bytes that makes them easier to compress.
  package struct Filter: Equatable {
    var number: UInt8
    /// Bytes of the numbers that it works on; 0 where it takes any bytes.
    var width: UInt8 = 0
    /// What a later version adds to a filter; none are known.
    var flags: UInt16 = 0
    var parameter: UInt32
    var argument: UInt64 = 0

    /// The most that a segment has.
    package static let maximumCount = 4

    /// Puts the first bytes of all elements of `elementByteCount` bytes first, then the second bytes, and so on.
    package static func shuffle(elementByteCount: Int) -> Self {
      Self(number: UInt8(GCA_FILTER_BYTE_SHUFFLE.rawValue), parameter: UInt32(elementByteCount))
    }

    /// Puts the lowest bits of all elements of `elementByteCount` bytes first, then the bits above, and so on.
    package static func bitShuffle(elementByteCount: Int) -> Self {
      Self(number: UInt8(GCA_FILTER_BIT_SHUFFLE.rawValue), parameter: UInt32(elementByteCount))
    }

    /// Takes from each integer of `width` bytes the one `lag` before it; among the first `lag`, `startLag` before it.
    package static func delta(width: Int, lag: Int, startLag: Int = 0) -> Self {
      Self(
        number: UInt8(GCA_FILTER_DELTA.rawValue), width: UInt8(width), parameter: UInt32(lag),
        argument: UInt64(startLag))
    }

    /// Turns floating-point numbers into integers: their numbers of steps.
    ///
    /// - Parameters:
    ///   - bits: more than 2 to the power of this many steps are stored as they are.
    ///   - bound: the largest error, of which the step is made.
    static func quantised(width: Int, bits: UInt32, bound: Double) -> Self {
      Self(
        number: UInt8(GCA_FILTER_QUANTISED.rawValue), width: UInt8(width), parameter: bits,
        argument: bound.bitPattern)
    }

    /// Changes nothing: says to what precision the elements were rounded in place.
    static func note(_ precision: GPrecision) -> Self {
      let number = UInt8(GCA_FILTER_ROUNDED.rawValue)
      return switch precision.mode {
      case .absolute(let bound):
        Self(number: number, parameter: GCA_PRECISION_ABSOLUTE.rawValue, argument: bound.bitPattern)
      case .relative(let bound):
        Self(number: number, parameter: GCA_PRECISION_RELATIVE.rawValue, argument: bound.bitPattern)
      case .bits(let count):
        Self(number: number, parameter: GCA_PRECISION_BITS.rawValue, argument: UInt64(count))
      }
    }

    package var isNote: Bool { number == GCA_FILTER_ROUNDED.rawValue }
    var isBitShuffle: Bool { number == GCA_FILTER_BIT_SHUFFLE.rawValue }
    var isQuantised: Bool { number == GCA_FILTER_QUANTISED.rawValue }

    /// Whether this version of the format has the filter.
    var isKnown: Bool { (Self.knownNumbers ~= UInt32(number)) && flags == 0 }

    /// Whether width, parameter and argument can be those of the filter; they may be anything for an unknown one.
    var isValid: Bool {
      var kernel = kernel
      return unsafe number != 0 && (!isKnown || gca_filter_is_known(&kernel))
    }

    private static let knownNumbers = GCA_FILTER_BYTE_SHUFFLE.rawValue...GCA_FILTER_ROUNDED.rawValue

    /// Whether it can follow other filters; filters of a precision come first.
    func canStand(behind others: [Filter]) -> Bool { others.isEmpty || !(isNote || isQuantised) }

    /// As the C target has it.
    var kernel: gca_filter {
      gca_filter(number: number, width: width, parameter: parameter, argument: argument)
    }
  }

  /// The precision that the elements were rounded to, if they were.
  package var precision: GPrecision? { filters.first.flatMap(GPrecision.init) }

  /// Expands a compressed block, and undoes its filters.
  ///
  /// - Parameters:
  ///   - pastCaches: whether the caches are not to have the result.
  ///   - next: what is read then; nil if nothing is known of it.
  /// - Returns: whether the block could be expanded.
  /// - Throws: `noMemory`.
  func restore(
    _ stored: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer, pastCaches: Bool,
    next: UnsafeRawBufferPointer?, _ scratch: BlockScratch
  ) throws -> Bool {
    let (expanded, spare) = unsafe (scratch.filtered(raw.count), scratch.filteredTwice(raw.count))
    if hasNumbers {
      guard changesBlocks else { return try unsafe expand(stored, into: raw, scratch) }
      guard try unsafe expand(stored, into: expanded, scratch) else { return false }
      unsafe filters.undo(from: UnsafeRawBufferPointer(expanded), into: raw, spare)
      return true
    }
    let kernels = filters.map(\.kernel)
    let use = unsafe gca_memory_use(pastCaches: pastCaches, next: next?.bytes, nextCount: next?.count ?? 0)
    let status = unsafe gca_block_restore(
      raw.bytes, spare.bytes, expanded.bytes, raw.count, stored.bytes, stored.count,
      gca_codec(rawValue: UInt32(codec)), kernels, kernels.count, use, gca_vectors_best())
    return status == GCA_OK
  }

  /// Expands a compressed block, without undoing filters.
  ///
  /// - Returns: whether the block could be expanded.
  /// - Throws: `noMemory`.
  func expand(
    _ stored: UnsafeRawBufferPointer, into raw: UnsafeMutableRawBufferPointer, _ scratch: BlockScratch
  ) throws -> Bool {
    let status =
      if hasNumbers {
        unsafe gca_numbers_expand(
          raw.bytes, raw.count, stored.bytes, stored.count, Int(codecParameter), &scratch.numbers)
      } else {
        unsafe gca_block_expand(
          raw.bytes, raw.count, stored.bytes, stored.count, gca_codec(rawValue: UInt32(codec)))
      }
    if status == GCA_NO_MEMORY { throw GCodableError(.noMemory, "no memory for the tables of a block") }
    return status == GCA_OK
  }

  /// What changes the bytes of a block: nothing does where it is stored as it is.
  func filters(ofBlock index: Int) -> [Filter] { isStored(index) ? [] : filters.filter { !$0.isNote } }

  /// Whether a compressed block is filtered.
  var changesBlocks: Bool { filters.last?.isNote == false }
}

extension [Segment.Filter] {
  /// What makes integers of elements.
  package var quantised: Segment.Filter? { first(where: \.isQuantised) }

  /// What is done to numbers.
  var behindNumbers: [Segment.Filter] { filter { !$0.isQuantised && !$0.isNote } }

  /// By which compressor of the C target a block behind the filters gets its level: the fast one for planes of bits is
  /// another one.
  ///
  /// Whoever makes the stored bytes of a block again asks this, too.
  func kernelLevel(_ level: Int32) -> Int32 {
    level == 0 && last?.isBitShuffle == true ? GCA_LEVEL_PLANES : level
  }

  /// Applies them; all memory is of the same size.
  package func apply(
    to source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    _ spare: UnsafeMutableRawBufferPointer
  ) {
    let kernels = map(\.kernel)
    unsafe gca_filters_apply(
      target.bytes, spare.bytes, source.bytes, source.count, kernels, kernels.count, gca_vectors_best())
  }

  /// Whether they can be applied to one span of a block after the other.
  var takeSpans: Bool {
    let kernels = map(\.kernel)
    return unsafe gca_filters_take_spans(kernels, kernels.count)
  }

  /// Applies them to a span of a block, after all earlier spans; the other memory has the block's size.
  ///
  /// - Precondition: `takeSpans`.
  func apply(
    toSpan span: UnsafeRawBufferPointer, at offset: Int, into target: UnsafeMutableRawBufferPointer,
    _ spare: UnsafeMutableRawBufferPointer
  ) {
    let kernels = map(\.kernel)
    unsafe gca_filters_apply_span(
      target.bytes, spare.bytes, span.bytes, offset, span.count, target.count, kernels, kernels.count,
      gca_vectors_best())
  }

  /// Undoes them in reverse order.
  func undo(
    from source: UnsafeRawBufferPointer, into target: UnsafeMutableRawBufferPointer,
    _ spare: UnsafeMutableRawBufferPointer
  ) {
    let kernels = map(\.kernel)
    unsafe gca_filters_undo(
      target.bytes, spare.bytes, source.bytes, source.count, kernels, kernels.count, gca_vectors_best())
  }
}

extension Segment.Filter: CustomStringConvertible {
  package var description: String {
    switch gca_filter_number(rawValue: UInt32(number)) {
    case GCA_FILTER_BYTE_SHUFFLE: "byte shuffle \(parameter)"
    case GCA_FILTER_BIT_SHUFFLE: "bit shuffle \(parameter)"
    case GCA_FILTER_DELTA: argument == 0 ? "delta \(parameter)" : "delta \(parameter), \(argument) at first"
    case GCA_FILTER_QUANTISED: "quantised \(Double(bitPattern: argument))"
    case GCA_FILTER_ROUNDED: "rounded"
    default: "filter \(number)"
    }
  }
}
