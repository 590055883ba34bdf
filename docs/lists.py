"""Write the lists of systems and methods that `dalembert systems` and `methods` print without JAX.

python docs/lists.py
"""

from dalembert.cli import listing

if __name__ == "__main__":
    listing.write()
