#!/usr/bin/python3
"""Makes the seeds in corpus/ that are not written by hand. Small on purpose: each of their
bytes is mutated in many ways."""
import base64
import json
import struct
from pathlib import Path

CORPUS = Path(__file__).parent / "corpus"


class Builder:
    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "bufferViews": [], "accessors": []}
        self.binary = b""

    def accessor(self, code, numbers, kind, component, **more):
        self.binary += b"\0" * (-len(self.binary) % 4)
        data = struct.pack(f"<{len(numbers)}{code}", *numbers)
        self.json["bufferViews"].append(
            {"buffer": 0, "byteOffset": len(self.binary), "byteLength": len(data)})
        self.binary += data
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
        self.json["accessors"].append({"bufferView": len(self.json["bufferViews"]) - 1,
                                       "componentType": component, "count": len(numbers) // width,
                                       "type": kind, **more})
        return len(self.json["accessors"]) - 1

    def text(self):
        uri = "data:;base64," + base64.b64encode(self.binary).decode()
        whole = {**self.json, "buffers": [{"byteLength": len(self.binary), "uri": uri}]}
        return json.dumps(whole, separators=(",", ":")).encode()

    def glb(self):
        whole = {**self.json, "buffers": [{"byteLength": len(self.binary)}]}
        head = json.dumps(whole, separators=(",", ":")).encode()
        head += b" " * (-len(head) % 4)
        body = self.binary + b"\0" * (-len(self.binary) % 4)
        return (struct.pack("<4sIII4s", b"glTF", 2, 28 + len(head) + len(body), len(head), b"JSON")
                + head + struct.pack("<I4s", len(body), b"BIN\0") + body)


def moving():
    """A child of a turning parent; all three interpolations."""
    b = Builder()
    times = b.accessor("f", [0, 1], "SCALAR", 5126)
    slide = b.accessor("f", [0, 0, 0, 1, 2, 3], "VEC3", 5126)
    turn = b.accessor("h", [0, 0, 0, 32767, 0, 32767, 0, 0], "VEC4", 5122, normalized=True)
    spline = b.accessor("f", [0, 0, 0, 1, 1, 1] * 3, "VEC3", 5126)
    b.json["nodes"] = [{"name": "arm", "children": [1]}, {"name": "tip", "translation": [1, 0, 0]}]
    b.json["animations"] = [
        {"channels": [{"sampler": s, "target": {"node": n, "path": p}}],
         "samplers": [{"input": times, "output": o, "interpolation": i}
                      for o, i in [(slide, "LINEAR"), (turn, "STEP"), (spline, "CUBICSPLINE")]]}
        for s, n, p in [(0, 0, "translation"), (1, 0, "rotation"), (2, 1, "scale")]]
    return b


def shaped():
    """Triangles with indices and a material, a sparse strip, a matrix, extras."""
    b = Builder()
    position = b.accessor("f", [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1], "VEC3", 5126)
    index = b.accessor("H", [0, 2, 1, 0, 1, 3], "SCALAR", 5123)
    which = b.accessor("B", [1, 2], "SCALAR", 5121)
    sparse = len(b.json["accessors"])
    b.json["accessors"].append(
        {"componentType": 5126, "count": 3, "type": "VEC3",
         "sparse": {"count": 2, "indices": {"bufferView": which, "componentType": 5121},
                    "values": {"bufferView": position, "byteOffset": 12}}})
    b.json["materials"] = [{"name": "rim"}]
    b.json["meshes"] = [{"primitives": [
        {"attributes": {"POSITION": position}, "indices": index, "material": 0},
        {"attributes": {"POSITION": sparse}, "mode": 5}]}]
    b.json["nodes"] = [{"name": "mug", "mesh": 0, "extras": {"peal": {"material": "ceramic"}},
                        "matrix": [0, 0, -1, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 2, 3, 1]}]
    b.json["scenes"] = [{"nodes": [0]}]
    return b


