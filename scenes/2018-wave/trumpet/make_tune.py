#!/usr/bin/env python3
"""Writes tune.wav, a phrase of our own on a brass voice: the louder, the brighter, as brass is."""
import math
import pathlib
import struct
import wave

RATE = 16000
BEAT = 0.28  # seconds
# Length in beats and pitch (semitones above B flat 3 = 233.1 Hz).
NOTES = [(1.5, 0), (0.5, 3), (1, 5), (1, 6), (1.5, 7), (0.5, 10), (2, 7), (1, 5), (1, 3), (4, 0)]
HARMONICS, HIGHEST = 24, 6500.0


def loudness(t, length):
    """Rises in 40 ms, sags a little and ends in 60 ms."""
    rise = 0.5 - 0.5 * math.cos(math.pi * min(1.0, t / 0.04))
    end = 0.5 - 0.5 * math.cos(math.pi * max(0.0, min(1.0, (length - t) / 0.06)))
    return rise * end * (0.8 + 0.2 * math.exp(-t / 0.15))


samples = []
for beats, semitones in NOTES:
    length, pitch = 0.97 * beats * BEAT, 233.08 * 2 ** (semitones / 12)
    phase = 0.0
    for i in range(round(beats * BEAT * RATE)):
        t = i / RATE
        vibrato = 0.006 * math.sin(2 * math.pi * 5.2 * t) * min(1.0, max(0.0, t / 0.4 - 0.5))
        phase += 2 * math.pi * pitch * (1 + vibrato) / RATE
        level = loudness(t, length) if t < length else 0.0
        # Each harmonic is weaker than the one below it, the more so the softer the note.
        ratio = 0.45 + 0.3 * level
        samples.append(
            sum(
                level * ratio**k * math.sin(k * phase)
                for k in range(1, HARMONICS + 1)
                if k * pitch < HIGHEST
            )
        )

peak = max(abs(x) for x in samples)
with wave.open(str(pathlib.Path(__file__).with_name("tune.wav")), "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(RATE)
    file.writeframes(struct.pack("<%dh" % len(samples), *(round(29000 * x / peak) for x in samples)))
