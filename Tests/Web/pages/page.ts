// What a page of tests offers to the program that drives the browser.
import type { Case } from "../support/check";

export interface Outcome {
    name: string;
    error?: string;
}

/** Lets the driver run cases: `runCases(filter)`. */
export function publish(cases: readonly Case[]): void {
    async function runCases(filter = ""): Promise<Outcome[]> {
        const outcomes: Outcome[] = [];
        for (const { name, run } of cases) {
            if (!name.includes(filter)) continue;
            try {
                await run();
                outcomes.push({ name });
            } catch (error) {
                outcomes.push({ name, error: (error as Error).stack ?? String(error) });
            }
        }
        return outcomes;
    }
    Object.assign(globalThis, { runCases });
}
