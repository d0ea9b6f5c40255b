"""The bar in a real kernel: it is shown, says how much is done, and ends with the interrupt that a stop button sends.

The kernel is talked to in a process of its own: what it does to signals, loops and warnings stays there.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

SOURCE = Path(__file__).parents[2] / "src"

TALK = """
import json, os, sys, tempfile
from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(extra_arguments=["--log-level=ERROR"])
code = '''
from whit import progress
from whit.display import steps
with progress("Looking", patience=0.0):
    for each in steps(range(4), "limit", 4):
        while each == 1:
            pass
'''
told = []
asked = client.execute(code)
interrupted = False
while True:
    message = client.get_iopub_msg(timeout=120)
    if message["parent_header"].get("msg_id") != asked:
        continue
    kind, content = message["msg_type"], message["content"]
    if kind in ("display_data", "update_display_data"):
        told.append([kind, content["data"]["text/html"]])
        if "limit 2 of 4" in told[-1][1] and not interrupted:
            interrupted = True
            manager.interrupt_kernel()
    if kind == "error":
        told.append([kind, content["ename"]])
    if kind == "status" and content["execution_state"] == "idle":
        break
client.stop_channels()
manager.shutdown_kernel(now=True)
json.dump(told, sys.stdout)
"""


def test_a_bar_is_shown_below_the_cell_and_an_interrupt_ends_the_work():
    with TemporaryDirectory() as folder:
        places = [str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(places), "IPYTHONDIR": folder}
        run = subprocess.run(
            [sys.executable, "-c", TALK], env=environment, capture_output=True, text=True, check=False, timeout=240
        )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout)
    kinds = [kind for kind, _ in told]
    assert kinds[0] == "display_data"
    assert set(kinds[1:-1]) == {"update_display_data"}
    pages = [page for kind, page in told if kind != "error"]
    assert any('<progress max="1" value="0.250">' in page for page in pages)
    assert "Looking: stopped after" in pages[-1]
    assert "<progress" not in pages[-1]
    assert told[-1] == ["error", "KeyboardInterrupt"]
