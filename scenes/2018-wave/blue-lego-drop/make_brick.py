#!/usr/bin/python3
"""Writes brick.obj: a toy brick of 2 x 4 studs, walls of 1.5 mm, hollow from below, square studs and tubes.

It is cut from a lattice of planes, so that its surface is closed and clean.
"""

import itertools

wall, top, height, stud_height = 1.5, 8.1, 9.6, 1.8  # [mm]
length, width = 31.8, 15.8
stud, tube, bore = 2.13, 2.88, 2.1  # half widths [mm]
studs = [(3.9 + 8 * i, 3.9 + 8 * j) for i in range(4) for j in range(2)]
tubes = [(7.9 + 8 * i, 7.9) for i in range(3)]


def within(x, z, places, half):
    return any(abs(x - a) < half and abs(z - b) < half for a, b in places)


def is_solid(x, y, z):
    if not (0 < x < length and 0 < z < width):
        return False
    if y > height:
        return y < height + stud_height and within(x, z, studs, stud)
    if y > top:
        return True
    if y < 0:
        return False
    in_wall = x < wall or x > length - wall or z < wall or z > width - wall
    return in_wall or (within(x, z, tubes, tube) and not within(x, z, tubes, bore))


def lines(ends, places, halves):
    found = set(ends)
    for p, half in itertools.product(places, halves):
        found |= {round(p - half, 4), round(p + half, 4)}
    return sorted(found)


xs = sorted(set(lines((0, wall, length - wall, length), [a for a, _ in studs], (stud,))) | set(lines((), [a for a, _ in tubes], (tube, bore))))
zs = sorted(set(lines((0, wall, width - wall, width), [b for _, b in studs], (stud,))) | set(lines((), [b for _, b in tubes], (tube, bore))))
ys = [0, top / 2, top, height, height + stud_height]

middle = lambda line, i: 0.5 * (line[i] + line[i + 1])
cells = {
    (i, j, k)
    for i in range(len(xs) - 1)
    for j in range(len(ys) - 1)
    for k in range(len(zs) - 1)
    if is_solid(middle(xs, i), middle(ys, j), middle(zs, k))
}

vertices, faces = {}, []


def vertex(i, j, k):
    return vertices.setdefault((i, j, k), len(vertices) + 1)


for i, j, k in sorted(cells):
    for axis, side in itertools.product(range(3), (0, 1)):
        step = [0, 0, 0]
        step[axis] = 2 * side - 1
        if (i + step[0], j + step[1], k + step[2]) in cells:
            continue
        # Around the axis, counter-clockwise from outside.
        u, v = (axis + 1) % 3, (axis + 2) % 3
        corners = []
        for du, dv in ((0, 0), (1, 0), (1, 1), (0, 1)):
            at = [i, j, k]
            at[axis] += side
            at[u] += du
            at[v] += dv
            corners.append(vertex(*at))
        if side == 0:
            corners.reverse()
        faces.append(corners)

with open("brick.obj", "w") as file:
    file.write("# a toy brick [m], written by make_brick.py\n")
    for i, j, k in vertices:
        file.write("v %.5f %.5f %.5f\n" % (1e-3 * (xs[i] - length / 2), 1e-3 * ys[j], 1e-3 * (zs[k] - width / 2)))
    for a, b, c, d in faces:
        file.write("f %d %d %d\nf %d %d %d\n" % (a, b, c, a, c, d))
