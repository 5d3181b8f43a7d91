#!/usr/bin/python3
"""Makes the small files that the examples in docs/scene-format.md name, in tests/data/manual."""

import json
import math
import pathlib
import struct
import wave

FOLDER = pathlib.Path(__file__).parent / "manual"
CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
QUADS = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in QUADS for t in ((a, b, c), (a, c, d))]


def mug():
    """A block of 80 x 100 x 80 mm, in millimetres."""
    lines = ["o mug"]
    lines += [f"v {40 * x} {50 + 50 * y} {40 * z}" for x, y, z in CUBE]
    lines += ["f " + " ".join(str(i + 1) for i in quad) for quad in QUADS]
    (FOLDER / "mug.obj").write_text("\n".join(lines) + "\n")


def phone():
    """A block of 70 x 140 x 8 mm, in millimetres; what faces +Z is the group "grille"."""
    lines = ["o phone", "g body"]
    lines += [f"v {35 * x} {70 * y} {4 * z}" for x, y, z in CUBE]
    lines += ["f " + " ".join(str(i + 1) for i in quad) for quad in QUADS[:-1]]
    lines += ["g grille", "f " + " ".join(str(i + 1) for i in QUADS[-1])]
    (FOLDER / "phone.obj").write_text("\n".join(lines) + "\n")


def cloth():
    """Three frames of a square that bends."""
    for frame in (1, 2, 3):
        lines = ["ply", "format ascii 1.0", "element vertex 4", "property float x",
                 "property float y", "property float z", "element face 2",
                 "property list uchar int vertex_indices", "end_header"]
        lines += [f"0 0 0", f"1 {0.1 * (frame - 1):g} 0", f"1 0 1", f"0 {0.1 * (frame - 1):g} 1"]
        lines += ["3 0 2 1", "3 0 3 2"]
        (FOLDER / f"cloth.{frame:04d}.ply").write_text("\n".join(lines) + "\n")


def ring():
    """A tenth of a second of 880 Hz at 44.1 kHz."""
    with wave.open(str(FOLDER / "ring.wav"), "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(44100)
        samples = [round(20000 * math.sin(2 * math.pi * 880 * i / 44100)) for i in range(4410)]
        out.writeframes(struct.pack(f"<{len(samples)}h", *samples))


def robot():
    """A node "arm" with a cube, keyed on frames 1 and 25 at 24 frames per second."""
    body = b"".join(struct.pack("<3f", *(0.1 * x for x in p)) for p in CUBE)
    body += b"".join(struct.pack("<3H", *t) for t in TRIANGLES)
    body += struct.pack("<2f", 1 / 24, 25 / 24)
    body += struct.pack("<6f", 0, 0, 0, 0, 1, 0)
    views = [(0, 96), (96, 72), (168, 8), (176, 24)]
    document = {
        "asset": {"version": "2.0", "generator": "make_manual_files.py"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1], "extras": {"peal": {"peal": 1, "fps": 24, "frame_start": 1}}}],
        "nodes": [
            {"name": "arm", "mesh": 0, "extras": {"peal": {"material": "steel", "sound": [
                {"point": {"tone": 200}}]}}},
            {"name": "ears", "translation": [0, 0, 2],
             "extras": {"peal": "{\"listener\": {\"stereo\": {}}}"}}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 8, "type": "VEC3",
             "min": [-0.1] * 3, "max": [0.1] * 3},
            {"bufferView": 1, "componentType": 5123, "count": 36, "type": "SCALAR"},
            {"bufferView": 2, "componentType": 5126, "count": 2, "type": "SCALAR",
             "min": [1 / 24], "max": [25 / 24]},
            {"bufferView": 3, "componentType": 5126, "count": 2, "type": "VEC3"}],
        "animations": [{
            "channels": [{"sampler": 0, "target": {"node": 0, "path": "translation"}}],
            "samplers": [{"input": 2, "output": 3, "interpolation": "LINEAR"}]}],
        "bufferViews": [{"buffer": 0, "byteOffset": o, "byteLength": n} for o, n in views],
        "buffers": [{"byteLength": len(body)}],
    }
    text = json.dumps(document, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 4)
    total = 12 + 8 + len(text) + 8 + len(body)
    (FOLDER / "robot.glb").write_bytes(
        struct.pack("<4sIIII", b"glTF", 2, total, len(text), 0x4E4F534A) + text
        + struct.pack("<II", len(body), 0x004E4942) + body)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    mug()
    phone()
    cloth()
    ring()
    robot()
