#!/usr/bin/env python3
"""Writes mug.obj: a mug of 82 x 95 mm with a wall of 3.5 mm, its axis along y, the handle towards +x."""
import math
import pathlib

R, H, WALL = 0.041, 0.095, 0.0035  # outer radius, height, thickness [m]
AROUND = 32
OUTER = [0.0, 0.018, 0.030, 0.0475, 0.065, 0.077, 0.095]  # heights of rings; the handle joins at 2 and at 5
INNER = [0.095, 0.065, 0.034, WALL + 0.001]
HANDLE, SECTIONS = 0.032, 9  # how far it stands out [m]; between its ends
HALF_WIDTH, HALF_HEIGHT = 0.0055, 0.0045  # of its section [m]

vertices, faces = [], []


def ring(r, y):
    first = len(vertices)
    for i in range(AROUND):
        angle = 2 * math.pi * i / AROUND
        vertices.append((r * math.cos(angle), y, -r * math.sin(angle)))
    return [first + i for i in range(AROUND)]


def join(lower, upper, but=()):
    for i in range(AROUND):
        if i not in but:
            j = (i + 1) % AROUND
            faces.append((lower[i], lower[j], upper[j], upper[i]))


# From the middle of the bottom out, up, over the rim and down to the middle inside.
rings = [ring(0.02, 0.0)] + [ring(R, y) for y in OUTER] + [ring(R - WALL, y) for y in INNER] + [ring(0.02, WALL)]
left, right = AROUND - 1, 0  # columns that the handle takes, either side of vertex 0
for k in range(len(rings) - 1):
    join(rings[k], rings[k + 1], (left, right) if k in (2, 5) else ())
for middle, edge, turn in ((0.0, rings[0], 1), (WALL, rings[-1], -1)):
    vertices.append((0.0, middle, 0.0))
    for i in range(AROUND):
        faces.append((len(vertices) - 1, edge[(i + 1) % AROUND], edge[i])[::turn])


def hole(lower, upper):
    return [lower[left], lower[0], lower[1], upper[1], upper[0], upper[left]]


# The handle grows out of one hole into the other; its lower side there becomes the upper one.
loops = [hole(rings[2], rings[3])]
low, high = (OUTER[1] + OUTER[2]) / 2, (OUTER[4] + OUTER[5]) / 2
section = [(1, -0.6), (0, -1), (-1, -0.6), (-1, 0.6), (0, 1), (1, 0.6)]
for k in range(1, SECTIONS + 1):
    s = math.pi * k / (SECTIONS + 1)
    x, y = R + HANDLE * math.sin(s), (low + high) / 2 - (high - low) / 2 * math.cos(s)
    along = (HANDLE * math.cos(s), (high - low) / 2 * math.sin(s))
    size = math.hypot(*along)
    up = (-along[1] / size, along[0] / size)
    loops.append([])
    for z, n in section:
        loops[-1].append(len(vertices))
        vertices.append((x + n * HALF_HEIGHT * up[0], y + n * HALF_HEIGHT * up[1], z * HALF_WIDTH))
end = hole(rings[5], rings[6])
loops.append([end[5], end[4], end[3], end[2], end[1], end[0]])
for a, b in zip(loops, loops[1:]):
    for i in range(6):
        j = (i + 1) % 6
        faces.append((a[i], a[j], b[j], b[i]))

lines = ["# Made by make_mug.py"]
lines += ["v %.5f %.5f %.5f" % v for v in vertices]
lines += ["f " + " ".join(str(v + 1) for v in face) for face in faces]
pathlib.Path(__file__).with_name("mug.obj").write_text("\n".join(lines) + "\n")
