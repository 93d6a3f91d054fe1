import CGraphArchive

/// How the elements of an array are rounded in place: each of their floating-point numbers.
package struct Rounding {
  private let numbers: [Number]
  /// From one element to the next, or from one number to the next if there is nothing else.
  private let stride: Int

  private struct Number {
    let offset: Int
    let kernel: gca_rounding
  }

  /// Whether elements have floating-point numbers.
  ///
  /// - Parameter layout: the fields of packed structs; nil for other elements.
  package static func changes(_ format: PackedFormat, _ layout: Contents.Layout?) -> Bool {
    (layout?.formats ?? [format]).contains { $0.floatByteCount != nil }
  }

  /// Nil where nothing changes.
  ///
  /// - Parameter layout: the fields of packed structs; nil for other elements.
  package init?(_ precision: GPrecision, _ format: PackedFormat, _ layout: Contents.Layout?) {
    if let layout { self.init(precision, layout) } else { self.init(precision, format) }
  }

  /// Nil where nothing changes.
  package init?(_ precision: GPrecision, _ format: PackedFormat) {
    guard let width = format.floatByteCount,
      let kernel = precision.rounding(byteCount: width, toPowerOfTwo: false)
    else { return nil }
    (numbers, stride) = ([Number(offset: 0, kernel: kernel)], width)
  }

  /// For packed structs.
  ///
  /// The step of an absolute precision is a power of two: the rounded numbers end with zero bits.
  package init?(_ precision: GPrecision, _ layout: Contents.Layout) {
    var numbers: [Number] = []
    for (format, offset) in zip(layout.formats, layout.offsets) {
      guard let width = format.floatByteCount,
        let kernel = precision.rounding(byteCount: width, toPowerOfTwo: true)
      else { continue }
      for lane in 0..<format.laneCount {
        numbers.append(Number(offset: offset + lane * width, kernel: kernel))
      }
    }
    guard !numbers.isEmpty else { return nil }
    (self.numbers, stride) = (numbers, layout.elementByteCount)
  }

  /// Rounds whole elements.
  package func apply(to elements: UnsafeMutableRawBufferPointer) {
    guard let bytes = unsafe elements.bytes else { return }
    for number in numbers {
      var kernel = number.kernel
      // Each number lies in its element.
      unsafe gca_round(
        bytes + number.offset, elements.count / stride, stride, &kernel, gca_vectors_best())
    }
  }
}

extension PackedFormat {
  /// Bytes of a scalar if it is a floating-point number; nil for others.
  var floatByteCount: Int? {
    switch scalar {
    case .float16: 2
    case .float32: 4
    case .float64: 8
    default: nil
    }
  }
}

extension GPrecision {
  /// Reads it from the first filter in the header of a segment.
  init?(_ filter: Segment.Filter) {
    if filter.isQuantised {
      self = .absolute(Double(bitPattern: filter.argument))
      return
    }
    guard filter.isNote else { return nil }
    switch gca_precision_mode(rawValue: filter.parameter) {
    case GCA_PRECISION_ABSOLUTE: self = .absolute(Double(bitPattern: filter.argument))
    case GCA_PRECISION_RELATIVE: self = .relative(Double(bitPattern: filter.argument))
    default: self = .bits(Int(truncatingIfNeeded: filter.argument))  // A filter that is known has 1 to 52.
    }
  }

  /// The filter that turns numbers of some bytes into integers; nil if the precision needs none, or cannot have one.
  func quantised(byteCount: Int) -> Segment.Filter? {
    guard case .absolute(let bound) = mode, let (_, bits) = Self.grid(bound, byteCount) else { return nil }
    return .quantised(width: byteCount, bits: bits, bound: bound)
  }

  /// How numbers of some bytes are rounded in place; nil if they stay unchanged.
  fileprivate func rounding(byteCount: Int, toPowerOfTwo: Bool) -> gca_rounding? {
    var rounding = gca_rounding()
    rounding.width = UInt8(byteCount)
    let mantissa = byteCount == 2 ? 10 : byteCount == 4 ? 23 : 52
    switch mode {
    case .absolute(let bound) where byteCount == 2:
      rounding.exponent = Int16(clamping: bound.exponent + 1)
      return rounding.exponent > -24 ? rounding : nil
    case .absolute(let bound):
      guard let grid = toPowerOfTwo ? Self.gridOfPowerOfTwo(bound, byteCount) : Self.grid(bound, byteCount)?.0
      else { return nil }
      rounding.grid = grid
      return rounding
    case .relative(let bound):
      var bits = 0
      while bits < mantissa, Double(sign: .plus, exponent: -bits - 1, significand: 1) > bound { bits += 1 }
      guard bits < mantissa else { return nil }
      rounding.dropped = UInt8(mantissa - bits)
      return rounding
    case .bits(let bits):
      guard bits < mantissa else { return nil }
      rounding.dropped = UInt8(mantissa - bits)
      return rounding
    }
  }

  /// The multiples of a step that numbers are rounded to, and as how many bits of steps.
  ///
  /// The step is less than twice the bound, by a 64th: half a step, and half the distance between neighbouring numbers of
  /// the type, which is at most a 128th of a step below 2^17 (2^44) steps, are within the bound together. See 0027.
  private static func grid(_ bound: Double, _ byteCount: Int) -> (gca_grid, UInt32)? {
    var grid = gca_grid()
    let step = gca_step(bound)
    // Fewer where the largest number of steps would be too large a number.
    for bits in (1...(byteCount == 4 ? 17 : 44)).reversed()
    where unsafe gca_grid_make(&grid, byteCount, step, UInt32(bits)) {
      return (grid, UInt32(bits))
    }
    return nil
  }

  private static func gridOfPowerOfTwo(_ bound: Double, _ byteCount: Int) -> gca_grid? {
    var grid = gca_grid()
    let step = Double(sign: .plus, exponent: bound.exponent + 1, significand: 1)
    for bits in (1...(byteCount == 4 ? 22 : 51)).reversed()
    where unsafe gca_grid_make(&grid, byteCount, step, UInt32(bits)) {
      return grid
    }
    return nil
  }
}
