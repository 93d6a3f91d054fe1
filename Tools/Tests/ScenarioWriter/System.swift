import Foundation

/// A function without arguments by its name; nil where there is none.
func function(_ name: String) -> (@convention(c) () -> pid_t)? {
  dlsym(dlopen(nil, RTLD_NOW), name).map { unsafeBitCast($0, to: (@convention(c) () -> pid_t).self) }
}

/// Runs a body in a process that is forked from this one, and waits for it.
func inForkedProcess(_ body: () -> Void) {
  // Swift's module of the C library hides it.
  guard let child = function("fork")?() else { exit(71) }
  if child == 0 {
    body()
    _exit(0)
  }
  var status: Int32 = -1
  waitpid(child, &status, 0)
}

/// Lifts the limit of file sizes that a scenario has set.
func removeLimit() {
  #if os(Linux)
    let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
  #else
    let resource = RLIMIT_FSIZE
  #endif
  var limit = rlimit()
  getrlimit(resource, &limit)
  limit.rlim_cur = limit.rlim_max
  setrlimit(resource, &limit)
}