def morphed():
    """A triangle with two morph targets, fixed and keyed weights."""
    b = Builder()
    position = b.accessor("f", [0, 0, 0, 1, 0, 0, 0, 1, 0], "VEC3", 5126)
    lift = b.accessor("f", [0, 0, 1, 0, 0, 0, 0, 0, 0.5], "VEC3", 5126)
    times = b.accessor("f", [0, 1], "SCALAR", 5126)
    weights = b.accessor("f", [0, 0, 1, 0.5], "SCALAR", 5126)
    b.json["meshes"] = [{"weights": [0.25, 0], "primitives": [
        {"attributes": {"POSITION": position},
         "targets": [{"POSITION": lift}, {"POSITION": position}]}]}]
    b.json["nodes"] = [{"name": "lid", "mesh": 0, "weights": [1, -1]}]
    b.json["animations"] = [{"channels": [{"sampler": 0, "target": {"node": 0, "path": "weights"}}],
                             "samplers": [{"input": times, "output": weights}]}]
    return b


def skinned():
    """Two triangles on two joints, with 8-bit weights, a morph target, and a joint that turns."""
    b = Builder()
    position = b.accessor("f", [0, 0, 0, 1, 0, 0, 0, 1, 0, 2, 0, 0], "VEC3", 5126)
    joints = b.accessor("B", [0, 1, 0, 0] * 4, "VEC4", 5121)
    weights = b.accessor("B", [255, 0, 0, 0, 128, 127, 0, 0, 200, 55, 0, 0, 0, 255, 0, 0],
                         "VEC4", 5121, normalized=True)
    indices = b.accessor("H", [0, 1, 2, 1, 3, 2], "SCALAR", 5123)
    bind = b.accessor("f", [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                            1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1], "MAT4", 5126)
    times = b.accessor("f", [0, 1], "SCALAR", 5126)
    turns = b.accessor("f", [0, 0, 0, 1, 0, 0, 1, 0], "VEC4", 5126)
    b.json["meshes"] = [{"primitives": [
        {"attributes": {"POSITION": position, "JOINTS_0": joints, "WEIGHTS_0": weights},
         "targets": [{"POSITION": position}], "indices": indices}]}]
    b.json["skins"] = [{"joints": [1, 2], "inverseBindMatrices": bind, "skeleton": 1}]
    b.json["nodes"] = [{"name": "arm", "mesh": 0, "skin": 0, "weights": [0.5]},
                       {"children": [2]}, {"translation": [1, 0, 0]}]
    b.json["animations"] = [{"channels": [{"sampler": 0, "target": {"node": 2, "path": "rotation"}}],
                             "samplers": [{"input": times, "output": turns}]}]
    return b


def wav(code, bits, kind, samples, channels):
    data = struct.pack(f"<{len(samples)}{code}", *samples)
    step = channels * bits // 8
    form = struct.pack("<HHIIHH", kind, channels, 48000, 48000 * step, step, bits)
    body = b"WAVEfmt " + struct.pack("<I", 16) + form + b"data" + struct.pack("<I", len(data)) + data
    return b"RIFF" + struct.pack("<I", len(body)) + body


def aiff(samples):
    data = struct.pack(f">{len(samples)}h", *samples)
    rate = bytes.fromhex("400EBB80000000000000")  # 48000 as an 80-bit float
    common = b"COMM" + struct.pack(">IHIH", 18, 1, len(samples), 16) + rate
    sound = b"SSND" + struct.pack(">III", 8 + len(data), 0, 0) + data
    body = b"AIFF" + common + sound
    return b"FORM" + struct.pack(">I", len(body)) + body


def crc(data, bits, polynomial):
    value = 0
    for byte in data:
        value ^= byte << (bits - 8)
        for _ in range(8):
            value = (value << 1) ^ (polynomial if value >> (bits - 1) & 1 else 0)
            value &= (1 << bits) - 1
    return value


def flac(samples):
    """One frame, stored as it is."""
    n = len(samples)
    info = struct.pack(">HH", n, n) + bytes(6)
    info += ((48000 << 44) | (15 << 36) | n).to_bytes(8, "big") + bytes(16)
    header = bytes([0xFF, 0xF8, 0x6A, 0x08, 0x00, n - 1])
    header += bytes([crc(header, 8, 0x07)])
    frame = header + bytes([0x02]) + struct.pack(f">{n}h", *samples)
    frame += struct.pack(">H", crc(frame, 16, 0x8005))
    return b"fLaC" + bytes([0x80, 0, 0, 34]) + info + frame


