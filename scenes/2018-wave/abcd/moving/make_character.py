#!/usr/bin/env python3
"""Writes character.glb, a skinned character and how it moves, and speech.wav, what it says (needs NumPy).

Its head is that of ../make_head.py down to below the mouth. While it says B, C and D, head, listener and what is around the head
stand to each other as in the still scenes. Everything moves along polynomials whose first four derivatives are 0 at both ends, so
that the motion itself is silent above 50 Hz.
"""
import json
import math
import pathlib
import struct
import wave

import numpy as np

FOLDER = pathlib.Path(__file__).parent

# --- When [s] -----------------------------------------------------------------------------------------------------------------------
KEY_RATE = 512  # [1/s]; a power of two, so that times are exact as 32-bit floats. The motion sounds up to a third of it: 171 Hz
DURATION = 4.375
# Letters: in ../abcd.wav, and when they begin here.
LETTERS = {"A": ((0.0, 0.25), 0.25), "B": ((0.40, 0.68), 1.5), "C": ((0.83, 1.21), 2.6), "D": ((1.36, 1.61), 4.0)}
TURN = (0.02, 0.73)
LIFT, LOWER = (0.8, 1.48), (1.82, 2.5)
BEND, STRAIGHTEN = (1.85, 2.58), (3.05, 3.75)
STEP = (3.1, 3.98)
# In between all rests, so that things may come and go: the megaphone at 0.77 s, the pot at 1.8 s, the wall at 3.02 s.

# --- Where [m] ----------------------------------------------------------------------------------------------------------------------
NECK = np.array([0.0, -0.115, 0.0])
SPINE = np.array([0.0, -0.27, 0.0])
SHOULDER = np.array([-0.090, -0.170, 0.0])
ARM, ARM_RADIUS = 0.13, 0.017  # length of the upper and of the lower arm
ARM_AT_REST = np.array([-0.55, -0.80, 0.25])  # direction from the shoulder to the hand in the mesh
HANGING = np.array([-0.06, -0.16, 0.10])  # from the shoulder to the hand without a megaphone
ELBOW_LOOKS = np.array([-1.0, -0.5, -0.3])
LISTENER = np.array([0.3, -0.055, 1.0])
TURN_DEGREES = 35  # from the far side of the listener to the near one: the face passes the listener in the middle
BEND_DEGREES = 35
STEP_DEGREES = 20  # around the listener
# The megaphone's narrow end, relative to the head that speaks through it and when it is low; where the hand holds it.
MEGAPHONE = np.array([0.0, -0.055, 0.095])
MEGAPHONE_LOW, LOW_DEGREES = np.array([-0.10, -0.215, 0.115]), 30
GRIP = np.array([-0.074, -0.050, 0.085])  # relative to the narrow end; the hand ends 13 mm before the wall


# --- Rotations: matrices, and quaternions x, y, z, w as glTF has them ---------------------------------------------------------------
def turn(axis, degrees):
    a = math.radians(degrees)
    x, y, z = {"x": (1, 0, 0), "y": (0, 1, 0)}[axis]
    k = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], float)
    return np.eye(3) + math.sin(a) * k + (1 - math.cos(a)) * k @ k


def least_turn(a, b):
    """The rotation by the least angle from the direction a to b."""
    a, b = a / np.linalg.norm(a), b / np.linalg.norm(b)
    v = np.cross(a, b)
    k = np.array([[0, -v[2], v[1]], [v[2], 0, -v[0]], [-v[1], v[0], 0]])
    return np.eye(3) + k + k @ k / (1 + a @ b)


def quaternion(m):
    w = math.sqrt(max(0.0, 1 + m[0, 0] + m[1, 1] + m[2, 2])) / 2  # no rotation here is near half a turn
    return np.array([m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], 4 * w * w]) / (4 * w)


# --- The motion ---------------------------------------------------------------------------------------------------------------------
def rise(t, interval):
    """From 0 to 1 in the interval."""
    u = min(1.0, max(0.0, (t - interval[0]) / (interval[1] - interval[0])))
    return u**5 * (126 - 420 * u + 540 * u**2 - 315 * u**3 + 70 * u**4)


