"""What results show where they are the value of a notebook's cell, or of a prompt."""

import dalembert as da
from dalembert.methods import Gauss


def test_look_results_have_a_short_repr_and_html():
    disk = da.systems.VerticalRollingDisk()
    traj = da.simulate(disk, h=0.05, steps=10, progress=False)
    many = da.simulate_ensemble(disk, h=0.05, steps=4, over=da.grid(R=[0.5, 1.0]), progress=False)
    found = da.diagnostics.compare(disk, [da.RK4(), Gauss(2)], h=0.05, steps=10)
    report = da.diagnostics.report(disk, traj)
    for shown in (disk, traj, many, found, found.table(), report, traj.meta):
        text, html = repr(shown), shown._repr_html_()
        assert len(text) < 2000 and "<script" not in html
        assert html.count("<table") == 1 and html.count("</table>") == 1, type(shown)
    assert "<iframe" in traj._repr_html_() and "<iframe" not in many._repr_html_()  # it moves
    assert "array(" not in repr(found) and "gauss" in repr(found).lower()
    assert repr(traj.meta).startswith("Meta(vertical-rolling-disk by gauss-2, h = 0.05")
    assert "kg" in disk._repr_html_() and "θ₁" in disk._repr_html_()


def test_look_html_of_a_result_escapes_its_texts():
    from dalembert.pages import Table, card

    assert "<b>" not in card("<b>", [("<b>", "<b>")]) + Table(["<b>"], [["<b>"]])._repr_html_()
    assert card("x", [("empty", ""), ("zero", 0.0)]).count("<tr>") == 1


def test_look_a_hybrid_run_moves_in_a_notebook():
    from dalembert.hybrid import zoo

    run = da.simulate(zoo.registry["bouncing-ball"](), h=0.01, t=0.1, progress=False)
    html = run._repr_html_()
    assert "<iframe" in html and "jumps" in html and html.count("<table") == 1
