"""A process that takes the place of `gpusolve.serve.worker`: it waits, and then answers with what it was asked."""

from __future__ import annotations

import json
import signal
import sys
import time


def main() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    time.sleep(float(sys.argv[1]))  # it starts slowly
    for line in sys.stdin.buffer:
        request = json.loads(line)
        number, given = request["number"], json.loads(sys.stdin.buffer.read(request["bytes"]))
        code = 0
        print(number, "began {}", flush=True)
        try:
            signal.signal(signal.SIGINT, signal.default_int_handler)
            time.sleep(given["seconds"])
            print(number, "object", json.dumps({"value": given["value"]}), flush=True)
        except KeyboardInterrupt:
            code = 130
        try:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            time.sleep(given["late"])  # the command has been stopped, but its end is not acknowledged yet
        except KeyboardInterrupt:
            code = 130
        print(number, "end", json.dumps({"code": code, "error": "", "files": {}}), flush=True)


if __name__ == "__main__":
    main()
