import { ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { until } from "./check";

/** Many people share one address here. */
const settings = {
    PARLEY_FILES_FREE_BYTES: "0",
    PARLEY_LIMITS_REGISTRATIONS_PER_MINUTE: "1000", PARLEY_LIMITS_SIGN_INS_PER_MINUTE: "1000",
    PARLEY_LIMITS_REQUESTS_PER_SECOND: "500", PARLEY_LIMITS_REQUESTS_BURST: "1000",
};

interface Said {
    type: string;
    name?: string;
    pid?: number;
    urls?: string[];
}

/** Parley's real processes over a real PostgreSQL, in a folder of their own: `parley up`. */
export class Cluster {
    private readonly pids = new Map<string, number>();
    private urls: string[] = [];
    private isReady = false;
    private hasEnded = false;

    private constructor(private readonly process: ChildProcess, private readonly folder: string) {
        process.on("exit", () => (this.hasEnded = true));
        void this.listen();
    }

    /**
     * Starts a cluster with the programs of PARLEY_BINARIES, or of .build/debug.
     * @param more settings, as environment variables.
     */
    static async start(more: Record<string, string> = {}): Promise<Cluster> {
        const folder = mkdtempSync(join(tmpdir(), "parley-web-"));
        const binaries = process.env["PARLEY_BINARIES"] ?? join(process.env["PARLEY_ROOT"] ?? process.cwd(), ".build/debug");
        mkdirSync(join(folder, "data"), { recursive: true });
        const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("PARLEY_"));
        const child = spawn(join(binaries, "parley"), [
            "up", "--folder", join(folder, "data"), "--listen", "127.0.0.1:0", "--binaries", binaries, "--json",
        ], {
            env: { ...Object.fromEntries(inherited), ...settings, ...more }, stdio: ["ignore", "pipe", openSync(join(folder, "errors"), "w")],
        });
        const cluster = new Cluster(child, folder);
        await until("the cluster is ready", () => cluster.isReady || cluster.hasEnded, 120);
        if (!cluster.isReady) throw new Error(`parley up ended at once; ${join(folder, "errors")} says why`);
        return cluster;
    }

    private async listen(): Promise<void> {
        for await (const line of createInterface({ input: this.process.stdout })) {
            let said: Said;
            try {
                said = JSON.parse(line) as Said;
            } catch {
                continue;
            }
            if (said.type === "process" && said.name && said.pid) this.pids.set(said.name, said.pid);
            if (said.type === "ready") [this.urls, this.isReady] = [said.urls ?? [], true];
        }
    }

    /** The address of the gateway. */
    get url(): string {
        return this.urls[0]!;
    }

    /** Kills a process with -9; it is started again. */
    async kill(name: string): Promise<void> {
        const entry = [...this.pids].find(([known]) => known.startsWith(name));
        if (!entry) throw new Error(`There is no process ${name}: ${[...this.pids.keys()].join(", ")}`);
        const [known, pid] = entry;
        process.kill(pid, "SIGKILL");
        await until(`${known} is started again`, () => this.pids.get(known) !== pid, 60);
    }

    async stop(): Promise<void> {
        this.process.kill("SIGTERM");
        await until("the cluster ends", () => this.hasEnded, 60);
        rmSync(this.folder, { recursive: true, force: true });
    }
}
