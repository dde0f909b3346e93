"""Makes TypeScript out of a checked Contract, for protoc-gen-parley: Sources/Clients/Web/protocol/generated.

Names are those of the .proto files and of proto/vectors, in snake_case, and the values of enums are the words of
proto3's JSON. So a decoded state is the contract's own JSON, apart from its bytes: a Uint8Array, or for an id
(`exactly 16 bytes`) 32 lower-case hexadecimal digits. A number beyond 2^53 is refused, except in the fields of WIDE,
which are bigint.
"""

import re

from google.protobuf.descriptor_pb2 import FieldDescriptorProto as Field

# Fields whose values can pass 2^53: bits, and a time that may be the largest int64.
WIDE = {"capabilities", "muted_until_us"}

# What a client never holds alone: the rows of conversations, and messages.
ROWS = {"Conversation", "InboxState", "Message"}

# Requests that the SDK does not make. Their tables are in more.ts, which a page never loads. Tests/Web/size.test.ts
# says when this list is not that of the SDK's sources.
LATER = """
conversations.GetProfile conversations.ListReports conversations.ListImported conversations.GetConversation
conversations.GetConversations
conversations.FindConversation conversations.ListRequests conversations.MarkRequestsRead conversations.ListMembers
conversations.ListInvitations entities.GetReminder entities.SnoozeReminder entities.ListReminders entities.GetDecision
entities.ListDecisions entities.GetEvent entities.ListEvents entities.ExportEvent
entities.CreateCalendarLink entities.DeleteCalendarLink entities.ListSuggestions entities.GetSuggestionSettings
entities.UpdateSuggestionSettings entities.GetModelReading entities.UpdateModelReading messaging.GetInbox
messaging.GetBadge messaging.GetUsage messaging.ListRevisions messaging.ListReactions messaging.GetThread
messaging.ListReaders messaging.ListMentionsAndStars messaging.ListAttachments presence.GetPresence
""".split()

# Requests of a part of the SDK that few pages load. Their tables are in identities.ts.
IDENTITIES = """
conversations.ListIssuers conversations.SignInWithToken conversations.SignInWithCode conversations.ListIdentities
conversations.LinkIdentity conversations.UnlinkIdentity conversations.ChangePassword
conversations.RequestPasswordReset conversations.ResetPassword conversations.RequestEmailCode
conversations.ConfirmEmail conversations.BeginDeviceLink conversations.GetDeviceLink
conversations.ApproveDeviceLink conversations.FinishDeviceLink
""".split()

LETTERS = {
    Field.TYPE_STRING: "s", Field.TYPE_BYTES: "b", Field.TYPE_INT64: "l", Field.TYPE_UINT64: "k",
    Field.TYPE_INT32: "w", Field.TYPE_UINT32: "u", Field.TYPE_DOUBLE: "d", Field.TYPE_BOOL: "o",
}


def last(full_name):
    return full_name.rsplit(".", 1)[-1]


def document(text, indent=""):
    """A comment in the form of TSDoc."""
    if not text:
        return []
    text = text.replace("*/", "* /")
    if len(indent) + len(text) + 7 <= 120:
        return [f"{indent}/** {text} */"]
    lines, line = [f"{indent}/**"], indent + " *"
    for word in text.split():
        if len(line) + 1 + len(word) > 118 and not line.endswith(" *"):
            lines.append(line)
            line = indent + " *"
        line += " " + word
    return [*lines, line, f"{indent} */"]


def is_id(contract, message, field):
    limit = contract.limits.get((message.name, field.name))
    return field.type == Field.TYPE_BYTES and limit and limit[0] == "exactly"


def element_type(contract, message, field):
    if field.type in (Field.TYPE_MESSAGE, Field.TYPE_ENUM):
        return last(field.type_name)
    if field.type == Field.TYPE_STRING or is_id(contract, message, field):
        return "string"
    if field.type == Field.TYPE_BYTES:
        return "Uint8Array"
    if field.type == Field.TYPE_BOOL:
        return "boolean"
    return "bigint" if field.name in WIDE else "number"


def write_interface(contract, file, index):
    message = file.message_type[index]
    out = document(contract.comment(file, 4, index))
    out += [f"export interface {message.name} {{"]
    for i, field in enumerate(message.field):
        type = element_type(contract, message, field)
        repeated = field.label == Field.LABEL_REPEATED
        absent = not repeated and (field.type == Field.TYPE_MESSAGE or field.HasField("oneof_index"))
        out += document(contract.comment(file, 4, index, 2, i), "    ")
        out += [f"    {field.name}{'?' if absent else ''}: {type}{'[]' if repeated else ''};"]
    return out + ["}", ""]


