#!/usr/bin/python3
"""Checks that schema/scene.schema.json and the scene reader say the same.

Every scene in scenes/ and every ```json block of docs/scene-format.md must be right for both. Each
is then spoilt in many small ways (a key added, removed, given another value); a spoilt scene that
the schema refuses must be refused by the reader, and one that the reader refuses must be refused
by the schema, unless the mistake is of a kind that a schema cannot express. The scenes in
tests/data/invalid must be refused by the reader, and by the schema unless their first line says
"// only the reader".
"""

import argparse
import copy
import json
import pathlib
import re
import subprocess
import sys

import jsonschema

# What the reader can tell and a JSON Schema cannot, by words of its messages.
BEYOND_A_SCHEMA = [
    "no such file",                          # looks at the disk
    "is not a file", "files are missing", "is not a glTF", "mesh file", "no node",
    "unknown ending", "ending",
    "frames need the scene's frame rate",    # compares distant keys
    "is already the name of",
    "is not after that of the key before",
    "not above the one before it",
    "the end of the scene", "half the sample rate",
    "from one sample on",
    "the band from", "the last frame", "more than 100000 files",
    "the point to look at is the position itself",
    "the quaternion has length", "has no direction",
    "the box is empty",                      # compares numbers
    "the mesh has no group", "there is no face", "contains no part of the surface",  # looks at the mesh
    "faces of a deforming surface",
    "is not within the scene", "away from the object", "acts along the shape",  # strikes
    "are not in ascending order", "can begin with a shape",
    "along and across the grain are not known", "no stable material has",  # wood
    "runs along the grain", "cannot have a grain",
    "a body that changes its shape has no modes",
    "the contacts come from a log",          # compares distant keys
    "but the surface of", "together with deformable ones",
    "not after it begins",                   # compares numbers
    "no material is called",                 # spelling
    "would cross itself", "is not beyond",   # walls
    "between the bottom and the rim", "from the axis, and the surface",  # liquids
    "the container overflows", "the nozzle is not above",
    "turns too often", "a turn of more than 180 degrees",
]
# Sizes that make no shape.
SHAPE_IMPOSSIBLE = re.compile(r"\.shape\.\w+: (?!must be|one of|\"|unknown)")


