#!/usr/bin/python3
"""Checks the files that `peal submit` writes for each engine: JSON against schemas of what Peal uses of Kubernetes' Job and
Open Job Description's template, XML against the order of elements in OpenCue's cjsl-1.12, scripts by the shell.

    check_jobs.py PEAL
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

import jsonschema

JOBS = 7
BODIES = 2  # with modes to find
SCENE = {
    "peal": 1, "duration": 0.1,
    "objects": [{"name": "tone", "motion": {"position": [0, 0, -1]}, "sound": [{"point": {"tone": {"frequency": 440}}}]}] + [
        {"shape": {"box": [length, 0.02, 0.01]}, "material": "steel", "sound": ["modal"],
         "motion": {"rigid": {"position": [0, length, 0]}}} for length in (0.1, 0.2)],
    "listeners": [{"mono": {"position": [0, 0, 0]}}],
}


def strict(properties, required=None):
    """An object with these keys alone."""
    return {"type": "object", "additionalProperties": False, "properties": properties,
            "required": list(properties) if required is None else required}


def list_of(item, least=1):
    return {"type": "array", "items": item, "minItems": least}


TEXT, COUNT = {"type": "string", "minLength": 1}, {"type": "integer", "minimum": 1}
DNS_NAME = {"type": "string", "pattern": "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$", "maxLength": 63}
QUANTITY = {"type": "string", "pattern": "^[0-9]+(\\.[0-9]+)?(Mi|Gi)?$"}

CONTAINER = strict({
    "name": DNS_NAME, "image": TEXT, "command": list_of({"type": "string"}),
    "resources": strict({"requests": strict({"cpu": QUANTITY, "memory": QUANTITY}), "limits": strict({"memory": QUANTITY})}),
    "volumeMounts": list_of(strict({"name": DNS_NAME, "mountPath": {"type": "string", "pattern": "^/"}}))})
POD = strict({"spec": strict({
    "restartPolicy": {"const": "Never"},  # what podFailurePolicy asks for
    "containers": list_of(CONTAINER),
    "volumes": list_of(strict({"name": DNS_NAME, "persistentVolumeClaim": strict({"claimName": DNS_NAME})}))})})
RULE = {"oneOf": [
    strict({"action": {"const": "FailJob"}, "onExitCodes": strict(
        {"operator": {"const": "In"}, "values": list_of({"type": "integer", "minimum": 1})})}),
    strict({"action": {"const": "Ignore"}, "onPodConditions": list_of(strict({"type": TEXT, "status": {"const": "True"}}))})]}
KUBERNETES = strict({
    "apiVersion": {"const": "v1"}, "kind": {"const": "List"},
    "items": list_of(strict({
        "apiVersion": {"const": "batch/v1"}, "kind": {"const": "Job"},
        "metadata": strict({"name": DNS_NAME, "labels": {"type": "object", "additionalProperties": DNS_NAME}}),
        "spec": strict({
            "completionMode": {"const": "Indexed"}, "completions": COUNT, "parallelism": COUNT,
            "backoffLimit": {"type": "integer", "minimum": 0}, "activeDeadlineSeconds": COUNT,
            "podFailurePolicy": strict({"rules": list_of(RULE)}), "template": POD}, ["backoffLimit", "template"])}))})

ACTION = strict({"command": TEXT, "args": list_of({"type": "string"}), "timeout": COUNT})
OPENJD = strict({
    "specificationVersion": {"const": "jobtemplate-2023-09"},
    "name": {"type": "string", "minLength": 1, "maxLength": 128},
    "steps": list_of(strict({
        "name": {"type": "string", "minLength": 1, "maxLength": 64},
        "dependencies": list_of(strict({"dependsOn": TEXT})),
        "hostRequirements": strict({
            "amounts": list_of(strict({"name": {"enum": ["amount.worker.vcpu", "amount.worker.memory"]},
                                       "min": {"type": "number", "minimum": 0}})),
            "attributes": list_of(strict({"name": {"const": "attr.worker.os.family"}, "anyOf": list_of({"const": "linux"})}))}),
        "parameterSpace": strict({"taskParameterDefinitions": list_of(strict(
            {"name": {"type": "string", "pattern": "^[A-Za-z_][A-Za-z0-9_]*$"}, "type": {"const": "INT"},
             "range": {"type": "string", "pattern": "^[0-9]+-[0-9]+$"}}))}),
        "script": strict({"actions": strict({"onRun": ACTION})})}, ["name", "script"]))})

# The elements that OpenCue allows below each, in their order; those with "!" are required.
OPENCUE = {
    "spec": ["facility", "dept", "show!", "shot!", "user!", "email", "uid", "job", "depends"],
    "job": ["paused", "priority", "maxretries", "autoeat", "localbook", "os", "env", "layers!"],
    "layers": ["layer!"],
    "layer": ["cmd!", "range!", "chunk!", "cores", "threadable", "memory", "gpus", "gpu", "gpu_memory", "timeout",
              "timeout_llu", "tags", "limits", "env", "services"],
    "services": ["service!"],
    "depends": ["depend"],
    "depend": ["depjob!", "deplayer", "depframe", "onjob!", "onlayer", "onframe"],
}


def check_element(element):
    allowed = OPENCUE.get(element.tag, [])
    names = [name.rstrip("!") for name in allowed]
    places = []
    for child in element:
        assert child.tag in names, f"<{child.tag}> in <{element.tag}>"
        places.append(names.index(child.tag))
        check_element(child)
    assert places == sorted(places), f"order of {[child.tag for child in element]} in <{element.tag}>"
    for name in allowed:
        assert not name.endswith("!") or element.find(name[:-1]) is not None, f"<{element.tag}> without <{name[:-1]}>"


def check_kubernetes(jobs):
    document = json.loads((jobs / "kubernetes.json").read_text())
    jsonschema.Draft7Validator(KUBERNETES).validate(document)
    chunks, merge = document["items"]
    assert chunks["spec"]["completions"] == JOBS
    assert f"/{JOBS}" in chunks["spec"]["template"]["spec"]["containers"][0]["command"]
    assert "--wait" in merge["spec"]["template"]["spec"]["containers"][0]["command"]


def check_openjd(jobs):
    document = json.loads((jobs / "openjd" / "template.json").read_text())
    jsonschema.Draft7Validator(OPENJD).validate(document)
    steps = document["steps"]
    names = [step["name"] for step in steps]
    for i, step in enumerate(steps):
        assert all(one["dependsOn"] in names[:i] for one in step.get("dependencies", []))
        known = [one["name"] for one in step.get("parameterSpace", {}).get("taskParameterDefinitions", [])]
        for word in step["script"]["actions"]["onRun"]["args"]:
            for used in re.findall(r"\{\{\s*(.*?)\s*\}\}", word):
                assert used in [f"Task.Param.{name}" for name in known], used
    assert names == ["modes", "prepare", "chunks", "merge"]
    ranges = [step["parameterSpace"]["taskParameterDefinitions"][0]["range"] for step in steps if "parameterSpace" in step]
    assert ranges == [f"1-{BODIES}", f"1-{JOBS}"]


def check_opencue(jobs):
    spec = xml.etree.ElementTree.fromstring((jobs / "opencue.xml").read_text())
    check_element(spec)
    layers = {layer.get("name"): layer for layer in spec.iter("layer")}
    assert layers["chunks"].find("range").text == f"1-{JOBS}"
    assert layers["modes"].find("range").text == f"1-{BODIES}"
    assert f"#IFRAME#/{JOBS}" in layers["chunks"].find("cmd").text
    for depend in spec.iter("depend"):
        assert depend.get("type") == "LAYER_ON_LAYER"
        assert {depend.find("deplayer").text, depend.find("onlayer").text} <= set(layers)
    compile((jobs / "submit.py").read_text(), "submit.py", "exec")


def check_slurm(jobs):
    text = (jobs / "chunks.sh").read_text()
    assert f"#SBATCH --array=1-{JOBS}\n" in text
    assert f"#SBATCH --array=1-{BODIES}\n" in (jobs / "modes.sh").read_text()
    # Options after the first command are ignored by sbatch.
    for script in jobs.glob("*.sh"):
        lines = [line for line in script.read_text().splitlines()[1:] if line.strip()]
        first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
        assert not any(line.startswith("#SBATCH") for line in lines[first:]), script
    assert "#SBATCH --partition=night shift" in text


CHECKS = {"kubernetes": check_kubernetes, "openjd": check_openjd, "opencue": check_opencue, "slurm": check_slurm,
          "local": lambda jobs: None}


def main():
    peal = sys.argv[1]
    with tempfile.TemporaryDirectory(prefix="peal jobs' ") as name:  # with a space and a quote in all paths
        home = pathlib.Path(name)
        scene = home / "scene & sound.json"
        scene.write_text(json.dumps(SCENE))
        for engine, check in CHECKS.items():
            shared = home / engine
            subprocess.run([peal, "submit", scene, "--engine", engine, "-o", shared, "--jobs", str(JOBS), "--tail", "1",
                            "--slurm-option=--partition=night shift"], check=True, stdout=subprocess.DEVNULL)
            for script in (shared / "jobs").glob("*.sh"):
                subprocess.run(["/bin/sh", "-n", script], check=True)
            check(shared / "jobs")
            print(engine, "fits")


if __name__ == "__main__":
    main()
