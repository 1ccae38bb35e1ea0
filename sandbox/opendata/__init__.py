"""Pretend open-data services: fictitious figures for every commune, which say that they are."""

from collections.abc import Mapping, Sequence

from starlette.routing import BaseRoute

from sandbox.opendata import datagouv, deeds_files, geocoding, labels, prices, rents, risks, sites, web
from sandbox.opendata.prices import routes
from sandbox.opendata.state import OpenData

__all__ = ["OpenData", "mounts", "routes"]


def mounts(state: OpenData) -> Mapping[str, Sequence[BaseRoute]]:
    """Path under which each service stands -> its routes."""
    return {
        "/dvf": prices.routes(state),
        "/geo-dvf": deeds_files.routes(state),
        "/georisques": risks.routes(state),
        "/geocodage": geocoding.routes(state),
        "/tabular": rents.routes(state),
        "/ademe": labels.routes(state),
        "/datagouv": datagouv.routes(state),
        "/tavily": web.routes(state),
        "/sites": sites.routes(state),
    }
