# %% [markdown]
# # Reproduce a figure
#
# The library contains figures, tables and theorems of the literature as experiments. An experiment
# runs, draws a picture like the original, and decides each claim by a number with bounds. This one
# is about a ball on a turning table (figure 2 of Ferraro, Jiménez and Martín de Diego 2015).

# %%
from dalembert import reproduce

found = reproduce.by_name()["f15-fig2"]
print(found.title, "|", found.source)
outcome = found.run(full=False, seed=0)
for claim in outcome.claims:
    print(f"\n{claim.verdict.upper()}: {claim.text}")
    for check in claim.checks:
        print("   ", check)

# %%
outcome.pictures[0].draw("light")

# %% [markdown]
# Verdicts follow from the numbers and are never written by hand. `dalembert reproduce --list` lists
# all experiments, and `dalembert reproduce --all` writes one page with all results. To add an
# experiment, write one file: see [contributing](../contributing.md).
