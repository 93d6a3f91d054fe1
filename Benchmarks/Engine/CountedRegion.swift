/// Runs `work`, while tools that count, such as valgrind, are told by this function's name to do so.
@inline(never)
func countedRegion(_ work: () throws -> Void) rethrows {
  try work()
}
