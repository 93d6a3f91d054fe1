/// Runs `work`. Tools that count, such as valgrind, are told to count while this function runs, by its name.
@inline(never)
func countedRegion(_ work: () throws -> Void) rethrows {
  try work()
}
