#if Macros
  import MacroModels

  // The workloads' models, made of the types that the macro codes.

  extension MacroRecord {
    init(_ record: Record) {
      self.init(
        id: record.id, name: record.name, x: record.x, y: record.y, z: record.z, flag: record.flag)
    }
  }

  extension MacroNode {
    static func list(_ nodes: [Node]) -> [MacroNode] {
      nodes.reduce(into: []) { list, node in
        list.append(MacroNode(id: node.id, name: node.name, neighbours: node.neighbours.map { list[$0.id] }))
      }
    }
  }

  extension MacroBranch {
    static func make(_ branch: Branch) -> MacroBranch {
      let (id, left, right) = (branch.id, branch.left.map(make), branch.right.map(make))
      return switch branch {
      case let branch as WeightedBranch:
        MacroWeightedBranch(id: id, left: left, right: right, weight: branch.weight)
      case let branch as NamedBranch: MacroNamedBranch(id: id, left: left, right: right, name: branch.name)
      case let branch as CountedBranch:
        MacroCountedBranch(id: id, left: left, right: right, count: branch.count)
      default: fatalError("every node is an instance of a subclass")
      }
    }
  }

  extension MacroMember {
    convenience init(_ member: Member) {
      self.init(id: member.id, name: member.name, children: member.children.map(MacroMember.init))
    }
  }

  extension MacroSample {
    init(_ sample: Sample) {
      self.init(
        step: sample.step, particle: sample.particle, position: SIMD3(sample.x, sample.y, sample.z),
        velocity: SIMD3(sample.velocityX, sample.velocityY, sample.velocityZ), mass: sample.mass,
        charge: sample.charge, temperature: sample.temperature, flags: sample.flags)
    }
  }

  extension MacroNotice {
    init(_ sample: Sample) {
      self.init(
        MacroSample(sample), source: "rank \(sample.particle % 64)",
        text: "the pressure in cell \(sample.flags) is beyond its bound",
        values: sample.step.isMultiple(of: 2) ? [sample.x, sample.y, sample.z] : nil)
    }
  }
#endif
