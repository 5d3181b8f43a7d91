#!/usr/bin/env python3
"""Writes scene.gltf: a carousel as an exporter at 24 frames a second would write it, frame 1 first."""
import base64
import json
import math
import struct

FPS = 24
buffer = b""
views, accessors = [], []


def accessor(rows, kind, component=5126, target=None):
    """Appends numbers to the buffer; returns the accessor's index."""
    global buffer
    flat = [x for row in rows for x in (row if isinstance(row, (list, tuple)) else [row])]
    data = struct.pack("<%d%s" % (len(flat), "f" if component == 5126 else "H"), *flat)
    views.append({"buffer": 0, "byteOffset": len(buffer), "byteLength": len(data)})
    entry = {"bufferView": len(views) - 1, "componentType": component, "count": len(rows), "type": kind}
    columns = list(zip(*rows)) if isinstance(rows[0], (list, tuple)) else [rows]
    if kind != "VEC4":
        entry["min"] = [min(c) for c in columns]
        entry["max"] = [max(c) for c in columns]
    accessors.append(entry)
    buffer += data + b"\0" * (-len(data) % 4)
    return len(accessors) - 1


def time(frame):
    return frame / FPS


# A turn in 4 s, keyed each quarter: LINEAR turns evenly on the shorter way.
turn_times = accessor([time(1 + 24 * i) for i in range(9)], "SCALAR")
turns = accessor([(0.0, math.sin(math.pi * i / 4), 0.0, math.cos(math.pi * i / 4)) for i in range(9)], "VEC4")
# Up and down on a smooth curve: CUBICSPLINE has in-tangent, value, out-tangent for each key.
bob_times = accessor([time(1 + 24 * i) for i in range(9)], "SCALAR")
bob = []
for i in range(9):
    bob += [(0.0, 0.0, 0.0), (1.5, 1.2 + (0.3 if i % 2 else 0.0), 0.0), (0.0, 0.0, 0.0)]
bobs = accessor(bob, "VEC3")
# A clock that jumps from place to place: STEP.
jump_times = accessor([time(1), time(73), time(145)], "SCALAR")
jumps = accessor([(-4.0, 1.5, -2.0), (4.0, 1.5, -2.0), (0.0, 1.5, 4.0)], "VEC3")

# The horse is a tetrahedron; Peal finds it watertight.
corners = accessor([(0.2, 0.2, 0.2), (-0.2, -0.2, 0.2), (-0.2, 0.2, -0.2), (0.2, -0.2, -0.2)], "VEC3")
faces = accessor([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], "SCALAR", component=5123)


def animation(name, node, path, times, values, interpolation):
    return {
        "name": name,
        "channels": [{"sampler": 0, "target": {"node": node, "path": path}}],
        "samplers": [{"input": times, "output": values, "interpolation": interpolation}],
    }


def point(**keys):
    return {"point": keys}


document = {
    "asset": {"version": "2.0", "generator": "make_scene.py"},
    "scene": 0,
    "scenes": [{"nodes": [0, 2, 3], "extras": {"peal": {"peal": 1, "duration": 8, "fps": FPS, "frame_start": 1}}}],
    "nodes": [
        {"name": "carousel", "children": [1]},
        {
            "name": "horse",
            "mesh": 0,
            "translation": [1.5, 1.2, 0],
            "extras": {
                "peal": {
                    "material": "oak",
                    "sound": [point(tone={"frequency": 330, "harmonics": [1, 0.5, 0.3, 0.2]}, pressure_at_1m=0.2)],
                }
            },
        },
        {
            "name": "clock",
            "translation": [-4, 1.5, -2],
            "extras": {"peal": {"sound": [point(click={"width": 0.0003, "period": 0.5}, pressure_at_1m=1.0)]}},
        },
        {"name": "camera", "translation": [0, 1.7, 3], "extras": {"peal": {"listener": {"stereo": {}}}}},
    ],
    "meshes": [{"primitives": [{"attributes": {"POSITION": corners}, "indices": faces}]}],
    "animations": [
        animation("turn", 0, "rotation", turn_times, turns, "LINEAR"),
        animation("bob", 1, "translation", bob_times, bobs, "CUBICSPLINE"),
        animation("jump", 2, "translation", jump_times, jumps, "STEP"),
    ],
    "accessors": accessors,
    "bufferViews": views,
    "buffers": [
        {"byteLength": len(buffer), "uri": "data:application/octet-stream;base64," + base64.b64encode(buffer).decode()}
    ],
}
with open("scene.gltf", "w") as out:
    json.dump(document, out, indent=1)
    out.write("\n")
