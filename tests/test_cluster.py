"""A real Dask LocalCluster at a small size: workers and the driver killed, resumed, same bits."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path

import pytest

needs_dask = pytest.mark.skipif(
    importlib.util.find_spec("distributed") is None, reason="the extra 'cluster' is not installed"
)


@needs_dask
def test_killed_workers_and_a_killed_driver_lose_nothing(tmp_path):
    script = Path(__file__).parent / "cluster" / "killed.py"
    sizes = ["--members", "1000", "--workers", "2", "--slice", "64", "--steps", "4000"]
    sizes += ["--first", "0.2", "--second"]  # one worker; the script's own numbers take longer
    run = subprocess.run(
        [sys.executable, str(script), str(tmp_path), *sizes],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    told = json.loads(run.stdout.splitlines()[-1])
    assert told["same_bits"] and told["pending"] == 0 and told["pending_then"] > 0
    assert run.stderr.count("killed worker") == 1


@needs_dask
def test_no_scheduler_is_told(tmp_path, monkeypatch, capsys):
    from dalembert.cli import main

    monkeypatch.chdir(tmp_path)
    base = ["ensemble", "chaplygin-sleigh", "--set", "a=0.1:0.3:4", "--store", "many.zarr"]
    assert main([*base, "--scheduler", "tcp://127.0.0.1:9"]) == 2
    assert "no scheduler answers at 'tcp://127.0.0.1:9'" in capsys.readouterr().err
    assert not (tmp_path / "many.zarr").exists()
