"""One strict set of JAX, Hypothesis and worker settings for all tests."""

import gc
import importlib.metadata
import itertools
import os

# Before JAX starts. Tests are about numbers, which must not depend on the machine's accelerator;
# JAX_PLATFORMS=cuda runs them elsewhere on purpose.
os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ["DALEMBERT_KEEP_CODE"] = "0"  # code comes from this process
# Tests spend their time compiling, and XLA's older code generator without optimization takes a
# third of the time. An XLA that does not know the flag would abort, hence the version.
if importlib.metadata.version("jaxlib").startswith("0.10."):
    os.environ["XLA_FLAGS"] = " ".join(
        [
            os.environ.get("XLA_FLAGS", ""),
            "--xla_cpu_use_fusion_emitters=false",
            "--xla_backend_optimization_level=0",
        ]
    )

import hypothesis
import jax
import pytest

import dalembert  # turns on double precision
import tiers

jax.config.update("jax_numpy_rank_promotion", "raise")
# compiled code must come from this run and this process, not from another worker or day
jax.config.update("jax_enable_compilation_cache", False)

# tracing makes millions of objects that live on: looking for cycles among them takes a twentieth
gc.freeze()
gc.set_threshold(50_000, 20, 50)

hypothesis.settings.register_profile(
    "dalembert",
    derandomize=True,  # the same examples on every machine and every day
    database=None,
    deadline=None,  # the first example of a shape compiles
    max_examples=50,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.load_profile("dalembert")


def pytest_xdist_auto_num_workers() -> int:
    """One worker for each core this process may use; more than eight cost more than they save."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS
        cores = os.cpu_count() or 1
    return min(cores, 8)


# They change code over and over, and each time JAX's caches are cleared: first, while these are
# nearly empty, so that no later test compiles its array operations anew.
_CLEAR_CACHES = ("test_findings3_code.py", "test_stale.py")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--tier",
        choices=tiers.TIERS,
        help="quick (without files or tests named), thorough: those in tests/thorough.txt, or all",
    )


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):  # a worker has the tier of its parent, by the environment
        return
    named = config.args_source is pytest.Config.ArgsSource.ARGS
    os.environ["DALEMBERT_TIER"] = config.option.tier or ("all" if named else "quick")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.path.name not in _CLEAR_CACHES)
    tier, listed = os.environ["DALEMBERT_TIER"], tiers.thorough()
    if tier == "all":
        return
    is_thorough = [item.nodeid.removeprefix("tests/") in listed for item in items]
    left_out = [x for x, y in zip(items, is_thorough) if y != (tier == "thorough")]
    items[:] = [x for x, y in zip(items, is_thorough) if y == (tier == "thorough")]
    config.hook.pytest_deselected(items=left_out)


_tests_done = itertools.count(1)


# Memory of a worker above which compiled code is dropped at the end of a file. What is dropped may
# be compiled again, so not in smaller workers; without it they grow to 5 GB in the thorough tier.
_LARGE = 1.5e9


def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Drop compiled code before its memory maps reach the kernel's limit (65530 by default).

    Every compiled function takes some maps; past the limit the compiler crashes the process. What
    is dropped is compiled again, so not too early; counting maps takes a while, so not each time.
    """
    if nextitem is not None and nextitem.path != item.path and _memory() > _LARGE:
        dalembert.clear_compiled()
        return
    if next(_tests_done) % 4:
        return
    try:
        with open("/proc/self/maps", "rb") as maps:
            count = sum(1 for _ in maps)
    except OSError:  # not on macOS
        return
    if count > 30_000:
        dalembert.clear_compiled()


def _memory() -> float:
    """Return the resident memory of this process in bytes; 0 where it is not known."""
    try:
        with open("/proc/self/statm") as numbers:
            return int(numbers.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:  # not on macOS
        return 0.0


_compiled: list[str] = []
jax.monitoring.register_event_duration_secs_listener(
    lambda event, *_, **__: _compiled.append(event) if "backend_compile" in event else None
)


@pytest.fixture
def compilations():
    """How often XLA has compiled something in this process, as a function."""
    return lambda: len(_compiled)


@pytest.fixture
def key() -> jax.Array:
    """A random key that is the same in every run."""
    return jax.random.key(20060621)
