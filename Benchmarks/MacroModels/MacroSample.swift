#if Macros
  import GraphCodableMacros

  /// W9's message, coded by the macro.
  @GCodable package struct MacroSample: Equatable {
    var step: Int
    var particle: Int32
    var x: Double
    var y: Double
    var z: Double
    var velocityX: Double
    var velocityY: Double
    var velocityZ: Double
    var mass: Double
    var charge: Double
    var temperature: Float
    var flags: UInt32

    package init(
      step: Int, particle: Int32, position: SIMD3<Double>, velocity: SIMD3<Double>, mass: Double,
      charge: Double, temperature: Float, flags: UInt32
    ) {
      (self.step, self.particle) = (step, particle)
      (x, y, z) = (position.x, position.y, position.z)
      (velocityX, velocityY, velocityZ) = (velocity.x, velocity.y, velocity.z)
      (self.mass, self.charge) = (mass, charge)
      (self.temperature, self.flags) = (temperature, flags)
    }
  }

  /// A message with texts, and with an array that every second one has.
  @GCodable package struct MacroNotice: Equatable {
    var sample: MacroSample
    var source: String
    var text: String
    var values: [Double]?

    package init(_ sample: MacroSample, source: String, text: String, values: [Double]?) {
      (self.sample, self.source, self.text, self.values) = (sample, source, text, values)
    }
  }
#endif
