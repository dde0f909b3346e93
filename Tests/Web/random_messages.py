#!/usr/bin/python3
"""Random messages of the contract by Python's protobuf, for the codec of Sources/Clients/Web.

  random_messages.py make COUNT SEED   prints lines "NAME BASE64 JSON"
  random_messages.py check             reads lines "NAME BASE64 BASE64" and prints those whose messages differ
"""

import base64
import json
import pathlib
import random
import subprocess
import sys
import tempfile

from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.descriptor import FieldDescriptor as Field

PROTO = pathlib.Path(__file__).resolve().parents[2] / "proto"
WIDE = {"capabilities", "muted_until_us"}
SAFE = 2**53 - 1


def messages():
    """The class of each message that a client may see, by its name."""
    paths = sorted((PROTO / "parley/v1").glob("*.proto"))
    files = [f"parley/v1/{path.name}" for path in paths if path.name != "link.proto"]
    with tempfile.NamedTemporaryFile() as made:
        subprocess.run(["protoc", "-I", str(PROTO), f"--descriptor_set_out={made.name}", "--include_imports", *files],
                       check=True)
        described = descriptor_pb2.FileDescriptorSet.FromString(pathlib.Path(made.name).read_bytes())
    pool = descriptor_pool.DescriptorPool()
    for file in described.file:
        pool.Add(file)
    make = getattr(message_factory, "GetMessageClass", None) or message_factory.MessageFactory(pool).GetPrototype
    return {name: make(descriptor) for file in described.file
            for name, descriptor in pool.FindFileByName(file.name).message_types_by_name.items()}


def text(dice):
    alphabets = ["abc xyz", "äöüß", "日本語", "👍🏽🇨🇭", "\u0000\u007f", "\ufeff\ufffd\u2028"]
    return "".join(dice.choice(dice.choice(alphabets)) for _ in range(dice.choice([0, 1, 5, 47, 48, 49, 130])))


def whole(dice, bits, signed):
    least, most = (-2**(bits - 1), 2**(bits - 1) - 1) if signed else (0, 2**bits - 1)
    values = [least, most, 0, 1, 127, 128, 300, 2**28, 2**31 - 1, 2**32 - 1, 2**32, 2**35, SAFE]
    value = dice.choice(values + [-1, -2**31, -SAFE] if signed else values)
    return value if least <= value <= most else dice.randrange(0, 1000)


def value(dice, field):
    if field.type == Field.TYPE_STRING:
        return text(dice)
    if field.type == Field.TYPE_BYTES:
        return dice.randbytes(dice.choice([0, 16]))
    if field.type == Field.TYPE_BOOL:
        return dice.random() < 0.5
    if field.type == Field.TYPE_DOUBLE:
        return dice.choice([0.0, -0.5, 1e300, 5e-324, dice.random()])
    if field.type == Field.TYPE_ENUM:
        return dice.choice([known.number for known in field.enum_type.values] + [2000, -1])
    signed = field.type in (Field.TYPE_INT32, Field.TYPE_INT64)
    bits = 32 if field.type in (Field.TYPE_INT32, Field.TYPE_UINT32) else 64
    made = whole(dice, bits, signed)
    return made if field.name in WIDE else max(-SAFE, min(SAFE, made))


def fill(dice, message, depth):
    for field in message.DESCRIPTOR.fields:
        if dice.random() < 0.3:
            continue
        if field.label == Field.LABEL_REPEATED:
            for _ in range(dice.choice([0, 1, 3])):
                if field.type == Field.TYPE_MESSAGE:
                    fill(dice, getattr(message, field.name).add(), depth + 1)
                else:
                    getattr(message, field.name).append(value(dice, field))
        elif field.type == Field.TYPE_MESSAGE:
            getattr(message, field.name).SetInParent()
            fill(dice, getattr(message, field.name), depth + 1)
        else:
            setattr(message, field.name, value(dice, field))


def make(count, seed):
    dice, known = random.Random(seed), messages()
    names = sorted(known)
    for number in range(count):
        name = names[number % len(names)]
        message = known[name]()
        fill(dice, message, 0)
        said = json_format.MessageToDict(message, preserving_proto_field_name=True)
        print(name, base64.b64encode(message.SerializeToString()).decode(), json.dumps(said))


def check():
    known, different = messages(), 0
    for line in sys.stdin:
        name, given, returned = line.rstrip("\n").split(" ")
        ours, theirs = (known[name].FromString(base64.b64decode(part)) for part in (given, returned))
        if ours != theirs or ours.SerializeToString(deterministic=True) != theirs.SerializeToString(deterministic=True):
            different += 1
            print(f"{name}: {given} came back as {returned}")
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    if sys.argv[1:2] == ["make"]:
        make(int(sys.argv[2]), int(sys.argv[3]))
    elif sys.argv[1:2] == ["check"]:
        check()
    else:
        sys.exit(__doc__)
