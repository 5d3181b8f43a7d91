#!/usr/bin/env python3
"""Writes fan.obj: a hub with three blades, cut from a board of 20 mm, in the xy plane around the origin."""
import math
import pathlib

BLADES, WIDTH = 3, 60  # degrees each
HUB, TIP, HALF = 0.03, 0.14, 0.010  # radii and half the thickness [m]
STEP = 5  # degrees between corners

outline = []
for blade in range(BLADES):
    first = 360 * blade // BLADES
    outline += [(TIP, first + d) for d in range(0, WIDTH + 1, STEP)]
    outline += [(HUB, first + d) for d in range(WIDTH + STEP, 360 // BLADES, STEP)]
corners = [(r * math.cos(math.radians(d)), r * math.sin(math.radians(d))) for r, d in outline]

n = len(corners)
lines = ["# Made by make_fan.py"]
for z in (HALF, -HALF):
    lines += ["v %.6f %.6f %.3f" % (x, y, z) for x, y in corners]
lines += ["v 0 0 %.3f" % HALF, "v 0 0 %.3f" % -HALF]
for i in range(1, n + 1):
    j = i % n + 1
    # The outline is seen in full from the middle: front, back, edge.
    lines += [f"f {2 * n + 1} {i} {j}", f"f {2 * n + 2} {n + j} {n + i}", f"f {i} {n + i} {n + j} {j}"]
pathlib.Path(__file__).with_name("fan.obj").write_text("\n".join(lines) + "\n")
