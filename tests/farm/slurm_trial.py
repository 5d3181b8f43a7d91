#!/usr/bin/python3
"""Renders a scene on a Slurm cluster of one node that this script starts and ends, and kills processes of the job.

    slurm_trial.py PEAL [--kills 4] [--keep]

Needs slurm-wlm and munge, and root, as Slurm's daemons do. Without them it says so and ends with exit code 77, which
ctest counts as skipped.
"""
import argparse
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

from killed_workers import FILES, SCENE

SKIPPED = 77
CHUNKS = 4
MOST_KILLS = 2  # of one chunk: its job tries three times (most_attempts in farm/job.h), and then gives up
DAEMONS = ["munged", "slurmctld", "slurmd"]
COMMANDS = ["sbatch", "squeue", "sinfo", "scancel"]


def why_skipped():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = [name for name in DAEMONS + COMMANDS if not shutil.which(name, path=path)]
    if missing:
        return f"not installed: {', '.join(missing)} (packages slurm-wlm and munge)"
    if os.geteuid() != 0:
        return "Slurm's daemons need root"
    return ""


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """Slurm on this machine, in a folder of its own."""

    def __init__(self, home):
        self.home = home
        self.processes = []
        self.environment = {**os.environ, "SLURM_CONF": str(home / "slurm.conf"),
                            "PATH": os.environ.get("PATH", "") + ":/usr/sbin:/sbin"}

    def start(self):
        for folder in ("state", "spool", "log"):
            (self.home / folder).mkdir()
        self.home.chmod(0o755)
        key, munge = self.home / "munge.key", self.home / "munge.socket"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        host = socket.gethostname()
        (self.home / "slurm.conf").write_text(f"""
ClusterName=peal
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={free_port()}
SlurmdPort={free_port()}
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket={munge}
CryptoType=crypto/munge
StateSaveLocation={self.home}/state
SlurmdSpoolDir={self.home}/spool
SlurmctldPidFile={self.home}/slurmctld.pid
SlurmdPidFile={self.home}/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=sched_interval=1,batch_sched_delay=0,defer_batch
SchedulerType=sched/builtin
SlurmdParameters=config_overrides
ReturnToService=2
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs=8 RealMemory=64000 State=UNKNOWN
PartitionName=all Nodes={host} Default=YES MaxTime=INFINITE State=UP
""")
        self.run_daemon("munged", "--foreground", f"--socket={munge}", f"--key-file={key}",
                        f"--pid-file={self.home}/munged.pid", f"--log-file={self.home}/log/munged",
                        f"--seed-file={self.home}/munge.seed", "--force")
        self.wait_for(munge.exists, "munged")
        self.run_daemon("slurmctld", "-D", "-f", str(self.home / "slurm.conf"))
        self.run_daemon("slurmd", "-D", "-f", str(self.home / "slurm.conf"))
        self.wait_for(lambda: "idle" in self.output("sinfo", "--noheader", "--format=%T"), "the node")

    def run_daemon(self, name, *arguments):
        log = (self.home / "log" / f"{name}.out").open("wb")
        program = shutil.which(name, path=self.environment["PATH"])
        self.processes.append(subprocess.Popen([program, *arguments], stdout=log, stderr=log, env=self.environment))

    def output(self, *command):
        return subprocess.run(command, env=self.environment, capture_output=True, text=True).stdout

    def wait_for(self, is_there, what, limit=60.0):
        begin = time.monotonic()
        while not is_there():
            if time.monotonic() - begin > limit:
                logs = "\n".join(f"{log.name}: {log.read_text()[-800:]}" for log in (self.home / "log").iterdir())
                sys.exit(f"waited {limit:.0f} s for {what}\n{logs}")
            time.sleep(0.1)

    def stop(self):
        for process in reversed(self.processes):
            process.terminate()
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def workers_of(folder):
    """The processes that compute chunks of a folder, and their chunks: found by their command line, in this job only."""
    found = []
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            words = (process / "cmdline").read_bytes().decode(errors="replace").split("\0")
        except OSError:
            continue
        if "render" in words[1:2] and str(folder) in words and "--chunk" in words:
            found.append((int(process.name), words[words.index("--chunk") + 1]))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("peal")
    parser.add_argument("--kills", type=int, default=4)
    parser.add_argument("--seed", type=int, default=int(time.time()))
    arguments = parser.parse_args()
    if reason := why_skipped():
        print("skipped:", reason)
        sys.exit(SKIPPED)
    random.seed(arguments.seed)
    peal = str(pathlib.Path(arguments.peal).absolute())
    home = pathlib.Path(tempfile.mkdtemp(prefix="peal-slurm-"))
    scene, one, shared = home / "scene.json", home / "one", home / "shared"
    scene.write_text(json.dumps(SCENE))
    cluster = Cluster(home)
    try:
        subprocess.run([peal, "render", scene, "-o", one, "--no-picture"], check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, env={"PEAL_CACHE": str(home / "cache"), "PATH": "/usr/bin:/bin"})
        cluster.start()
        subprocess.run([peal, "submit", scene, "--engine", "slurm", "-o", shared, "--jobs", str(CHUNKS), "--no-picture",
                        "--run"], check=True, env=cluster.environment)
        killed, begin = {}, time.monotonic()
        moments = sorted(random.uniform(0.0, 1.0) for _ in range(arguments.kills))
        first = None
        while cluster.output("squeue", "--noheader").strip():
            if time.monotonic() - begin > 240:
                sys.exit("the jobs do not end:\n" + cluster.output("squeue"))
            workers = [worker for worker in workers_of(shared) if killed.get(worker[1], 0) < MOST_KILLS]
            if workers and first is None:
                first = time.monotonic()
            if workers and moments and time.monotonic() - first > moments[0]:
                moments.pop(0)
                try:
                    process, chunk = random.choice(workers)
                    os.kill(process, signal.SIGKILL)
                    killed[chunk] = killed.get(chunk, 0) + 1
                except ProcessLookupError:
                    pass  # it has just ended
            time.sleep(0.02)
        logs = "\n".join(f"{log.name}: {log.read_text()[-500:]}" for log in sorted((shared / "jobs").glob("*.log")))
        for file in FILES:
            if not (shared / file).exists():
                sys.exit(f"{file} was not made\n{logs}")
            if (shared / file).read_bytes() != (one / file).read_bytes():
                sys.exit(f"{file} differs from that of one process\n{logs}")
        print(f"Slurm: {CHUNKS} chunks, {sum(killed.values())} processes killed, all files equal those of one process")
    finally:
        cluster.stop()
        shutil.rmtree(home, ignore_errors=True)


if __name__ == "__main__":
    main()
