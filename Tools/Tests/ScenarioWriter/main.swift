// Writes files as the scenarios in Tools/Python/tests/scenarios.json say; scenario_program.py does the same in Python.
//
//   ScenarioWriter ACTION PATH TEXT COUNT
//
// It prints a line for each step: `done`, or `error CODE REASON MESSAGE`, where the reason is the system's number, or 0.

import Foundation
import GraphCodable

let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[4]) else { exit(64) }
if let user = ProcessInfo.processInfo.environment["SCENARIO_USER"].flatMap(uid_t.init), setuid(user) != 0 {
  exit(71)
}
let url = URL(fileURLWithPath: arguments[2])
let model = Model(arguments[3], count)

func open() throws -> GraphArchiveSeries.Writer { try GraphArchiveSeries.Writer(url) }

func append(_ model: Model, to writer: GraphArchiveSeries.Writer, step: Int = 0) throws {
  try GraphEncoder().append(model, to: writer, step: step, time: 0)
}

/// After an error, by the same writer, when files may be of any size.
func appendAgain() throws {
  let writer = try open()
  report { try append(model, to: writer) }
  removeLimit()
  try append(Model("again", 1), to: writer)
}

/// While there is a writer in this process.
func openSecond() throws {
  let writer = try open()
  report { _ = try open() }
  try append(model, to: writer)
}

/// Says that it has the series, and goes on when it is told to.
func hold() throws {
  let writer = try open()
  try append(model, to: writer)
  say("ready")
  _ = readLine()
  try append(model, to: writer)
}

/// Ends without giving the writer back.
func leave() throws {
  kept = try open()
  if let kept { try append(model, to: kept) }
}

/// With a writer that a forked process must not use, nor give back.
func fork() throws {
  let writer = try open()
  try append(model, to: writer)
  inForkedProcess {
    report { try append(model, to: writer) }
    report { _ = try open() }
  }
  report { _ = try open() }
  try append(model, to: writer)
}

/// Each appends thirty entries by the same writer.
func appendInThreads() throws {
  let writer = try open()
  let (text, failures) = (arguments[3], Failures())
  DispatchQueue.concurrentPerform(iterations: 4) { thread in
    for number in 0..<30 {
      do {
        try GraphEncoder().append(Model(text, 3000), to: writer, step: 100 * thread + number, time: 0)
      } catch { failures.add(error) }
    }
  }
  if let first = failures.first { throw first }
}

nonisolated(unsafe) var kept: GraphArchiveSeries.Writer?
// Of the library that counts calls of the system, where that is loaded.
_ = function("test_calls_begin")?()
report {
  switch arguments[1] {
  case "save": try GraphEncoder().write(model, to: url)
  case "append": try append(model, to: open())
  case "again": try appendAgain()
  case "second": try openSecond()
  case "hold": try hold()
  case "leave": try leave()
  case "fork": try fork()
  case "threads": try appendInThreads()
  default: exit(64)
  }
}
