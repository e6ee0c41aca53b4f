"""The files for a cluster, as far as they can be judged without one."""

from __future__ import annotations

import re
import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from dovetail.team.configuration import read_configuration

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "server" / "deploy"


def manifest() -> dict[str, dict[str, Any]]:
    """Return the objects of the manifest by their kinds."""
    return {each["kind"]: each for each in yaml.safe_load_all((DEPLOY / "rayservice.yaml").read_text("utf-8"))}


def groups() -> list[dict[str, Any]]:
    """Return the groups of nodes, the head's first."""
    cluster = manifest()["RayService"]["spec"]["rayClusterConfig"]
    return [cluster["headGroupSpec"], *cluster["workerGroupSpecs"]]


def test_every_node_has_the_configuration_that_the_application_reads() -> None:
    """Each pod mounts the map at the folder of the file that the application is given."""
    objects = manifest()
    (application,) = yaml.safe_load(objects["RayService"]["spec"]["serveConfigV2"])["applications"]
    path = Path(application["args"]["configuration"])
    assert path.name in objects["ConfigMap"]["data"]
    for group in groups():
        pod = group["template"]["spec"]
        (container,) = pod["containers"]
        (mount,) = container["volumeMounts"]
        (volume,) = pod["volumes"]
        assert (mount["name"], mount["mountPath"]) == (volume["name"], str(path.parent))
        assert volume["configMap"]["name"] == objects["ConfigMap"]["metadata"]["name"]


def test_the_configuration_is_one(tmp_path: Path) -> None:
    """The host takes the file in the map, and its replicas have room on the workers."""
    path = tmp_path / "team.toml"
    path.write_text(manifest()["ConfigMap"]["data"]["team.toml"], "utf-8")
    read = read_configuration(path)
    worker = groups()[1]
    cores = int(worker["template"]["spec"]["containers"][0]["resources"]["requests"]["cpu"])

    assert read.behind_proxy
    assert read.keys
    assert read.replicas <= cores * worker["replicas"]
    assert worker["minReplicas"] <= worker["replicas"] <= worker["maxReplicas"]


def test_the_application_is_there() -> None:
    """The manifest names a function of ours."""
    (application,) = yaml.safe_load(manifest()["RayService"]["spec"]["serveConfigV2"])["applications"]
    module, _, function = application["import_path"].partition(":")
    found = find_spec(module)

    assert found is not None
    assert found.origin is not None
    assert re.search(rf"^def {function}\(", Path(found.origin).read_text("utf-8"), re.MULTILINE)


def test_the_image_is_what_the_manifest_runs() -> None:
    """Image and manifest agree on names and on Ray's version, which the package allows; the image's parts exist."""
    text = (DEPLOY / "Dockerfile").read_text("utf-8")
    cluster = manifest()["RayService"]["spec"]["rayClusterConfig"]
    (version,) = re.findall(r"^ARG RAY=(\S+)$", text, re.MULTILINE)
    (tag,) = re.findall(r"--tag (\S+)", text)
    (extras,) = re.findall(r"dovetail\[(.*?)\]'", text)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]

    assert version == cluster["rayVersion"]
    assert {group["template"]["spec"]["containers"][0]["image"] for group in groups()} == {tag}
    assert set(extras.split(",")) <= set(project["optional-dependencies"])
    assert "dovetail" in project["scripts"]
