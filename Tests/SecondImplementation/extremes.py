"""Requests with one field at an end of what it can hold, made from the contract alone."""
from google.protobuf.descriptor import FieldDescriptor as Field

from parley_client import pb

SERVICES = ("conversations", "messaging", "presence", "entities")
# They end the session, the account or the attempts of this address.
ENDING = {"conversations.SignOut", "conversations.EraseAccount", "conversations.RevokeDevice", "conversations.SignIn",
          "conversations.Register", "conversations.RefreshTokens", "conversations.ChangePassword", "conversations.GetChallenge"}

TEXTS = [
    "", " ", "\n", "\u202e", "\U0010ffff" * 16, "x" * 5000, "-1", "0", "9" * 40, "-9223372036854775808", "1e999", "%s%n", "'; --", "../../etc",
    "0001-01-01", "1970-01-01", "9999-12-31", "10000-01-01", "2026-02-30", "00:00", "23:59", "24:00", "9999-12-31T23:59",
    "Pacific/Kiritimati", "Europe/../UTC", "https://" + "a" * 3000,
    "FREQ=MONTHLY;BYDAY=-9223372036854775808MO", "FREQ=YEARLY;BYDAY=9223372036854775807SU", "FREQ=DAILY;INTERVAL=9223372036854775807",
    "FREQ=DAILY;COUNT=1000", "FREQ=YEARLY;INTERVAL=1000;COUNT=1000", "FREQ=DAILY;INTERVAL=7;BYDAY=TU", "FREQ=WEEKLY;BYDAY=" + "TH," * 70 + "TH",
    "remind me to call mum in 999999999 and a half years", "dinner in 10000 decades, 10000 decades", "lunch 999999999 and a half hours from now",
    "meet on 31.12.9999 at 25:61", "remind me in 999999999 days, 9999 years and 2 1/2 weeks",
]
NUMBERS = {
    Field.CPPTYPE_INT32: [0, 1, -1, -2**31, 2**31 - 1], Field.CPPTYPE_UINT32: [0, 1, 2**31, 2**32 - 1],
    Field.CPPTYPE_INT64: [0, 1, -1, -2**63, 2**63 - 1, 253_402_300_799_999_999, 253_402_300_800_000_000],
    Field.CPPTYPE_UINT64: [0, 1, 2**63, 2**64 - 1], Field.CPPTYPE_ENUM: [0, 1, -1, 99, -2**31, 2**31 - 1],
    Field.CPPTYPE_DOUBLE: [0.0, -1e308, 1e308, float("inf"), float("nan")], Field.CPPTYPE_BOOL: [False, True],
}


def is_list(field):
    return field.label == Field.LABEL_REPEATED


def ends(field):
    """Returns the values at the ends of a field that is no message."""
    if field.cpp_type != Field.CPPTYPE_STRING:
        return NUMBERS[field.cpp_type]
    if field.type == Field.TYPE_STRING:
        return TEXTS
    return [b"", b"\0" * 16, b"\xff" * 16, b"\xff" * 15, b"\x01\x99\xa0\0\0\0\x70\x01\x80" + b"\xff" * 7, b"\xff" * 5000]


class Plain:
    """Fills messages with plain values. `known` has values by the name of a field."""

    def __init__(self, known, new_id):
        self.known, self.new_id = known, new_id

    def value(self, field):
        if field.name in self.known:
            return self.known[field.name]
        if field.cpp_type != Field.CPPTYPE_STRING:
            return 1
        return self.new_id() if field.type == Field.TYPE_BYTES else "x"

    def fill(self, message, deep=3):
        seen = set()
        for field in message.DESCRIPTOR.fields:
            if field.containing_oneof and field.containing_oneof.name in seen:
                continue
            if field.containing_oneof:
                seen.add(field.containing_oneof.name)
            if field.cpp_type == Field.CPPTYPE_MESSAGE:
                if deep:
                    held = getattr(message, field.name)
                    self.fill(held.add() if is_list(field) else held, deep - 1)
                    if not is_list(field):
                        held.SetInParent()
            elif is_list(field):
                getattr(message, field.name).append(self.value(field))
            elif not field.name.endswith("cursor"):
                setattr(message, field.name, self.value(field))
        return message


def paths(descriptor, deep=3):
    """Returns the way to each field of a message and of those in it."""
    for field in descriptor.fields:
        yield (field,)
        if field.cpp_type == Field.CPPTYPE_MESSAGE and deep:
            for path in paths(field.message_type, deep - 1):
                yield (field, *path)


def at(message, path):
    """Returns the message that has the last field of a path."""
    for field in path[:-1]:
        held = getattr(message, field.name)
        message = (held[0] if held else held.add()) if is_list(field) else held
        message.SetInParent()
    return message


def requests(method, plain):
    """Returns requests of a method, encoded: one for each end of each field."""
    kind = pb.methods[method][0]
    yield b""
    for path in paths(kind.DESCRIPTOR):
        field = path[-1]
        if field.cpp_type == Field.CPPTYPE_MESSAGE:
            if is_list(field):
                request = plain.fill(kind())
                held = getattr(at(request, path), field.name)
                while len(held) < 300:
                    plain.fill(held.add(), 0)
                yield request.SerializeToString()
            continue
        values = ends(field)
        for value in values if not is_list(field) else [[value] for value in values] + [[], [plain.value(field)] * 1001]:
            request = plain.fill(kind())
            holder = at(request, path)
            if is_list(field):
                del getattr(holder, field.name)[:]
                getattr(holder, field.name).extend(value)
            else:
                setattr(holder, field.name, value)
            yield request.SerializeToString()


def methods():
    return [name for name in pb.methods if name.split(".")[0] in SERVICES and name not in ENDING]
