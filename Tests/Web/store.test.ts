import test from "node:test";
import { Store } from "../../Sources/Clients/Web/store/store";
import { storeCases } from "./support/store-cases";

for (const { name, run } of storeCases(async () => Store.inMemory(), "in memory")) {
    void test(name, { timeout: 60_000 }, run);
}
