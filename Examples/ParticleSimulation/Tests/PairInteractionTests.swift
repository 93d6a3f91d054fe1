import Testing

@testable import ParticleModel

@Suite struct PairInteractionTests {
  let noble = Material(name: "noble gas", kelvinPerUnit: 1, angstromPerUnit: 1)
  let polymer = Material(name: "polymer", kelvinPerUnit: 1, angstromPerUnit: 1)

  @Test(arguments: [
    PairInteraction(diameter: 1, wellDepth: 1, cutoff: 2.5),
    PairInteraction(diameter: 1.067, wellDepth: 1.391, cutoff: 2.6675),
    PairInteraction(diameter: 0.9, wellDepth: 1, cutoff: 0.9 * 1.122462048309373),
  ])
  func forceIsTheSlopeOfThePotential(pair: PairInteraction) {
    let cutoff = pair.squaredCutoff.squareRoot()
    let width = 1e-5
    for share in stride(from: 0.34, to: 0.999, by: 0.01) {
      let distance = cutoff * share
      let left = pair.potential(squaredDistance: (distance - width) * (distance - width))
      let right = pair.potential(squaredDistance: (distance + width) * (distance + width))
      let slope = (right - left) / (2 * width)
      let force = pair.forceFactor(squaredDistance: distance * distance) * distance
      #expect(abs(force + slope) <= 1e-6 * max(1, abs(force)))
    }
  }

  @Test func potentialAndForceFadeOutAtTheCutoff() {
    let pair = PairInteraction(diameter: 1, wellDepth: 1, cutoff: 2.5)
    let justInside = 6.25 * (1 - 1e-9)
    #expect(abs(pair.potential(squaredDistance: justInside)) < 1e-12)
    #expect(abs(pair.forceFactor(squaredDistance: justInside)) < 1e-9)
    #expect(pair.potential(squaredDistance: 6.25) == 0)
    #expect(pair.forceFactor(squaredDistance: 6.25) == 0)
  }

  @Test func speciesOfOneMaterialAttractEachOther() {
    let pair = PairInteraction(Argon(material: noble), Argon(material: noble))
    #expect(pair.squaredCutoff == 6.25)
    #expect(pair.potential(squaredDistance: 1.3) < -0.9)
  }

  @Test func speciesOfEqualButDifferentMaterialsOnlyRepel() {
    let pair = PairInteraction(Argon(material: noble), Argon(material: polymer))
    #expect(pair.squaredCutoff < 1.27)
    #expect(pair.potential(squaredDistance: 1.2) > 0)
    #expect(pair.potential(squaredDistance: 1.3) == 0)
  }

  @Test func kryptonIsWeakerTowardsOthersThanTheMixingRuleSays() {
    let argon = Argon(material: noble)
    let ruled = PairInteraction(
      diameter: (1 + 1.067) / 2, wellDepth: (1.391).squareRoot(), cutoff: 2.5 * (1 + 1.067) / 2)
    let mixed = PairInteraction(argon, Krypton(material: noble, unlikeWeakening: 0.1))
    #expect(abs(mixed.attraction / ruled.attraction - 0.9) < 1e-12)
  }

  @Test func interactionIsTheSameSeenFromEitherSide() {
    let species = [
      Argon(material: noble), Krypton(material: noble), Bead(material: polymer), Bead(material: noble),
    ]
    for first in species {
      for second in species {
        #expect(PairInteraction(first, second) == PairInteraction(second, first))
      }
    }
  }

  @Test func beadsAttractNothing() {
    let pair = PairInteraction(Bead(material: polymer), Bead(material: polymer))
    #expect(abs(pair.potential(squaredDistance: pair.squaredCutoff * 0.999999)) < 1e-9)
    #expect(pair.potential(squaredDistance: pair.squaredCutoff * 0.9) > 0)
  }
}
