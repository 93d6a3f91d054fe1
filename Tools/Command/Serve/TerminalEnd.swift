import Foundation

/// What ends a program that would go on without end: its terminal.
enum TerminalEnd {
  /// Ends this program in success by the signals of a terminal, and at the end of standard input where that is a terminal or a pipe.
  ///
  /// The null device and files, which end at once, do not count; nor does a terminal while this program is in its background.
  static func endsProgram() {
    var hangUp = sigaction()
    sigaction(SIGHUP, nil, &hangUp)
    // A hang-up that is ignored, as under nohup, stays so. An interrupt does not: shells have those in the background ignore it.
    let numbers = [SIGINT, SIGTERM] + (hangUp.isIgnored ? [] : [SIGHUP])
    for number in numbers { signal(number) { _ in _exit(0) } }
    // A parent that starts programs from its own threads may have them blocked.
    var unblocked = sigset_t()
    sigemptyset(&unblocked)
    for number in numbers { sigaddset(&unblocked, number) }
    pthread_sigmask(SIG_UNBLOCK, &unblocked, nil)
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0 else { return }
    let kind = status.st_mode & S_IFMT
    guard isatty(STDIN_FILENO) == 1 || kind == S_IFIFO || kind == S_IFSOCK else { return }
    signal(SIGTTIN, SIG_IGN)
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count == 0 { _exit(0) }
        guard count < 0, errno != EINTR else { continue }
        // In the background: the terminal may give it back.
        guard errno == EIO, tcgetpgrp(STDIN_FILENO) != -1 else { return }
        Thread.sleep(forTimeInterval: 1)
      }
    }
  }
}

extension sigaction {
  fileprivate var isIgnored: Bool {
    #if canImport(Darwin)
      let handler = __sigaction_u.__sa_handler
    #else
      let handler = __sigaction_handler.sa_handler
    #endif
    return unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
