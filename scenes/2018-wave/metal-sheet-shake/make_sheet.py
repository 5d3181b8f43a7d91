#!/usr/bin/python3
"""Makes sheet.ply: a rectangle of nearly equilateral triangles. No triangle at the rim is much smaller than others, since the
smallest one sets the time step of the whole sheet.

    make_sheet.py WIDTH HEIGHT EDGE PLANE > sheet.ply     [m]; PLANE is xy (upright) or xz (flat)
"""
import math
import sys

width, height, edge = (float(x) for x in sys.argv[1:4])
upright = sys.argv[4] == "xy"
columns, rows = max(1, round(width / edge)), max(1, round(height / (edge * math.sqrt(3) / 2)))
points, faces, row_of = [], [], []
for j in range(rows + 1):
    # Every other row has a vertex more, so that it is half an edge ahead in the middle.
    count = columns + j % 2
    places = [i / count for i in range(count + 1)]
    first = len(points)
    for x in places:
        a, b = width * (x - 0.5), height * (j / rows - 0.5)
        points.append((a, b, 0.0) if upright else (a, 0.0, -b))
    row_of.append((first, places))
for (low, below), (high, above) in zip(row_of, row_of[1:]):
    i = k = 0
    while i + 1 < len(below) or k + 1 < len(above):
        if k + 1 == len(above) or (i + 1 < len(below) and below[i] + below[i + 1] <= above[k] + above[k + 1]):
            faces.append((low + i, low + i + 1, high + k))
            i += 1
        else:
            faces.append((low + i, high + k + 1, high + k))
            k += 1
print("ply\nformat ascii 1.0\nelement vertex %d\nproperty float x\nproperty float y\nproperty float z\n"
      "element face %d\nproperty list uchar int vertex_indices\nend_header" % (len(points), len(faces)))
for point in points:
    print("%.6g %.6g %.6g" % point)
for face in faces:
    print("3 %d %d %d" % face)
