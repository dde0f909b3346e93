// The parts of node that the tests use. Debian has no package with node's own types.

declare module "node:test" {
    type Body = (context: { diagnostic(text: string): void }) => void | Promise<void>;
    interface Options { timeout?: number; skip?: boolean | string }
    function test(name: string, body: Body): Promise<void>;
    function test(name: string, options: Options, body: Body): Promise<void>;
    export default test;
}

declare module "node:assert/strict" {
    function assert(value: unknown, message?: string): asserts value;
    namespace assert {
        function ok(value: unknown, message?: string): asserts value;
        function equal(actual: unknown, expected: unknown, message?: string): void;
        function notEqual(actual: unknown, expected: unknown, message?: string): void;
        function deepEqual(actual: unknown, expected: unknown, message?: string): void;
        function notDeepEqual(actual: unknown, expected: unknown, message?: string): void;
        function match(actual: string, pattern: RegExp, message?: string): void;
        function throws(body: () => unknown, expected?: unknown, message?: string): void;
        function rejects(body: Promise<unknown> | (() => Promise<unknown>), expected?: unknown, message?: string): Promise<void>;
        function fail(message?: string): never;
    }
    export default assert;
}

declare module "node:fs" {
    export function readFileSync(path: string | URL, encoding: "utf8"): string;
    export function readFileSync(path: string | URL): Uint8Array;
    export function readdirSync(path: string | URL): string[];
    export function readdirSync(
        path: string, options: { withFileTypes: true }
    ): { readonly name: string; isDirectory(): boolean }[];
    export function existsSync(path: string | URL): boolean;
    export function writeFileSync(path: string | URL, data: string | Uint8Array, options?: { mode?: number }): void;
    export function mkdtempSync(prefix: string): string;
    export function rmSync(path: string, options?: { recursive?: boolean; force?: boolean }): void;
    export function mkdirSync(path: string, options?: { recursive?: boolean }): void;
    export function openSync(path: string, flags: string): number;
}

declare module "node:path" {
    export function join(...parts: string[]): string;
    export function resolve(...parts: string[]): string;
    export function dirname(path: string): string;
    export function basename(path: string): string;
}

declare module "node:os" {
    export function tmpdir(): string;
}

declare module "node:url" {
    export function fileURLToPath(url: string | URL): string;
}

declare module "node:zlib" {
    export function gzipSync(data: Uint8Array, options?: { level?: number }): Uint8Array;
}

declare module "node:child_process" {
    interface Stream { on(event: "data", body: (chunk: Uint8Array) => void): void; setEncoding(name: string): void }
    export interface ChildProcess {
        readonly pid: number | undefined;
        readonly exitCode: number | null;
        readonly stdout: Stream;
        readonly stderr: Stream;
        readonly stdin: { write(text: string): void; end(): void };
        kill(signal?: string): boolean;
        on(event: "exit", body: (code: number | null, signal: string | null) => void): void;
        on(event: "error", body: (error: Error) => void): void;
    }
    export function spawn(command: string, args: string[], options?: object): ChildProcess;
    export function execFileSync(command: string, args: string[], options?: object): Uint8Array;
}

declare module "node:net" {
    export interface Socket {
        write(data: Uint8Array | string): boolean;
        end(): void;
        destroy(): void;
        setNoDelay(on?: boolean): void;
        on(event: "data", body: (chunk: Uint8Array) => void): void;
        on(event: "connect" | "close" | "end", body: () => void): void;
        on(event: "error", body: (error: Error) => void): void;
    }
    export interface Server { address(): { port: number } | null; close(): void; listen(port: number, host: string, done: () => void): void }
    export function connect(port: number, host: string): Socket;
    export function createServer(body: (socket: Socket) => void): Server;
}

declare module "node:readline" {
    export function createInterface(options: { input: unknown }): AsyncIterable<string> & { close(): void };
}

declare const process: {
    readonly argv: string[];
    readonly env: Record<string, string | undefined>;
    readonly pid: number;
    readonly stdin: unknown;
    readonly stdout: { write(text: string): boolean };
    readonly version: string;
    cwd(): string;
    exit(code?: number): never;
    kill(pid: number, signal: string): boolean;
    memoryUsage(): { heapUsed: number; rss: number };
    on(event: string, body: (...args: unknown[]) => void): void;
    exitCode: number | undefined;
};
