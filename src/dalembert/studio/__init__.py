"""The studio: choose a system, move its sliders, watch it; on this machine only.

    server = serve(registry)   ->   server.address, to open in a browser

What comes from the browser is numbers and known names: nothing of it is evaluated, no path opened.
"""

from .server import Server, serve

__all__ = ["Server", "serve"]
