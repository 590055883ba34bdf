"""CPU seconds of symmetric products of high degree, against nested differentiation at a low one.

    python benchmarks/products.py [--degree 5]

The snakeboard: n = 5 coordinates, m = 2 inputs. The first call of each degree expands metric,
constraint and inputs, compiled code included; nothing is kept from a run before.
"""

import argparse
import time

import jax.numpy as jnp

import dalembert as da
from dalembert.control.closures import symmetric_products
from dalembert.control.germs import ControlGerm

if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--degree", type=int, default=5)
    board, at = da.systems.SnakeboardCoupled(), jnp.array([0.1, 0.2, 0.3, 0.4, 0.5])
    print("degree  products  CPU [s]")
    for degree in range(2, parser.parse_args().degree + 1):
        begin = time.process_time()
        germ = ControlGerm(board, at, degree - 1)
        found = symmetric_products(germ, germ.inputs, degree)
        print(f"{degree:6d}  {len(found):8d}  {time.process_time() - begin:7.2f}")
