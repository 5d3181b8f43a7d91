#!/usr/bin/python3
"""Writes music.wav: a bar of plucked chords, our own."""

import wave

import numpy as np

rate, length = 32000, 3.0
t = np.arange(int(rate * length)) / rate
sound = np.zeros_like(t)
# start [s], notes [Hz]
chords = [(0.0, (220.0, 277.2, 329.6)), (0.75, (246.9, 293.7, 370.0)), (1.5, (196.0, 246.9, 293.7)), (2.25, (220.0, 277.2, 440.0))]
for start, notes in chords:
    for i, note in enumerate(notes):
        since = t - start - 0.12 * i
        on = since > 0
        for k in range(1, 25):
            if k * note < 12000:
                tone = np.sin(2 * np.pi * k * note * since) * np.exp(-since * (2 + 0.6 * k)) / k**0.8
                sound += np.where(on, tone * np.minimum(since / 0.003, 1), 0)
sound *= 0.8 / np.abs(sound).max()
with wave.open("music.wav", "wb") as file:
    file.setnchannels(1)
    file.setsampwidth(2)
    file.setframerate(rate)
    file.writeframes(np.round(32767 * sound).astype("<i2").tobytes())