def write_enum(contract, file, index):
    enum = file.enum_type[index]
    unknown = "A value that this version does not know is kept as a number."
    out = document(f"{contract.comment(file, 5, index)} {unknown}".strip())
    out += [f"export type {enum.name} ="]
    for i, value in enumerate(enum.value):
        out += document(contract.comment(file, 5, index, 2, i), "    ")
        out += [f'    | "{value.name}"']
    return out + ["    | number;", ""]


def enums(files):
    return [(file, i) for file in files for i, enum in enumerate(file.enum_type) if enum.name != "RefusalCode"]


def write_messages(contract, files):
    """messages.ts: an interface for each message, a type for each enum."""
    out = []
    for file in files:
        for i, enum in enumerate(file.enum_type):
            if enum.name != "RefusalCode":
                out += write_enum(contract, file, i)
        for i in range(len(file.message_type)):
            out += write_interface(contract, file, i)
    out += ["/** All messages by their names. */", "export interface Messages {"]
    out += [f"    {message.name}: {message.name};" for file in files for message in file.message_type]
    return out + ["}", ""]


def field_word(contract, message, field, expected, is_sent):
    """A field in the words that protocol/schema.ts reads. Limits are those of what is sent."""
    limit = contract.limits[message.name, field.name]
    if field.type == Field.TYPE_MESSAGE:
        type = "." + last(field.type_name)
    elif field.type == Field.TYPE_ENUM:
        type = ":" + last(field.type_name)
    elif is_id(contract, message, field):
        type = "i"
    else:
        type = LETTERS[field.type]
        type = type.upper() if field.name in WIDE else type
    if field.label == Field.LABEL_REPEATED:
        type = f"*{limit[1]}{type}{limit[3] or ''}" if is_sent else f"*{type}"
    elif limit and type in ("s", "b") and is_sent:
        type += limit[1]
    number = "" if field.number == expected else f"={field.number}"
    oneof = "?" + message.oneof_decl[field.oneof_index].name if field.HasField("oneof_index") else ""
    return f"{field.name} {type}{number}{oneof}"


def by_name(contract):
    return {last(name): message for name, message in contract.messages.items()}


def within(contract, names):
    """The messages with these names, and what is in them."""
    messages = by_name(contract)
    found, left = set(), list(names)
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += [last(field.type_name) for field in messages[name].field if field.type == Field.TYPE_MESSAGE]
    return found


def rpcs_of(files):
    """Each request: its file, the indexes of its service and of itself, its method, its description."""
    return [(file, i, j, f"{service.name.lower()}.{rpc.name}", rpc) for file in files
            for i, service in enumerate(file.service) for j, rpc in enumerate(service.method)]


def needed(contract, files):
    """The messages of which a page needs the tables."""
    names = {"ClientFrame", "ServerFrame", *(state.message.name for state in contract.states)}
    return within(contract, names) | messages_of(contract, files, {
        method for *_, method, _ in rpcs_of(files) if method not in LATER + IDENTITIES})


def messages_of(contract, files, methods):
    """The messages of some requests and their replies."""
    return within(contract, {last(type) for *_, method, rpc in rpcs_of(files) if method in methods
                             for type in (rpc.input_type, rpc.output_type)})


def message_words(contract, files, names):
    """The tables of some messages."""
    sent = within(contract, ["ClientFrame", *(last(rpc.input_type) for *_, rpc in rpcs_of(files))])
    out = []
    for message in (message for file in files for message in file.message_type if message.name in names):
        words, expected = [], 1
        for field in message.field:
            words.append(field_word(contract, message, field, expected, message.name in sent))
            expected = field.number + 1
        out += [f'    {message.name}: "{",".join(words)}",']
    return out


def enum_words(contract, files, names):
    """The tables of the enums in some messages."""
    messages = by_name(contract)
    used = {last(field.type_name) for name in names for field in messages[name].field
            if field.type == Field.TYPE_ENUM}
    out = []
    for file, index in enums(files):
        enum, words, expected = file.enum_type[index], [], 0
        if enum.name not in used:
            continue
        for value in enum.value:
            words.append(value.name + ("" if value.number == expected else f"={value.number}"))
            expected = value.number + 1
        out += [f'    {enum.name}: "{",".join(words)}",']
    return out


