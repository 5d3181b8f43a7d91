#!/usr/bin/env python3
"""Writes the frames of two drops that swing into each other, join, and part again: drops.0000.ply and so on.

Each frame is the surface on which the sum of two fields r^2 / d^2 is 1, cut by marching tetrahedra: its
triangles have nothing to do with those of the frame before, as with the water of a fluid simulation.
"""

import math
import pathlib
import struct

FRAMES = 25
FPS = 25.0
CELL = 0.018  # of the lattice [m]
HALF = (9, 5, 5)  # cells from the middle to the ends of the lattice
RADIUS = 0.045  # of a drop by itself [m]
FARTHEST = 0.085  # of a drop from the middle [m]

# The six tetrahedra around a cube's diagonal; corners are numbered x + 2 y + 4 z.
TETRAHEDRA = [(0, 1, 3, 7), (0, 3, 2, 7), (0, 2, 6, 7), (0, 6, 4, 7), (0, 4, 5, 7), (0, 5, 1, 7)]


def field(point, half_distance):
    total = 0.0
    for side in (-1.0, 1.0):
        d2 = (point[0] - side * half_distance) ** 2 + point[1] ** 2 + point[2] ** 2
        total += RADIUS**2 / max(d2, 1e-9)
    return total - 1.0


def surface(half_distance):
    def place(node):
        return tuple(CELL * (n - h + o) for n, h, o in zip(node, HALF, (0.013, 0.027, 0.041)))

    values = {}

    def value(node):
        if node not in values:
            values[node] = field(place(node), half_distance)
        return values[node]

    vertices, numbers, triangles = [], {}, []

    def crossing(a, b):
        key = (min(a, b), max(a, b))
        if key not in numbers:
            pa, pb, va, vb = place(key[0]), place(key[1]), value(key[0]), value(key[1])
            t = min(max(va / (va - vb), 0.05), 0.95)  # no slivers
            numbers[key] = len(vertices)
            vertices.append(tuple(x + t * (y - x) for x, y in zip(pa, pb)))
        return numbers[key]

    def add(triangle, inside):
        a, b, c = (vertices[i] for i in triangle)
        u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
        normal = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
        outward = sum(n * (x - y) for n, x, y in zip(normal, a, inside))
        triangles.append(triangle if outward > 0 else (triangle[0], triangle[2], triangle[1]))

    for z in range(2 * HALF[2]):
        for y in range(2 * HALF[1]):
            for x in range(2 * HALF[0]):
                corners = [(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2)) for c in range(8)]
                for tetrahedron in TETRAHEDRA:
                    nodes = [corners[c] for c in tetrahedron]
                    within = [n for n in nodes if value(n) > 0.0]
                    beyond = [n for n in nodes if value(n) <= 0.0]
                    if len(within) == 1:
                        add(tuple(crossing(within[0], b) for b in beyond), place(within[0]))
                    elif len(within) == 3:
                        inside = tuple(sum(p) / 3.0 for p in zip(*map(place, within)))
                        add(tuple(crossing(w, beyond[0]) for w in within), inside)
                    elif len(within) == 2:
                        (a, b), (c, d) = within, beyond
                        quad = [crossing(a, c), crossing(a, d), crossing(b, d), crossing(b, c)]
                        inside = tuple(sum(p) / 2.0 for p in zip(*map(place, within)))
                        add((quad[0], quad[1], quad[2]), inside)
                        add((quad[0], quad[2], quad[3]), inside)
    return vertices, triangles


def write(path, vertices, triangles):
    header = (
        "ply\nformat binary_little_endian 1.0\n"
        f"element vertex {len(vertices)}\nproperty float x\nproperty float y\nproperty float z\n"
        f"element face {len(triangles)}\nproperty list uchar ushort vertex_indices\nend_header\n"
    )
    body = b"".join(struct.pack("<3f", *v) for v in vertices)
    body += b"".join(struct.pack("<B3H", 3, *t) for t in triangles)
    path.write_bytes(header.encode() + body)


def main():
    folder = pathlib.Path(__file__).parent
    for frame in range(FRAMES):
        half_distance = FARTHEST * abs(math.cos(math.pi * frame / (FRAMES - 1)))
        write(folder / f"drops.{frame:04d}.ply", *surface(half_distance))


if __name__ == "__main__":
    main()
