"""What the database was not asked about is not called safe."""

from __future__ import annotations

import pytest
from vulnerabilities import judged

SAFE = {"name": "numpy", "version": "2.4", "vulns": []}
UNSAFE = {"name": "jinja2", "version": "2.10", "vulns": [{"id": "CVE-2019-10906", "fix_versions": ["2.10.1"]}]}
SKIPPED = {"name": "rich", "skip_reason": "not found"}


@pytest.mark.parametrize(
    ("libraries", "code"),
    [([SAFE], 0), ([SAFE, UNSAFE], 1), ([SAFE, SKIPPED], 3), ([SKIPPED], 3), ([UNSAFE, SKIPPED], 1)],
)
def test_a_library_that_was_passed_over_is_not_safe(libraries, code, capsys):
    assert judged(libraries) == code
    told = capsys.readouterr()
    assert ("rich" in told.err) == (SKIPPED in libraries)
    assert ("CVE-2019-10906, mended in 2.10.1" in told.out) == (UNSAFE in libraries)
