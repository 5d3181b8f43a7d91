#!/usr/bin/env python3
"""Writes brick.obj: a toy brick of 16 x 16 x 9.6 mm with four studs, hollow from below, its bottom at y = 0."""
import math
import pathlib

CELL, CELLS, HEIGHT, WALL = 0.008, 2, 0.0096, 0.0015  # pitch of the studs, their number a side, brick, its walls [m]
STUD, STUD_HEIGHT = 0.0024, 0.0018  # radius, height [m]
PARTS = 6  # of a cell's side

vertices, index, faces = [], {}, []


def vertex(x, y, z):
    key = (round(x, 9), round(y, 9), round(z, 9))
    if key not in index:
        vertices.append(key)
        index[key] = len(vertices)
    return index[key]


def square(half, centre, y):
    """Points around a square, seen from above against the clock."""
    corners = [(1, -1), (-1, -1), (-1, 1), (1, 1)]
    points = []
    for k in range(4):
        (ax, az), (bx, bz) = corners[k], corners[(k + 1) % 4]
        for i in range(n := around(half)):
            t = i / n
            points.append(vertex(centre[0] + half * (ax + t * (bx - ax)), y, centre[1] + half * (az + t * (bz - az))))
    return points


def around(half):
    return PARTS if half <= CELL / 2 else PARTS * CELLS


def circle(radius, centre, y):
    """As many points as a cell's square has, each in its direction."""
    points = []
    for k in range(4 * PARTS):
        angle = -math.pi / 4 - 2 * math.pi * k / (4 * PARTS)
        points.append(vertex(centre[0] + radius * math.cos(angle), y, centre[1] + radius * math.sin(angle)))
    return points


def strip(outer, inner):
    """Between two rings: the outer and the inner one of a face that looks up, or the lower and the upper one of a wall."""
    for i in range(len(outer)):
        j = (i + 1) % len(outer)
        faces.append((outer[i], inner[j], inner[i]))
        faces.append((outer[i], outer[j], inner[j]))


def lid(ring, centre, y):
    middle = vertex(centre[0], y, centre[1])
    for i in range(len(ring)):
        faces.append((ring[i], ring[(i + 1) % len(ring)], middle))


side = CELL * CELLS / 2
for a in range(CELLS):
    for b in range(CELLS):
        centre = ((a + 0.5) * CELL - side, (b + 0.5) * CELL - side)
        foot = circle(STUD, centre, HEIGHT)
        top = circle(STUD, centre, HEIGHT + STUD_HEIGHT)
        strip(square(CELL / 2, centre, HEIGHT), foot)
        strip(foot, top)
        lid(top, centre, HEIGHT + STUD_HEIGHT)
upper, lower = square(side, (0, 0), HEIGHT), square(side, (0, 0), 0)
rim, ceiling = square(side - WALL, (0, 0), 0), square(side - WALL, (0, 0), HEIGHT - WALL)
strip(lower, upper)
strip(rim, lower)
strip(ceiling, rim)
middle = vertex(0, HEIGHT - WALL, 0)
for i in range(len(ceiling)):
    faces.append((ceiling[i], middle, ceiling[(i + 1) % len(ceiling)]))

lines = ["# made by make_brick.py"]
lines += ["v %.7g %.7g %.7g" % v for v in vertices]
lines += ["f %d %d %d" % f for f in faces]
pathlib.Path(__file__).with_name("brick.obj").write_text("\n".join(lines) + "\n")