def pose(t):
    """Joints at a time: name -> (rotation relative to the parent, translation relative to the parent)."""
    unturned, bend = 1 - rise(t, TURN), rise(t, BEND) - rise(t, STRAIGHTEN)
    step = rise(t, STEP)
    # Around the listener; the turn is shared by the body and the neck.
    around = turn("y", STEP_DEGREES * step)
    root = around @ turn("y", 0.6 * TURN_DEGREES * unturned)
    place = LISTENER * [1, 0, 1] + around @ (-LISTENER * [1, 0, 1])
    # A step is lifted a little.
    place = place + np.array([0.0, 0.02 * 4 * step * (1 - step), 0.0])
    spine = turn("x", BEND_DEGREES * bend)
    head = spine.T @ turn("y", 0.4 * TURN_DEGREES * unturned)
    # The character steps back as it bends, so that the head only sinks.
    sunk = SPINE + spine @ (NECK - SPINE) - NECK
    place = place + root @ np.array([0.0, 0.0, -sunk[2]])
    joints = {"root": (root, place), "spine": (spine, SPINE), "head": (head, NECK - SPINE)}

    # The megaphone in the trunk's frame, the hand at its grip, the arm by the law of cosines.
    lifted, lowered = rise(t, LIFT), rise(t, LOWER)
    megaphone = turn("x", LOW_DEGREES * (1 - lifted))
    hand = MEGAPHONE_LOW + lifted * (MEGAPHONE - MEGAPHONE_LOW) + megaphone @ GRIP - SHOULDER
    hand = hand + lowered * (HANGING - hand)
    reach = np.linalg.norm(hand)
    assert reach < 1.98 * ARM, f"the hand is out of reach at {t} s"
    along = hand / reach
    aside = ELBOW_LOOKS - along * (along @ ELBOW_LOOKS)
    elbow = 0.5 * hand + aside / np.linalg.norm(aside) * math.sqrt(ARM**2 - 0.25 * reach**2)
    upper = least_turn(ARM_AT_REST, elbow)
    lower = upper.T @ least_turn(ARM_AT_REST, hand - elbow)
    straight = ARM * ARM_AT_REST / np.linalg.norm(ARM_AT_REST)
    joints["upper_arm"] = (upper, SHOULDER - SPINE)
    joints["lower_arm"] = (lower, straight)
    in_hand = (upper @ lower).T @ megaphone
    joints["megaphone"] = (in_hand @ turn("x", 90), straight - in_hand @ GRIP)  # the lathe's axis is y, the megaphone's z
    return joints


PARENT = {"root": None, "spine": "root", "head": "spine", "upper_arm": "spine", "lower_arm": "upper_arm", "megaphone": "lower_arm"}
SKIN_JOINTS = ["root", "spine", "head", "upper_arm", "lower_arm"]
BOUND_AT = {"root": np.zeros(3), "spine": SPINE, "head": NECK, "upper_arm": SHOULDER,
            "lower_arm": SHOULDER + ARM * ARM_AT_REST / np.linalg.norm(ARM_AT_REST)}


# --- The mesh -----------------------------------------------------------------------------------------------------------------------
AROUND, HEAD_ROWS = 48, 24  # of make_head.py; so many rows belong to the character's head
# Below: height and half width, half depth.
BODY = [(-0.090, 0.043, 0.049), (-0.100, 0.038, 0.040), (-0.112, 0.036, 0.036), (-0.122, 0.041, 0.037), (-0.132, 0.057, 0.042),
        (-0.142, 0.080, 0.048), (-0.154, 0.095, 0.053), (-0.166, 0.102, 0.056), (-0.178, 0.104, 0.057), (-0.190, 0.102, 0.057),
        (-0.204, 0.098, 0.057), (-0.218, 0.093, 0.056), (-0.232, 0.088, 0.055), (-0.246, 0.084, 0.054), (-0.260, 0.082, 0.053),
        (-0.274, 0.081, 0.053), (-0.288, 0.082, 0.054), (-0.302, 0.084, 0.056), (-0.316, 0.086, 0.058), (-0.324, 0.080, 0.054),
        (-0.328, 0.060, 0.040), (-0.328, 0.030, 0.020)]
SHOULDER_COLUMNS, SHOULDER_ROWS = range(34, 38), range(HEAD_ROWS + 7, HEAD_ROWS + 10)  # of faces, where the arm grows
ARM_RINGS = 22


def head_faces():
    """Vertices and triangles of head.obj; each triangle with its group."""
    vertices, faces, group = [], [], ""
    for line in (FOLDER.parent / "head.obj").read_text().splitlines():
        words = line.split()
        if words[0] == "v":
            vertices.append([float(x) for x in words[1:]])
        elif words[0] == "g":
            group = words[1]
        elif words[0] == "f":
            faces.append((group, [int(x) - 1 for x in words[1:]]))
    return vertices, faces