def without_comments(text):
    """Blanks out // and /* */ comments, but not inside strings."""
    token = re.compile(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return token.sub(lambda m: m.group(0) if m.group(0)[0] == '"' else " ", text)


def examples(source):
    """(where, folder for files, scene) of everything that must be right."""
    for path in sorted((source / "scenes").glob("**/scene.json")):
        yield str(path.relative_to(source)), path.parent, json.loads(without_comments(path.read_text()))
    manual = (source / "docs" / "scene-format.md").read_text()
    blocks = re.findall(r"^```json\n(.*?)^```", manual, re.DOTALL | re.MULTILINE)
    assert blocks, "the manual has no examples"
    for number, block in enumerate(blocks, 1):
        where = f"docs/scene-format.md, example {number}"
        yield where, source / "tests/data/manual", json.loads(without_comments(block))


def parts(value, path=()):
    """(path, value) of this one and all below; of long lists of numbers or keys only the ends."""
    yield path, value
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, child in items:
        if isinstance(value, list) and path[-1] not in ("objects", "listeners", "sound", "strikes") and 0 < key < len(value) - 1:
            continue
        yield from parts(child, path + (key,))


def changed(scene, path, change):
    """The scene with change(container, key) applied at the path; all beside the path is that of the scene."""
    result = container = copy.copy(scene)
    for key in path[:-1]:
        container[key] = copy.copy(container[key])
        container = container[key]
    if isinstance(container[path[-1]], dict):
        container[path[-1]] = dict(container[path[-1]])
    change(container, path[-1])
    return result


def place(scene, path, value):
    """What makes a place differ from others for both: names on the way, neighbours, kind of value."""
    container = scene
    for key in path[:-1]:
        container = container[key]
    names = tuple("*" if isinstance(key, int) else key for key in path)
    neighbours = frozenset(container) if isinstance(container, dict) else None
    kind = frozenset(value) if isinstance(value, dict) else type(value)
    return names, neighbours, kind


def spoilt(scene, seen):
    """(what was done, scene): each differs from the scene in one place, of a kind not yet seen."""
    for path, value in parts(scene):
        if path:
            here = place(scene, path, value)
            if here in seen:
                continue
            seen.add(here)
        name = ".".join(map(str, path))
        if isinstance(value, dict):
            if path:
                yield f"{name} + bogus key", changed(scene, path, lambda c, k: c[k].update(zzz_bogus=1))
            else:
                yield "bogus key", {**scene, "zzz_bogus": 1}
        if not path:
            continue
        yield f"{name} removed", changed(scene, path, lambda c, k: c.pop(k))
        others = [None, True, "", "zzz", [], {}, [0, 0, 0], 0, -1, 1e300, 0.5, [{}]]
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            others += [-value, 1e3 * value, 1e-6 * value, str(value)]
        for other in others:
            if path[0] != "$schema" and other != value:
                yield f"{name} = {other!r}", changed(scene, path, lambda c, k, v=other: c.__setitem__(k, v))


def judge(program, cases):
    """What the reader complains about in each (folder, scene text); "" if it is right."""
    lines = "".join(f"{folder}\t{text}\n" for folder, text in cases)
    run = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    complaints = run.stdout.split("\x1e")[:-1]
    assert len(complaints) == len(cases), "the reader did not answer every scene"
    return complaints


def reader_only(message):
    """True if everything the reader complains about lies beyond a schema."""
    problems = re.split(r"\n  \d+\. ", message.removeprefix("scene: "))
    if len(problems) > 1:
        problems = problems[1:]  # the first was "5 problems"
    return all(any(words in problem for words in BEYOND_A_SCHEMA) or SHAPE_IMPOSSIBLE.search("." + problem)
               for problem in problems)


def check_examples(found, validator, program):
    complaints = judge(program, [(folder, json.dumps(scene)) for _, folder, scene in found])
    faults = []
    for (where, _, scene), complaint in zip(found, complaints):
        faults += [f"{where}: schema: {e.json_path}: {e.message}" for e in validator.iter_errors(scene)]
        if complaint:
            faults.append(f"{where}: reader: {complaint}")
    return faults


def check_spoilt(found, validator, program):
    faults, compared, seen = [], 0, set()
    for where, folder, scene in found:
        cases = list(spoilt(scene, seen))
        complaints = judge(program, [(folder, json.dumps(bad)) for _, bad in cases])
        for (what, bad), complaint in zip(cases, complaints):
            compared += 1
            schema_ok = validator.is_valid(bad)
            if not complaint and not schema_ok:
                error = jsonschema.exceptions.best_match(validator.iter_errors(bad))
                faults.append(f"{where}: {what}: only the schema refuses it: {error.message}")
            if "bogus" in what and (not complaint or schema_ok):
                faults.append(f"{where}: {what}: accepted by {'the schema' if complaint else 'the reader'}")
            elif schema_ok and complaint and not reader_only(complaint):
                faults.append(f"{where}: {what}: only the reader refuses it: {complaint}")
    return compared, faults


def check_invalid(source, validator, program):
    faults = []
    paths = sorted((source / "tests/data/invalid").glob("*.json"))
    texts = [path.read_text() for path in paths]
    complaints = judge(program, [(source / "tests/data/manual", " ".join(without_comments(t).split())) for t in texts])
    for path, text, complaint in zip(paths, texts, complaints):
        if not complaint:
            faults.append(f"{path.name}: the reader accepts it")
        if not text.startswith("// only the reader") and validator.is_valid(json.loads(without_comments(text))):
            faults.append(f"{path.name}: the schema accepts it")
    return len(paths), faults


def containers(value):
    """Every object and list of a scene."""
    if isinstance(value, (dict, list)):
        yield value
        for child in value.values() if isinstance(value, dict) else value:
            yield from containers(child)


def remembering_validator(schema, scenes):
    """A validator that looks at each part of these scenes, which must outlive it, only until it is right: a spoilt
    scene shares all but one place with its scene."""
    of_scenes = {id(part) for scene in scenes for part in containers(scene)}
    right = set()

    def remembering(keyword, check):
        def errors(validator, value, instance, schema):
            key = keyword, id(schema), id(instance)
            if key in right:
                return
            is_right = True
            for error in check(validator, value, instance, schema) or ():
                is_right = False
                yield error  # one by one: who asks only whether there is one does not look for the others
            if is_right and id(instance) in of_scenes:
                right.add(key)
        return errors

    checks = jsonschema.Draft7Validator.VALIDATORS
    kind = jsonschema.validators.extend(
        jsonschema.Draft7Validator, {keyword: remembering(keyword, check) for keyword, check in checks.items()})
    return kind(schema)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--source", type=pathlib.Path, required=True)
    options.add_argument("--verdicts", required=True, help="the program scene_verdicts")
    given = options.parse_args()
    schema = json.loads((given.source / "schema/scene.schema.json").read_text())
    jsonschema.Draft7Validator.check_schema(schema)
    found = list(examples(given.source))
    validator = remembering_validator(schema, [scene for _, _, scene in found])

    faults = check_examples(found, validator, given.verdicts)
    compared, more = check_spoilt(found, validator, given.verdicts)
    invalid, most = check_invalid(given.source, validator, given.verdicts)
    faults += more + most
    for fault in faults[:40]:
        print(fault)
    print(f"{len(found)} examples, {compared} spoilt scenes, {invalid} invalid scenes, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
