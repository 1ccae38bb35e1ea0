"""Pretend open-data services: so far the Cerema's price indicators, with fictitious figures that say so."""

from sandbox.opendata.prices import OpenData, routes

__all__ = ["OpenData", "routes"]
