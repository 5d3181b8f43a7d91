#!/usr/bin/python3
"""Kills the processes of a shared render at random moments, and checks that the result stays the same.

    killed_workers.py PEAL [--trials 50] [--workers 4] [--seed 1]

Each trial renders a scene of the wave solver with bodies that fall by several processes, kills some of them, starts
these again as an engine would, merges, and compares every file with that of one process.
"""
import argparse
import json
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

SCENE = {
    "peal": 1,
    "duration": 0.5,
    "sample_rate": 16000,
    "objects": [
        {"name": "ground", "shape": {"box": [0.5, 0.1, 0.5]}, "motion": {"position": [0, -0.05, 0]}, "sound": []},
        {"name": "die", "shape": {"box": [0.05, 0.05, 0.05]}, "material": "steel",
         "motion": {"rigid": {"position": [0, 0.1, 0], "velocity": [0.1, 0, 0]}}, "sound": ["acceleration_noise"]},
        {"name": "point", "motion": {"position": [0.1, 0.1, 0]}, "sound": [{"point": {"noise": {}}}]},
    ],
    "listeners": [{"name": "main", "stereo": {"position": [0.3, 0.3, 0.6]}}],
    "radiation": {"model": "wave", "max_frequency": 2000, "accuracy": 0.1, "chunk": 0.05,
                  "domain": {"min": [-0.2, -0.05, -0.2], "max": [0.25, 0.25, 0.2]}},
}
FILES = ["audio.wav", "manifest.json", "contacts.jsonl"]
MOST_ATTEMPTS = 20


class Trial:
    """One shared render."""

    def __init__(self, peal, scene, folder, workers):
        self.peal, self.scene, self.folder, self.workers = peal, scene, folder, workers

    def start(self, index):
        return subprocess.Popen(
            [self.peal, "render", self.scene, "--chunk", f"{index}/{self.workers}", "-o", self.folder, "--threads", "1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def run(self, moments):
        """Kills a running process at each of these times [s] after the start; returns how many were killed."""
        begin, killed = time.monotonic(), 0
        running = {index: self.start(index) for index in range(1, self.workers + 1)}
        attempts = dict.fromkeys(running, 1)
        moments = sorted(moments)
        while running:
            if moments and time.monotonic() - begin > moments[0]:
                moments.pop(0)
                alive = [process for process in running.values() if process.poll() is None]
                if alive:
                    random.choice(alive).send_signal(signal.SIGKILL)
                    killed += 1
            for index, process in list(running.items()):
                code = process.poll()
                if code is None:
                    continue
                if code == 0:
                    process.stderr.close()
                    del running[index]
                elif code == -signal.SIGKILL and attempts[index] < MOST_ATTEMPTS:
                    process.stderr.close()
                    attempts[index] += 1
                    running[index] = self.start(index)
                else:
                    sys.exit(f"chunk {index} ended with {code}: {process.stderr.read().decode()}")
            time.sleep(0.002)
        return killed

    def merge(self):
        subprocess.run([self.peal, "merge", self.folder, "--no-picture"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peal")
    parser.add_argument("--trials", type=int, default=50)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--kills", type=int, default=6, help="at most, in a trial")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    random.seed(arguments.seed)
    with tempfile.TemporaryDirectory(prefix="peal-killed-") as name:
        home = pathlib.Path(name)
        scene = home / "scene.json"
        scene.write_text(json.dumps(SCENE))
        one = home / "one"
        begin = time.monotonic()
        subprocess.run([arguments.peal, "render", scene, "-o", one, "--no-picture", "--threads", "1"], check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       env={"PEAL_CACHE": str(home / "cache"), "PATH": "/usr/bin:/bin"})
        duration = time.monotonic() - begin
        expected = {file: (one / file).read_bytes() for file in FILES}
        killed = 0
        for number in range(arguments.trials):
            trial = Trial(arguments.peal, str(scene), str(home / f"trial-{number}"), arguments.workers)
            moments = [random.uniform(0.0, duration) for _ in range(random.randint(1, arguments.kills))]
            killed += trial.run(moments)
            trial.merge()
            for file, bytes_of_one in expected.items():
                if (pathlib.Path(trial.folder) / file).read_bytes() != bytes_of_one:
                    sys.exit(f"trial {number}: {file} differs")
            shutil.rmtree(trial.folder)
        if killed == 0:
            sys.exit("nothing was killed")
    print(f"{arguments.trials} trials of {arguments.workers} processes, {killed} killed: "
          f"all files equal those of one process ({duration:.1f} s)")


if __name__ == "__main__":
    main()
