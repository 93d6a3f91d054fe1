#!/usr/bin/env python3
"""Asks a language server for completion in a file of a package, as an editor does.

    complete.py SERVER FILE TEXT MEMBER...

Opens the file, and asks behind the first place of the text until the answer has all members, for at most five minutes: the
server builds the package's dependencies first. Prints how many completions there are; fails where a member is missing.
"""
import json
import queue
import subprocess
import sys
import threading
import time
from pathlib import Path

TIME_LIMIT = 300
PAUSE = 2


class Server:
    """A language server, spoken to by JSON-RPC over its standard input and output."""

    def __init__(self, program: str, folder: Path):
        self.process = subprocess.Popen(
            [program], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.answers: queue.Queue = queue.Queue()
        self.number = 0
        threading.Thread(target=self.receive, daemon=True).start()

    def send(self, message: dict) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.process.stdin.flush()

    def receive(self) -> None:
        output = self.process.stdout
        while line := output.readline():
            if not line.lower().startswith(b"content-length:"):
                continue
            length = int(line.split(b":")[1])
            while output.readline().strip():
                pass
            message = json.loads(output.read(length))
            if "method" not in message:
                self.answers.put(message)
            elif "id" in message:  # A request, such as to show progress or for the configuration.
                self.send({"id": message["id"], "result": None})
        self.answers.put(None)

    def request(self, method: str, parameters: dict | None, deadline: float) -> dict:
        self.number += 1
        self.send({"id": self.number, "method": method, "params": parameters})
        while True:
            try:
                answer = self.answers.get(timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                sys.exit(f"complete: no answer to {method} in {TIME_LIMIT} s")
            if answer is None:
                sys.exit(f"complete: the server ended before it answered {method}")
            if answer.get("id") == self.number:
                return answer

    def notify(self, method: str, parameters: dict) -> None:
        self.send({"method": method, "params": parameters})


def package_folder(file: Path) -> Path:
    return next(folder for folder in file.parents if (folder / "Package.swift").exists())


def names(answer: dict) -> set[str]:
    """The base names of what an answer completes; an error, such as of a file not built yet, completes nothing."""
    result = answer.get("result") or {}
    items = result.get("items", []) if isinstance(result, dict) else result
    return {item.get("filterText", item["label"]).split("(")[0] for item in items}


def main(program: str, path: str, place: str, *members: str) -> None:
    file = Path(path).resolve()
    text = file.read_text()
    before = text[: text.index(place) + len(place)]
    position = {"line": before.count("\n"), "character": len(before.rsplit("\n", 1)[-1])}
    document = {"uri": file.as_uri()}
    deadline = time.monotonic() + TIME_LIMIT

    folder = package_folder(file)
    server = Server(program, folder)
    try:
        workspace = {"uri": folder.as_uri(), "name": folder.name}
        server.request(
            "initialize",
            {"processId": None, "rootUri": folder.as_uri(), "workspaceFolders": [workspace], "capabilities": {}},
            deadline,
        )
        server.notify("initialized", {})
        server.notify("textDocument/didOpen", {"textDocument": {**document, "languageId": "swift", "version": 1, "text": text}})
        while True:
            answer = server.request("textDocument/completion", {"textDocument": document, "position": position}, deadline)
            found = names(answer)
            missing = set(members) - found
            if not missing:
                break
            if time.monotonic() > deadline:
                sys.exit(f"complete: {sorted(missing)} not among {sorted(found)}, {answer.get('error', 'no error')}")
            time.sleep(PAUSE)
        print(f"complete: {len(found)} completions after {place}")
        server.request("shutdown", None, deadline)
        server.notify("exit", {})
        server.process.wait(timeout=10)
    finally:
        server.process.kill()


main(*sys.argv[1:])
