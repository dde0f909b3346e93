#!/usr/bin/env python3
"""Checks that the parts of rendered manifests fit together, which the schemas of Kubernetes cannot check.

check.py FILE…    each file is the output of one `kubectl kustomize`; needs PyYAML
"""
import pathlib
import re
import sys

import yaml


def made_secrets():
    """Returns the keys that make-secrets puts into each Secret."""
    text = (pathlib.Path(__file__).parent / "make-secrets").read_text()
    lines = re.findall(r"^\s*secret ([\w-]+) (.+)$", text, re.MULTILINE)
    return {name: {word.split("=")[0] for word in words.split()} for name, words in lines}


def selects(selector, labels):
    wanted = selector.get("matchLabels", {}).items() <= labels.items()
    return wanted and all(labels.get(e["key"]) in e["values"] for e in selector.get("matchExpressions", []))


class Manifests:
    def __init__(self, path):
        self.all = [document for document in yaml.safe_load_all(open(path, encoding="utf-8")) if document]
        self.workloads = self.of("Deployment", "StatefulSet", "Job")
        self.labels = [w["spec"]["template"]["metadata"]["labels"] for w in self.workloads]

    def of(self, *kinds):
        return [document for document in self.all if document["kind"] in kinds]

    def named(self, kind, name):
        return next((document for document in self.of(kind) if document["metadata"]["name"] == name), None)

    def complaints(self):
        for workload in self.workloads:
            name = f"{workload['kind']} {workload['metadata']['name']}"
            yield from (f"{name}: {what}" for what in self.of_workload(workload))
        for service in self.of("Service"):
            yield from (f"Service {service['metadata']['name']}: {what}" for what in self.of_service(service))
        for other in self.of("PodDisruptionBudget", "NetworkPolicy"):
            spec = other["spec"]
            rules = spec.get("ingress", []) + spec.get("egress", [])
            peers = [peer for rule in rules for peer in rule.get("from", []) + rule.get("to", [])]
            selectors = [spec.get("selector"), spec.get("podSelector")] + [peer.get("podSelector") for peer in peers]
            for selector in selectors:
                if selector and not any(selects(selector, labels) for labels in self.labels):
                    yield f"{other['kind']} {other['metadata']['name']}: no pod has {selector}"
        for scaler in self.of("HorizontalPodAutoscaler"):
            target = scaler["spec"]["scaleTargetRef"]
            if "replicas" in (self.named(target["kind"], target["name"]) or {"spec": "replicas"})["spec"]:
                yield "HorizontalPodAutoscaler: its target does not exist or sets its own number of replicas"
        if self.named("Deployment", "gateway"):
            yield from self.of_endpoints()

    def of_workload(self, workload):
        template = workload["spec"]["template"]
        pod, container = template["spec"], template["spec"]["containers"][0]
        if "selector" in workload["spec"] and not selects(workload["spec"]["selector"], template["metadata"]["labels"]):
            yield "does not select its own pods"
        if not re.search(r":[^/:]+$", container["image"]) or container["image"].endswith(":latest"):
            yield f"image {container['image']} has no fixed tag"
        if pod.get("automountServiceAccountToken") is not False or not pod["securityContext"]["runAsNonRoot"]:
            yield "has a service account's token or may run as root"
        if not container["securityContext"]["readOnlyRootFilesystem"] or "limits" not in container["resources"]:
            yield "may write to its image or has no limits"
        volumes = {volume["name"]: volume for volume in pod.get("volumes", [])}
        mounts = {mount["mountPath"]: volumes.get(mount["name"]) for mount in container["volumeMounts"]}
        if None in mounts.values() or len(mounts) != len(volumes):
            yield "volumes and mounts differ"
        for name in (v["persistentVolumeClaim"]["claimName"] for v in volumes.values() if "persistentVolumeClaim" in v):
            claim = self.named("PersistentVolumeClaim", name)
            if not claim:
                yield f"the claim {name} does not exist"
            elif workload["spec"].get("replicas", 1) > 1 and claim["spec"]["accessModes"] != ["ReadWriteMany"]:
                yield f"replicas on several nodes cannot share {name}"
        if workload["kind"] == "StatefulSet" and not self.named("Service", workload["spec"]["serviceName"]):
            yield "its Service does not exist"
        said = list(self.environment(container).values()) + container.get("args", [])
        for path in (text for text in said if text.startswith("/run/secrets/")):
            folder, key = path.rsplit("/", 1)
            secret = (mounts.get(folder) or {}).get("secret", {}).get("secretName")
            if key not in made_secrets().get(secret, ()):
                yield f"make-secrets puts nothing at {path}"

    def environment(self, container):
        variables = {entry["name"]: entry["value"] for entry in container.get("env", [])}
        for source in container.get("envFrom", []):
            variables.update(self.named("ConfigMap", source["configMapRef"]["name"])["data"])
        return variables

    def of_service(self, service):
        selector = {"matchLabels": service["spec"]["selector"]}
        chosen = [w for w, labels in zip(self.workloads, self.labels) if selects(selector, labels)]
        if len(chosen) != 1:
            yield f"selects the pods of {len(chosen)} workloads"
        for workload in chosen:
            known = {port["name"] for port in workload["spec"]["template"]["spec"]["containers"][0]["ports"]}
            wanted = {port["targetPort"] for port in service["spec"]["ports"]}
            yield from (f"no port {name}" for name in wanted - known)

    def variables(self, kind, name):
        return self.environment(self.named(kind, name)["spec"]["template"]["spec"]["containers"][0])

    def of_endpoints(self):
        """Checks that a gateway, and who follows presence, find all replicas of a service by the name of its headless
        Service."""
        gateway, follower = self.variables("Deployment", "gateway"), self.variables("StatefulSet", "notifications")
        for service in self.of("StatefulSet"):
            name = service["metadata"]["name"]
            links = self.named("Service", name)["spec"]
            if links.get("clusterIP") != "None" or not links.get("publishNotReadyAddresses"):
                yield f"Service {name}: its name does not resolve to every replica"
            for link in links["ports"]:
                key, right = f"PARLEY_{name}_{link['name']}".upper(), f"tcp://{name}:{link['port']}"
                who, said = ("notifications", follower) if link["name"] == "followers" else ("gateway", gateway)
                if said.get(key) != right:
                    yield f"{who}: {key} is {said.get(key)}; it must be {right}"


if __name__ == "__main__":
    found = [f"{path}: {what}" for path in sys.argv[1:] for what in Manifests(path).complaints()]
    print("\n".join(found), end="\n" if found else "")
    sys.exit(1 if found else 0)
