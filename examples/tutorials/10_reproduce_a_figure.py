# %% [markdown]
# # Reproduce a figure
#
# Figures, tables and theorems of the literature are experiments of the library: each runs, draws
# a picture in the spirit of the original, and decides every claim by a number with bounds. This
# one is about a ball on a turning table (figure 2 of Ferraro, Jiménez and Martín de Diego 2015).

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
# The verdict follows from the numbers and is never written by hand. `dalembert reproduce --list`
# has all of them, `dalembert reproduce --all` makes one page. An experiment of your own is one
# file: see [contributing](../contributing.md).
