"""The studio: a local web page to choose a system, move sliders, and watch the run.

    server = serve(registry)   ->   server.address, to open in a browser

The browser sends only numbers and known names: nothing is evaluated, and no path is opened.
"""

from .server import Server, serve

__all__ = ["Server", "serve"]