def method_words(files, is_wanted):
    """The requests of each service: the name, the message of the reply, that of the request."""
    services = {}
    for *_, method, rpc in rpcs_of(files):
        if not is_wanted(method):
            continue
        service, name = method.split(".")
        taken, given = last(rpc.input_type), last(rpc.output_type)
        words = [name] + ([] if given == f"{name}Reply" and taken == f"{name}Request" else [given])
        services.setdefault(service, []).append(" ".join(words + ([] if taken == f"{name}Request" else [taken])))
    return [f'    {service}: "{",".join(words)}",' for service, words in services.items()]


TABLE = "{ readonly [name: string]: string }"


def write_tables(contract, files):
    """tables.ts: what the codec knows of each message and enum."""
    names = needed(contract, files)
    return ["/** The fields of each message of the SDK's requests, in the words that schema.ts reads. */",
            f"export const messageTables: {TABLE} = {{", *message_words(contract, files, names), "};", "",
            "/** The values of each enum, in the same words. */", f"export const enumTables: {TABLE} = {{",
            *enum_words(contract, files, names), "};", "",
            "/** The SDK's requests by their services, in the words that methods.ts reads. */",
            f"export const methodTables: {TABLE} = {{",
            *method_words(files, lambda method: method not in LATER + IDENTITIES), "};", ""]


def write_more(contract, files):
    """more.ts: the rest of the contract."""
    unknown = {*LATER, *IDENTITIES} - {method for *_, method, _ in rpcs_of(files)}
    if unknown:
        raise ValueError(f"parley_typescript.py names requests that do not exist: {sorted(unknown)}")
    known = needed(contract, files) | messages_of(contract, files, IDENTITIES)
    names = {message.name for file in files for message in file.message_type} - known
    enum_lines = [line for line in enum_words(contract, files, names)
                  if line not in enum_words(contract, files, known)]
    return ["/** What whole.ts adds to the tables: the messages of requests that the SDK does not make. */",
            f"export const moreMessages: {TABLE} = {{", *message_words(contract, files, names), "};", "",
            f"export const moreEnums: {TABLE} = {{", *enum_lines, "};", "",
            f"export const moreMethods: {TABLE} = {{", *method_words(files, LATER.__contains__), "};", ""]


def write_identities(contract, files):
    """identities.ts: what one part of the SDK adds to the tables."""
    names = messages_of(contract, files, IDENTITIES) - needed(contract, files)
    enum_lines = [line for line in enum_words(contract, files, names)
                  if line not in enum_words(contract, files, needed(contract, files))]
    return ["/** What api/identities.ts adds to the tables. */",
            f"export const identityMessages: {TABLE} = {{", *message_words(contract, files, names), "};", "",
            f"export const identityEnums: {TABLE} = {{", *enum_lines, "};", "",
            f"export const identityMethods: {TABLE} = {{", *method_words(files, IDENTITIES.__contains__), "};", ""]


def write_methods(contract, files):
    """methods.ts: each request with the types of its request and reply."""
    rpcs = rpcs_of(files)
    types = sorted({last(type) for *_, rpc in rpcs for type in (rpc.input_type, rpc.output_type)})
    out = ["import type {"] + [f"    {type}," for type in types] + ['} from "./messages";', ""]
    out += ["/** Each request by its method, with the types of its request and reply. */", "export interface Methods {"]
    for file, i, j, method, rpc in rpcs:
        out += document(contract.comment(file, 6, i, 2, j), "    ")
        out += [f'    "{method}": {{ request: {last(rpc.input_type)}; reply: {last(rpc.output_type)} }};']
    return out + ["}", "", "/** The name of a request: its service, a dot, the request. */",
                  "export type Method = keyof Methods;", ""]


def prefix(state):
    return re.match(r"\w+/\w+/", state.stream).group()


