"""From degrees to the sheet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from sandtable.maps.plan import Plan
from sandtable.maps.stretch import Stretch
from sandtable.maps.topology import UNITS


@dataclass(frozen=True)
class Projection:
    """Degrees to whole units of the sheet, x to the right and y down."""

    x: Stretch
    y: Stretch

    @classmethod
    def of(cls, plan: Plan) -> Projection:
        """The stretch that a plan declares; one turn of the globe is a whole number of units."""
        sheet = plan.sheet
        plain = Stretch(sheet.longitude, 1.0, 360.0)
        scale = sheet.width * UNITS / plain.length
        return cls(
            Stretch(sheet.longitude, scale, 360.0),
            Stretch([(-degree, weight) for degree, weight in reversed(sheet.latitude)], scale),
        )

    @property
    def turn(self) -> int:
        """The width of the globe in whole units."""
        return round(self.x.length)

    def point(self, latitude: float, longitude: float) -> tuple[float, float]:
        """Where a place is, its longitude taken as it is: it may be beyond the seam."""
        return self.x.place(longitude), self.y.place(-latitude)

    def shape(self, degrees: BaseGeometry) -> BaseGeometry:
        """A shape in degrees, longitude first, on the sheet."""

        def project(points: Any) -> Any:
            return np.array([self.point(latitude, longitude) for longitude, latitude in points])

        return shapely.transform(degrees, project)
