/// Pointers to the arrays of the particles, for loops that several cores run at once.
///
/// Safe because the pointers are used only inside `Particles.withPointers`, which keeps the arrays alive and
/// exclusively accessed, and because every piece of work writes a range of elements of its own.
struct ParticlePointers: @unchecked Sendable {
  let position: VectorPointers
  let velocity: VectorPointers
  let force: VectorPointers
  let species: UnsafeMutablePointer<UInt8>
  let identifiers: UnsafeMutablePointer<Int32>
}

/// Pointers to the three arrays of a `Vectors`.
struct VectorPointers: @unchecked Sendable {
  let x: UnsafeMutablePointer<Double>
  let y: UnsafeMutablePointer<Double>
  let z: UnsafeMutablePointer<Double>
}

extension Vectors {
  /// Calls `body` with pointers to the arrays, which must not be empty.
  mutating func withPointers(_ body: (VectorPointers) -> Void) {
    x.withUnsafeMutableBufferPointer { x in
      y.withUnsafeMutableBufferPointer { y in
        z.withUnsafeMutableBufferPointer { z in
          body(VectorPointers(x: x.baseAddress!, y: y.baseAddress!, z: z.baseAddress!))
        }
      }
    }
  }
}

extension Particles {
  /// Calls `body` with pointers to the arrays, which must not be empty.
  mutating func withPointers(_ body: (ParticlePointers) -> Void) {
    positions.withPointers { position in
      velocities.withPointers { velocity in
        forces.withPointers { force in
          species.withUnsafeMutableBufferPointer { species in
            identifiers.withUnsafeMutableBufferPointer { identifiers in
              body(
                ParticlePointers(
                  position: position, velocity: velocity, force: force,
                  species: species.baseAddress!, identifiers: identifiers.baseAddress!))
            }
          }
        }
      }
    }
  }
}
