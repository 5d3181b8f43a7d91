#!/usr/bin/env python3
"""Writes ring.wav, a ring tone of our own on a wooden-bar voice: one bar that loops."""
import math
import pathlib
import struct
import wave

RATE = 22050
BEAT = 0.15  # seconds
BAR = 8 * BEAT
# Beat and pitch (semitones above A4 = 440 Hz).
NOTES = [(0, 0), (1, 7), (2, 3), (3, 10), (4, 5), (5, 12), (6, 7)]
# Partials of a tuned wooden bar: ratio, amplitude, decay time [s].
PARTIALS = [(1.0, 1.0, 0.11), (3.98, 0.45, 0.05), (9.2, 0.22, 0.025), (16.2, 0.1, 0.012)]

samples = [0.0] * round(BAR * RATE)
for beat, semitones in NOTES:
    pitch = 440.0 * 2 ** (semitones / 12)
    first = round(beat * BEAT * RATE)
    for i in range(len(samples)):
        t = i / RATE
        attack = 0.5 - 0.5 * math.cos(math.pi * min(1.0, t / 0.004))
        sound = sum(
            a * math.exp(-t / decay) * math.sin(2 * math.pi * ratio * pitch * t)
            for ratio, a, decay in PARTIALS
            if ratio * pitch < 8000
        )
        # What still rings at the end of the bar rings on at its beginning.
        samples[(first + i) % len(samples)] += attack * sound

peak = max(abs(x) for x in samples)
with wave.open(str(pathlib.Path(__file__).with_name("ring.wav")), "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(RATE)
    file.writeframes(struct.pack("<%dh" % len(samples), *(round(29000 * x / peak) for x in samples)))
