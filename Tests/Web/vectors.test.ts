// The vectors of the contract, over the store in memory.
import assert from "node:assert/strict";
import test from "node:test";
import { MemoryVectorStore, VectorRun, vectors } from "./support/vectors";

test("the machine asks and the memory holds what every vector says", async () => {
    const all = vectors();
    assert.ok(all.length >= 106, `${all.length} vectors`);
    const problems: string[] = [];
    for (const vector of all) {
        const found = await new VectorRun(vector, new MemoryVectorStore()).run();
        problems.push(...found.map((problem) => `${vector.id}: ${problem}`));
    }
    assert.deepEqual(problems, []);
});

test("a case whose end is changed fails", async () => {
    const vector = structuredClone(vectors().find(({ after }) => (after.states?.length ?? 0) > 1)!);
    vector.after.states!.pop();
    assert.ok((await new VectorRun(vector, new MemoryVectorStore()).run()).length > 0);
});
