import GraphCodable

/// A filter of a segment, by its definition.
struct PlainFilter {
  var number: UInt8
  var width: UInt8 = 0
  var reserved: UInt16 = 0
  var parameter: UInt32
  var argument: UInt64 = 0

  static func shuffle(_ groupByteCount: UInt32) -> Self { Self(number: 1, parameter: groupByteCount) }
  static func bits(_ groupByteCount: UInt32) -> Self { Self(number: 2, parameter: groupByteCount) }
  static func delta(_ width: UInt8, lag: UInt32, first: UInt64 = 0) -> Self {
    Self(number: 3, width: width, parameter: lag, argument: first)
  }
  static func quantised(_ width: UInt8, bits: UInt32, bound: Double) -> Self {
    Self(number: 4, width: width, parameter: bits, argument: bound.bitPattern)
  }
  static func rounded(_ mode: UInt32, _ argument: UInt64) -> Self {
    Self(number: 5, parameter: mode, argument: argument)
  }

  /// As the header of a segment has it.
  var bytes: Bytes { [number, width] + little(reserved) + little(parameter) + little(argument) }

  /// Whether version 1 has the filter.
  var isKnown: Bool { (1...5).contains(number) && reserved == 0 }

  /// What rule S4 says of a filter alone.
  var isValid: Bool {
    guard reserved == 0 else { return false }
    let number = Double(bitPattern: argument)
    switch self.number {
    case 1: return width == 0 && argument == 0 && (2...255).contains(parameter)
    case 2: return width == 0 && argument == 0 && (1...255).contains(parameter)
    case 3: return [1, 2, 4, 8].contains(width) && (1...1 << 20).contains(parameter) && argument < parameter
    case 4:
      guard step >= 0x1p-1022, step <= 0x1p1000, parameter >= 1 else { return false }
      if width == 4 { return parameter <= 17 && (0x1p-126...0x1p127).contains(threshold) }
      return width == 8 && parameter <= 44 && (0x1p-1022...0x1p1023).contains(threshold)
    case 5:
      return width == 0
        && (parameter == 3
          ? (1...52).contains(argument) : (1...2).contains(parameter) && number > 0 && number.isFinite)
    default: return false
    }
  }

  // MARK: What it does

  func applied(_ bytes: Bytes) -> Bytes {
    switch number {
    case 1: shuffled(bytes, Int(parameter))
    case 2: bitsMoved(bytes) { ($1, $0) }
    case 3: words(bytes, predicting: { source, _, index in source[index] }) { self.zigzag($0 &- $1) }
    case 4: words(bytes, predicting: { _, _, _ in 0 }) { word, _ in self.code(word) }
    default: bytes
    }
  }

  func undone(_ bytes: Bytes) -> Bytes {
    switch number {
    case 1: unshuffled(bytes, Int(parameter))
    case 2: bitsMoved(bytes) { ($0, $1) }
    case 3: words(bytes, predicting: { _, result, index in result[index] }) { self.unzigzag($0) &+ $1 }
    case 4: words(bytes, predicting: { _, _, _ in 0 }) { word, _ in self.value(word) }
    default: bytes
    }
  }

  /// Moves bits between the elements and the planes: from the second place to the first.
  private func bitsMoved(_ bytes: Bytes, _ places: (_ element: Int, _ plane: Int) -> (Int, Int)) -> Bytes {
    let count = bytes.count / Int(parameter) / 8 * 8
    var result = Bytes(repeating: 0, count: count * Int(parameter)) + bytes[(count * Int(parameter))...]
    for index in 0..<count {
      for bit in 0..<(8 * Int(parameter)) {
        let (to, from) = places(index * 8 * Int(parameter) + bit, bit * count + index)
        result[to / 8] |= (bytes[from / 8] >> UInt8(from % 8) & 1) << UInt8(to % 8)
      }
    }
    return result
  }

  /// Changes integer by integer, each together with the one that a lag leads to.
  private func words(
    _ bytes: Bytes, predicting: (_ source: [UInt64], _ result: [UInt64], Int) -> UInt64,
    _ change: (UInt64, UInt64) -> UInt64
  ) -> Bytes {
    let size = Int(width)
    let source = stride(from: 0, to: bytes.count / size * size, by: size).map { start in
      bytes[start..<(start + size)].reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
    }
    var result: [UInt64] = []
    for (index, word) in source.enumerated() {
      let lag =
        index >= Int(parameter) ? Int(parameter) : argument > 0 && index >= Int(argument) ? Int(argument) : 0
      result.append(
        change(word, lag == 0 || number == 4 ? 0 : predicting(source, result, index - lag)) & mask)
    }
    return result.flatMap { Bytes(little($0).prefix(size)) } + bytes[(source.count * size)...]
  }

  private var mask: UInt64 { .max >> UInt64(64 - 8 * Int(width)) }
  private var signBit: UInt64 { 1 << UInt64(8 * Int(width) - 1) }

  private func zigzag(_ difference: UInt64) -> UInt64 {
    difference & signBit == 0 ? difference << 1 : ~(difference << 1)
  }

  private func unzigzag(_ word: UInt64) -> UInt64 { word & 1 == 0 ? word >> 1 : ~(word >> 1) }

  // MARK: Differences to another block

  /// What the integers of a block differ by from those of another one.
  static func differences(of bytes: Bytes, to other: Bytes, width: UInt8) -> Bytes {
    between(bytes, other, width) { $0.zigzag($1 &- $2) }
  }

  /// The block that differs so from another one.
  static func sum(of differences: Bytes, and other: Bytes, width: UInt8) -> Bytes {
    between(differences, other, width) { $0.unzigzag($1) &+ $2 }
  }

  private static func between(
    _ bytes: Bytes, _ other: Bytes, _ width: UInt8, _ change: (Self, UInt64, UInt64) -> UInt64
  ) -> Bytes {
    // A lag that leads to the other block.
    let (rest, count) = (bytes.count % Int(width), bytes.count / Int(width))
    guard count > 0 else { return bytes }
    let filter = delta(width, lag: UInt32(count))
    let both = Bytes(other.dropLast(rest)) + Bytes(bytes.dropLast(rest))
    let changed = filter.words(both, predicting: { source, _, index in source[index] }) { word, before in
      change(filter, word, before)
    }
    return Bytes(changed.dropFirst(count * Int(width))) + Bytes(bytes.suffix(rest))
  }

  // MARK: Quantised numbers

  private var step: Double { Double(bitPattern: argument) * 63 / 32 }
  private var most: UInt64 { 1 << UInt64(parameter) }
  private var threshold: Double { Double(most) * step }
  private var thresholdBits: UInt64 {
    width == 4 ? UInt64(Float(threshold).bitPattern) : threshold.bitPattern
  }

  private func code(_ bits: UInt64) -> UInt64 {
    let size = bits & (signBit - 1)
    let number = width == 4 ? Double(Float(bitPattern: UInt32(size))) : Double(bitPattern: size)
    let code =
      size < thresholdBits
      ? UInt64((number * (1 / step)).rounded(.toNearestOrEven)) : size - thresholdBits + most
    return bits & signBit == 0 ? code : ~code
  }

  private func value(_ word: UInt64) -> UInt64 {
    let sign = word & signBit
    let code = (sign == 0 ? word : ~word) & (signBit - 1)
    guard code <= most else { return sign | ((code &- most &+ thresholdBits) & (signBit - 1)) }
    let number = Double(code) * step
    return sign | (width == 4 ? UInt64(Float(number).bitPattern) : number.bitPattern)
  }
}
