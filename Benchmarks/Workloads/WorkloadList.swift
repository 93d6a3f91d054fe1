import Foundation

/// The workloads of the suite, in the order in which they run.
var workloadTypes: [any Workload.Type] {
  [
    RecordsWorkload.self, NodesWorkload.self, TreeWorkload.self, FieldsWorkload.self, TextsWorkload.self,
    ParentsWorkload.self, ChainWorkload.self, MoleculeWorkload.self, MessagesWorkload.self,
    EventsWorkload.self,
  ]
}

/// All workloads in their sizes, or in `sizes` where those are given; none makes its model before a case asks
/// for it.
func makeWorkloads(sizes: [Double], isQuick: Bool, options: WorkloadOptions) -> [any Workload] {
  workloadTypes.flatMap { type in
    let own = isQuick ? type.quickSizes : type.sizes
    let factors = sizes.isEmpty || type.sizes.count == 1 ? own : sizes
    let detailed = factors.min { abs(log($0)) < abs(log($1)) }
    return factors.map { factor in
      var options = options
      options.size = WorkloadSize(factor: factor)
      options.isDetailed = factor == detailed
      return type.init(options)
    }
  }
}
