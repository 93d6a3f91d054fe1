extension Molecule {
  /// What differs in the structure or in any number of `other`, empty if nothing does.
  ///
  /// Atoms are compared by their place, so two molecules with the same atoms but other connections differ.
  /// Numbers are compared by their bits.
  public func differences(from other: Molecule) -> [String] {
    var names: [String] = []
    func check(_ name: String, _ isSame: Bool) {
      if !isSame { names.append(name) }
    }
    check("titles", titles == other.titles)
    check("atoms", atoms.elementsEqual(other.atoms) { $0.isSame(as: $1) })
    check("segments", segments.elementsEqual(other.segments) { $0.isSame(as: $1) })
    check("bonds", bonds.map(\.ends) == other.bonds.map(\.ends))
    check("angles", angles.map { $0.atoms.map(\.index) } == other.angles.map { $0.atoms.map(\.index) })
    check(
      "dihedrals", dihedrals.map { $0.atoms.map(\.index) } == other.dihedrals.map { $0.atoms.map(\.index) })
    check(
      "impropers", impropers.map { $0.atoms.map(\.index) } == other.impropers.map { $0.atoms.map(\.index) })
    switch (trajectory, other.trajectory) {
    case (nil, nil): break
    case (let mine?, let theirs?): check("trajectory", mine.isSame(as: theirs))
    default: names.append("trajectory")
    }
    return names
  }

  /// Where two ways to an atom lead to different objects, empty if the graph is sound.
  ///
  /// - Returns: The kinds of ways that are broken.
  public func brokenIdentities() -> [String] {
    var names: [String] = []
    func check(_ name: String, _ isSound: Bool) {
      if !isSound { names.append(name) }
    }
    func isListed(_ atom: Atom?) -> Bool {
      guard let atom, atoms.indices.contains(atom.index) else { return false }
      return atoms[atom.index] === atom
    }
    check("by residue", residues.allSatisfy { $0.atoms.allSatisfy { isListed($0) } })
    check("by bond", bonds.allSatisfy { isListed($0.first) && isListed($0.second) })
    check("by angle", angles.allSatisfy { $0.atoms.allSatisfy { isListed($0) } })
    check("by dihedral", (dihedrals + impropers).allSatisfy { $0.atoms.allSatisfy { isListed($0) } })
    check(
      "from atom to bond and back",
      atoms.allSatisfy { atom in atom.bonds.allSatisfy { $0.first === atom || $0.second === atom } })
    check(
      "from bond to atom and back",
      bonds.allSatisfy { bond in
        [bond.first, bond.second].allSatisfy { $0?.bonds.contains { $0 === bond } ?? false }
      })
    check(
      "from residue to atom and back",
      residues.allSatisfy { residue in residue.atoms.allSatisfy { $0.residue === residue } })
    check(
      "from segment to residue and back",
      segments.allSatisfy { segment in segment.residues.allSatisfy { $0.segment === segment } })
    return names
  }
}

extension Atom {
  fileprivate func isSame(as other: Atom) -> Bool {
    index == other.index && name == other.name && type == other.type
      && charge.bitPattern == other.charge.bitPattern && mass.bitPattern == other.mass.bitPattern
      && bonds.map(\.ends) == other.bonds.map(\.ends)
      && residue?.number == other.residue?.number && residue?.name == other.residue?.name
  }
}

extension Bond {
  /// The places of both atoms, −1 for one that is gone.
  fileprivate var ends: [Int] { [first?.index ?? -1, second?.index ?? -1] }
}

extension Segment {
  fileprivate func isSame(as other: Segment) -> Bool {
    name == other.name
      && residues.elementsEqual(other.residues) {
        $0.number == $1.number && $0.name == $1.name
          && $0.atoms.map(\.index) == $1.atoms.map(\.index)
          && $0.segment?.name == $1.segment?.name
      }
  }
}

extension Trajectory {
  fileprivate func isSame(as other: Trajectory) -> Bool {
    titles == other.titles && atomCount == other.atomCount && frameCount == other.frameCount
      && announcedFrameCount == other.announcedFrameCount && firstStep == other.firstStep
      && stepsPerFrame == other.stepsPerFrame && timeStep.bitPattern == other.timeStep.bitPattern
      && unitCells.elementsEqual(other.unitCells) { $0.bitPattern == $1.bitPattern }
      && coordinates.elementsEqual(other.coordinates) { $0.bitPattern == $1.bitPattern }
  }
}