def write_states(contract, files):
    """states.ts: what Updates carry, the kinds of each stream, the states in the replies to Syncs."""
    names = [state.message.name for state in contract.states]
    out = ["import type {"] + [f"    {name}," for name in sorted(names)] + ['} from "./messages";', ""]
    out += ["/** The states that Updates carry, by their kinds. */", "export interface States {"]
    for file in files:
        for i, message in enumerate(file.message_type):
            if message.name in names:
                out += document(contract.comment(file, 4, i), "    ") + [f"    {message.name}: {message.name};"]
    out += ["}", "", "/** The kind of an Update. */", "export type Kind = keyof States;", "",
            "/** What is known of each kind. */", "export const states: {", "    readonly [K in Kind]: {",
            "        /** How the name of its stream begins. */", "        readonly stream: string;",
            "        /** Whether the stream has positions. */", "        readonly ordered: boolean;",
            "        /** The fields that name its object; none: there is one. */",
            "        readonly keys: readonly string[];",
            "        /** The kind that it is a part of; empty: none. */", '        readonly whole: Kind | "";',
            "        /** The request that returns what was missed; empty: it is sent again. */",
            "        readonly source: string;",
            "    };", "} = {"]
    for state in contract.states:
        keys = ", ".join(f'"{key}"' for key in state.keys)
        ordered = "true" if state.is_ordered else "false"
        out += [f'    {state.message.name}: {{ stream: "{prefix(state)}", ordered: {ordered}, keys: [{keys}], '
                f'whole: "{state.whole or ""}", source: "{state.source or ""}" }},']
    out += ["};", ""]
    keyed = [state.message.name for state in contract.states
             if state.is_ordered and not state.whole and state.message.name not in ROWS]
    out += [*document("The kinds of which a client holds one state for each key. The others that it holds are "
                      "messages, and what is in the row of a conversation."), "export const keyedKinds = ["]
    out += [f'    "{name}",' for name in keyed]
    out += ["] as const;", "", "/** A kind of which a client holds one state for each key. */",
            "export type KeyedKind = (typeof keyedKinds)[number];", ""]
    kinds = {}
    for state in contract.states:
        if state.is_ordered:
            kinds.setdefault(prefix(state), []).append(state.message.name)
    out += ["/** The kinds with positions that this version knows, by how the names of their streams begin. */",
            "export const streamKinds: { readonly [prefix: string]: string } = {"]
    out += [f'    "{start}": "{" ".join(sorted(names))}",' for start, names in sorted(kinds.items())]
    return out + ["};", ""] + write_syncs(contract)


def write_syncs(contract):
    ordered = {state.message.name for state in contract.states if state.is_ordered}
    sources = []
    for state in contract.states:
        if state.is_ordered and state.source.endswith(".Sync") and state.source not in sources:
            sources.append(state.source)
    out = ["/** The fields of the replies to each Sync that hold states, with their kinds. */",
           "export const syncStates: { readonly [method: string]: readonly (readonly [string, Kind])[] } = {"]
    for source in sources:
        reply = contract.messages[contract.requests[source].output_type]
        pairs = [f'["{field.name}", "{last(field.type_name)}"]' for field in reply.field
                 if field.type == Field.TYPE_MESSAGE and last(field.type_name) in ordered]
        out += [f'    "{source}": [{", ".join(pairs)}],']
    return out + ["};", ""]


def write_codes(contract):
    """codes.ts: the codes of refusals."""
    out = ["/** Whether the same request may be sent again after a refusal. */",
           'export type Repetition = "afterWait" | "aFewTimes" | "onceSignedIn" | "uncertain" | "never";', "",
           "/** A code of a refusal that this version knows. Servers may add more. */", "export type RefusalCode ="]
    for code, (comment, _) in contract.codes.items():
        out += document(comment, "    ") + [f'    | "{code}"']
    out[-1] += ";"
    out += ["", "/** The codes after which the same request may be sent again, and when. */",
            "const repetitions: { readonly [code in RefusalCode]?: Repetition } = {"]
    out += [f'    {code}: "{told}",' for code, (_, told) in contract.codes.items() if told and told != "never"]
    out += ["};", "",
            "/** Whether the same request may be sent again after this code. Of one that is not known: never. */",
            "export function repetition(code: string): Repetition {",
            "    const isKnown = Object.prototype.hasOwnProperty.call(repetitions, code);",
            "    return (isKnown && repetitions[code as RefusalCode]) || \"never\";", "}", ""]
    return out


def write(contract, files):
    """The files to make, by name."""
    made = {"messages.ts": write_messages(contract, files), "tables.ts": write_tables(contract, files),
            "methods.ts": write_methods(contract, files), "states.ts": write_states(contract, files),
            "codes.ts": write_codes(contract), "identities.ts": write_identities(contract, files),
            "more.ts": write_more(contract, files)}
    return {name: "\n".join(lines) for name, lines in made.items()}
