import Foundation
import _GraphSupport

// A measurement is its value and its unit: the symbol, the name of the unit's class, and how it converts to
// the base unit. Units are objects, but compared by what they are, so a new one is made; those of fuel
// efficiency, whose conversion is not linear, are found among the ones that Foundation has, by what one of
// them is in the base unit, since two of them have the same symbol. A class of the user's own is the one that
// is asked for when it is decoded.

/// What is stored of a unit.
private struct StoredUnit {
  var symbol: String
  /// The name of a class of Foundation; nil for a class of the user's.
  var className: String?
  /// Coefficient and constant of a linear conversion; one unit in base units, and 0, of a reciprocal one.
  var linear: SIMD2<Double>?

  /// The classes of units that Foundation has, by name.
  private static let classes: [(name: String, type: Unit.Type)] = {
    let dimensions: [Unit.Type] = [
      UnitAcceleration.self, UnitAngle.self, UnitArea.self, UnitConcentrationMass.self, UnitDispersion.self,
      UnitDuration.self, UnitElectricCharge.self, UnitElectricCurrent.self,
      UnitElectricPotentialDifference.self, UnitElectricResistance.self, UnitEnergy.self, UnitFrequency.self,
      UnitFuelEfficiency.self, UnitIlluminance.self, UnitInformationStorage.self, UnitLength.self,
      UnitMass.self, UnitPower.self, UnitPressure.self, UnitSpeed.self, UnitTemperature.self,
      UnitVolume.self, Dimension.self, Unit.self,
    ]
    return dimensions.map { (name(of: $0), $0) }
  }()

  private static func `class`(named name: String) -> Unit.Type? {
    let name = ByteString(name)
    return classes.first { ByteString($0.name) == name }?.type
  }

  /// The same on all platforms, of which some have an `NS` in front.
  private static func name(of type: Unit.Type) -> String {
    let name = _typeName(type, qualified: false)
    return name.hasPrefix("NS") ? String(name.dropFirst(2)) : name
  }

  private static let fuelEfficiencies: [UnitFuelEfficiency] = [
    .litersPer100Kilometers, .milesPerGallon, .milesPerImperialGallon,
  ]

  /// What is to be stored of a unit that will be asked for as `type`.
  init(_ unit: Unit, as type: Unit.Type) throws {
    let dynamicType = Swift.type(of: unit)
    let name = Self.name(of: dynamicType)
    className = Self.class(named: name) == dynamicType ? name : nil
    guard className != nil || dynamicType == type else {
      throw BinaryIOError.invalid(
        type, "a \(dynamicType), which is only decoded as a Measurement<\(dynamicType)>,")
    }
    symbol = unit.symbol
    guard let dimension = unit as? Dimension else { return }
    if let converter = dimension.converter as? UnitConverterLinear {
      linear = [converter.coefficient, converter.constant]
    } else if let fuel = Self.fuelEfficiencies.first(where: { $0.isEqual(unit) }) {
      linear = [fuel.converter.baseUnitValue(fromValue: 1), 0]
    } else {
      throw BinaryIOError.invalid(type, "\(symbol), a unit that does not convert linearly,")
    }
  }

  init(symbol: String, className: String?, linear: SIMD2<Double>?) {
    self.symbol = symbol
    self.className = className
    self.linear = linear
  }

  /// The unit; nil where there is none such of class `Result`.
  func unit<Result: Unit>(_ type: Result.Type) -> Result? {
    var unitClass: Unit.Type = Result.self
    if let className {
      guard let known = Self.class(named: className) else { return nil }
      unitClass = known
    }
    guard let dimensionClass = unitClass as? Dimension.Type else {
      guard linear == nil else { return nil }
      return unitClass.init(symbol: symbol) as? Result
    }
    guard let linear else { return nil }
    if dimensionClass == UnitFuelEfficiency.self {
      let symbol = ByteString(symbol)
      let known = Self.fuelEfficiencies.first {
        ByteString($0.symbol) == symbol && $0.converter.baseUnitValue(fromValue: 1) == linear.x
      }
      if let known { return known as? Result }
    }
    let converter = UnitConverterLinear(coefficient: linear.x, constant: linear.y)
    return dimensionClass.init(symbol: symbol, converter: converter) as? Result
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Measurement: GEncodable, GDecodable {
  /// - Throws: `invalidValue` for a unit that could not be decoded: of a class of the user's other than
  ///   `UnitType` itself, or of one with a conversion of its own.
  public func encode(to encoder: GEncoder) throws {
    let stored = try StoredUnit(unit, as: UnitType.self)
    try encoder.encodeOutOfLine(value, for: .value)
    try encoder.encodeOutOfLine(stored.symbol, for: .symbol)
    try encoder.encodeOutOfLine(ifPresent: stored.className, for: .unitClass)
    try encoder.encodeOutOfLine(ifPresent: stored.linear, for: .linear)
  }

  public init(from decoder: GDecoder) throws {
    try decoder.takeBox()
    let value: Double = try decoder.decodeOutOfLine(for: .value)
    let stored = StoredUnit(
      symbol: try decoder.decodeOutOfLine(for: .symbol),
      className: try decoder.decodeOutOfLine(ifPresent: .unitClass),
      linear: try decoder.decodeOutOfLine(ifPresent: .linear))
    guard let unit = stored.unit(UnitType.self) else {
      throw decoder.typeMismatch(
        Self.self,
        "the archive has the unit \(Quotation(stored.symbol)) of class \(Quotation(stored.className ?? "unknown"))"
      )
    }
    self.init(value: value, unit: unit)
  }
}

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension Measurement: BinaryOType, BinaryIType {
  public func write(to wbuffer: inout BinaryWriteBuffer) throws {
    let stored = try StoredUnit(unit, as: UnitType.self)
    value.write(to: &wbuffer)
    stored.symbol.write(to: &wbuffer)
    try stored.className.write(to: &wbuffer)
    try stored.linear.write(to: &wbuffer)
  }

  public init(from rbuffer: inout BinaryReadBuffer) throws {
    try rbuffer.takeBox()
    let value = try Double(from: &rbuffer)
    let stored = StoredUnit(
      symbol: try String(from: &rbuffer), className: try String?(from: &rbuffer),
      linear: try SIMD2<Double>?(from: &rbuffer))
    guard let unit = stored.unit(UnitType.self) else {
      throw BinaryIOError.invalid(Self.self, "a unit \(Quotation(stored.symbol))")
    }
    self.init(value: value, unit: unit)
  }
}
