#!/usr/bin/env python3
"""Simulates saving a set on many ranks, for Documentation/Scaling.md.

What a set takes is counted and measured (see MEASURED); what a machine gives is assumed, and can be said by arguments. Each
call that changes names waits for one metadata server, which serves them in the order in which they come; data flows at the
share of a node and of the file system.
"""
import argparse
import heapq
import random

# Counted and measured on one machine: see the document.
MEASURED = {
    "manifest_base": 700,  # Bytes of a manifest without parts.
    "manifest_part": 60,  # More for each part, before it is compressed,
    "manifest_piece": 50,  # and for each array that it has a piece of.
    "receipt_base": 162,  # Bytes of a receipt without arrays, as JSON,
    "receipt_array": 98,  # and more for each.
    "commit_threads": 16,  # How many parts rank 0 looks at side by side.
}


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ranks", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=500)
    parser.add_argument("--arrays", type=int, default=3, help="arrays over all parts")
    parser.add_argument("--bytes", type=float, default=256e6, help="of each rank, compressed")
    parser.add_argument("--metadata-rate", type=float, default=20e3, help="calls that the metadata server does in a second")
    parser.add_argument("--latency", type=float, default=300e-6, help="seconds of such a call on an idle server")
    parser.add_argument("--file-system", type=float, default=500e9, help="bytes that it writes in a second")
    parser.add_argument("--node", type=float, default=5e9, help="bytes that a node writes in a second")
    parser.add_argument("--stream", type=float, default=1.5e9, help="bytes that one file takes in a second")
    parser.add_argument("--encode", type=float, default=1e9, help="bytes that a rank encodes in a second, alone on its core")
    parser.add_argument("--message", type=float, default=5e-6, help="seconds that rank 0 takes for a receipt")
    options = parser.parse_args()
    if not 0 < options.nodes <= options.ranks:
        parser.error("a node has one rank at least")
    return options


class Server:
    """Serves calls one after the other; each also takes the time of the way there and back."""

    def __init__(self, rate, latency):
        self.service, self.latency, self.free, self.count = 1 / rate, latency, 0.0, 0

    def call(self, time):
        self.free = max(self.free, time) + self.service
        self.count += 1
        return self.free + self.latency


def simulate(options, ranks_per_part):
    """Returns what a save costs when as many ranks have a part together."""
    generator = random.Random(1)
    parts = -(-options.ranks // ranks_per_part)
    per_node = options.ranks // options.nodes
    writers_per_node = max(1, per_node // ranks_per_part)
    server = Server(options.metadata_rate, options.latency)
    # Members encode side by side; the one that writes decodes and encodes theirs again.
    byte_count = options.bytes * ranks_per_part
    encoding = options.bytes / options.encode * (1 if ranks_per_part == 1 else 1 + 2 * (ranks_per_part - 1))
    # On all cores of its ranks, which wait meanwhile.
    encoding /= 1 if ranks_per_part == 1 else ranks_per_part
    rate = min(options.stream, options.node / writers_per_node, options.file_system / parts)
    # Steps of a part: create, then the data, then sync, rename, sync of the folder.
    events = [(encoding * generator.uniform(0.9, 1.1), part, 0) for part in range(parts)]
    heapq.heapify(events)
    written = []
    while events:
        time, part, step = heapq.heappop(events)
        if step == 0:
            heapq.heappush(events, (server.call(time) + byte_count / rate, part, 1))
        elif step < 4:
            heapq.heappush(events, (server.call(time), part, step + 1))
        else:
            written.append(time)
    rank0 = 0.0
    for time in sorted(written):
        rank0 = max(rank0, time) + options.message
    receipts = rank0
    # Looks at the parts: as many calls at a time as threads.
    threads = [rank0] * MEASURED["commit_threads"]
    for _ in range(parts):
        heapq.heapreplace(threads, server.call(threads[0]))
    checked = max(threads)
    committed = checked
    for _ in range(4):  # Create, sync, rename, sync of the manifest.
        committed = server.call(committed)
    removed = committed
    for _ in range(parts):  # Those of the set of before, one after the other.
        removed = server.call(removed)
    manifest = MEASURED["manifest_base"] + parts * MEASURED["manifest_part"]
    # An aggregated part has as many pieces of each array as ranks.
    manifest += options.ranks * options.arrays * MEASURED["manifest_piece"]
    receipt = MEASURED["receipt_base"] + ranks_per_part * options.arrays * MEASURED["receipt_array"]
    return [
        f"{parts}", f"{server.count}", f"{manifest / 1e6:.2f} MB", f"{parts * receipt / 1e6:.1f} MB",
        f"{max(written):.1f} s", f"{receipts - max(written):.2f} s", f"{checked - receipts:.2f} s", f"{removed - committed:.1f} s",
        f"{removed:.1f} s",
    ]


def main():
    options = parse()
    per_node = options.ranks // options.nodes
    print("| a part for | parts | metadata calls | manifest | receipts | all written | receipts read | parts checked | old parts removed | total |")
    print("| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |")
    for name, count in [("each rank", 1), ("4 ranks", 4), ("a node", per_node)]:
        print(f"| {name} | {' | '.join(simulate(options, count))} |")


if __name__ == "__main__":
    main()
