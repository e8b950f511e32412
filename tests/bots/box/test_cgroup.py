"""Where a control group can be made."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.bots.box.sandbox.cgroup import find_parent

SESSION = "user.slice/user-1000.slice/session-3.scope"


@pytest.mark.parametrize(
    ("groups", "enabled", "found"),
    [
        (f"0::/{SESSION}", "cpu memory pids", "user.slice/user-1000.slice"),
        (f"9:pids:/other\n0::/{SESSION}", "memory pids", "user.slice/user-1000.slice"),
        (f"0::/{SESSION}", "pids", None),
        (f"9:memory:/{SESSION}\n8:pids:/{SESSION}", "memory pids", None),
        ("0::/", "memory pids", None),
    ],
)
def test_a_group_is_made_beside_one_s_own(tmp_path: Path, groups: str, enabled: str, found: str | None) -> None:
    parent = tmp_path / Path(SESSION).parent
    parent.mkdir(parents=True)
    (parent / "cgroup.subtree_control").write_text(f"{enabled}\n")
    assert find_parent(groups + "\n", tmp_path) == (found and tmp_path / found)
