#!/usr/bin/python3
"""Sound of two equal rigid spheres that touch and are thrown apart along the line of their centres, with
each in the way of the other: the table of src/peal/validation/colliding_balls.cpp.

The field is symmetric about the plane between them. For each frequency, outgoing spherical waves about both
centres, a_n h_n(k r) P_n(cos theta) and their mirror images, meet the condition dp/dn = -rho a_n on the surface
by least squares at 4 N angles. Needs numpy and scipy.
"""

import numpy as np
from scipy.special import eval_legendre, spherical_jn, spherical_yn

c, rho = 343.2, 1.2041
a = 0.015                      # radius [m]
E, nu, density = 200e9, 0.3, 7850.0
speed, restitution = 1.0, 1.0  # of the approach [m/s]
mass = density * 4 / 3 * np.pi * a**3
modulus = E / (1 - nu**2) / 2
contact = 2.8682656991953315 * ((mass / 2) ** 2 / (a / 2 * modulus**2 * speed)) ** 0.2
height = np.pi / 2 * (mass / 2 * speed * (1 + restitution)) / (contact * mass)  # of the half sine [m/s^2]


def h(n, x):
    return spherical_jn(n, x) - 1j * spherical_yn(n, x)


def slope(n, x):
    return spherical_jn(n, x, True) - 1j * spherical_yn(n, x, True)


def pressures(k, terms, places):
    """For unit acceleration of both, outward; places are (x along the axis, distance from it)."""
    angle = np.linspace(0, np.pi, 4 * terms + 2)[1:-1]
    x, y, nx, ny = a + a * np.cos(angle), a * np.sin(angle), np.cos(angle), np.sin(angle)
    dx = x + a  # from the centre of the other
    r = np.hypot(dx, y)
    cosine = -dx / r
    r_n = (dx * nx + y * ny) / r
    cosine_n = -nx / r + dx / r**2 * r_n
    columns, scales = [], []
    for n in range(terms):
        scale = 1 / np.abs(k * slope(n, k * a))
        p = eval_legendre(n, cosine)
        p_slope = n * (eval_legendre(n - 1, cosine) - cosine * p) / np.maximum(1 - cosine**2, 1e-12) if n else 0 * r
        own = k * slope(n, k * a) * eval_legendre(n, np.cos(angle))
        other = k * slope(n, k * r) * r_n * p + h(n, k * r) * p_slope * cosine_n
        columns.append((own + other) * scale)
        scales.append(scale)
    weight = np.sqrt(np.sin(angle))
    found = np.linalg.lstsq(np.array(columns).T * weight[:, None], (-rho * np.cos(angle) * weight).astype(complex), rcond=1e-13)
    weights = found[0] * np.array(scales)
    result = []
    for px, py in places:
        p = 0
        for centre, sign in ((a, 1), (-a, -1)):
            d = np.hypot(px - centre, py)
            p += sum(weights[n] * h(n, k * d) * eval_legendre(n, sign * (px - centre) / d) for n in range(terms))
        result.append(p)
    return result


def main():
    rate, length = 400e3, 2048
    f = np.fft.rfftfreq(length, 1 / rate)
    w = 2 * np.pi * f
    places = [(0.3 * np.cos(t), 0.3 * np.sin(t)) for t in np.radians([0, 45, 90])]
    answer = np.zeros((3, len(f)), complex)
    for i, one in enumerate(f):
        if 0 < one < 60e3:
            k = 2 * np.pi * one / c
            answer[:, i] = pressures(k, int(50 + 1.3 * k * a), places)
    turn = np.pi / contact
    drive = height * turn * (1 + np.exp(-1j * w * contact)) / (turn**2 - w**2)
    band = np.clip((60e3 - f) / 20e3, 0, 1)
    band = band**2 * (3 - 2 * band)
    p = np.fft.irfft(answer * drive * band, length) * rate
    print("// contact time %.9g s, height %.9g m/s^2" % (contact, height))
    for row in p:
        print("{" + ", ".join("%.4f" % row[int(round(t * 1e-5 * rate))] for t in range(78, 129)) + "},")


main()
