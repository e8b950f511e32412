"""Gradients: from above to below, from a corner, or from the middle outwards."""

from __future__ import annotations

from parlour.engine.picture import tag

# A colour; or a colour and how far it covers what is below it, from 0 to 1.
Stop = str | tuple[str, float]


def gradient(name: str, *stops: Stop, at: tuple[float, ...] = (), **attributes: object) -> str:
    """Colours from above to below. ``at`` says how far along each of them is; by default they are evenly apart.

    ``x2=1`` leans it; ``gradient("sun", "#fff", "#fb0", r=0.7)`` goes from the middle outwards. It belongs into
    ``<defs>``; what is filled by it says ``fill=filled("sun")``.
    """
    places = at or tuple(place / (len(stops) - 1) for place in range(len(stops)))
    marks = [_stop(place, stop) for place, stop in zip(places, stops, strict=True)]
    if "r" in attributes:
        return tag("radialGradient", *marks, id=name, **attributes)
    return tag("linearGradient", *marks, id=name, **{"x1": 0, "y1": 0, "x2": 0, "y2": 1, **attributes})


def filled(name: str) -> str:
    """How something is filled by the gradient or pattern of that name."""
    return f"url(#{name})"


def _stop(place: float, stop: Stop) -> str:
    colour, opacity = (stop, None) if isinstance(stop, str) else stop
    return tag("stop", offset=place, stop_color=colour, stop_opacity=opacity)
