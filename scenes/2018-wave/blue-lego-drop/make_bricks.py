#!/usr/bin/python3
"""Writes brick.obj (a toy brick of 2 x 4 studs, walls of 1.5 mm, hollow from below, square studs and tubes), contacts.jsonl
and scene.json: two bricks fall on a table, one on its open side, the other on its studs.

The brick is cut from a lattice of planes, so that its surface is closed and clean. It falls without turning; each landing is
four corners that touch within a millisecond of each other, as no brick falls quite flat.
"""

import itertools
import json
import math
import random

wall, top, height, stud_height = 1.5, 8.1, 9.6, 1.8  # [mm]
length, width = 31.8, 15.8
stud, tube, bore = 2.13, 2.88, 2.1  # half widths [mm]
studs = [(3.9 + 8 * i, 3.9 + 8 * j) for i in range(4) for j in range(2)]
tubes = [(7.9 + 8 * i, 7.9) for i in range(3)]
density = 1050.0


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
volume = sum((xs[i + 1] - xs[i]) * (ys[j + 1] - ys[j]) * (zs[k + 1] - zs[k]) for i, j, k in cells)
mass = density * volume * 1e-9

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
    file.write("# a toy brick [m], written by make_bricks.py\n")
    for i, j, k in vertices:
        file.write("v %.5f %.5f %.5f\n" % (1e-3 * (xs[i] - length / 2), 1e-3 * ys[j], 1e-3 * (zs[k] - width / 2)))
    for a, b, c, d in faces:
        file.write("f %d %d %d\nf %d %d %d\n" % (a, b, c, a, c, d))

# The fall.
g, drop, restitution, bounces = 9.81, 0.15, 0.45, 4
random.seed(5)
records = []


def fall(name, start, x, lowest, feet):
    """Keys of a brick whose lowest point, in its own frame turned as it falls, is at -lowest."""
    keys = []

    def key(t, y):
        keys.append({"t": round(t, 6), "position": [x, round(y + lowest + 1e-5, 7), 0]})

    key(start, drop)
    t, speed = start + math.sqrt(2 * drop / g), math.sqrt(2 * g * drop)
    for s in [0.04 * n for n in range(1, 50)]:
        if start + s < t - 0.005:
            key(start + s, drop - 0.5 * g * s * s)
    for bounce in range(bounces):
        key(t, 0.0)
        spread = 1e-3 * restitution**bounce
        moments = sorted(random.uniform(0, spread) for _ in feet)
        for moment, foot in zip(moments, random.sample(feet, len(feet))):
            impulse = mass * speed * (1 + restitution) / len(feet)
            records.append((t + moment, name, [x + foot[0], 0, foot[1]], impulse, speed))
        speed *= restitution
        flight = 2 * speed / g
        for s in [flight * n / 3 for n in (1, 2)]:
            key(t + s, speed * s - 0.5 * g * s * s)
        t += flight
    key(t, 0.0)
    return keys


rim = [(sx * 0.0152, sz * 0.0072) for sx in (-1, 1) for sz in (-1, 1)]
knobs = [(sx * 0.0135, sz * 0.0055) for sx in (-1, 1) for sz in (-1, 1)]
down = fall("face-down", 0.0, -0.03, 0.0, rim)
up = fall("face-up", 0.7, 0.03, 1e-3 * (height + stud_height), knobs)
for one in up:
    one["rotation"] = {"axis": [1, 0, 0], "degrees": 180}

with open("contacts.jsonl", "w") as file:
    file.write('{"peal_contacts": 1, "bodies": ["face-down", "face-up", "table"]}\n')
    for t, name, point, impulse, speed in sorted(records):
        record = {"time_s": round(t, 7), "a": name, "b": "table", "point_m": [round(p, 6) for p in point], "normal": [0, 1, 0]}
        record["impulse_ns"] = [0, float("%.6g" % impulse), 0]
        record["velocity_m_s"] = [0, float("%.6g" % -speed), 0]
        file.write(json.dumps(record) + "\n")

brick = {"mesh": "brick.obj", "material": "abs", "contact": {"fillet": 0.0002}}
sounds = [{"modal": {"max_frequency": 10000}}, "acceleration_noise"]
scene = {
    "$schema": "../../../schema/scene.schema.json",
    "peal": 1,
    "duration": 1.3,
    "objects": [
        {"name": "face-down", **brick, "motion": {"keyframes": down}, "sound": sounds},
        {"name": "face-up", **brick, "motion": {"keyframes": up}, "sound": sounds},
        {"name": "table", "shape": {"box": [3, 0.2, 3]}, "material": "oak", "motion": {"position": [0, -0.1, 0]}},
    ],
    "listeners": [{"name": "main", "stereo": {"position": [0, 0.2, 0.3], "look_at": [0, 0, 0]}}],
    "radiation": {"model": "wave", "max_frequency": 10000, "accuracy": 0.03},
    "dynamics": {"contacts": "contacts.jsonl"},
}
with open("scene.json", "w") as file:
    file.write("// Two toy bricks fall on a table: on the open side, then on the studs. Written by make_bricks.py.\n")
    file.write(json.dumps(scene, indent=2) + "\n")
print("mass %.4g g, %d triangles" % (1e3 * mass, 2 * len(faces)))