def checksum(data):
    """util::Checksum."""
    mask = (1 << 64) - 1

    def finished(x):
        x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & mask
        x = ((x ^ x >> 27) * 0x94D049BB133111EB) & mask
        return x ^ x >> 31

    lanes = [0x243F6A8885A308D3, 0x13198A2E03707344, 0xA4093822299F31D0, 0x082EFA98EC4E6C89,
             0x452821E638D01377, 0xBE5466CF34E90C6C, 0xC0AC29B7C97C50DD, 0x3F84D5B5B5470917]
    padded = data + bytes(64 - len(data) % 64)
    for i, (word,) in enumerate(struct.iter_unpack("<Q", padded)):
        lane = ((lanes[i % 8] ^ word) * 0x9E3779B97F4A7C15) & mask
        lanes[i % 8] = lane ^ lane >> 32
    a, b = finished(len(data)), finished(~len(data) & mask)
    for lane in lanes:
        a = finished(a ^ lane)
        b = finished((((b << 17 | b >> 47) & mask) + lane) & mask)
    return struct.pack("<QQ", a, b)


def archive():
    """A log of one contact with its force and one at rest, a tetrahedron and a truth."""
    def text(word):
        return struct.pack("<Q", len(word)) + word
    log = struct.pack("<Q", 2) + text(b"ball 1") + text(b"floor") + struct.pack("<dQ", 0.001, 1)
    log += struct.pack("<dIIdd12d", 0.5, 0, 1, 0.0, 0.25, *range(12))
    log += struct.pack("<?ddQ6f", True, 0.5, 0.001, 2, *range(6))
    log += struct.pack("<QddIId6d", 1, 0.6, 0.8, 0, 1, 0.1, *range(6))
    mesh = struct.pack("<QQ12d", 4, 12, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
    mesh += struct.pack("<Q12I", 4, 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3)
    return log + mesh + b"\1"


def text(word):
    return struct.pack("<Q", len(word)) + word


def numbers(code, values):
    """A list with its length."""
    return struct.pack(f"<Q{len(values)}{code}", len(values), *values)


TETRAHEDRON = (struct.pack("<QQ12d", 4, 12, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1)
               + struct.pack("<Q12I", 4, 0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3))


def recording():
    """Two samples and one shape of a tetrahedron, and the path of another body."""
    surface = (struct.pack("<q", 1000) + TETRAHEDRON + numbers("f", range(24))
               + numbers("f", [0] * 12) + struct.pack("<?4d", True, 2.0, 1.0, 0.25, 0.0))
    path = numbers("d", [0, 0, 0, 0, 0, 0, 1] * 2)
    log = struct.pack("<Q", 1) + text(b"floor") + struct.pack("<dQQ", 0.001, 0, 0)
    return (struct.pack("<Q", 1) + surface + struct.pack("<Q", 1) + path + log
            + struct.pack("<dQ", 0.5, 1) + text(b"a finding"))


def chunk():
    """The sound of a finished chunk at two receivers."""
    sound = struct.pack("<?4d2d", True, 0.1, 0.2, 3.0, 0.001, 1.0, 2.0) + text(b"0011")
    sound += struct.pack("<Q", 2)
    for start in (-3, 40):
        sound += struct.pack("<qq", 48000, start) + numbers("f", [0, 1, -1, 0.5])
    return sound


def solid_modes():
    """The modes of a tetrahedron, the last of which is a residual shape."""
    modes = (CORPUS / "modes/tetrahedron.modes").read_bytes()
    return (struct.pack("<iQQQ", 3, 10, 300, 1) + struct.pack("<Q", 1) + text(b"a notice")
            + text(modes))


def checkpoint():
    """A contact of the last step, and a filter that halves the rate."""
    contacts = numbers("Q", [7]) + struct.pack("<QQdd", 1, 3, 0.001, 0.5)
    contacts += numbers("d", [0, 1, 2]) + numbers("d", [0, 0, 1]) + numbers("d", [3, 4, 5])
    return contacts + struct.pack("<QQQ", 3, 5, 17) + struct.pack("<272f", *range(272))


FRAME = struct.pack("<6d", 0, 0, 0, 0.1, 343.2, 1.2)


def packed(bits):
    """Bits of packed_waves.h: for each order a Rice parameter, an exponent, a kind of prediction, whether
    zeros are where they were, and for each coefficient a bit and two numbers."""
    bits = bits.replace(" ", "")
    bits += "0" * (-len(bits) % 8)
    return numbers("B", [int(bits[i:i + 8], 2) for i in range(0, len(bits), 8)])


def rigid_radiation():
    """One frequency of order 0, of which two of six values are not zero (packed_waves.h)."""
    return (FRAME + struct.pack("<3d", 100, 1000, 0) + numbers("i", [0])
            + packed("00000 100000000 00 0  1 110 0  0 0 0  1 0 10  0"))


def modal_radiation():
    """Two modes, of orders 0 and 1."""
    table = FRAME + struct.pack("<Q", 2)
    for order in (0, 1):
        table += struct.pack("<di", 440.0, order)
    return table + packed("00000 100000000 00 0  1 110 0"  # order 0: 1
                          "00000 100000000 01 1  110 0"    # 1 more than the mode before
                          "00001 100000001 00 0  1 00 01  0  1 10 1 00")


def tetgen():
    """The corners of a cube in five tetrahedra."""
    nodes = "8  3  0  0\n" + "".join(
        f"   {i}    {i & 1}  {i >> 1 & 1}  {i >> 2}\n" for i in range(8)) + "# made by tetgen\n"
    tets = [(0, 3, 5, 6), (1, 0, 3, 5), (2, 3, 0, 6), (4, 5, 6, 0), (7, 6, 5, 3)]
    elements = "5  4  0\n" + "".join(
        "  ".join(str(n) for n in (i, *tet)) + "\n" for i, tet in enumerate(tets))
    return (nodes + "====\n" + elements).encode()


def stored(payload):
    """An entry of the store."""
    header = b"PEALSTOR" + struct.pack("<II24s40sQ", 1, 1, b"seed",
                                       b"00112233445566778899aabbccddeeff", len(payload))
    header += checksum(payload)
    return header + checksum(header) + payload


def write(name, data):
    path = CORPUS / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


wave = [0, 1000, -2000, 32767, -32768, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]
write("gltf/moving.gltf", moving().text())
write("gltf/moving.glb", moving().glb())
write("gltf/morphed.gltf", morphed().text())
write("gltf/skinned.gltf", skinned().text())
write("gltf/skinned.glb", skinned().glb())
write("gltf/shaped.gltf", shaped().text())
write("gltf/shaped.glb", shaped().glb())
write("audio/pcm16.wav", wav("h", 16, 1, wave, 2))
write("audio/float.wav", wav("f", 32, 3, [0.0, 0.5, -1.0, 3.0], 1))
write("audio/pcm16.aiff", aiff(wave))
write("audio/pcm16.flac", flac(wave))
write("archive/log_and_mesh.bin", archive())
write("recording/surface_and_path.bin", recording())
write("chunk/two_receivers.bin", chunk())
write("solid_modes/tetrahedron.bin", solid_modes())
write("distance_field/small.bin", struct.pack("<Q", 18) + numbers("f", range(18)))
write("checkpoint/contact_and_filter.bin", checkpoint())
write("rigid_radiation/monopole.bin", rigid_radiation())
write("modal_radiation/two_modes.bin", modal_radiation())
write("tetgen/cube.txt", tetgen())
write("gltf_buffer/triangle.bin", struct.pack("<9f3H2s", 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 2, b"12"))
write("http_head/get.txt", b"GET /bodies?name=a%20mug HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"
      b"Accept: */*")
write("http_head/post.txt", b"POST /solve HTTP/1.1\r\nHost: 127.0.0.1:8000\r\n"
      b"Origin: http://127.0.0.1:8000\r\nContent-Length: 12")
write("store/log_and_mesh.seed", stored(archive()))
