"""Shared by the scripts that read sources with clang: the root of the repository, and flags that suit every source file."""
import json
import pathlib
import shlex

ROOT = pathlib.Path(__file__).resolve().parent.parent


def flags(build):
    """Search paths, definitions, language and instruction set of all targets in BUILD/compile_commands.json, once each."""
    kept = {}
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        for i, word in enumerate(words):
            if word == "-isystem":
                kept[word + words[i + 1]] = [word, words[i + 1]]
            elif word.startswith(("-I", "-D", "-isystem/", "-std=", "-march=")):
                kept[word] = [word]
    return [word for group in kept.values() for word in group]