def character():
    vertices, faces = head_faces()
    kept = 1 + AROUND * HEAD_ROWS  # the crown and its rows
    vertices = [np.array(v) for v in vertices[:kept]]
    faces = [(group, face) for group, face in faces if max(face) < kept]

    def number(row, column):
        return 1 + AROUND * (row - 1) + column % AROUND

    for y, half_width, half_depth in BODY:
        for column in range(AROUND):
            angle = 2 * math.pi * column / AROUND
            vertices.append(np.array([half_width * math.sin(angle), y, half_depth * math.cos(angle)]))
    hole = []
    last = HEAD_ROWS + len(BODY)
    for row in range(HEAD_ROWS, last):
        for column in range(AROUND):
            face = [number(row, column), number(row + 1, column), number(row + 1, column + 1), number(row, column + 1)]
            if column in SHOULDER_COLUMNS and row in SHOULDER_ROWS:
                hole.append(face)
            else:
                faces.append(("skin", face))
    vertices.append(np.array([0.0, BODY[-1][0], 0.0]))
    faces += [("skin", [number(last, c), len(vertices) - 1, number(last, c + 1)]) for c in range(AROUND)]

    # The arm: rings from the edge of the hole, at last circles.
    edges = {a: b for face in hole for a, b in zip(face, face[1:] + face[:1])
             if not any((b, a) in zip(other, other[1:] + other[:1]) for other in hole)}
    ring = [min(edges)]
    while edges[ring[-1]] != ring[0]:
        ring.append(edges[ring[-1]])
    along = ARM_AT_REST / np.linalg.norm(ARM_AT_REST)
    start = np.array([vertices[v] for v in ring])
    one = start[0] - start.mean(axis=0)
    one = one - along * (along @ one)
    one /= np.linalg.norm(one)
    other = np.cross(along, one)
    sense = 1 if (start[len(ring) // 4] - start.mean(axis=0)) @ other > 0 else -1
    arm = {}
    length = 2 * ARM
    for k in range(1, ARM_RINGS + 1):
        at = length * k / ARM_RINGS
        blend = min(1.0, at / 0.05)
        radius = ARM_RADIUS * (math.sqrt(max(0.0, 1 - ((at - length + 0.012) / 0.0125) ** 2)) if at > length - 0.012 else 1)
        points = []
        for i in range(len(ring)):
            angle = sense * 2 * math.pi * i / len(ring)
            circle = SHOULDER + at * along + radius * (math.cos(angle) * one + math.sin(angle) * other)
            moved = start[i] + at * along
            points.append((1 - blend) * moved + blend * circle)
        numbers = []
        for p in points:
            arm[len(vertices)] = at
            numbers.append(len(vertices))
            vertices.append(p)
        n = len(ring)
        faces += [("skin", [ring[i], ring[(i + 1) % n], numbers[(i + 1) % n], numbers[i]]) for i in range(n)]
        ring = numbers
    arm[len(vertices)] = length
    vertices.append(SHOULDER + length * along)
    faces += [("skin", [ring[i], ring[(i + 1) % len(ring)], len(vertices) - 1]) for i in range(len(ring))]

    triangles = {"skin": [], "mouth": []}
    for group, face in faces:
        triangles[group] += [[face[0], face[k], face[k + 1]] for k in range(1, len(face) - 1)]
    # Those inside the hole belong to no face.
    used = sorted({v for t in triangles.values() for face in t for v in face})
    renumbered = {v: k for k, v in enumerate(used)}
    return (np.array([vertices[v] for v in used]),
            {name: np.array([[renumbered[v] for v in face] for face in t]) for name, t in triangles.items()},
            {renumbered[v]: at for v, at in arm.items()})


def weights(vertex, along_arm):
    """Shares of SKIN_JOINTS."""
    def share(x, begin, end):
        u = min(1.0, max(0.0, (x - begin) / (end - begin)))
        return u * u * (3 - 2 * u)

    if along_arm is not None:
        upper = share(along_arm, 0.0, 0.05)
        lower = share(along_arm, ARM - 0.045, ARM + 0.045)
        return [0.0, 1 - upper, 0.0, upper * (1 - lower), lower]
    head = share(vertex[1], -0.140, -0.090)
    spine = share(vertex[1], -0.310, -0.230)
    return [1 - spine, spine * (1 - head), head, 0.0, 0.0]


# --- The files ----------------------------------------------------------------------------------------------------------------------
class Glb:
    def __init__(self):
        self.binary, self.views, self.accessors = b"", [], []

    def add(self, array, kind, component, bounds=False):
        data = array.tobytes()
        self.views.append({"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data + b"\0" * (-len(data) % 4)
        accessor = {"bufferView": len(self.views) - 1, "componentType": component, "count": len(array), "type": kind}
        if bounds:
            accessor |= {"min": np.atleast_1d(array.min(axis=0)).tolist(), "max": np.atleast_1d(array.max(axis=0)).tolist()}
        self.accessors.append(accessor)
        return len(self.accessors) - 1

    def floats(self, array, bounds=False):
        array = np.ascontiguousarray(array, np.float32)
        kind = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}[1 if array.ndim == 1 else array.shape[1]]
        return self.add(array, kind, 5126, bounds)

    def write(self, path, document):
        document |= {"buffers": [{"byteLength": len(self.binary)}], "bufferViews": self.views, "accessors": self.accessors}
        text = json.dumps(document, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        chunks = struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(self.binary), 0x004E4942) + self.binary
        path.write_bytes(struct.pack("<III", 0x46546C67, 2, 12 + len(chunks)) + chunks)


def write_character(path):
    vertices, triangles, arm = character()
    glb = Glb()
    attributes = {"POSITION": glb.floats(vertices, bounds=True)}
    shares = np.array([weights(v, arm.get(i)) for i, v in enumerate(vertices)])
    most = np.argsort(-shares, axis=1, kind="stable")[:, :4]
    attributes["JOINTS_0"] = glb.add(most.astype(np.uint8), "VEC4", 5121)
    attributes["WEIGHTS_0"] = glb.floats(np.take_along_axis(shares, most, axis=1))
    primitives = [{"attributes": attributes, "material": k, "indices": glb.add(t.astype(np.uint16).reshape(-1), "SCALAR", 5123)}
                  for k, t in enumerate(triangles.values())]

    names = list(PARENT)
    nodes = [{"name": name, "children": [k for k, other in enumerate(names) if PARENT[other] == name]} for name in names]
    for node in nodes:
        if not node["children"]:
            del node["children"]
    nodes.append({"name": "character", "mesh": 0, "skin": 0})
    inverse = []
    for name in SKIN_JOINTS:
        matrix = np.eye(4)
        matrix[:3, 3] = -BOUND_AT[name]
        inverse.append(matrix.T.reshape(-1))

    times = np.arange(round(DURATION * KEY_RATE) + 1) / KEY_RATE
    poses = [pose(t) for t in times]
    input_times = glb.floats(times, bounds=True)
    samplers, channels = [], []

    def animate(name, path_name, values):
        node = nodes[names.index(name)]
        node[path_name] = values[0].tolist()
        if np.abs(values - values[0]).max() < 1e-12:
            return
        samplers.append({"input": input_times, "output": glb.floats(values), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": names.index(name), "path": path_name}})

    for name in names:
        turns = np.array([quaternion(p[name][0]) for p in poses])
        animate(name, "rotation", turns)
        animate(name, "translation", np.array([p[name][1] for p in poses]))
    glb.write(path, {
        "asset": {"version": "2.0", "generator": "make_character.py"}, "scene": 0,
        "scenes": [{"nodes": [names.index("root"), len(names)]}], "nodes": nodes,
        "meshes": [{"primitives": primitives}], "materials": [{"name": name} for name in triangles],
        "skins": [{"joints": [names.index(name) for name in SKIN_JOINTS],
                   "inverseBindMatrices": glb.floats(np.array(inverse))}],
        "animations": [{"samplers": samplers, "channels": channels}]})


def write_speech(path):
    with wave.open(str(FOLDER.parent / "abcd.wav")) as file:
        rate = file.getframerate()
        spoken = np.frombuffer(file.readframes(file.getnframes()), np.int16)
    said = np.zeros(round((DURATION - 0.1) * rate), np.int16)
    for (begin, end), at in LETTERS.values():
        letter = spoken[round(begin * rate):round(end * rate)]
        said[round(at * rate):round(at * rate) + len(letter)] = letter
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(said.tobytes())


if __name__ == "__main__":
    write_character(FOLDER / "character.glb")
    write_speech(FOLDER / "speech.wav")
