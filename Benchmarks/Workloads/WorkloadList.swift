/// The workloads of the suite, in the order in which they run.
///
/// None of them makes its model before a case asks for it.
func makeWorkloads(_ options: WorkloadOptions) -> [any Workload] {
  [RecordsWorkload(options), NodesWorkload(options), FieldsWorkload(options), MoleculeWorkload(options)]
}
