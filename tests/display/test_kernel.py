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
import json, sys
from jupyter_client.manager import start_new_kernel

manager, client = start_new_kernel(extra_arguments=["--log-level=ERROR"])

def talk(code, until=None):
    told, asked = [], client.execute(code)
    while True:
        message = client.get_iopub_msg(timeout=120)
        if message["parent_header"].get("msg_id") != asked:
            continue
        kind, content = message["msg_type"], message["content"]
        if kind in ("display_data", "update_display_data"):
            told.append([kind, content["data"]["text/html"]])
            if until is not None and until in told[-1][1]:
                until = None
                manager.interrupt_kernel()
        if kind == "error":
            told.append([kind, content["ename"]])
        if kind == "status" and content["execution_state"] == "idle":
            return told

found = [talk(code, until) for code, until in json.loads(sys.argv[1])]
client.stop_channels()
manager.shutdown_kernel(now=True)
json.dump(found, sys.stdout)
"""

# The first is let go once something was shown, the second never ends by itself.
SHORT = """
from threading import Event
from whit.display import progress, steps, waiting
shown, put = Event(), waiting._Bar._put
waiting._Bar._put = lambda sign, page: (put(sign, page), shown.set())
with progress("Looking", patience=0.0):
    shown.wait(60)
"""
ENDLESS = """
with progress("Looking", patience=0.0):
    for each in steps(range(4), "limit", 4):
        while each == 1:
            pass
"""


def test_a_bar_is_shown_below_the_cell_goes_away_and_ends_by_an_interrupt():
    with TemporaryDirectory() as folder:
        places = [str(SOURCE), *filter(None, [os.environ.get("PYTHONPATH")])]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(places), "IPYTHONDIR": folder}
        said = json.dumps([[SHORT, None], [ENDLESS, "limit 2 of 4"]])
        run = subprocess.run(
            [sys.executable, "-c", TALK, said],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=240,
        )
    assert run.returncode == 0, run.stderr
    short, endless = json.loads(run.stdout)
    assert short[0][0] == "display_data"
    assert "Looking: 0 s" in short[0][1]
    assert short[-1] == ["update_display_data", ""]  # nothing is left of it
    kinds = [kind for kind, _ in endless]
    assert kinds[0] == "display_data"
    assert set(kinds[1:-1]) == {"update_display_data"}
    pages = [page for kind, page in endless if kind != "error"]
    assert any('<progress max="1" value="0.250">' in page for page in pages)
    assert "Looking: stopped after" in pages[-1]
    assert "<progress" not in pages[-1]
    assert endless[-1] == ["error", "KeyboardInterrupt"]
