"""The contract of proto/parley/v1, made by protoc at run time: `pb` has its messages, enums and methods."""
import importlib
import os
import shutil
import subprocess
import sys
import tempfile

CONTRACT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "proto")


class Contract:
    """Every message of parley.v1 by its name, and every method by its name on the wire."""

    def __init__(self, folder=CONTRACT):
        made = tempfile.mkdtemp(prefix="parley-contract-")
        try:
            files = [f"parley/v1/{name}" for name in sorted(os.listdir(os.path.join(folder, "parley/v1"))) if name.endswith(".proto")]
            subprocess.run(["protoc", f"--proto_path={folder}", f"--python_out={made}", *files], check=True)
            sys.dont_write_bytecode = True
            sys.path.insert(0, made)
            self.methods = {}
            modules = [importlib.import_module(name[:-len(".proto")].replace("/", ".") + "_pb2") for name in files]
            sys.path.remove(made)
        finally:
            shutil.rmtree(made, ignore_errors=True)
        for module in modules:
            for name in module.DESCRIPTOR.message_types_by_name:
                setattr(self, name, getattr(module, name))
            for enum in module.DESCRIPTOR.enum_types_by_name.values():
                for value in enum.values:
                    setattr(self, value.name, value.number)
        for module in modules:
            for service in module.DESCRIPTOR.services_by_name.values():
                for method in service.methods:
                    name = f"{service.name.lower()}.{method.name}"
                    self.methods[name] = (getattr(self, method.input_type.name), getattr(self, method.output_type.name))


pb = Contract()
