"""Phase portraits, sections, fans, the style for papers, and panels that are chosen."""

import numpy as np
import pytest

import dalembert as da
from dalembert import plots
from dalembert.plots.portraits import section
from moving import moving

DISK = da.systems.RollingDisk()


def test_look_phase_portraits_and_sections_by_name():
    traj = moving(DISK, rows=200)
    fig = plots.phase_portrait(traj, "x", "theta")
    assert fig.axes[0].get_ylabel() == r"$\theta$"
    x, _ = section(traj, "x", "theta", at="theta", value=0.5, rising=True)
    down, _ = section(traj, "x", "theta", at="theta", value=0.5, rising=False)
    both, level = section(traj, "x", "theta", at="theta", value=0.5, rising=None)
    assert len(both) == len(x) + len(down) > len(x) > 0
    assert np.allclose(level, 0.5)  # the point lies on the section
    assert "points at" in plots.poincare_section(traj, "x", "y", at="theta", value=0.5).axes[
        0
    ].get_title("left")
    with pytest.raises(da.UsageError, match="nothing to draw"):
        plots.poincare_section(traj, "x", "y", at="theta", value=1e3)


def test_look_panels_are_chosen_and_an_overview_is_one_screen():
    disk = da.systems.VerticalRollingDisk()
    traj = da.simulate(disk, h=0.05, steps=20, progress=False)
    assert len(plots.overview(disk, traj, panels=["path", "energy"]).axes) == 2
    fig = plots.overview(disk, traj)
    assert fig.get_size_inches()[1] <= 9.5
    # round-off is said in words, and drawn only where it is asked for
    assert "energy conserved to" in fig.get_suptitle()
    assert "constraint kept to" in fig.get_suptitle()
    assert not any("residual" in ax.get_ylabel() for ax in fig.axes)
    (asked,) = plots.overview(disk, traj, panels=["constraint"]).axes
    assert asked.get_ylabel() == "constraint residual"
    for wrong, said in (
        (["pth"], "path"),
        ("path", "list of names"),
        ([], "empty"),
        (["attitude"], "no panel"),
    ):
        with pytest.raises(da.UsageError, match=said):
            plots.overview(disk, traj, panels=wrong)
    with plots.style("paper"):
        fig = plots.overview(disk, traj, panels=["path"])
        assert fig.get_size_inches()[0] == pytest.approx(3.4)
    assert plots.overview(disk, traj, panels=["path"]).get_size_inches()[0] > 4
    with pytest.raises(da.UsageError, match="paper"):
        plots.style("papier")


def test_look_a_fan_has_the_percentiles_of_the_members():
    disk = da.systems.VerticalRollingDisk()
    over = da.grid(R=[0.5, 1.0, 2.0])
    many = da.simulate_ensemble(disk, h=0.05, steps=4, over=over, save_every=1, keep="rows")
    fig = plots.fan(many, "x")
    median = fig.axes[0].lines[0].get_ydata()
    assert np.allclose(median, np.asarray(many["x"])[1])  # the middle one of three
    with pytest.raises(da.UsageError):
        plots.fan(many, "no such name")
