#!/usr/bin/env python3
"""Writes head.obj: an egg with a nose and a mouth that looks along +z. The mouth is the group "mouth"."""
import math
import pathlib

AROUND, DOWN = 48, 32  # faces around and from the crown to the chin
RADII = (0.075, 0.11, 0.09)  # half width, height and depth [m]
# 50 x 18 mm.
MOUTH_Y, MOUTH_HALF = -0.055, (0.025, 0.009)


def point(i, j):
    """Column i around the vertical axis from +z, row j down from the crown."""
    theta, phi = math.pi * j / DOWN, 2 * math.pi * i / AROUND
    direction = (math.sin(theta) * math.sin(phi), math.cos(theta), math.sin(theta) * math.cos(phi))
    x, y, z = (r * d for r, d in zip(RADII, direction))
    side = math.remainder(phi, 2 * math.pi)
    nose = 0.022 * math.exp(-((side / 0.2) ** 2) - ((theta - 1.45) / 0.12) ** 2)
    return x, y, z + nose


def is_mouth(face):
    x, y, z = (sum(c) / len(face) for c in zip(*face))
    return z > 0 and abs(x) < MOUTH_HALF[0] and abs(y - MOUTH_Y) < MOUTH_HALF[1]


def number(i, j):
    """Of a vertex in the file: the crown, rows of columns, the chin."""
    if j == 0:
        return 1
    return 2 + AROUND * (DOWN - 1) if j == DOWN else 2 + (j - 1) * AROUND + i % AROUND


lines = ["# Made by make_head.py"]
rows = [(0, 0)] + [(i, j) for j in range(1, DOWN) for i in range(AROUND)] + [(0, DOWN)]
lines += ["v %.6f %.6f %.6f" % point(i, j) for i, j in rows]
groups = {"skin": [], "mouth": []}
for j in range(DOWN):
    for i in range(AROUND):
        ring = [(i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j)]
        if j == 0:
            ring = ring[:3]
        elif j == DOWN - 1:
            ring = [ring[0], ring[1], ring[3]]
        face = [point(*corner) for corner in ring]
        groups["mouth" if is_mouth(face) else "skin"].append("f " + " ".join(str(number(*c)) for c in ring))
for name, faces in groups.items():
    lines += ["g " + name] + faces
pathlib.Path(__file__).with_name("head.obj").write_text("\n".join(lines) + "\n")
