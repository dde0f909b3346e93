"""Prints what ParleyKit keeps of a conversation in a folder, as JSON: kit_store.py FOLDER CONVERSATION."""
import json
import pathlib
import sqlite3
import sys

folder, conversation = sys.argv[1:]
paths = [path for path in pathlib.Path(folder).iterdir() if path.suffix == ".parley"]
assert len(paths) == 1, f"one person's store, not {paths}"
database = sqlite3.connect(paths[0])
number, held_from, held_to, section = database.execute(
    "SELECT number, held_from, held_to, section FROM conversation WHERE id = ?", [conversation]).fetchone()
messages = database.execute("SELECT seq, body FROM message WHERE conversation = ? ORDER BY seq", [number]).fetchall()
spans = database.execute("SELECT first, last FROM span WHERE conversation = ?", [number]).fetchall()
print(json.dumps({
    "held": [held_from, held_to], "spans": spans, "messages": [[seq, body.hex()] for seq, body in messages],
    "unsent": database.execute("SELECT count(*) FROM unsent").fetchone()[0],
}))
