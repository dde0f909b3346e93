// The figures of the SDK for browsers that need no browser: Tests/Web/bench runs it.
import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { Store } from "../../Sources/Clients/Web/store/store";
import { appendTime, bulkRate, decodeRate, jsonRate, median, mergeRate, updates } from "./support/figures";

const bundle = readFileSync(".build-web/package/parley.js");
/** The bytes of each part in the bundle. */
const parts: Record<string, number> = {};
const { outputs } = JSON.parse(readFileSync(".build-web/parts.json", "utf8")) as {
    outputs: Record<string, { inputs: Record<string, { bytesInOutput: number }> }>;
};
for (const [path, { bytesInOutput }] of Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs))) {
    const part = path.includes("/generated/") ? "tables" : path.split("/")[3]!;
    parts[part] = (parts[part] ?? 0) + bytesInOutput;
}
const frames = updates(20_000);
// The first run compiles.
mergeRate(frames.slice(0, 5000));
const node = {
    json_parse_per_second: await median(5, () => jsonRate()),
    updates_decoded_per_second: await median(5, () => decodeRate(frames)),
    updates_merged_per_second: await median(5, () => mergeRate(frames)),
    append_in_memory_us: await median(5, () => appendTime(Store.inMemory(), 2000)),
    stored_in_memory_per_second: await median(5, () => bulkRate(Store.inMemory(), 10_000)),
};
process.stdout.write(`${JSON.stringify({
    node_version: process.version, minified_bytes: bundle.length, gzipped_bytes: gzipSync(bundle, { level: 9 }).length,
    minified_bytes_of: parts, node,
}, null, 4)}\n`);
